// Editors that draw their text themselves (CodeMirror 5, Monaco): the keys go
// to a textarea of no size, or to an element with an EditContext, and what a
// user sees and clicks is the box round it.

import { isEditable } from "../a11y/interactive";
import { all, attr, eachChild, editsByContext, hasBox, isElement, isText, localName, parentOf, rectOf } from "./dom";
import { LayoutCache } from "./visibility";

/** What may take the keys for the box round it. */
export const takesKeys = (el: Element): boolean => el instanceof HTMLTextAreaElement ? !el.readOnly && !el.disabled : editsByContext(el) && isEditable(el);

/** Whether el, or what is around it so far up, is transparent. */
export const clear = (el: Element | null, up: number): boolean => el !== null && (getComputedStyle(el).opacity === "0" || up > 0 && clear(parentOf(el), up - 1));

/** The box of the editor that something nobody sees takes the keys for, or null. */
export function editorOf(el: Element, look?: LayoutCache): Element | null {
  if (!takesKeys(el) || !hasBox(el)) return null;
  const own = rectOf(el);
  if (own.width > 4 && own.height > 4 && getComputedStyle(el).opacity !== "0" && (look ?? new LayoutCache()).shown(el)) return null;
  if (attr(el, "tabindex") === "-1" || attr(el, "aria-hidden") === "true") return null;
  // What is a box of its own, in a part that is transparent until it has the keyboard, shows its text itself.
  if (own.width >= 60 && own.height >= 18 && clear(parentOf(el), 2) && getComputedStyle(el).opacity !== "0") return null;
  for (let p = parentOf(el), up = 0; p && up < 5; p = parentOf(p), up++) {
    if (all(p, "button,input,select,textarea,[contenteditable]").length > 1) return null;
    const r = rectOf(p);
    if (r.width >= 60 && r.height >= 18) return p;
  }
  return null;
}

/** Whether what takes keys for a box does so for a console: there is no text to go through in it, and each key is sent. */
export function isConsole(keys: Element): boolean {
  const named = /(?:^|[\s_-])(?:x?term(?:inal)?|console|tty)(?:$|[\s_-])/i;
  for (let p: Element | null = keys, up = 0; p && up < 6; p = parentOf(p), up++) if (named.test(attr(p, "class") ?? "")) return true;
  return false;
}

/** Parts of an editor's box that are beside its text or stand for it. */
const beside = /gutter|line-?numbers?|margin|placeholder|minimap|ruler/i;
const maxParts = 5000;

interface Line { kind: string; top: number; text: string }

/**
 * What the box of such an editor shows, line by line, in the order that a user sees: lines are put in their place by
 * style. What is out of view it may not have drawn.
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
