// The open list of a control where no role marks it: it lies right below or above a field
// that has the keyboard, or an element drawn as a closed list; it consists of similar
// rows, and the rows take presses.

import { foldedBy } from "../a11y/folding";
import { isEditable } from "../a11y/interactive";
import { drawnOptions, explicitRole, roleOf } from "../a11y/role";
import {
  all, attr, childElementCount, childrenOf, deepActive, doc, hasAny, hasAttr, holds, localName, matches, parentOf, textContent,
} from "../dom/dom";
import { Hears, hears } from "../dom/listeners";
import { lastingClasses } from "../dom/make";
import { flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";

const maxUp = 5;
const mostBeside = 30;
const mostRows = 500;
const longestRow = 200;
/** How far from its field a list may lie. */
const gap = 16;

const lists = new WeakMap<Element, Element>(); // by field: elements recognized as its list

/** The options of a field that has the keyboard and such a list open; they are marked as options. */
export function fieldOptions(field: Element, look: LayoutCache): Element[] {
  if (deepActive() !== field || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || !isEditable(field)) return [];
  if (explicitRole(field) === "combobox" || ["aria-controls", "aria-owns", "aria-haspopup", "list"].some((a) => hasAttr(field, a))) return [];
  for (const list of candidates(field, look)) {
    const rows = rowsOf(list, look);
    if (rows.length === 0 || lists.get(field) !== list && !rows.some((r) => isPressed(r, list, look))) continue;
    lists.set(field, list);
    for (const r of rows) drawnOptions.add(r);
    return rows;
  }
  return [];
}

/** Marks the options of the field with the keyboard. */
export function markFieldOptions(look: LayoutCache): void {
  const field = deepActive();
  if (field) fieldOptions(field, look);
}

const dropRoles = new Set(["generic", "button", "link"]);
const dropSign = /[▾▿▼▽⌄⏷˅↕⇅]\s*$/u;
const dropClass = /(?:^|[^a-z])(?:caret|(?:chevron|arrow|angle)s?[-_]?down|drop[-_]?down|unfold)(?:[^a-z]|$)/i;

/** Whether el is drawn as a closed list: it opens and closes something, or ends with a sign for it. */
export function isDrop(el: Element): boolean {
  const role = roleOf(el);
  if (!dropRoles.has(role) || isEditable(el)) return false;
  if (hasAttr(el, "aria-expanded") || foldedBy(el, role) !== undefined || dropSign.test(textContent(el) ?? "")) return true;
  return [...all(el, "svg,use,i,span,img")].slice(0, mostParts).some((e) => dropClass.test(`${attr(e, "class") ?? ""} ${attr(e, "data-icon") ?? ""} ${attr(e, "data-lucide") ?? ""}`));
}

const mostParts = 12;

/** The open list of such a control, with its rows. */
export function dropList(el: Element, look: LayoutCache): { list: Element; rows: Element[] } | null {
  for (const list of candidates(el, look, true)) {
    const rows = rowsOf(list, look);
    if ((rows.length > 1 || isWhole(rows[0], list)) && rows.some((r) => isPressed(r, list, look) || matches(r, rowControls) || all(r, rowControls).length === 1)) return { list, rows };
  }
  return null;
}

/** Whether a list has one row, and says nothing else. */
const isWhole = (row: Element | undefined, list: Element): boolean => row !== undefined && flat(textContent(row)) === flat(textContent(list));

const rowControls = "button,a[href],a[role],[role=button],[role=menuitem]";
const notInField = "input,textarea,select,table,button,[role=grid],[role=listbox],[role=tooltip]";
const notInDrop = "input:not([type=checkbox],[type=radio]),textarea,select,table,[role=grid],[role=tooltip]";

/** Elements over the page at a control: beside it or its ancestors, or at the end of the page; for a drop-down also inside it. */
function* candidates(field: Element, look: LayoutCache, drop = false): Generator<Element> {
  const at = (c: Element): boolean => liesAt(c, field, look, drop);
  const around = function* (p: Element): Generator<Element> {
    for (const c of childrenOf(p).slice(-mostBeside)) {
      if (holds(c, field) || !look.boxed(c)) continue;
      if (at(c)) yield c;
      else if (childElementCount(c) <= 3) for (const cc of childrenOf(c)) if (look.boxed(cc) && at(cc)) yield cc;
    }
  };
  if (drop) yield* around(field);
  let p = parentOf(field);
  for (let up = 0; p && p !== doc.body && up < maxUp; p = parentOf(p), up++) yield* around(p);
  if (doc.body) yield* around(doc.body);
}

function liesAt(c: Element, field: Element, look: LayoutCache, drop: boolean): boolean {
  if (!/^(?:absolute|fixed)$/.test(look.style(c).position) || !look.shown(c)) return false;
  const f = look.box(field);
  const b = look.box(c);
  const near = Math.abs(b.top - f.bottom) <= gap || Math.abs(f.top - b.bottom) <= gap || drop && b.top < f.bottom && b.bottom > f.top;
  const shared = Math.min(b.right, f.right) - Math.max(b.left, f.left);
  return near && shared >= Math.min(b.right - b.left, f.right - f.left) / 2 && !hasAny(c, drop ? notInDrop : notInField);
}

/** The rows of a list: similar elements that all have words. */
function rowsOf(list: Element, look: LayoutCache): Element[] {
  let holder = list;
  let shown = childrenOf(holder).filter((c) => look.boxed(c));
  for (let down = 0; down < 4 && shown.length === 1 && childElementCount(shown[0] as Element) > 0 && childrenOf(shown[0] as Element).every((c) => childElementCount(c) > 0 || localName(c) === "li"); down++) {
    holder = shown[0] as Element;
    shown = childrenOf(holder).filter((c) => look.boxed(c));
  }
  const kinds = new Map<string, Element[]>();
  for (const c of shown.slice(0, mostRows)) {
    const length = (textContent(c) ?? "").trim().length;
    const key = `${localName(c)} ${lastingClasses(c).join(" ")}`;
    if (length > 0 && length <= longestRow) kinds.set(key, [...kinds.get(key) ?? [], c]);
  }
  const most = [...kinds.values()].sort((a, b) => b.length - a.length)[0] ?? [];
  return most.length * 2 >= shown.length ? most : [];
}

const isPressed = (row: Element, list: Element, look: LayoutCache): boolean => {
  for (let e: Element | null = row; e; e = e === list ? null : parentOf(e)) if ((hears(e) & Hears.Press) !== 0) return true;
  return look.hand(row) === "pointer";
};
