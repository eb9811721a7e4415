import "./jquery";
import "jstree";
import "jstree/dist/themes/default/style.css";

const $ = window.jQuery;
document.body.innerHTML = `<h1>Folders</h1><div id="tree"></div>`;
const said = {};
$("#tree").jstree({
  core: { check_callback: true, data: [{ id: "in", text: "Inbox", state: { opened: true }, children: [{ id: "work", text: "Work" }, { id: "home", text: "Home" }] }, { id: "trash", text: "Archive", children: [{ id: "old", text: "Old" }] }] },
  plugins: ["checkbox", "contextmenu", "dnd"], checkbox: { tie_selection: false, whole_node: false },
});
window.state = () => {
  const t = $("#tree").jstree(true);
  if (!t) return {};
  return { selected: t.get_selected(), checked: t.get_checked(), open: t.is_open("trash"), homeIn: t.get_parent("home"), home: t.get_node("home").text };
};
