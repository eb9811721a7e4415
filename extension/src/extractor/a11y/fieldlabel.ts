// The visible label of a field without a name: the words before it on its line or right
// above it, right behind a checkbox, or a label that floats in it.

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
/** A longer text is an explanation. */
const longest = 60;
/** The largest distance of a label above its field. */
const mostAbove = 48;

const isField = (e: Element): boolean => tags.has(localName(e));
/** Whether e is a control itself: a stepper behind a field is no label. */
const isWorked = (e: Element): boolean => isField(e) || activates(e) && localName(e) !== "label";

/** The words that label a field by their place; "" if there are none. marked: only those of a label element that is of no other control. */
export function fieldLabel(el: Element, role: string, marked = false): string {
  if (!isField(el) && !isFieldRole(role) || role === "combobox" && !isField(el) && words.test(textContent(el) ?? "") || pressed.has(inputType(el))) return "";
  const box = takesKeys(el) ? editorOf(el) ?? el : el;
  return labelAround(box) || labelBeside(box, isTicked(role), marked) || floating(box) || (marked || isTicked(role) ? "" : legendOf(box));
}

/** The words of a label that HTML assigns to the button before the field, as the list of countries in a telephone field. */
function labelAround(el: Element): string {
  const label = closest(el, (e) => localName(e) === "label");
  if (!(label instanceof HTMLLabelElement) || label.htmlFor !== "" || label.control === null || isField(label.control) || [...all(label, writable)].filter(isSeen).length > 1) return "";
  const said = textOf(label, longest + 1, undefined, controls);
  return said.length <= longest && letters.test(said) ? said : "";
}

/** The name of a part of a form that holds no other text field. */
function legendOf(el: Element): string {
  const part = closest(el, (e) => localName(e) === "fieldset");
  const legend = part ? childrenOf(part).find((c) => localName(c) === "legend") : undefined;
  if (!part || !legend || all(part, writable).length > 1) return "";
  const said = textOf(legend, longest + 1, undefined, controls);
  return said.length <= longest && letters.test(said) ? said : "";
}
const writable = "textarea,select,input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit]),[contenteditable=true],[role=textbox],[role=combobox]";

/** The words right before a field, right after a checkbox, or above a field; in a table with heads the column's head. */
export function labelBeside(el: Element, after: boolean, marked = false): string {
  const to = after ? nextSibling : previousSibling;
  for (let e: Element | null = el, up = 0; e && (up < maxUp || up < mostUp && wraps(e, el)); e = parentOf(e), up++) {
    const cell = isCell(e);
    const head = cell && !marked ? headOf(e) : "";
    if (head || after && cell) return head;
    for (let n: Node | null = to(e), i = 0; n && i < 4; n = to(n), i++) {
      if (isElement(n) && isField(n) && !isSeen(n)) continue; // options are no label
      if (isElement(n) && isSeen(n) && (isWorked(n) || hasAny(n, worked))) return "";
      if (isElement(n) && noLabel.test(attr(n, "class") ?? "")) return ""; // it belongs to the field before
      if (isElement(n) && (n.matches(outputs) || hasAny(n, logs))) continue;
      const said = isText(n) ? flat(n.data) : isElement(n) ? textOf(labelIn(n), longest + 1, undefined, isBar(n) ? pressedParts : controls) : "";
      if (after && up > 0 && letters.test(behind(n))) return ""; // cells of a row
      if (letters.test(said) && marked && !(n instanceof HTMLLabelElement && (n.control === null || holds(el, n.control)))) return "";
      if (letters.test(said)) return said.length <= longest && (!isElement(n) || isBeside(rectOf(n), rectOf(el), after)) ? said : "";
    }
    if (isRow(e)) break;
  }
  return "";
}

/** The label that is the only content of a box. */
function labelIn(n: Element): Element {
  const [label] = all(n, "label");
  return label && flat(textContent(label)) === flat(textContent(n)) ? label : n;
}

const worked = "input,select,textarea,[role=combobox],[role=textbox]";
/** What a terminal or a chat prints into: a box around one is no label either. */
const logs = "pre,[role=log]";
/** Elements whose text is no label: it comes and goes. */
const outputs = `${logs},output,samp,[role=status],[role=timer],[role=alert]`;
const maxUp = 3;
/** The most levels of boxes that hold only the field. */
const mostUp = 8;
const wraps = (e: Element, el: Element): boolean => flat(textContent(e)) === flat(textContent(el)) && all(e, "input:not([type=hidden]),select,textarea,button,a[href],[role=combobox],[role=textbox]").length <= 1;
/** Class names of texts about a field, which don't name the next field. */
const noLabel = /(?:^|[^a-z])(?:feedback|errors?|help-?(?:text|block)|hint|counter)(?:[^a-z]|$)/i;

/** A field replaced by a custom one is clipped to nothing beside it. */
const isSeen = (e: Element): boolean => isPainted(e) && rectOf(e).width > 2 && rectOf(e).height > 2;

/** The text behind n among its siblings. */
function behind(n: Node): string {
  let out = "";
  for (let m = nextSibling(n); m; m = nextSibling(m)) out += isText(m) ? m.data : isElement(m) ? textContent(m) ?? "" : "";
  return out;
}

const cellRoles = new Set(["gridcell", "cell"]);
export const isCell = (e: Element): boolean => localName(e) === "td" || cellRoles.has(explicitRole(e));

/** The head of a cell's column, in a table with heads. A head with a checkbox selects all rows. */
export function headOf(cell: Element): string {
  const head = headCell(cell);
  const isHead = head !== null && (localName(head) === "th" || explicitRole(head) === "columnheader");
  return isHead && !hasAny(head, "input:not([type=hidden]),[role=checkbox]") ? textOf(head, longest) : "";
}

/** The head of the column of a drop-down list in a row of fields. */
export function columnOf(el: Element): string {
  const cell = closest(el, isCell);
  const row = closest(cell, isRow);
  return cell && row && hasAny(row, writable) ? headOf(cell) : "";
}

/** Whether e holds several links, as the tabs over an editor; a label may be one link. */
const isBar = (e: Element): boolean => all(e, "a[href],a[role],a[onclick]").length > 1;
/** The elements of a bar that are no label. */
const pressedParts = { has: (e: Element): boolean => controls.has(e) || localName(e) === "a" && e.matches("a[href],a[role],a[onclick]") };

function isBeside(label: DOMRect, field: DOMRect, after: boolean): boolean {
  if (label.top < field.bottom && label.bottom > field.top) return true;
  return !after && label.bottom <= field.top + 4 && field.top - label.bottom < mostAbove && label.left < field.right && label.right > field.left;
}

/** A label after its field that is drawn inside it or on its edge. */
function floating(el: Element): string {
  const n = nextElement(el);
  if (!n || localName(n) !== "label" || !isPainted(n)) return "";
  const [l, f] = [rectOf(n), rectOf(el)];
  const said = textOf(n, longest + 1);
  return said.length <= longest && letters.test(said) && l.left >= f.left - 2 && l.right <= f.right + 2 && l.top < f.bottom && l.bottom > f.top ? said : "";
}
