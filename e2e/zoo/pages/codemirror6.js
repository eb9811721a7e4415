import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";

document.body.innerHTML = `<h1>Script</h1><div id="editor" style="border: 1px solid"></div>`;
const view = new EditorView({
  parent: document.getElementById("editor"),
  state: EditorState.create({
    doc: "let a = 1;\nlet b = 2;",
    extensions: [lineNumbers(), history(), keymap.of([...defaultKeymap, ...historyKeymap]), EditorView.contentAttributes.of({ "aria-label": "Script" })],
  }),
});
window.state = () => ({ text: view.state.doc.toString() });
