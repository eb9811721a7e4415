import "./jquery";
import { Jodit } from "jodit";
import "jodit/es2021/jodit.min.css";
import Trix from "trix";
import "trix/dist/trix.css";
import ace from "ace-builds";
import Editor from "@toast-ui/editor";
import "@toast-ui/editor/dist/toastui-editor.css";
import EditorJS from "@editorjs/editorjs";

document.body.innerHTML = `<h1>Posts</h1><h2>Jodit</h2><textarea id="jodit"></textarea><h2>Trix</h2><form><input id="t" type="hidden" value="<div>Hello world</div>"><trix-editor input="t" aria-label="Letter"></trix-editor></form><h2>Ace</h2><div id="ace" style="height:80px;width:500px">let a = 1;</div><h2>Toast</h2><div id="toast"></div><h2>Blocks</h2><div id="blocks" style="border:1px solid"></div>`;
const jodit = Jodit.make("#jodit", { height: 160 });
jodit.value = "<p>Hello world</p>";
const code = ace.edit("ace", { useWorker: false });
code.setOption("useWorker", false);
const toast = new Editor({ el: document.getElementById("toast"), height: "200px", initialEditType: "wysiwyg", initialValue: "Hello world", usageStatistics: false });
const blocks = new EditorJS({ holder: "blocks", placeholder: "Write", data: { blocks: [{ type: "paragraph", data: { text: "Hello world" } }] }, onChange: async (api) => { said = (await api.saver.save()).blocks.map((b) => b.data.text); } });
let said = ["Hello world"];
window.state = () => ({ jodit: jodit.value, trix: document.querySelector("trix-editor").value, trixText: document.querySelector("trix-editor").editor?.getDocument().toString().trim(), ace: code.getValue(), toast: toast.getMarkdown(), blocks: said });
