import * as monaco from "monaco-editor/editor/editor.api.js";
import "monaco-editor/features/register.all.js";

// Without workers: what is typed needs none.
self.MonacoEnvironment = { getWorker: () => new Worker(URL.createObjectURL(new Blob([""]))) };
document.body.innerHTML = `<h1>Code</h1><div id="editor" style="width: 600px; height: 200px"></div>`;
const editor = monaco.editor.create(document.getElementById("editor"), { value: "let a = 1;\nlet b = 2;", language: "plaintext", ariaLabel: "Code", minimap: { enabled: false } });
window.state = () => ({ text: editor.getValue() });
