import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Carousel, Collapse, ColorPicker, Dropdown, Input, Mentions, Popover, Rate, Slider, Steps, Table, Transfer, Tree, Upload, message, Button } from "antd";

const state = {};
const men = ["Ada", "Bob", "Cyd", "Dan"].map((title, i) => ({ key: String(i), title }));
const rows = [
  { key: "eu", name: "Europe", people: 30, children: [{ key: "no", name: "Norway", people: 10 }, { key: "fi", name: "Finland", people: 20 }] },
  { key: "as", name: "Asia", people: 50, children: [{ key: "jp", name: "Japan", people: 50 }] },
];
const tree = [{ key: "a", title: "Drafts", children: [{ key: "a1", title: "Letter" }] }, { key: "b", title: "Sent", children: [{ key: "b1", title: "Bill" }] }];

function Form() {
  const [v, setV] = useState({ team: [], open: [], range: [20, 50], step: 0, checked: [] });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  const [api, holder] = message.useMessage();
  return (
    <div style={{ maxWidth: 700 }}>
      {holder}
      <h1>Team</h1>
      <Transfer dataSource={men} titles={["People", "Team"]} targetKeys={v.team} onChange={(team) => set({ team })} render={(i) => i.title} />
      <Mentions placeholder="Write to" onChange={(note) => set({ note })} options={[{ value: "ida", label: "Ida Lind" }, { value: "ole", label: "Ole Dahl" }]} />
      <Rate onChange={(stars) => set({ stars })} />
      <div aria-label="Price"><Slider range={{ draggableTrack: true }} ariaLabelForHandle={["Least", "Most"]} value={v.range} onChange={(range) => set({ range })} /></div>
      <Steps current={v.step} onChange={(step) => set({ step })} items={[{ title: "Cart" }, { title: "Address" }, { title: "Pay" }]} />
      <ColorPicker defaultValue="#1677ff" showText onChangeComplete={(c) => set({ colour: c.toHexString() })} presets={[{ label: "Ours", colors: ["#ff0000", "#00ff00"] }]} />
      <Dropdown.Button menu={{ items: [{ key: "all", label: "Save all" }, { key: "as", label: "Save as" }], onClick: (e) => set({ did: e.key }) }} onClick={() => set({ did: "save" })}>Save</Dropdown.Button>
      <Dropdown trigger={["contextMenu"]} menu={{ items: [{ key: "copy", label: "Copy" }, { key: "cut", label: "Cut" }], onClick: (e) => set({ did: e.key }) }}><div style={{ background: "#eee", padding: 8 }}>Report.pdf</div></Dropdown>
      <Popover content={<Button onClick={() => set({ followed: true })}>Follow</Button>}><a href="#ada">@ada</a></Popover>
      <Table size="small" pagination={false} dataSource={rows} columns={[{ title: "Place", dataIndex: "name" }, { title: "People", dataIndex: "people", sorter: (a, b) => a.people - b.people }]} expandable={{ onExpandedRowsChange: (open) => set({ open }) }} rowSelection={{ onChange: (checked) => set({ checked }) }} />
      <Tree draggable={{ icon: false }} defaultExpandAll treeData={v.tree ?? tree} onDrop={(i) => set({ moved: [i.dragNode.key, i.node.key] })} onSelect={(s) => set({ node: s[0] })} />
      <Collapse items={[{ key: "1", label: "Shipping", children: <Button onClick={() => set({ express: true })}>Express</Button> }]} />
      <div style={{ width: 300 }}><Carousel arrows dots={false} infinite={false} beforeChange={(_, to) => set({ slide: to })}>{["One", "Two", "Three"].map((s) => <div key={s}><h3 style={{ background: "#ccd", height: 60 }}>{s}</h3></div>)}</Carousel></div>
      <Input.OTP length={6} onChange={(code) => set({ code })} />
      <Upload.Dragger beforeUpload={(f) => { set({ file: f.name }); return false; }}>Drop files here</Upload.Dragger>
      <Button onClick={() => { set({ archived: true }); api.open({ content: <span>Archived <Button size="small" onClick={() => set({ archived: false })}>Undo</Button></span>, duration: 20 }); }}>Archive</Button>
    </div>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
