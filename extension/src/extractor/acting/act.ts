// Acts done inside the page: focus, selection, scrolling.

import { nameOf } from "../a11y/name";
import { secretOf } from "../a11y/secrets";
import {
  all, attr, clientHeight, clientWidth, closest, contains, deepActive, deepAt, doc, firstIn, hasAttr, holds, isConnected, isHTML, localName, parentOf,
  rectOf, scrollElementBy, scrollHeight, scrollLeft, scrollTop, scrollWidth,
} from "../dom/dom";
import { editorOf } from "../dom/editors";
import { idOf, nodeOf } from "../dom/ids";
import { matchesOf } from "../dom/locate";
import { LayoutCache } from "../dom/visibility";
import { subjectOf } from "../guard/facts";
import { valueOf } from "../listing/describe";
import { drawn } from "../schedule/settle";
import { fieldOf } from "./resolve";

export function focus(o: { id: number; select?: boolean }): { ok: boolean } {
  const node = nodeOf(o.id);
  if (!node) return { ok: false };
  const el = subjectOf(node);
  if (!has(el) && (isHTML(el) || el instanceof SVGElement)) el.focus({ preventScroll: true });
  if (!has(el) && /^(?:slider|spinbutton)$/.test(attr(el, "role") ?? "")) { // Quasar: its track takes the keyboard
    const part = firstIn(el, "[tabindex]:not([tabindex^='-'])");
    if (part instanceof HTMLElement) part.focus({ preventScroll: true });
  }
  if (!has(el)) return { ok: false };
  return o.select ? selected(el) : { ok: true };
}

/** Whether el or an element in it has the keyboard. */
export function has(el: Element): boolean {
  const active = deepActive();
  return active !== null && (active === el || holds(el, active));
}

/**
 * Focuses a field. select: selects its content. caret: puts the caret at the end, but
 * leaves it if the field had the keyboard. add: puts it at the end in any case. gap: puts it
 * before the first placeholder of a mask. Returns false if a frame has the keyboard: its
 * process releases it later.
 */
export function keyboard(id: number, how: "caret" | "add" | "select" | "gap"): boolean {
  const select = how === "select";
  const node = nodeOf(id);
  const active = deepActive();
  if (!node || active && (localName(active) === "iframe" || localName(active) === "frame")) return false;
  const el = subjectOf(node);
  const had = has(el);
  if (!focus({ id, select }).ok) return false;
  if (select || had && (how === "caret" || how === "add" && isAtEnd(el))) return true;
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
    const at = how === "gap" ? Math.max(el.value.search(/[_#•·]/), 0) : el.value.length;
    try {
      el.setSelectionRange(at, at);
    } catch { // e-mail, number and similar fields have no selection
      getSelection()?.modify("move", "forward", "documentboundary");
    }
  } else {
    const sel = getSelection();
    sel?.selectAllChildren(deepActive() ?? el);
    sel?.collapseToEnd();
  }
  return true;
}

/** Whether the caret is at the end of a field. It then stays, so that a format set for the next text, such as bold, isn't lost. */
function isAtEnd(el: Element): boolean {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.selectionStart === el.value.length && el.selectionEnd === el.value.length;
  const sel = getSelection();
  if (!sel?.focusNode || !sel.isCollapsed || !contains(el, sel.focusNode)) return false;
  const rest = document.createRange();
  rest.selectNodeContents(el);
  rest.setStart(sel.focusNode, sel.focusOffset);
  return rest.toString() === "";
}

/** Selects the content of a field, so that typing replaces it. */
export function selectText(o: { id: number }): { ok: boolean } {
  return focus({ ...o, select: true });
}

function selected(el: Element): { ok: boolean } {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
    el.select();
    return { ok: true };
  }
  const sel = getSelection();
  if (!sel) return { ok: false };
  sel.selectAllChildren(deepActive() ?? el);
  return { ok: true };
}

/** The letters and digits of a text, which a field keeps when it reformats the text. */
const marks = (s: string): string => s.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The value of a field; for a secret field, whether its value ends with is, and its length. drawn: it is the text an editor shows, which may be only a part. */
export function value(o: { id: number; is?: string }): { value: string; secret?: string; drawn?: boolean; same?: boolean; size?: number } {
  const node = nodeOf(o.id);
  if (!node) return { value: "" };
  const el = fieldOf(subjectOf(node), new LayoutCache()) ?? subjectOf(node);
  const secret = secretOf(el);
  if (secret) {
    const has = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement ? el.value : valueOf(el);
    const is = o.is ?? "";
    return { value: "", secret, size: has.length, same: has.endsWith(is) || marks(is) !== "" && marks(has).endsWith(marks(is)) };
  }
  const look = new LayoutCache();
  return editorOf(el, look) ? { value: valueOf(el, look), drawn: true } : { value: valueOf(el, look) };
}

/** The buttons of the smallest part around an editor that has any, by their names. */
export function buttonsBeside(o: { id: number }): { buttons: string[] } {
  const node = nodeOf(o.id);
  const most = node instanceof Element ? rectOf(node).height + rows : 0;
  let found: Element[] = [];
  for (let p = node && parentOf(node), up = 0; p && up < 6 && p !== doc.body; p = parentOf(p), up++) {
    if (found.length > 0 && rectOf(p).height > most) break;
    found = [...all(p, "button,[role=button],input[type=submit],input[type=button]")];
  }
  return { buttons: found.slice(-20).map((e) => nameOf(e)) };
}

/** The height in CSS pixels of the rows of buttons above and below an editor. */
const rows = 160;

/** Roles of parts that may close when a field in them loses focus: a cell, a popup, a list of proposals. */
const closing = /^(?:grid|treegrid|gridcell|menu|listbox|tooltip)$/;

/** Whether a number has the decimal sign of the page's language, so that no field reads it as another number. */
function isLocal(text: string, el: Element): boolean {
  const lang = attr(closest(el, (e) => hasAttr(e, "lang")) ?? el, "lang");
  const sign = /[.,](?=\d*$)/.exec(text)?.[0];
  if (!lang || !sign) return false;
  try {
    return new Intl.NumberFormat(lang).formatToParts(1.5).some((p) => p.type === "decimal" && p.value === sign);
  } catch { // a page may give any text as its language
    return false;
  }
}

/**
 * Takes the focus from a field and gives it back: many fields reformat a number on blur. Some also save it then, so a
 * field whose number can't be misread isn't left. value is the field's value in between.
 */
export async function leaveAndReturn(o: { id: number; ms: number; text: string }): Promise<{ left: boolean; value: string }> {
  const node = nodeOf(o.id);
  const el = node ? subjectOf(node) : null;
  const stays = !(el instanceof HTMLInputElement) || !/^(?:text|tel|)$/.test(el.type) || deepActive() !== el || attr(el, "role") === "combobox" || hasAttr(el, "aria-expanded") ||
    closest(el, (e) => localName(e) === "td" || closing.test(attr(e, "role") ?? "")) !== null;
  if (stays || isLocal(o.text, el)) return { left: false, value: "" };
  el.blur();
  await drawn({ minMs: 0, maxMs: o.ms });
  const value = valueOf(el);
  if (isConnected(el) && deepActive() === doc.body) keyboard(o.id, "caret");
  return { left: true, value };
}

type Scrolled = { x: number; y: number; moved: boolean; atEnd: boolean };

/** Scrolls by dx and dy CSS pixels. items: a selector; scrolls the list around its last match. */
export function scrollBy(o: { id?: number; items?: string; dx: number; dy: number; within?: boolean; look?: boolean }): Scrolled {
  const last = o.items ? matchesOf(o.items).at(-1) : undefined;
  const el = scrollerFor(last ? idOf(last) : o.id);
  if (!el) return { x: 0, y: 0, moved: false, atEnd: true };
  const x = scrollLeft(el);
  const y = scrollTop(el);
  if (o.look) return { x: Math.round(x), y: Math.round(y), moved: false, atEnd: atEnd(el, o.dx, o.dy) };
  // At most the size of the box: some lists never draw the rows that a scroll skips.
  const most = (d: number, size: number): number => o.within ? Math.sign(d) * Math.min(Math.abs(d), Math.max(size * 0.8, 20)) : d;
  scrollElementBy(el, { left: most(o.dx, clientWidth(el)), top: most(o.dy, clientHeight(el)), behavior: "instant" });
  const nx = scrollLeft(el);
  const ny = scrollTop(el);
  return { x: Math.round(nx), y: Math.round(ny), moved: nx !== x || ny !== y, atEnd: atEnd(el, o.dx, o.dy), ...(el === doc.scroller ? {} : { id: idOf(el) }) };
}

/** Whether el can't scroll further in that direction. */
function atEnd(el: Element, dx: number, dy: number): boolean {
  const [backX, backY] = backwards(el);
  return over(dx, scrollLeft(el), scrollWidth(el) - clientWidth(el), backX) && over(dy, scrollTop(el), scrollHeight(el) - clientHeight(el), backY);
}

function over(by: number, at: number, range: number, back: boolean): boolean {
  const least = back ? -range : 0;
  return by === 0 || (by > 0 ? at >= least + range - 1 : at <= least + 1);
}

/** Whether the scroll positions of a box are negative, by axis: its content begins at the right, or at the bottom. */
function backwards(el: Element): [x: boolean, y: boolean] {
  const look = new LayoutCache();
  const s = look.style(el);
  const rtl = s.direction === "rtl" || el === doc.scroller && doc.body !== null && look.style(doc.body).direction === "rtl"; // the page uses the direction of its body
  const upright = s.writingMode === "horizontal-tb";
  const flips = (way: string): boolean => s.display.endsWith("flex") && s.flexDirection === way;
  const inline = rtl !== flips("row-reverse");
  const block = s.writingMode.endsWith("-rl") !== flips("column-reverse");
  const [x, y] = upright ? [inline, block] : [block, inline];
  return [x || scrollLeft(el) < 0, y || scrollTop(el) < 0];
}

/** The scroll container to use: around the element; without an id the page or, if the page can't scroll, the one in the middle of the viewport. */
function scrollerFor(id: number | undefined): Element | null {
  const look = new LayoutCache();
  const root = doc.scroller;
  const can = (e: Element): boolean => e !== doc.body && e !== doc.root && look.scrolls(e) && look.style(e).overflowY !== "hidden";
  if (id !== undefined && id > 0) {
    const node = nodeOf(id);
    const up = closest(node, can);
    if (up) return up;
    if (node instanceof Element) {
      // A menu's own list, if it fills most of the menu.
      const within = [...all(node, "*")].filter((e) => can(e) && clientHeight(e) > 0.5 * clientHeight(node));
      if (within.length === 1 && within[0]) return within[0];
      // A list that handles the wheel itself (rc-virtual-list) can still be scrolled by script.
      if (look.style(node).overflowY === "hidden" && clientHeight(node) > 20 && scrollHeight(node) > clientHeight(node) * 1.5) return node;
    }
    return root;
  }
  if (root && scrollHeight(root) > clientHeight(root) + 1) {
    const s = doc.root ? look.style(doc.root).overflowY : "visible";
    const b = doc.body ? look.style(doc.body).overflowY : "visible";
    if (s !== "hidden" && !(b === "hidden" && s === "visible")) return root;
  }
  return closest(deepAt(innerWidth / 2, innerHeight / 2), can) ?? root;
}
