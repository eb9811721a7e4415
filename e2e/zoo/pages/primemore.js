import { createApp, h, reactive } from "vue";
import PrimeVue from "primevue/config";
import Aura from "@primeuix/themes/aura";
import Accordion from "primevue/accordion";
import AccordionPanel from "primevue/accordionpanel";
import AccordionHeader from "primevue/accordionheader";
import AccordionContent from "primevue/accordioncontent";
import Button from "primevue/button";
import Column from "primevue/column";
import ContextMenu from "primevue/contextmenu";
import DataTable from "primevue/datatable";
import InputOtp from "primevue/inputotp";
import OrderList from "primevue/orderlist";
import PickList from "primevue/picklist";
import Rating from "primevue/rating";
import SplitButton from "primevue/splitbutton";
import TreeTable from "primevue/treetable";
import DatePicker from "primevue/datepicker";

const v = reactive({ trip: [new Date(2026, 4, 4), null], stars: null, lists: [["Ada", "Bob", "Cyd"], []], order: ["Apple", "Banana", "Cherry"], open: {}, rows: ["Tea", "Coffee", "Milk"].map((name) => ({ name })), files: ["Report", "Photo"].map((name) => ({ name })) });
const bind = (key) => ({ modelValue: v[key], "onUpdate:modelValue": (x) => { v[key] = x; } });
const nodes = [{ key: "0", data: { name: "Documents", size: "75kb" }, children: [{ key: "0-0", data: { name: "Work", size: "55kb" } }] }, { key: "1", data: { name: "Pictures", size: "150kb" } }];
let menu;
createApp({
  render: () => [
    h("h1", "Shelf"),
    h(PickList, bind("lists"), { option: (s) => s.option }),
    h(OrderList, bind("order"), { option: (s) => s.option }),
    h(TreeTable, { value: nodes, expandedKeys: v.open, "onUpdate:expandedKeys": (x) => { v.open = x; }, selectionMode: "single", selectionKeys: v.node, "onUpdate:selectionKeys": (x) => { v.node = x; } }, () => [h(Column, { field: "name", header: "Name", expander: true }), h(Column, { field: "size", header: "Size" })]),
    h(DataTable, { value: v.rows, onRowReorder: (e) => { v.rows = e.value; } }, () => [h(Column, { rowReorder: true }), h(Column, { field: "name", header: "Drink" })]),
    h(DataTable, { value: v.files, contextMenu: true, onRowContextmenu: (e) => { v.at = e.data.name; menu.show(e.originalEvent); } }, () => [h(Column, { field: "name", header: "File" })]),
    h(ContextMenu, { ref: (m) => { menu = m; }, model: [{ label: "Rename", command: () => { v.did = "rename " + v.at; } }] }),
    h(SplitButton, { label: "Send", onClick: () => { v.did = "send"; }, model: [{ label: "Send later", command: () => { v.did = "later"; } }] }),
    h(Rating, bind("stars")),
    h(InputOtp, { ...bind("code"), length: 4, integerOnly: true }),
    h(DatePicker, { ...bind("trip"), selectionMode: "range", numberOfMonths: 2, inline: true, viewDate: new Date(2026, 4, 1) }),
    h(Accordion, {}, () => [h(AccordionPanel, { value: "0" }, () => [h(AccordionHeader, () => "More"), h(AccordionContent, () => h(Button, { label: "Gift wrap", onClick: () => { v.gift = true; } }))])]),
  ],
}).use(PrimeVue, { theme: { preset: Aura } }).mount(document.body.appendChild(document.createElement("div")));
const day = (d) => d && `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
window.state = () => ({ ...v, trip: v.trip.map(day), rows: v.rows.map((r) => r.name), open: Object.keys(v.open) });
