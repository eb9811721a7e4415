import { useCallback } from "react";
import { createRoot } from "react-dom/client";
import { ReactFlow, addEdge, useEdgesState, useNodesState } from "@xyflow/react";
import "@xyflow/react/dist/style.css";

const state = {};
function Flow() {
  const [nodes, , onNodes] = useNodesState([{ id: "a", position: { x: 0, y: 0 }, data: { label: "Start" } }, { id: "b", position: { x: 250, y: 150 }, data: { label: "Review" } }, { id: "c", position: { x: 0, y: 150 }, data: { label: "End" } }]);
  const [edges, setEdges, onEdges] = useEdgesState([]);
  state.edges = edges.map((e) => `${e.source}-${e.target}`);
  state.moved = nodes[1].position.x !== 250;
  state.picked = nodes.filter((n) => n.selected).map((n) => n.id);
  return <div style={{ width: 700, height: 400 }}><ReactFlow nodes={nodes} edges={edges} onNodesChange={onNodes} onEdgesChange={onEdges} onConnect={useCallback((p) => setEdges((es) => addEdge(p, es)), [setEdges])} /></div>;
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<><h1>Workflow</h1><Flow /></>);
window.state = () => state;
