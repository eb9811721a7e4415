// Lists show many controls of one name ("Add", "Open item 17") and keep their
// nodes while the rows scroll through them, so a node and its name do not say
// which row it is for. What was shown is told again by the words of its row
// that the rows beside it have not.

import { boxOf } from "./describe";
import { holds, isElement, localName, nextSibling, parentOf, previousSibling, textContent } from "./dom";
import type { Look } from "./visibility";

/** A control as it was shown: its name, its row's text, and those beside it. */
interface Shown { name: string; row: string; beside: string }

const shown = new WeakMap<Element, Shown>();
const texts = new WeakMap<Look, Map<Element, string>>();

const maxClimb = 8;
const maxRow = 400; // of a longer text no one says that it tells one row

/** What a look saw that is not shown to anybody yet; null of an element that has no row. */
export class Unshown {
  private readonly seen = new Map<Element, Shown | null>();

  add(el: Element, s: Shown | null): void { this.seen.set(el, s); }

  /** It is shown now. */
  show(): void { for (const [el, s] of this.seen) keep(el, s); }
}

let unshown: Unshown | null = null;

/** Runs fn, in which what is looked at is shown to nobody: it is kept there. */
export function unshownIn<T>(there: Unshown, fn: () => T): T {
  unshown = there;
  try {
    return fn();
  } finally {
    unshown = null;
  }
}

function keep(el: Element, s: Shown | null): void {
  if (s) shown.set(el, s);
  else shown.delete(el);
}

/** Keeps what tells el from its like, at the time it is shown to someone. */
export function remember(el: Element, name: string, look: Look): void {
  const row = rowOf(el, look);
  let s: Shown | null = null;
  if (row) {
    const beside = [before(row), after(row)].map((r) => r ? textOf(r, look) : "").join(" ");
    const box = boxOf(el, look);
    const chosen = box ? `${textOf(box, look)} ${holds(box, row) ? textOf(row, look) : ""}` : ""; // that changes
    s = { name, row: textOf(row, look), beside: `${beside} ${chosen}` };
  }
  if (unshown) unshown.add(el, s);
  else keep(el, s);
}

/** Why el is for something else than when it was shown; null if it is not. */
export function became(el: Element, name: string, look: Look): string | null {
  const was = shown.get(el);
  if (!was) return null;
  const row = rowOf(el, look);
  const others = tokens(was.beside);
  let own = [...tokens(`${was.name} ${was.row}`)].filter((w) => !others.has(w));
  // Numbers that stand beside words of the row's own are its counters.
  const plain = own.filter((w) => !/\d/.test(w));
  if (plain.length > 0) own = plain;
  if (own.length === 0) return null;
  const now = tokens(`${name} ${row ? textOf(row, look) : ""}`);
  const kept = own.filter((w) => now.has(w)).length;
  if (kept * 2 > own.length) return null;
  return `It stood in "${clip(was.row || was.name)}" and now stands in "${clip(row ? textOf(row, look) : name)}".`;
}

const clip = (s: string): string => {
  const t = s.replace(/\s+/g, " ").trim();
  return t.length > 80 ? `${t.slice(0, 79)}…` : t;
};

/** Counts in brackets and times change by themselves and tell nothing. */
const passing = /[([]\s*\d+\s*\+?\s*[)\]]|\d{1,2}:\d{2}(?::\d{2})?|\d+\s*(?:s|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?)\b/gi;

const tokens = (s: string): Set<string> =>
  new Set(s.slice(0, 3 * maxRow).replace(passing, " ").toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w !== ""));

/** The smallest part around el that is one of several and says more than el does; else one that says as much. */
function rowOf(el: Element, look: Look): Element | null {
  const own = textOf(el, look).trim().length;
  let same: Element | null = null;
  for (let i = 0, e: Element | null = el; e && i < maxClimb; i++, e = parentOf(e)) {
    const t = textOf(e, look);
    if (t.length > maxRow) break;
    if (!alikeIn(e, look)) continue;
    if (e !== el && t.trim().length > own) return e;
    if (own > 0) same = e;
  }
  return same;
}

/** Whether the element beside it is of its kind. */
export const alike = (el: Element): boolean => {
  const tag = localName(el);
  const a = before(el);
  if (a && localName(a) === tag) return true;
  const b = after(el);
  return b !== null && localName(b) === tag;
};

const alikes = new WeakMap<Look, Map<Element, boolean>>();

/** alike, asked once in a look: controls of one row share what is around them. */
function alikeIn(el: Element, look: Look): boolean {
  let known = alikes.get(look);
  if (!known) alikes.set(look, known = new Map());
  let v = known.get(el);
  if (v === undefined) known.set(el, v = alike(el));
  return v;
}

function textOf(el: Element, look: Look): string {
  let known = texts.get(look);
  if (!known) texts.set(look, known = new Map());
  let t = known.get(el);
  if (t === undefined) {
    t = textContent(el) ?? "";
    if (t.length > maxRow) t = t.slice(0, maxRow + 1);
    known.set(el, t);
  }
  return t;
}

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
