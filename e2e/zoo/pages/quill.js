import Quill from "quill";
import "quill/dist/quill.snow.css";

document.body.innerHTML = `<h1>Post</h1><div id="editor"></div>`;
const quill = new Quill("#editor", { theme: "snow", placeholder: "Write here" });
quill.setText("Hello world\n");
quill.root.setAttribute("aria-label", "Post");
window.state = () => ({ text: quill.getText().replace(/\n$/, ""), format: quill.getContents().ops.map((op) => [op.insert, op.attributes ?? {}]) });
