import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Cascader, Checkbox, DatePicker, Input, InputNumber, Modal, Button, Radio, Select, Slider, Switch, TimePicker, TreeSelect, Upload } from "antd";

const state = {};
const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"].map((value) => ({ value, label: value }));
const places = [
  { value: "no", label: "Norway", children: [{ value: "osl", label: "Oslo" }, { value: "brg", label: "Bergen" }] },
  { value: "fi", label: "Finland", children: [{ value: "oul", label: "Oulu" }, { value: "hel", label: "Helsinki" }] },
];
const tree = [{ value: "fruit", title: "Fruit", children: [{ value: "apple", title: "Apple" }, { value: "pear", title: "Pear" }] }];

function Form() {
  const [v, setV] = useState({ size: "s", agree: false });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  const field = (label, id, control) => <div style={{ margin: 6 }}><label htmlFor={id}>{label}</label> {control}</div>;
  const wide = { width: 220 };
  return (
    <>
      <h1>Booking</h1>
      {field("City", "city", <Select id="city" style={wide} options={cities} onChange={(city) => set({ city })} />)}
      {field("Search", "found", <Select id="found" showSearch style={wide} options={cities} onChange={(found) => set({ found })} />)}
      {field("Tags", "tags", <Select id="tags" mode="multiple" style={wide} options={cities} onChange={(tags) => set({ tags })} />)}
      {field("Place", "place", <Cascader id="place" style={wide} options={places} onChange={(place) => set({ place })} />)}
      {field("Kind", "kind", <TreeSelect id="kind" style={wide} treeData={tree} onChange={(kind) => set({ kind })} />)}
      {field("Guests", "guests", <InputNumber id="guests" defaultValue={1} onChange={(guests) => set({ guests })} />)}
      {field("Name", "name", <Input id="name" onChange={(e) => set({ name: e.target.value })} />)}
      {field("Arrival", "day", <DatePicker id="day" style={wide} onChange={(_, day) => set({ day })} />)}
      {field("Stay", "from", <DatePicker.RangePicker id={{ start: "from", end: "until" }} onChange={(_, stay) => set({ stay })} />)}
      {field("Call at", "call", <TimePicker id="call" format="HH:mm" style={wide} onChange={(_, call) => set({ call })} />)}
      {field("Volume", "volume", <div style={wide}><Slider id="volume" ariaLabelForHandle="Volume" defaultValue={30} onChange={(volume) => set({ volume })} /></div>)}
      {field("Loud", "loud", <Switch id="loud" onChange={(loud) => set({ loud })} />)}
      <Checkbox onChange={(e) => set({ agree: e.target.checked })}>I agree</Checkbox>
      <Radio.Group value={v.size} onChange={(e) => set({ size: e.target.value })} optionType="button" options={[{ value: "s", label: "Small" }, { value: "l", label: "Large" }]} />
      <Upload beforeUpload={(f) => { set({ file: f.name }); return false; }}><Button>Attach</Button></Upload>
      <Button onClick={() => set({ open: true })}>Cancel booking</Button>
      <Modal open={v.open} title="Cancel it?" okText="Cancel it" cancelText="Keep" onOk={() => set({ open: false, cancelled: true })} onCancel={() => set({ open: false })} />
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
