// Whether a control still belongs to the row that it was shown in. Lists have many
// controls of one name ("Add", "Open item 17") and keep their nodes while rows scroll
// through them, so the node and its name don't identify the row. A control is
// recognized by the words of its row that the neighbouring rows don't have.

import { isEditable } from "../a11y/interactive";
import { headings } from "../a11y/role";
import {
  all, attr, childrenOf, eachChild, firstIn, hasAny, holds, isElement, isText, localName, nextSibling, parentOf, previousSibling, rectOf,
  textContent, walker,
} from "../dom/dom";
import { editorOf, takesKeys } from "../dom/editors";
import type { LayoutCache } from "../dom/visibility";
import { boxOf } from "./describe";
import { sameName } from "./samename";

/** A control as it was shown: its name, its row's text, the row's heading, the neighbours' text, and the text of each element from it to its row. */
interface Shown { name: string; row: string; head: string; beside: string; way: { el: WeakRef<Element>; text: string }[] }

/** What an element has stood for, since which look. Several clients may have been shown it at different times, and each means what it was shown. */
export interface Past { first: number; states: { since: number; shown: Shown | null }[] }

const pasts = new WeakMap<Element, Past>();
const maxStates = 8;
let looks = 0;

/** Asks once per element in a look: controls of one row share their ancestors. */
function onceInLook<T>(ask: (el: Element, look: LayoutCache) => T): (el: Element, look: LayoutCache) => T {
  const looks = new WeakMap<LayoutCache, Map<Element, T>>();
  return (el, look) => {
    let known = looks.get(look);
    if (!known) looks.set(look, known = new Map());
    let v = known.get(el);
    if (v === undefined) known.set(el, v = ask(el, look));
    return v;
  };
}

const maxClimb = 8;
const maxRow = 400; // a longer text identifies no row
const maxRaw = 10 * maxRow; // with the white space of the markup

/** The number of the current look. A client that is shown an element now returns this number with it. */
export const currentLook = (): number => looks;

/** Stores what distinguishes el from similar controls at the time of the look. */
export function remember(el: Element, name: string, look: LayoutCache): void {
  const now = shownAs(el, name, look);
  const past = pasts.get(el);
  const last = past?.states.at(-1);
  if (!past || !last) {
    pasts.set(el, { first: ++looks, states: [{ since: looks, shown: now }] });
  } else if (isSame(last.shown, now)) {
    if (last.shown && now) last.shown = { ...now, head: last.shown.head };
  } else {
    past.states.push({ since: ++looks, shown: now });
    if (past.states.length > maxStates) past.states.shift();
  }
}

/** What el has stood for. Keeps no node alive. */
export const pastOf = (el: Element): Past | undefined => pasts.get(el);

/** The words of the element's row when it was last shown. */
export const wordsShown = (el: Element): string => pasts.get(el)?.states.at(-1)?.shown?.row ?? "";

/** Gives el the past of the element that it replaces; el must not have stood for anything else in between. */
export function inherit(el: Element, past: Past): void {
  const own = pasts.get(el)?.states ?? [];
  pasts.set(el, { first: past.first, states: [...past.states, ...own].slice(-maxStates) });
}

/** Updates what is stored of el after an act changed its own field, so that the new choice doesn't make it another control. */
export function amend(el: Element, name: string, look: LayoutCache): void {
  pasts.set(el, { first: 0, states: [{ since: 0, shown: shownAs(el, name, look) }] });
}

/** Stores the words of the row by which el was distinguished. */
export function toldBy(el: Element, words: string): void {
  const s = pasts.get(el)?.states.at(-1)?.shown;
  if (!s) return;
  const row = tokens(s.row);
  const own = [...tokens(words)].filter((w) => row.has(w));
  if (own.length > 0) s.head = own.join(" ");
}

const refs = new WeakMap<Element, WeakRef<Element>>();

function refTo(e: Element): WeakRef<Element> {
  let r = refs.get(e);
  if (!r) refs.set(e, r = new WeakRef(e));
  return r;
}

function shownAs(el: Element, name: string, look: LayoutCache): Shown | null {
  // The text of an editor that draws it itself is a value, which identifies no row.
  const row = takesKeys(el) && editorOf(el, look) ? null : rowIn(el, look);
  if (!row) return null;
  const box = boxOf(el, look);
  // The choice may change, so it doesn't count.
  const other = [before(row), after(row), box, opensList(el) ? frameOf(el, row, look) : null, box && holds(box, row) ? row : null];
  const words = (e: Element): string => opensList(el) ? wordsOf(e, el, look) : textOf(e, look);
  const way: Shown["way"] = [];
  for (let e: Element | null = el; e; e = e === row ? null : parentOf(e)) way.push({ el: refTo(e), text: wordsOf(e, el, look) });
  return { name, row: wordsOf(row, el, look), head: headOf(row, el, look), beside: other.map((e) => e ? words(e) : "").join(" "), way };
}

/** The row of a control now: its words and those of the rows before and after it. */
export interface Row { el: Element; words: string; before: string; after: string }

export function rowAround(el: Element, look: LayoutCache): Row | null {
  const row = rowIn(el, look);
  const words = (e: Element | null): string => e ? textOf(e, look) : "";
  return row && { el: row, words: wordsOf(row, el, look), before: words(before(row)), after: words(after(row)) };
}

/** The first cell of a row of a table, or the heading of a card. */
function headOf(row: Element, el: Element, look: LayoutCache): string {
  const head = headIn(row, look);
  return head && !holds(head, el) ? textOf(head, look) : "";
}

const headIn = onceInLook((row, look) => {
  const cells = localName(row) === "tr" || attr(row, "role") === "row";
  return (cells ? childrenOf(row).find((c) => letters.test(textOf(c, look))) : firstIn(row, headings)) ?? null;
});

const letters = /\p{L}/u;

/** Whether an element belongs to the same row as before: the row's own words are equal. */
function isSame(a: Shown | null, b: Shown | null): boolean {
  if (!a || !b) return a === b;
  if (a.name === b.name && a.row === b.row && a.beside === b.beside) return true;
  return sameName(a.name, b.name) && ownWords(a, a.name).join(" ") === ownWords(b, b.name).join(" ");
}

/** The words that distinguish it from its neighbours; called: the name under which it was last shown. */
function ownWords(s: Shown, called: string): string[] {
  return telling(`${called} ${renamed(s.row, s, called)}`, tokens(s.beside));
}

function telling(words: string, others: ReadonlySet<string>): string[] {
  const own = [...tokens(words)].filter((w) => !others.has(w));
  // Numbers beside words of the row's own are counters.
  const plain = own.filter((w) => !/\d/.test(w));
  return plain.length > 0 ? plain : own;
}

const renamed = (words: string, s: Shown, called: string): string => called === s.name ? words : words.replace(s.name, called);

/**
 * Why el stands for something else than when it was shown; null if it does not. seen: the look in which the client saw it, if not the last;
 * told: its name, if the name was given later.
 */
export function identityChange(el: Element, name: string, look: LayoutCache, seen = Infinity, told?: string): string | null {
  const past = pasts.get(el);
  if (!past || seen < past.first) return null; // its surroundings were not seen
  const state = past.states.findLast((s) => s.since <= seen);
  if (!state) return "It has stood for many other things since.";
  const was = state.shown;
  if (!was) return null;
  const called = told ?? was.name;
  // No words around it are missing. Added words, as of a tooltip, may make another element its row.
  if (name === was.name && was.way.every((w) => isAround(w.el.deref(), w.text, el, look))) return null;
  const row = rowOf(el, look);
  const says = row ? wordsOf(row, el, look) : "";
  if (name === was.name && was.row !== "" && says === was.row) return null; // compared as raw text: words may run together where no space separates them
  const pieces = row ? piecesIn(row) : [];
  if (name === was.name && isEditable(el) && lostHint(was, name, pieces)) return null;
  if (keepsOwn(was, called, `${name} ${says}`) || keepsOwn(apartBy(pieces, was), called, `${name} ${pieces.join(" ")}`)) return null;
  return `It stood in "${clip(was.row || was.name)}" and now stands in "${clip(says || name)}".`;
}

/** Whether a field that its name alone distinguishes lost words beside it and got none: pages show hints while a field is filled in. */
function lostHint(was: Shown, name: string, pieces: readonly string[]): boolean {
  const others = tokens(was.beside);
  const had = tokens(apartBy(pieces, was).row);
  return [...tokens(name)].some((w) => !others.has(w)) && [...tokens(pieces.join(" "))].every((w) => had.has(w));
}

/** Whether more than half of the words that identified it, and of its row's heading, are still there. */
function keepsOwn(was: Shown, called: string, says: string): boolean {
  const now = tokens(says);
  const isKept = (words: string[]): boolean => words.length === 0 || words.filter((w) => now.has(w)).length * 2 > words.length;
  return isKept(ownWords(was, called)) && isKept(telling(renamed(was.head, was, called), tokens(was.beside)));
}

const mostPieces = 60;
const leastPiece = 3;

function piecesIn(row: Element): string[] {
  const out: string[] = [];
  const w = walker(row, NodeFilter.SHOW_TEXT);
  for (let n = w.nextNode(); n && out.length < mostPieces; n = w.nextNode()) if (isText(n) && n.data.trim() !== "") out.push(squeezed(n.data).trim());
  return out;
}

/** The stored words, with words separated that ran together without a space. */
function apartBy(pieces: readonly string[], was: Shown): Shown {
  const apart = (s: string): string => pieces.reduce((t, p) => p.length < leastPiece ? t : t.replaceAll(p, ` ${p} `), s);
  return { ...was, row: apart(was.row), head: apart(was.head), beside: apart(was.beside) };
}

const isAround = (e: Element | undefined, was: string, el: Element, look: LayoutCache): boolean =>
  e !== undefined && holds(e, el) && (was === wordsOf(e, el, look) || keeps(e, was, el));

/** Whether all pieces of the text around a control are still there; there may be more. */
function keeps(around: Element, was: string, el: Element): boolean {
  const said = was.replace(/\s+/g, "");
  let at = new Set([0]);
  const w = walker(around, NodeFilter.SHOW_TEXT);
  for (let n = w.nextNode(); n; n = w.nextNode()) {
    const t = isText(n) ? n.data.replace(/\s+/g, "") : "";
    if (t === "" || isEditable(el) && holds(el, parentOf(n))) continue;
    const next = new Set(at);
    for (const i of at) if (said.startsWith(t, i)) next.add(i + t.length);
    at = next;
  }
  return at.has(said.length);
}

const clip = (s: string): string => {
  const t = s.replace(/\s+/g, " ").trim();
  return t.length > 80 ? `${t.slice(0, 79)}…` : t;
};

/** Counts in brackets and times change by themselves and identify nothing. */
const passing = /[([]\s*\d+\s*\+?\s*[)\]]|\d{1,2}:\d{2}(?::\d{2})?|\d+\s*(?:s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?)\b/gi;

export const tokens = (s: string): Set<string> =>
  new Set(s.slice(0, 3 * maxRow).replace(passing, " ").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w !== ""));

const opensList = (el: Element): boolean => attr(el, "role") === "combobox";

/**
 * The smallest part around el that is one of several and says more than el; else one that says as much. The words beside
 * the field of a combobox are usually its choice, and its arrow: there only a part with such a field
 * beside it is a row.
 */
function rowOf(el: Element, look: LayoutCache): Element | null {
  const own = textOf(el, look).trim().length;
  const list = opensList(el);
  let same: Element | null = null;
  for (let i = 0, e: Element | null = el; e && i < maxClimb; i++, e = parentOf(e)) {
    const t = textOf(e, look);
    if (t.length > maxRow) break;
    if (!alikeIn(e, look) || list && ![before(e), after(e)].some((b) => b !== null && (opensList(b) || hasAny(b, "[role=combobox]")))) continue;
    if (e !== el && t.trim().length > own) return e;
    if (own > 0) same = e;
  }
  return same;
}

const rowIn = onceInLook(rowOf);

/** The box drawn around a combobox and its choice, within its row. */
function frameOf(el: Element, row: Element, look: LayoutCache): Element | null {
  for (let i = 0, e: Element | null = el; e && e !== row && i < maxClimb; i++, e = parentOf(e)) {
    if (all(e, "input,select,textarea").length > 2) return null; // a hidden one may hold the value
    if (look.style(e).borderTopWidth !== "0px") return e;
  }
  return null;
}

/** Whether a sibling is of its kind. */
export const alike = (el: Element): boolean => {
  const tag = localName(el);
  const a = before(el);
  if (a && localName(a) === tag) return true;
  const b = after(el);
  return b !== null && localName(b) === tag;
};

const alikeIn = onceInLook(alike);

/** The text around a control, without its value and without the prompt that goes with an empty value. */
function wordsOf(around: Element, el: Element, look: LayoutCache): string {
  if (opensList(el)) return apart(around);
  const all = textOf(around, look);
  return isEditable(el) ? all.replace(textOf(el, look), "").replace(promptOver(el, look), "") : all;
}

/** The text of a part, with spaces between the chips of a combobox, which stand close together. */
function apart(part: Element): string {
  let out = "";
  const read = (n: Element): void => {
    eachChild(n, (c) => {
      if (out.length > maxRow) return;
      if (isText(c)) out += ` ${c.data}`;
      else if (isElement(c)) read(c);
    });
  };
  read(part);
  return out;
}

const fieldTags = new Set(["input", "textarea", "select"]);
/** With more siblings the search for a prompt takes too long, and none has a prompt. */
const maxBeside = 20;

/** The prompt drawn over an empty editor, or beside it. */
function promptOver(el: Element, look: LayoutCache): string {
  // A native field draws its prompt itself.
  if (fieldTags.has(localName(el)) || textOf(el, look).trim() !== "") return "";
  const own = rectOf(el);
  const said = attr(el, "aria-placeholder")?.trim();
  const over = (e: Element | undefined, down: number): boolean => {
    if (!e) return false;
    const r = rectOf(e);
    const y = (r.top + r.bottom) / 2;
    if (r.height > 0 && y > own.top && y < own.bottom && r.left > own.left - 1 && r.left < own.right) return true;
    return down > 0 && over(childrenOf(e)[0], down - 1); // a wrapper of absolutely positioned content has no place
  };
  for (let p = parentOf(el), up = 0; p && up < 2; p = parentOf(p), up++) {
    const list = childrenOf(p);
    if (list.length > maxBeside) break;
    for (const c of list) {
      const t = textOf(c, look);
      if (!holds(c, el) && t.trim() !== "" && (t.trim() === said || over(c, 2))) return t;
    }
  }
  return "";
}

/** Collapses the white space of the markup. */
const squeezed = (s: string): string => s.replace(/\s+/g, " ");

export const textOf = onceInLook((el) => squeezed((textContent(el) ?? "").slice(0, maxRaw)).slice(0, maxRow + 1));

function before(el: Element): Element | null {
  let n = previousSibling(el);
  while (n && !isElement(n)) n = previousSibling(n);
  return n;
}

function after(el: Element): Element | null {
  let n = nextSibling(el);
  while (n && !isElement(n)) n = nextSibling(n);
  return n;
}
