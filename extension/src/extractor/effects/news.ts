// What is new on a page that was loaded anew: a form that was sent leads back to where it stands, a link to another state
// of the same page. The words before the act are kept by the host, as the document goes.

import { noticeAround } from "../a11y/announce";
import { hushed } from "../a11y/secrets";
import { inline } from "../a11y/visibletext";
import type { Led, News, PageLines } from "../api";
import { all, attr, closest, localName, parentOf, textContent } from "../dom/dom";
import { cut, flat } from "../dom/strings";
import { isItem } from "../listing/items";
import type { Sketch } from "./pagesnapshot";

/** How much of a page is kept, in characters, and how much of a line. */
const mostKept = 5000;
const mostLine = 160;
/** The share of a page's lines that stood on the one before where it is another state of that. */
const mostlyKnown = 0.5;
/** How many lines are told, and how much of each. */
const maxNews = 6;
const maxOther = 3;
const maxGone = 3;
const mostTold = 70;
/** Of a shorter line it is told what stands before it. */
const fewWords = 2;

interface Line { text: string; at: Element }

/** Not broken here: a row of a table is one line, and a button is one by itself. */
const within = (e: Element): boolean => {
  const tag = localName(e);
  return tag === "td" || tag === "th" || tag === "dt" || inline.has(tag) && !acts(e);
};

const acts = (e: Element): boolean => localName(e) === "button" || attr(e, "role") === "button";

interface Piece { node: Text; text: string; cell: boolean }

/** As they stand: signs at words that a link or a style sets apart, numbers and words apart. */
function joined(pieces: readonly Piece[]): string {
  let out = "";
  for (const { text, cell } of pieces) out += cell || wordBegins.test(text) && wordBegins.test(out.slice(-1)) ? ` ${text}` : text;
  return out;
}

const wordBegins = /^[\p{L}\p{N}]/u;

/** Whether one text stands behind another of its tree. */
function follows(n: Node, other: Node): boolean {
  const at = other.compareDocumentPosition(n);
  return (at & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && (at & Node.DOCUMENT_POSITION_DISCONNECTED) === 0;
}

/** The words of a page, a block a line, up to so many characters. */
function linesIn(s: Sketch): { lines: Line[]; whole: boolean } {
  const lines: Line[] = [];
  const blocks = new Map<Element, Element>();
  const blockOf = (el: Element): Element => {
    let b = blocks.get(el);
    if (b === undefined) {
      const up = within(el) ? parentOf(el) : null;
      blocks.set(el, (b = up ? blockOf(up) : el));
    }
    return b;
  };
  let left = mostKept;
  let pieces: Piece[] = [];
  let broken = false; // they come in another order than they stand in: what a block says itself before what stands in it
  let at: Element | null = null;
  const end = (): void => {
    if (broken) pieces.sort((a, b) => follows(a.node, b.node) ? 1 : follows(b.node, a.node) ? -1 : 0);
    const t = cut(flat(joined(pieces)), mostLine);
    if (at && t !== "") {
      lines.push({ text: t, at });
      left -= t.length;
    }
    pieces = [];
    broken = false;
  };
  for (const el of s.seen) { // in the order of the page
    const texts = s.texts.get(el);
    if (!texts || hushed(el)) continue;
    const b = blockOf(el);
    if (b !== at) {
      end();
      at = b;
      if (left <= 0) return { lines, whole: false };
    }
    for (const [node, text] of texts) {
      const last = pieces.at(-1);
      broken ||= last !== undefined && follows(last.node, node);
      pieces.push({ node, text, cell: el !== b && !inline.has(localName(el)) });
    }
  }
  end();
  return { lines, whole: true };
}

const linesBySketch = new WeakMap<Sketch, PageLines>();

/** A sketch that is kept for the next act is asked for them in an idle moment: that act begins sooner. */
export function pageLines(s: Sketch): PageLines {
  let l = linesBySketch.get(s);
  if (!l) {
    const { lines, whole } = linesIn(s);
    linesBySketch.set(s, l = { lines: lines.map((x) => x.text), whole });
  }
  return l;
}

const wordsIn = (t: string): string[] => t.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w !== "");

/** Whether a line is nothing but links, which the list tells. */
const isLink = (l: Line): boolean => closest(l.at, (e) => localName(e) === "a") !== null || [...all(l.at, "a")].reduce((n, a) => n + flat(textContent(a)).length, 0) >= l.text.length;

/**
 * What this page shows that the one before did not, by whole lines, and what it no longer shows; of another page it is told
 * what it wants to be noticed, or else, where a form led to it, what it says.
 */
export function news(o: PageLines & Led, s: Sketch): News {
  const { lines, whole } = linesIn(s);
  const left = counted(o.lines);
  const known = new Set(o.lines.flatMap(wordsIn));
  const fresh: number[] = [];
  for (const [i, l] of lines.entries()) {
    const n = left.get(l.text) ?? 0;
    if (n > 0) left.set(l.text, n - 1);
    else fresh.push(i);
  }
  const kept = lines.length - fresh.length;
  if (!o.whole) { // what was cut off may stand behind the last line that was kept
    const isFresh = new Set(fresh);
    let last = lines.length - 1;
    while (last >= 0 && isFresh.has(last)) last--;
    while (fresh.length > 0 && (fresh.at(-1) ?? 0) > last) fresh.pop();
  }
  const items = new Set<Element | null>(fresh.map((i) => lines[i]).map((l) => l && !acts(l.at) ? closest(l.at, isItem) : null));
  items.delete(null);
  const says = fresh.filter((i) => { // a row's buttons go with it
    const l = lines[i];
    return l && !(acts(l.at) && (items.has(closest(l.at, isItem)) || wordsIn(l.text).every((w) => known.has(w))));
  });
  const other = !o.same && (!o.again && !o.sent || kept < lines.length * mostlyKnown);
  let told = says.map((i) => ({ i, first: noticeAround(lines[i]?.at ?? null, parentOf) ? 0 : 1 })).sort((a, b) => a.first - b.first);
  if (other) told = told.filter(({ i, first }) => first === 0 || o.sent && told[0]?.first === 1 && !isLink(lines[i] as Line));
  const out: News = { news: told.slice(0, other ? maxOther : maxNews).map(({ i }) => toldOf(lines, i, known)), more: other ? 0 : Math.max(0, told.length - maxNews), gone: [], same: false };
  if (whole && o.whole && !other) {
    const there = new Set(lines.map((l) => l.text));
    for (const t of o.lines) {
      const n = left.get(t) ?? 0;
      if (n === 0) continue;
      left.set(t, n - 1);
      if (out.gone.length < maxGone && !there.has(t) && !isReworded(t, out.news)) out.gone.push(cut(t, mostTold));
    }
    out.same = fresh.length === 0 && kept === o.lines.length;
  }
  return out;
}

/** Whether a line that is gone stands there with another number or another word. */
function isReworded(line: string, news: readonly string[]): boolean {
  const words = wordsIn(line);
  return news.some((t) => {
    const now = new Set(wordsIn(t));
    return words.filter((w) => now.has(w)).length * 2 >= words.length;
  });
}

/** A line, around the first word of it that is new, and with what stands before it where it says little by itself. */
function toldOf(lines: readonly Line[], i: number, known: ReadonlySet<string>): string {
  const text = lines[i]?.text ?? "";
  const words = wordsIn(text);
  if (words.length < fewWords && lines[i - 1]) return cut(`${cut(lines[i - 1]?.text ?? "", mostTold / 2)} ${text}`, mostTold);
  if (text.length <= mostTold) return text;
  const first = words.find((w) => !known.has(w));
  const at = first === undefined ? 0 : Math.max(0, text.toLowerCase().indexOf(first) - mostTold / 3);
  const from = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  return from === 0 ? cut(text, mostTold) : cut(`…${text.slice(from)}`, mostTold);
}

function counted(list: readonly string[]): Map<string, number> {
  const out = new Map<string, number>();
  for (const t of list) out.set(t, (out.get(t) ?? 0) + 1);
  return out;
}
