// What a field without a name is called by those who see it: the words before it on its
// line or right above it, right behind a box to tick, or a label that floats in it.

import {
  all, attr, childrenOf, closest, hasAny, holds, isElement, isPainted, isText, localName, nextElement, nextSibling, parentOf, previousSibling, rectOf,
  textContent,
} from "../dom/dom";
import { editorOf, takesKeys } from "../dom/editors";
import { flat } from "../dom/strings";
import { headCell } from "../reading/tables";
import { isFieldRole, isTicked } from "./fieldroles";
import { activates } from "./interactive";
import { explicitRole, inputType, isRow } from "./role";
import { controls, textOf } from "./visibletext";

const letters = /\p{L}/u;
const words = /[\p{L}\p{N}]/u;
const tags = new Set(["input", "select", "textarea"]);
const pressed = new Set(["button", "submit", "reset", "image", "hidden"]);
/** What is longer explains something. */
const longest = 60;
/** How far above its field a label stands at most. */
const mostAbove = 48;

const isField = (e: Element): boolean => tags.has(localName(e));
/** Whether it is a control of its own: what stands behind it, as its steppers, is no label. */
const isWorked = (e: Element): boolean => isField(e) || activates(e) && localName(e) !== "label";

/** The words that label a field by where they stand; "" where none do. marked: only those of a label that is for no field. */
export function fieldLabel(el: Element, role: string, marked = false): string {
  if (!isField(el) && !isFieldRole(role) || role === "combobox" && !isField(el) && words.test(textContent(el) ?? "") || pressed.has(inputType(el))) return "";
  const box = takesKeys(el) ? editorOf(el) ?? el : el;
  return labelAround(box) || labelBeside(box, isTicked(role), marked) || floating(box) || (marked || isTicked(role) ? "" : legendOf(box));
}

/** What a label around a field says that HTML gives to the button before the field, as the list of countries in a field for a telephone. */
function labelAround(el: Element): string {
  const label = closest(el, (e) => localName(e) === "label");
  if (!(label instanceof HTMLLabelElement) || label.htmlFor !== "" || label.control === null || isField(label.control) || [...all(label, writable)].filter(isSeen).length > 1) return "";
  const said = textOf(label, longest + 1, undefined, controls);
  return said.length <= longest && letters.test(said) ? said : "";
}

/** What a part of a form is called that holds no other field to write in. */
function legendOf(el: Element): string {
  const part = closest(el, (e) => localName(e) === "fieldset");
  const legend = part ? childrenOf(part).find((c) => localName(c) === "legend") : undefined;
  if (!part || !legend || all(part, writable).length > 1) return "";
  const said = textOf(legend, longest + 1, undefined, controls);
  return said.length <= longest && letters.test(said) ? said : "";
}
const writable = "textarea,select,input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit]),[contenteditable=true],[role=textbox],[role=combobox]";

/** The words right before a field, or right after a box to tick, on its line, or above a field; in a table with heads that of its column. */
export function labelBeside(el: Element, after: boolean, marked = false): string {
  const to = after ? nextSibling : previousSibling;
  for (let e: Element | null = el, up = 0; e && (up < maxUp || up < mostUp && wraps(e, el)); e = parentOf(e), up++) {
    const cell = isCell(e);
    const head = cell && !marked ? headOf(e) : "";
    if (head || after && cell) return head;
    for (let n: Node | null = to(e), i = 0; n && i < 4; n = to(n), i++) {
      if (isElement(n) && isField(n) && !isSeen(n)) continue; // its options are no words
      if (isElement(n) && isSeen(n) && (isWorked(n) || hasAny(n, worked))) return "";
      if (isElement(n) && noLabel.test(attr(n, "class") ?? "")) return ""; // it is said of the field before
      const said = isText(n) ? flat(n.data) : isElement(n) ? textOf(labelIn(n), longest + 1, undefined, isBar(n) ? pressedParts : controls) : "";
      if (after && up > 0 && letters.test(behind(n))) return ""; // the cells of a row
      if (letters.test(said) && marked && !(n instanceof HTMLLabelElement && (n.control === null || holds(el, n.control)))) return "";
      if (letters.test(said)) return said.length <= longest && (!isElement(n) || isBeside(rectOf(n), rectOf(el), after)) ? said : "";
    }
    if (isRow(e)) break;
  }
  return "";
}

/** The label that a box holds and nothing else. */
function labelIn(n: Element): Element {
  const [label] = all(n, "label");
  return label && flat(textContent(label)) === flat(textContent(n)) ? label : n;
}

const worked = "input,select,textarea,[role=combobox],[role=textbox]";
const maxUp = 3;
/** How far up the boxes may go that hold nothing but the field. */
const mostUp = 8;
const wraps = (e: Element, el: Element): boolean => flat(textContent(e)) === flat(textContent(el)) && all(e, "input:not([type=hidden]),select,textarea,button,a[href],[role=combobox],[role=textbox]").length <= 1;
/** What classes call that is said of a field, and is no name of the next one. */
const noLabel = /(?:^|[^a-z])(?:feedback|errors?|help-?(?:text|block)|hint|counter)(?:[^a-z]|$)/i;

/** A field that was made into another one stands beside that, cut to nothing. */
const isSeen = (e: Element): boolean => isPainted(e) && rectOf(e).width > 2 && rectOf(e).height > 2;

/** What stands behind n on its level. */
function behind(n: Node): string {
  let out = "";
  for (let m = nextSibling(n); m; m = nextSibling(m)) out += isText(m) ? m.data : isElement(m) ? textContent(m) ?? "" : "";
  return out;
}

const cellRoles = new Set(["gridcell", "cell"]);
export const isCell = (e: Element): boolean => localName(e) === "td" || cellRoles.has(explicitRole(e));

/** What heads the column of a cell, in a table that has heads; one with a box in it ticks all rows. */
export function headOf(cell: Element): string {
  const head = headCell(cell);
  const isHead = head !== null && (localName(head) === "th" || explicitRole(head) === "columnheader");
  return isHead && !hasAny(head, "input:not([type=hidden]),[role=checkbox]") ? textOf(head, longest) : "";
}

/** Whether it holds several links, as the tabs over an editor; a label may be one itself. */
const isBar = (e: Element): boolean => all(e, "a[href],a[role],a[onclick]").length > 1;
/** What of a bar is no label. */
const pressedParts = { has: (e: Element): boolean => controls.has(e) || localName(e) === "a" && e.matches("a[href],a[role],a[onclick]") };

function isBeside(label: DOMRect, field: DOMRect, after: boolean): boolean {
  if (label.top < field.bottom && label.bottom > field.top) return true;
  return !after && label.bottom <= field.top + 4 && field.top - label.bottom < mostAbove && label.left < field.right && label.right > field.left;
}

/** A label behind its field that is drawn in it, or on its edge. */
function floating(el: Element): string {
  const n = nextElement(el);
  if (!n || localName(n) !== "label" || !isPainted(n)) return "";
  const [l, f] = [rectOf(n), rectOf(el)];
  const said = textOf(n, longest + 1);
  return said.length <= longest && letters.test(said) && l.left >= f.left - 2 && l.right <= f.right + 2 && l.top < f.bottom && l.bottom > f.top ? said : "";
}
