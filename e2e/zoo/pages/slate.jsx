import { useState } from "react";
import { createRoot } from "react-dom/client";
import { createEditor, Editor, Node } from "slate";
import { Editable, Slate, withReact } from "slate-react";
import { withHistory } from "slate-history";

let editor;

function Post() {
  const [e] = useState(() => withHistory(withReact(createEditor())));
  editor = e;
  const leaf = ({ attributes, children, leaf }) => <span {...attributes} style={{ fontWeight: leaf.bold ? "bold" : undefined }}>{children}</span>;
  return (
    <>
      <h1>Post</h1>
      <Slate editor={e} initialValue={[{ type: "paragraph", children: [{ text: "Hello world" }] }]}>
        <button onMouseDown={(ev) => { ev.preventDefault(); Editor.addMark(e, "bold", true); }}>Bold</button>
        <Editable renderLeaf={leaf} aria-label="Post" style={{ border: "1px solid", minHeight: 60 }} />
      </Slate>
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Post />);
window.state = () => ({
  text: editor.children.map((n) => Node.string(n)).join("\n"),
  bold: [...Node.texts(editor)].filter(([n]) => n.bold).map(([n]) => n.text).join(""),
});
