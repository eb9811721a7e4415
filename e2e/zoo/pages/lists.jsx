import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { Virtuoso } from "react-virtuoso";
import DataGrid from "react-data-grid";
import "react-data-grid/lib/styles.css";

const state = { loaded: 20 };
const people = Array.from({ length: 1000 }, (_, i) => ({ id: i, name: `Person ${i}`, city: ["Oslo", "Bergen", "Oulu"][i % 3] }));

function Feed() {
  const [n, setN] = useState(20);
  state.loaded = n;
  return <Virtuoso style={{ height: 200, width: 300, border: "1px solid" }} data={Array.from({ length: n }, (_, i) => i)} endReached={() => setTimeout(() => setN((n) => Math.min(n + 20, 200)), 100)} itemContent={(i) => <div style={{ height: 32 }}>Post {i} <button onClick={() => { state.liked = i; }}>Like</button></div>} />;
}
function Form() {
  const [rows, setRows] = useState(people);
  state.row3 = rows[3].city;
  return (
    <>
      <h1>People</h1>
      <div aria-label="Contacts" role="region"><Virtuoso style={{ height: 200, width: 300, border: "1px solid" }} totalCount={1000} itemContent={(i) => <div style={{ height: 32 }} onClick={() => { state.picked = i; }}>Contact {i}</div>} /></div>
      <Feed />
      <DataGrid style={{ height: 250 }} rows={rows} onRowsChange={setRows} rowKeyGetter={(r) => r.id} columns={[{ key: "id", name: "ID", width: 60 }, { key: "name", name: "Name" }, { key: "city", name: "City", renderEditCell: (p) => <input autoFocus value={p.row.city} onChange={(e) => p.onRowChange({ ...p.row, city: e.target.value })} onBlur={() => p.onClose(true)} /> }]} />
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
