import { createEditor, $createParagraphNode, $createTextNode, $getRoot, $getSelection, FORMAT_TEXT_COMMAND } from "lexical";
import { HeadingNode, QuoteNode, registerRichText, $createHeadingNode } from "@lexical/rich-text";
import { $setBlocksType } from "@lexical/selection";
import { createEmptyHistoryState, registerHistory } from "@lexical/history";

document.body.innerHTML = `<h1>Post</h1><div role="toolbar"><button id="bold">Bold</button><button id="head">Heading</button></div>
<div id="editor" contenteditable="true" role="textbox" aria-label="Post" style="border: 1px solid; min-height: 60px"></div>`;
const editor = createEditor({ nodes: [HeadingNode, QuoteNode], onError: (e) => { throw e; } });
editor.setRootElement(document.getElementById("editor"));
registerRichText(editor);
registerHistory(editor, createEmptyHistoryState(), 300);
editor.update(() => $getRoot().clear().append($createParagraphNode().append($createTextNode("Hello world"))));
document.getElementById("bold").onclick = () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, "bold");
document.getElementById("head").onclick = () => editor.update(() => $setBlocksType($getSelection(), () => $createHeadingNode("h2")));
window.state = () => editor.read(() => ({
  text: $getRoot().getTextContent().replaceAll("\n\n", "\n"),
  blocks: $getRoot().getChildren().map((n) => n.getTag?.() ?? n.getType()),
  bold: $getRoot().getAllTextNodes().filter((n) => n.hasFormat("bold")).map((n) => n.getTextContent()).join(""),
}));
