import { useState } from "react";
import { createRoot } from "react-dom/client";
import { closestCenter, DndContext, KeyboardSensor, PointerSensor, useDraggable, useDroppable, useSensor, useSensors } from "@dnd-kit/core";
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";

const state = {};

function Item({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined, transition, border: "1px solid", padding: 10, margin: 4, width: 200 };
  return <div ref={setNodeRef} style={style} {...attributes} {...listeners}>{id}</div>;
}

function Card() {
  const { attributes, listeners, setNodeRef, transform } = useDraggable({ id: "card" });
  return <div ref={setNodeRef} {...attributes} {...listeners} style={{ transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined, width: 80, border: "1px solid" }}>Card</div>;
}

function Bin({ id }) {
  const { setNodeRef } = useDroppable({ id });
  return <section ref={setNodeRef} aria-label={id} style={{ width: 200, height: 80, border: "1px dashed", margin: 8 }}><h2>{id}</h2></section>;
}

function Form() {
  const [items, setItems] = useState(["Apple", "Banana", "Cherry", "Date"]);
  const [bin, setBin] = useState(null);
  Object.assign(state, { items, bin });
  const sensors = useSensors(useSensor(PointerSensor), useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }));
  const end = ({ active, over }) => {
    if (over && active.id !== over.id) setItems((old) => arrayMove(old, old.indexOf(active.id), old.indexOf(over.id)));
  };
  return (
    <>
      <h1>Fruit</h1>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={end}>
        <SortableContext items={items} strategy={verticalListSortingStrategy}>{items.map((i) => <Item key={i} id={i} />)}</SortableContext>
      </DndContext>
      <DndContext onDragEnd={({ over }) => setBin(over?.id ?? null)}><Card /><Bin id="Keep" /><Bin id="Archive" /></DndContext>
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
