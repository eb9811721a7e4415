import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Autocomplete, FileInput, MantineProvider, MultiSelect, NumberInput, PinInput, SegmentedControl, Select, Slider, Switch, TagsInput } from "@mantine/core";
import { DatePickerInput, DateTimePicker } from "@mantine/dates";
import "@mantine/core/styles.css";
import "@mantine/dates/styles.css";

const state = {};
const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"];

function Form() {
  const [v, setV] = useState({ city: null, stops: [], tags: [], near: "", guests: 1, volume: 30, day: "2026-05-04", at: "2026-05-04 10:00:00", view: "List" });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, { ...v, file: v.file?.name });
  return (
    <MantineProvider>
      <h1>Booking</h1>
      <Select label="City" data={cities} searchable value={v.city} onChange={(city) => set({ city })} />
      <MultiSelect label="Stops" data={cities} value={v.stops} onChange={(stops) => set({ stops })} />
      <TagsInput label="Tags" value={v.tags} onChange={(tags) => set({ tags })} />
      <Autocomplete label="Near" data={cities} value={v.near} onChange={(near) => set({ near })} />
      <NumberInput label="Guests" value={v.guests} onChange={(guests) => set({ guests })} min={1} max={9} />
      <Slider thumbLabel="Volume" value={v.volume} onChange={(volume) => set({ volume })} w={300} m="lg" />
      <Switch label="Loud" checked={!!v.loud} onChange={(e) => set({ loud: e.currentTarget.checked })} />
      <SegmentedControl data={["List", "Map"]} value={v.view} onChange={(view) => set({ view })} />
      <PinInput aria-label="Code" length={4} onChange={(pin) => set({ pin })} />
      <DatePickerInput label="Arrival" value={v.day} onChange={(day) => set({ day })} />
      <DateTimePicker label="Meeting" value={v.at} onChange={(at) => set({ at })} />
      <FileInput label="Passport" value={v.file ?? null} onChange={(file) => set({ file })} />
    </MantineProvider>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
