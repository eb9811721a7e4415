// What a field without a name is called by those who see it: the words before it on its
// line or right above it, right behind a box to tick, or a label that floats in it.

import { all, closest, isElement, isPainted, isText, localName, nextElement, nextSibling, parentOf, previousSibling, rectOf, textContent } from "./dom";
import { editorOf, takesKeys } from "./editors";
import { activates } from "./interactive";
import { controls, textOf } from "./name";
import { isRow } from "./namesakes";
import { inputType } from "./role";
import { flat } from "./strings";

const letters = /\p{L}/u;
const tags = new Set(["input", "select", "textarea"]);
const ticked = new Set(["checkbox", "radio"]);
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
  if (!isField(el) && role !== "textbox" && !ticked.has(role) || pressed.has(inputType(el))) return "";
  const box = takesKeys(el) ? editorOf(el) ?? el : el;
  return labelBeside(box, ticked.has(role), marked) || floating(box);
}

/** The words right before a field, or right after a box to tick, on its line, or above a field; in a table with heads that of its column. */
export function labelBeside(el: Element, after: boolean, marked = false): string {
  const to = after ? nextSibling : previousSibling;
  for (let e: Element | null = el, up = 0; e && up < maxUp && !(after && isCell(e)); e = parentOf(e), up++) {
    const head = isCell(e) && !marked ? headOf(e) : "";
    if (head) return head;
    for (let n: Node | null = to(e), i = 0; n && i < 4; n = to(n), i++) {
      if (isElement(n) && isField(n) && !isSeen(n)) continue; // its options are no words
      if (isElement(n) && isSeen(n) && (isWorked(n) || all(n, "input,select,textarea").length > 0)) return "";
      const said = isText(n) ? flat(n.data) : isElement(n) ? textOf(n, longest + 1, undefined, controls) : "";
      if (after && up > 0 && letters.test(behind(n))) return ""; // the cells of a row
      if (letters.test(said) && marked && !(isElement(n) && localName(n) === "label")) return "";
      if (letters.test(said)) return said.length <= longest && (!isElement(n) || isBeside(rectOf(n), rectOf(el), after)) ? said : "";
    }
    if (isRow(e)) break;
  }
  return "";
}

const maxUp = 3;

/** A field that was made into another one stands beside that, cut to nothing. */
const isSeen = (e: Element): boolean => isPainted(e) && rectOf(e).width > 2 && rectOf(e).height > 2;

/** What stands behind n on its level. */
function behind(n: Node): string {
  let out = "";
  for (let m = nextSibling(n); m; m = nextSibling(m)) out += isText(m) ? m.data : isElement(m) ? textContent(m) ?? "" : "";
  return out;
}

const isCell = (e: Element): e is HTMLTableCellElement => e instanceof HTMLTableCellElement;

/** What heads the column of a cell. */
function headOf(cell: HTMLTableCellElement): string {
  const table = closest(cell, (e) => localName(e) === "table");
  const head = table instanceof HTMLTableElement ? table.rows[0]?.cells[cell.cellIndex] : undefined;
  return head && head !== cell && localName(head) === "th" ? textOf(head, longest) : "";
}

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
