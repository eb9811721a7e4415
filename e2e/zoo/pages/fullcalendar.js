import { Calendar } from "@fullcalendar/core";
import dayGrid from "@fullcalendar/daygrid";
import interaction from "@fullcalendar/interaction";

document.body.innerHTML = `<h1>Plan</h1><div id="calendar" style="max-width: 900px"></div>`;
const did = {};
const calendar = new Calendar(document.getElementById("calendar"), {
  plugins: [dayGrid, interaction], initialDate: "2026-05-04", editable: true, selectable: true,
  events: [{ id: "1", title: "Dentist", start: "2026-05-06" }, { id: "2", title: "Lunch", start: "2026-05-12" }],
  dateClick: (e) => { did.day = e.dateStr; }, eventClick: (e) => { did.event = e.event.title; },
});
calendar.render();
window.state = () => ({ ...did, month: calendar.getDate().getMonth() + 1, ...Object.fromEntries(calendar.getEvents().map((e) => [e.title, e.startStr])) });
