import { AllCommunityModule, createGrid, ModuleRegistry } from "ag-grid-community";

ModuleRegistry.registerModules([AllCommunityModule]);
document.body.innerHTML = `<h1>Stock</h1><div id="grid" style="width: 800px; height: 400px"></div>`;
const rows = [{ id: 1, name: "Pear", price: 3, kind: "Fruit" }, { id: 2, name: "Apple", price: 2, kind: "Fruit" }, { id: 3, name: "Leek", price: 1, kind: "Vegetable" }];
const grid = createGrid(document.getElementById("grid"), {
  rowData: rows, rowSelection: { mode: "multiRow" },
  columnDefs: [
    { field: "name", rowDrag: true, editable: true, filter: true },
    { field: "price", editable: true, cellDataType: "number" },
    { field: "kind", editable: true, cellEditor: "agSelectCellEditor", cellEditorParams: { values: ["Fruit", "Vegetable"] }, filter: true, floatingFilter: true },
  ],
  rowDragManaged: true,
});
window.state = () => {
  const names = [];
  grid.forEachNodeAfterFilterAndSort((n) => names.push(n.data.name));
  return {
    names, rows: Object.fromEntries(rows.map((r) => [r.id, r])), picked: grid.getSelectedRows().map((r) => r.name),
    columns: grid.getAllDisplayedColumns().map((c) => c.getColId()).filter((c) => !c.startsWith("ag-")),
  };
};
