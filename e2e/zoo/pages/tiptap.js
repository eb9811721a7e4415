import { Editor } from "@tiptap/core";
import StarterKit from "@tiptap/starter-kit";

document.body.innerHTML = `<h1>Post</h1>
<div role="toolbar"><button id="bold">Bold</button> <button id="list">Bullet list</button></div>
<div id="editor" style="border: 1px solid"></div>`;
const editor = new Editor({
  element: document.querySelector("#editor"), extensions: [StarterKit.configure({ trailingNode: false })], content: "<p>Hello world</p>",
  editorProps: { attributes: { "aria-label": "Post", role: "textbox" } },
});
bold.onclick = () => editor.chain().focus().toggleBold().run();
list.onclick = () => editor.chain().focus().toggleBulletList().run();
window.state = () => ({ html: editor.getHTML(), text: editor.getText({ blockSeparator: "\n" }) });
