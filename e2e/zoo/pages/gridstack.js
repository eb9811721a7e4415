import { GridStack } from "gridstack";
import "gridstack/dist/gridstack.css";

document.body.innerHTML = `<h1>Dashboard</h1><style>.grid-stack-item-content { background: #def; border: 1px solid }</style><div class="grid-stack"></div>`;
const grid = GridStack.init({ cellHeight: 60, float: true, column: 12 });
grid.load(["Sales", "Orders", "Visits"].map((id, i) => ({ id, x: i * 4, y: 0, w: 3, h: 2 })));
for (const el of grid.getGridItems()) el.querySelector(".grid-stack-item-content").textContent = el.gridstackNode.id;
window.state = () => Object.fromEntries(grid.getGridItems().map((el) => [el.gridstackNode.id, [el.gridstackNode.x, el.gridstackNode.y, el.gridstackNode.w]]));
