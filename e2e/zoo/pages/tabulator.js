import { TabulatorFull as Tabulator } from "tabulator-tables";
import "tabulator-tables/dist/css/tabulator.css";

document.body.innerHTML = `<h1>Stock</h1><div id="table" style="width: 700px"></div>`;
const table = new Tabulator("#table", {
  data: [{ id: 1, name: "Pear", price: 3, kind: "Fruit" }, { id: 2, name: "Apple", price: 2, kind: "Fruit" }, { id: 3, name: "Leek", price: 1, kind: "Vegetable" }],
  layout: "fitColumns", movableRows: true, movableColumns: true, selectableRows: false,
  columns: [
    { rowHandle: true, formatter: "handle", width: 40, headerSort: false },
    { title: "Name", field: "name", editor: "input" },
    { title: "Price", field: "price", editor: "number" },
    { title: "Kind", field: "kind", editor: "list", editorParams: { values: ["Fruit", "Vegetable"] }, headerFilter: "input" },
  ],
});
window.state = () => ({
  names: table.getRows("active").map((r) => r.getData().name), rows: Object.fromEntries(table.getData().map((r) => [r.id, r])),
  columns: table.getColumns().map((c) => c.getField()).filter(Boolean), sorters: table.getSorters().map((s) => [s.field, s.dir]),
});
