import { useState } from "react";
import { createRoot } from "react-dom/client";
import DatePicker from "react-datepicker";
import "react-datepicker/dist/react-datepicker.css";

const state = {};
const iso = (d) => d && new Date(d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 16);

function Form() {
  const [day, setDay] = useState(new Date(2026, 4, 4));
  const [stay, setStay] = useState([new Date(2026, 4, 4), null]);
  const [at, setAt] = useState(new Date(2026, 4, 4, 10));
  Object.assign(state, { day: iso(day)?.slice(0, 10), stay: stay.map((d) => iso(d)?.slice(0, 10) ?? null), at: iso(at) });
  return (
    <>
      <h1>Trip</h1>
      <label htmlFor="day">Departure</label> <DatePicker id="day" selected={day} onChange={setDay} dateFormat="yyyy-MM-dd" />
      <label htmlFor="stay">Stay</label> <DatePicker id="stay" selectsRange startDate={stay[0]} endDate={stay[1]} onChange={setStay} dateFormat="yyyy-MM-dd" />
      <label htmlFor="at">Meeting</label> <DatePicker id="at" selected={at} onChange={setAt} showTimeSelect timeFormat="HH:mm" dateFormat="yyyy-MM-dd HH:mm" />
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
