// Editors that draw their text themselves (CodeMirror 5, Monaco): the keys go
// to a textarea of no size, or to an element with an EditContext, and what a
// user sees and clicks is the box round it.

import { isEditable } from "../a11y/interactive";
import { all, attr, eachChild, editsByContext, hasBox, isElement, isText, localName, parentOf, rectOf } from "./dom";
import { LayoutCache } from "./visibility";

/** Whether el may take the keys for the box around it. */
export const takesKeys = (el: Element): boolean => el instanceof HTMLTextAreaElement ? !el.readOnly && !el.disabled : editsByContext(el) && isEditable(el);

/** Whether el, or one of up ancestors, is transparent. */
export const clear = (el: Element | null, up: number): boolean => el !== null && (getComputedStyle(el).opacity === "0" || up > 0 && clear(parentOf(el), up - 1));

/** The box of the editor for which the invisible el takes the keys, or null. */
export function editorOf(el: Element, look?: LayoutCache): Element | null {
  if (!takesKeys(el) || !hasBox(el)) return null;
  const own = rectOf(el);
  if (own.width > 4 && own.height > 4 && getComputedStyle(el).opacity !== "0" && (look ?? new LayoutCache()).shown(el)) return null;
  if (attr(el, "tabindex") === "-1" || attr(el, "aria-hidden") === "true") return null;
  // A larger field in a part that is transparent until focused shows its text itself.
  if (own.width >= 60 && own.height >= 18 && clear(parentOf(el), 2) && getComputedStyle(el).opacity !== "0") return null;
  for (let p = parentOf(el), up = 0; p && up < 5; p = parentOf(p), up++) {
    if (all(p, "button,input,select,textarea,[contenteditable]").length > 1) return null;
    const r = rectOf(p);
    if (r.width >= 60 && r.height >= 18) return p;
  }
  return null;
}

/** Whether keys belongs to a console, by the classes around it: each key is sent, and there is no text to edit. */
export function isConsole(keys: Element): boolean {
  const named = /(?:^|[\s_-])(?:x?term(?:inal)?|console|tty)(?:$|[\s_-])/i;
  for (let p: Element | null = keys, up = 0; p && up < 6; p = parentOf(p), up++) if (named.test(attr(p, "class") ?? "")) return true;
  return false;
}

/** Classes of parts beside an editor's text, or in its place. */
const beside = /gutter|line-?numbers?|margin|placeholder|minimap|ruler/i;
const maxParts = 5000;

interface Line { kind: string; top: number; text: string }

/**
 * The text in an editor's box, line by line, ordered by position: style sheets place the lines. The editor may not have
 * drawn text out of view.
 */
export function drawnText(box: Element, keys: Element, look: LayoutCache): string {
  const lines: Line[] = [];
  let parts = 0;
  const visit = (el: Element, line: Line | null): void => {
    if (el === keys || ++parts > maxParts || beside.test(attr(el, "class") ?? "")) return;
    const block = !look.style(el).display.startsWith("inline");
    const own: Line | null = block ? { kind: `${localName(el)}.${(attr(el, "class") ?? "").trim()}`, top: rectOf(el).top, text: "" } : line;
    const at = lines.length;
    eachChild(el, (n) => {
      if (isElement(n)) visit(n, own);
      else if (isText(n) && own && look.readable(el)) own.text += n.data;
    });
    if (block && own && (lines.length === at || own.text.trim() !== "")) lines.push(own);
  };
  visit(box, null);
  for (const l of lines) l.text = l.text.replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "").trimEnd();
  const kinds = new Set(lines.filter((l) => l.text !== "").map((l) => l.kind)); // an empty line is drawn as the others are
  return lines.filter((l) => kinds.has(l.kind)).sort((a, b) => a.top - b.top).map((l) => l.text).join("\n");
}
