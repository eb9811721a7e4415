// Draft.js is no longer developed, and works with react 18 at the latest.
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { ContentState, Editor, EditorState, RichUtils } from "draft-js";
import "draft-js/dist/Draft.css";

let current;

function Post() {
  const [state, setState] = useState(() => EditorState.createWithContent(ContentState.createFromText("Hello world")));
  current = state;
  return (
    <>
      <h1>Post</h1>
      <button onMouseDown={(e) => { e.preventDefault(); setState(RichUtils.toggleInlineStyle(state, "BOLD")); }}>Bold</button>
      <button onMouseDown={(e) => { e.preventDefault(); setState(RichUtils.toggleBlockType(state, "header-two")); }}>Heading</button>
      <div style={{ border: "1px solid", minHeight: 60 }}><Editor ariaLabel="Post" editorState={state} onChange={setState} /></div>
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Post />);
window.state = () => ({
  text: current.getCurrentContent().getPlainText("\n"),
  blocks: current.getCurrentContent().getBlocksAsArray().map((b) => b.getType()),
  bold: current.getCurrentContent().getBlocksAsArray().map((b) => [...b.getText()].filter((_, i) => b.getInlineStyleAt(i).has("BOLD")).join("")).join("\n"),
});
