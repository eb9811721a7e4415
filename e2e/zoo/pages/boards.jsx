import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DragDropContext, Draggable, Droppable } from "@hello-pangea/dnd";
import { DndProvider, useDrag, useDrop } from "react-dnd";
import { HTML5Backend } from "react-dnd-html5-backend";
import dragula from "dragula";
import "dragula/dist/dragula.css";

const state = {};
function Pangea() {
  const [cols, setCols] = useState({ todo: ["Plan", "Build", "Test"], done: ["Ship"] });
  state.cols = cols;
  return (
    <DragDropContext onDragEnd={({ source, destination }) => {
      if (!destination) return;
      setCols((old) => {
        const next = { todo: [...old.todo], done: [...old.done] };
        const [it] = next[source.droppableId].splice(source.index, 1);
        next[destination.droppableId].splice(destination.index, 0, it);
        return next;
      });
    }}>
      <div style={{ display: "flex", gap: 20 }}>
        {Object.entries(cols).map(([id, items]) => (
          <Droppable key={id} droppableId={id}>{(p) => <div ref={p.innerRef} {...p.droppableProps} style={{ width: 160, minHeight: 140, border: "1px solid" }}><h2>{id}</h2>
            {items.map((s, i) => <Draggable key={s} draggableId={s} index={i}>{(p) => <div ref={p.innerRef} {...p.draggableProps} {...p.dragHandleProps} style={{ ...p.draggableProps.style, padding: 6, border: "1px solid #999" }}>{s}</div>}</Draggable>)}{p.placeholder}
          </div>}</Droppable>
        ))}
      </div>
    </DragDropContext>
  );
}
function Box() {
  const [, drag] = useDrag({ type: "box", item: { name: "Glass" } });
  return <div ref={drag} style={{ width: 80, border: "1px solid" }}>Glass</div>;
}
function Bin() {
  const [, drop] = useDrop({ accept: "box", drop: (item) => { state.bin = item.name; } });
  return <div ref={drop} style={{ width: 120, height: 60, border: "1px dashed" }}>Recycle</div>;
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<><h1>Boards</h1><Pangea /><DndProvider backend={HTML5Backend}><Box /><Bin /></DndProvider></>);
document.body.insertAdjacentHTML("beforeend", `<div style="display:flex;gap:20px"><div id="l" style="width:150px;border:1px solid"><div>Red</div><div>Green</div></div><div id="r" style="width:150px;border:1px solid"><div>Blue</div></div></div>`);
const l = document.getElementById("l"), r = document.getElementById("r");
dragula([l, r]);
window.state = () => ({ ...state, l: [...l.children].map((e) => e.textContent), r: [...r.children].map((e) => e.textContent) });
