// Lists show many controls of one name ("Add", "Open item 17") and keep their
// nodes while the rows scroll through them, so a node and its name do not say
// which row it is for. What was shown is told again by the words of its row
// that the rows beside it have not.

import { isEditable } from "../a11y/interactive";
import {
  all, attr, childrenOf, eachChild, firstIn, hasAny, holds, isElement, isText, localName, nextSibling, parentOf, previousSibling, rectOf,
  textContent, walker,
} from "../dom/dom";
import { editorOf, takesKeys } from "../dom/editors";
import type { LayoutCache } from "../dom/visibility";
import { boxOf } from "./describe";
import { sameName } from "./samename";

/** A control as it was shown: its name, its row's text, what heads that, those beside it, and what each element from it to its row said. */
interface Shown { name: string; row: string; head: string; beside: string; way: { el: WeakRef<Element>; text: string }[] }

/** What an element has stood for, from which look on: several may have been shown it at different times, and each means what they saw. */
export interface Past { first: number; states: { since: number; shown: Shown | null }[] }

const pasts = new WeakMap<Element, Past>();
const maxStates = 8;
let looks = 0;

/** What is asked of each element once in a look: controls of one row share what is around them. */
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
const maxRow = 400; // of a longer text no one says that it tells one row
const maxRaw = 10 * maxRow; // with the white space of its markup

/** Who is shown an element now names this when it comes back with it. */
export const lately = (): number => looks;

/** Keeps what tells el from its like, at the time it is looked at. */
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

/** What el has stood for. It keeps no node alive. */
export const pastOf = (el: Element): Past | undefined => pasts.get(el);

/** The words of its row as it was shown last. */
export const wordsShown = (el: Element): string => pasts.get(el)?.states.at(-1)?.shown?.row ?? "";

/** el stands in the place of one that had this past, and has been that since before it was anything else. */
export function inherit(el: Element, past: Past): void {
  const own = pasts.get(el)?.states ?? [];
  pasts.set(el, { first: past.first, states: [...past.states, ...own].slice(-maxStates) });
}

/** What an act did to its own field, in which the choice is told, makes it no other one, whoever was shown it. */
export function amend(el: Element, name: string, look: LayoutCache): void {
  pasts.set(el, { first: 0, states: [{ since: 0, shown: shownAs(el, name, look) }] });
}

/** el was told by these words of its row. */
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
  // What an editor shows that draws its text itself is its value, which no row is told by.
  const row = takesKeys(el) && editorOf(el, look) ? null : rowIn(el, look);
  if (!row) return null;
  const box = boxOf(el, look);
  // What is chosen changes.
  const other = [before(row), after(row), box, opensList(el) ? frameOf(el, row, look) : null, box && holds(box, row) ? row : null];
  const words = (e: Element): string => opensList(el) ? wordsOf(e, el, look) : textOf(e, look);
  const way: Shown["way"] = [];
  for (let e: Element | null = el; e; e = e === row ? null : parentOf(e)) way.push({ el: refTo(e), text: wordsOf(e, el, look) });
  return { name, row: wordsOf(row, el, look), head: headOf(row, el, look), beside: other.map((e) => e ? words(e) : "").join(" "), way };
}

/** The row of a control as it stands there: its words and those of the rows beside it. */
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
  return (cells ? childrenOf(row).find((c) => letters.test(textOf(c, look))) : firstIn(row, "h1,h2,h3,h4,h5,h6,[role=heading]")) ?? null;
});

const letters = /\p{L}/u;

/** Whether an element is for the same as before: the words of its own are those that they were. */
function isSame(a: Shown | null, b: Shown | null): boolean {
  if (!a || !b) return a === b;
  if (a.name === b.name && a.row === b.row && a.beside === b.beside) return true;
  return sameName(a.name, b.name) && ownWords(a, a.name).join(" ") === ownWords(b, b.name).join(" ");
}

/** The words that tell it from those beside it; called: as what it was told last. */
function ownWords(s: Shown, called: string): string[] {
  return telling(`${called} ${renamed(s.row, s, called)}`, tokens(s.beside));
}

function telling(words: string, others: ReadonlySet<string>): string[] {
  const own = [...tokens(words)].filter((w) => !others.has(w));
  // Numbers that stand beside words of the row's own are its counters.
  const plain = own.filter((w) => !/\d/.test(w));
  return plain.length > 0 ? plain : own;
}

const renamed = (words: string, s: Shown, called: string): string => called === s.name ? words : words.replace(s.name, called);

/**
 * Why el is for something else than when it was shown; null if it is not. seen: what lately gave then, where that is not the last look at it;
 * told: its name, where that was told later.
 */
export function became(el: Element, name: string, look: LayoutCache, seen = Infinity, told?: string): string | null {
  const past = pasts.get(el);
  if (!past || seen < past.first) return null; // nothing was seen of where it stood
  const state = past.states.findLast((s) => s.since <= seen);
  if (!state) return "It has stood for many other things since.";
  const was = state.shown;
  if (!was) return null;
  const called = told ?? was.name;
  // Nothing was taken from what stood around it: a tooltip that came, or went elsewhere, makes another row of its own.
  if (name === was.name && was.way.every((w) => isAround(w.el.deref(), w.text, el, look))) return null;
  const row = rowOf(el, look);
  const says = row ? wordsOf(row, el, look) : "";
  if (name === was.name && was.row !== "" && says === was.row) return null; // to the letter: words run together where no space stands between
  const pieces = row ? piecesIn(row) : [];
  if (keepsOwn(was, called, `${name} ${says}`) || keepsOwn(apartBy(pieces, was), called, `${name} ${pieces.join(" ")}`)) return null;
  return `It stood in "${clip(was.row || was.name)}" and now stands in "${clip(says || name)}".`;
}

/** Whether more than half of the words by which it was known, and of what heads its row, are there now. */
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

/** What was shown, with words that run together where no space stands between set apart. */
function apartBy(pieces: readonly string[], was: Shown): Shown {
  const apart = (s: string): string => pieces.reduce((t, p) => p.length < leastPiece ? t : t.replaceAll(p, ` ${p} `), s);
  return { ...was, row: apart(was.row), head: apart(was.head), beside: apart(was.beside) };
}

const isAround = (e: Element | undefined, was: string, el: Element, look: LayoutCache): boolean =>
  e !== undefined && holds(e, el) && (was === wordsOf(e, el, look) || keeps(e, was, el));

/** Whether all that was said around a control is there still, piece by piece: there may be more. */
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

/** Counts in brackets and times change by themselves and tell nothing. */
const passing = /[([]\s*\d+\s*\+?\s*[)\]]|\d{1,2}:\d{2}(?::\d{2})?|\d+\s*(?:s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?)\b/gi;

export const tokens = (s: string): Set<string> =>
  new Set(s.slice(0, 3 * maxRow).replace(passing, " ").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w !== ""));

const opensList = (el: Element): boolean => attr(el, "role") === "combobox";

/**
 * The smallest part around el that is one of several and says more than el does; else one that says as much. What
 * stands beside the field of a combobox is its own as a rule, the words of what is chosen in it and its arrow: there
 * only a part with such a field beside it is a row.
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

/** What is drawn as the field of a combobox around it and what is chosen, within its row. */
function frameOf(el: Element, row: Element, look: LayoutCache): Element | null {
  for (let i = 0, e: Element | null = el; e && e !== row && i < maxClimb; i++, e = parentOf(e)) {
    if (all(e, "input,select,textarea").length > 2) return null; // a hidden one may hold the value
    if (look.style(e).borderTopWidth !== "0px") return e;
  }
  return null;
}

/** Whether the element beside it is of its kind. */
export const alike = (el: Element): boolean => {
  const tag = localName(el);
  const a = before(el);
  if (a && localName(a) === tag) return true;
  const b = after(el);
  return b !== null && localName(b) === tag;
};

const alikeIn = onceInLook(alike);

/** The text of what stands around a control; what is written in it is its value, and what asks for that goes with it. */
function wordsOf(around: Element, el: Element, look: LayoutCache): string {
  if (opensList(el)) return apart(around);
  const all = textOf(around, look);
  return isEditable(el) ? all.replace(textOf(el, look), "").replace(promptOver(el, look), "") : all;
}

/** The chips of a combobox stand close together, and are words of their own. */
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
/** Beside more than so many it would take too long to look for a prompt, and none stands there. */
const maxBeside = 20;

/** What is drawn over an empty editor, or says beside it what it asks for. */
function promptOver(el: Element, look: LayoutCache): string {
  // A field of the browser's own draws its prompt itself.
  if (fieldTags.has(localName(el)) || textOf(el, look).trim() !== "") return "";
  const own = rectOf(el);
  const said = attr(el, "aria-placeholder")?.trim();
  const over = (e: Element | undefined, down: number): boolean => {
    if (!e) return false;
    const r = rectOf(e);
    const y = (r.top + r.bottom) / 2;
    if (r.height > 0 && y > own.top && y < own.bottom && r.left > own.left - 1 && r.left < own.right) return true;
    return down > 0 && over(childrenOf(e)[0], down - 1); // a wrapper of what is placed by itself is no place
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

/** Without what only sets the markup of a page in lines. */
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
