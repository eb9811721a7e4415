import { useState } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";
import Async from "react-select/async";
import Creatable from "react-select/creatable";

const state = {};
const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"].map((value) => ({ value, label: value }));
const later = (text) => new Promise((done) => setTimeout(() => done(cities.filter((c) => c.label.toLowerCase().includes(text.toLowerCase()))), 300));

function Form() {
  const [v, setV] = useState({ city: null, stops: [], tags: [], far: null });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  const of = (x) => x && { value: x, label: x };
  return (
    <>
      <h1>Trip</h1>
      <label htmlFor="city">City</label>
      <Select inputId="city" options={cities} value={of(v.city)} onChange={(o) => set({ city: o?.value ?? null })} isClearable />
      <label htmlFor="stops">Stops</label>
      <Select inputId="stops" isMulti options={cities} value={v.stops.map(of)} onChange={(os) => set({ stops: os.map((o) => o.value) })} />
      <label htmlFor="tags">Tags</label>
      <Creatable inputId="tags" isMulti options={cities} value={v.tags.map(of)} onChange={(os) => set({ tags: os.map((o) => o.value) })} />
      <label htmlFor="far">Far away</label>
      <Async inputId="far" loadOptions={later} value={of(v.far)} onChange={(o) => set({ far: o?.value ?? null })} />
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
