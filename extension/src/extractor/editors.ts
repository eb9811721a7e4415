// Editors that draw their text themselves (CodeMirror 5, Monaco): the keys go
// to a textarea of no size, or to an element with an EditContext, and what a
// person sees and clicks is the box round it.

import { all, attr, editsByContext, hasBox, parentOf, rectOf } from "./dom";
import { isEditable } from "./interactive";
import { Look } from "./visibility";

/** What may take the keys for the box round it. */
export const takesKeys = (el: Element): boolean => el instanceof HTMLTextAreaElement ? !el.readOnly && !el.disabled : editsByContext(el) && isEditable(el);

/** The box of the editor that something nobody sees takes the keys for, or null. */
export function editorOf(el: Element, look?: Look): Element | null {
  if (!takesKeys(el) || !hasBox(el)) return null;
  const own = rectOf(el);
  if (own.width > 4 && own.height > 4 && getComputedStyle(el).opacity !== "0" && (look ?? new Look()).shown(el)) return null;
  if (attr(el, "tabindex") === "-1" || attr(el, "aria-hidden") === "true") return null;
  for (let p = parentOf(el), up = 0; p && up < 5; p = parentOf(p), up++) {
    if (all(p, "button,input,select,textarea,[contenteditable]").length > 1) return null;
    const r = rectOf(p);
    if (r.width >= 60 && r.height >= 18) return p;
  }
  return null;
}
