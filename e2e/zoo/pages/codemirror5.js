import CodeMirror from "codemirror5";
import "codemirror5/lib/codemirror.css";

document.body.innerHTML = `<h1>Query</h1><label for="query">Query</label><textarea id="query">select 1\nfrom dual</textarea>`;
const editor = CodeMirror.fromTextArea(document.getElementById("query"), { lineNumbers: true, screenReaderLabel: "Query" });
window.state = () => ({ text: editor.getValue() });
