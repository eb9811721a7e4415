// The editors' libraries as globals, for pages of other tests that make their own
// editors of them (host/action/testdata/hard_editors.html).
import * as commands from "@codemirror/commands";
import * as state from "@codemirror/state";
import * as view from "@codemirror/view";
import { baseKeymap } from "@tiptap/pm/commands";
import { history, undo } from "@tiptap/pm/history";
import { keymap } from "@tiptap/pm/keymap";
import { Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { EditorView } from "@tiptap/pm/view";
import CodeMirror from "codemirror5";
import "codemirror5/lib/codemirror.css";

const schema = new Schema({
  nodes: {
    doc: { content: "paragraph+" },
    paragraph: { content: "inline*", parseDOM: [{ tag: "p" }], toDOM: () => ["p", 0] },
    text: { group: "inline" },
    hard_break: { group: "inline", inline: true, selectable: false, parseDOM: [{ tag: "br" }], toDOM: () => ["br"] },
  },
});
window.CodeMirror = CodeMirror;
window.CM6 = { ...commands, ...state, ...view };
window.PM = { EditorState, EditorView, baseKeymap, history, keymap, schema, undo };
