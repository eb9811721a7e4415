import flatpickr from "flatpickr";
import "flatpickr/dist/flatpickr.css";

document.body.innerHTML = `<h1>Trip</h1>
<label>Departure <input id="day"></label>
<label>Stay <input id="stay"></label>
<label>Alarm <input id="alarm"></label>
<label>Meeting <input id="meeting"></label>`;
const start = "2026-05-04";
const day = flatpickr("#day", { defaultDate: start });
const stay = flatpickr("#stay", { mode: "range", defaultDate: ["2026-05-04", "2026-05-05"] });
const alarm = flatpickr("#alarm", { enableTime: true, noCalendar: true, time_24hr: true, defaultDate: "08:00" });
const meeting = flatpickr("#meeting", { enableTime: true, time_24hr: true, allowInput: true, defaultDate: "2026-05-04 10:00" });
const iso = (p, format) => p.selectedDates.map((d) => p.formatDate(d, format));
window.state = () => ({
  day: iso(day, "Y-m-d")[0], stay: iso(stay, "Y-m-d"), alarm: iso(alarm, "H:i")[0], meeting: iso(meeting, "Y-m-d H:i")[0],
});
