import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DayPicker } from "react-day-picker";
import "react-day-picker/style.css";
import Litepicker from "litepicker";
import { Calendar, time } from "vanilla-calendar-pro";
import "vanilla-calendar-pro/styles/index.css";

const state = {};
const day = (d) => d && `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
function Form() {
  const [r, setR] = useState();
  state.trip = r && [day(r.from), day(r.to)];
  return <><h1>Trips</h1><DayPicker mode="range" numberOfMonths={2} defaultMonth={new Date(2026, 4, 1)} selected={r} onSelect={setR} /></>;
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
document.body.insertAdjacentHTML("beforeend", `<p><label>Stay <input id="stay"></label></p><div id="cal" style="width:300px"></div>`);
new Litepicker({ element: document.getElementById("stay"), singleMode: false, numberOfMonths: 2, numberOfColumns: 2, startDate: "2026-05-04", endDate: "2026-05-06", setup: (p) => p.on("selected", (a, b) => { state.stay = [day(a.dateInstance ?? a.toJSDate()), day(b.dateInstance ?? b.toJSDate())]; }) });
new Calendar("#cal", { extensions: [time], selectedMonth: 4, selectedYear: 2026, selectionTimeMode: 24, onClickDate: (self) => { state.cal = self.context.selectedDates[0]; }, onChangeTime: (self) => { state.time = self.context.selectedTime; } }).init();
window.state = () => state;
