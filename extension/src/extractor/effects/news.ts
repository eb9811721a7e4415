// Finds what is new on a page that was loaded anew: after a form was sent, its own page again, or another state
// of the same page after a link. The host keeps the words from before the act, as the document is lost.

import { comingNotices, noticeAround } from "../a11y/announce";
import { hushed } from "../a11y/secrets";
import { inline } from "../a11y/visibletext";
import type { Led, News, PageLines } from "../api";
import { all, attr, closest, localName, parentOf, previousElement, textContent } from "../dom/dom";
import { cut, flat } from "../dom/strings";
import { isItem } from "../listing/items";
import type { Sketch } from "./pagesnapshot";

/** How many characters of a page are kept, and of a line. */
const mostKept = 5000;
const mostLine = 200;
/** The least share of lines also on the page before, if this page is another state of it. */
const mostlyKnown = 0.5;
/** How many lines are told, and how many characters of each. */
const maxNews = 6;
const maxOther = 3;
const maxGone = 3;
const mostTold = 70;
const mostNotice = 200; // what a notice says to do often stands at its end
/** A line with fewer words is told with the line before it, if that is known. */
const fewWords = 2;

interface Line { text: string; at: Element }

/** A block in a cell with more characters is a line of its own: the cell may hold the whole page. */
const mostCell = 80;

const isCell = (tag: string): boolean => tag === "td" || tag === "th";

/** The term that a short value describes; null: el is no such value. */
function termOf(el: Element): Element | null {
  if (localName(el) !== "dd" || flat(textContent(el)).length > mostCell) return null;
  let e = previousElement(el);
  while (e && localName(e) === "dd") e = previousElement(e);
  return e && localName(e) === "dt" ? e : null;
}

const acts = (e: Element): boolean => localName(e) === "button" || attr(e, "role") === "button";

interface Piece { node: Text; text: string; cell: boolean }

/** Joins pieces of a line: with a space between words, numbers and cells, but not before punctuation. */
function joined(pieces: readonly Piece[]): string {
  let out = "";
  for (const { text, cell } of pieces) out += cell || wordBegins.test(text) && wordBegins.test(out.slice(-1)) ? ` ${text}` : text;
  return out;
}

const wordBegins = /^[\p{L}\p{N}]/u;

/** Whether n follows other in the same tree. */
function follows(n: Node, other: Node): boolean {
  const at = other.compareDocumentPosition(n);
  return (at & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && (at & Node.DOCUMENT_POSITION_DISCONNECTED) === 0;
}

/** The text of a page, one line for each block, up to mostKept characters. */
function linesIn(s: Sketch): { lines: Line[]; whole: boolean } {
  const lines: Line[] = [];
  const blocks = new Map<Element, Element>();
  const short = new Map<Element, boolean>(); // whether the cell around is
  const inShortCell = (e: Element): boolean => {
    let v = short.get(e);
    if (v === undefined) {
      const up = isCell(localName(e)) ? null : parentOf(e);
      v = up ? inShortCell(up) : isCell(localName(e)) && flat(textContent(e)).length <= mostCell;
      short.set(e, v);
    }
    return v;
  };
  // Whether e is part of a line: a table row is one line, and a button is a line by itself.
  const within = (e: Element): boolean => {
    const tag = localName(e);
    return isCell(tag) || !acts(e) && (inline.has(tag) || inShortCell(e));
  };
  const blockOf = (el: Element): Element => {
    let b = blocks.get(el);
    if (b === undefined) {
      const up = termOf(el) ?? (within(el) ? parentOf(el) : null);
      blocks.set(el, (b = up ? blockOf(up) : el));
    }
    return b;
  };
  let left = mostKept;
  let pieces: Piece[] = [];
  let broken = false; // out of document order: a block's own text comes before that of its children
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

/** The lines of a sketch, cached: read in an idle moment, they let the next act begin sooner. */
export function pageLines(s: Sketch): PageLines {
  let l = linesBySketch.get(s);
  if (!l) {
    const { lines, whole } = linesIn(s);
    linesBySketch.set(s, l = { lines: lines.map((x) => x.text), whole, unseen: comingNotices() });
  }
  return l;
}

const wordsIn = (t: string): string[] => t.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w !== "");

/** Whether a line consists of links only, which the list has. */
const isLink = (l: Line): boolean => closest(l.at, (e) => localName(e) === "a") !== null || [...all(l.at, "a")].reduce((n, a) => n + flat(textContent(a)).length, 0) >= l.text.length;

/**
 * The lines that are new on this page, and those that are gone. Of another page it returns only
 * notices, or else, if a form led to it, its lines that are no links.
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
  if (!o.whole) { // lines behind the last known one may be in the part that was cut off
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
  const isNotice = (i: number): boolean => noticeAround(lines[i]?.at ?? null, parentOf) !== null;
  let told = says.map((i) => ({ i, first: isNotice(i) ? 0 : 1 })).sort((a, b) => a.first - b.first);
  if (other) told = told.filter(({ i, first }) => first === 0 || o.sent && told[0]?.first === 1 && !isLink(lines[i] as Line));
  const out: News = { news: told.slice(0, other ? maxOther : maxNews).map(({ i, first }) => toldOf(lines, i, known, { afterNew: fresh.includes(i - 1), most: first === 0 ? mostNotice : mostTold })), more: other ? 0 : Math.max(0, told.length - maxNews), gone: [], moreGone: 0, same: false };
  if (whole && o.whole && !other) {
    const there = new Set(lines.map((l) => l.text));
    for (const t of o.lines) {
      const n = left.get(t) ?? 0;
      if (n === 0) continue;
      left.set(t, n - 1);
      if (there.has(t) || isReworded(t, out.news)) continue;
      if (out.gone.length < maxGone) out.gone.push(cut(t, mostTold));
      else out.moreGone++;
    }
    out.same = fresh.length === 0 && kept === o.lines.length;
    // A form that is refused again says so with the same words.
    if (out.same) out.news = lines.filter((_, i) => isNotice(i)).slice(0, maxOther).map((l) => l.text);
  }
  return out;
}

/** Whether a missing line is there with another number or another word. */
function isReworded(line: string, news: readonly string[]): boolean {
  const words = wordsIn(line);
  return news.some((t) => {
    const now = new Set(wordsIn(t));
    return words.filter((w) => now.has(w)).length * 2 >= words.length;
  });
}

/** A line, cut around its first new word; a line of few words comes with the line before it, if that is not new itself. */
function toldOf(lines: readonly Line[], i: number, known: ReadonlySet<string>, { afterNew, most }: { afterNew: boolean; most: number }): string {
  const text = lines[i]?.text ?? "";
  const words = wordsIn(text);
  if (words.length < fewWords && lines[i - 1] && !afterNew) return cut(`${cut(lines[i - 1]?.text ?? "", most / 2)} ${text}`, most);
  if (text.length <= most) return text;
  const first = words.find((w) => !known.has(w));
  const at = first === undefined ? 0 : Math.max(0, text.toLowerCase().indexOf(first) - most / 3);
  const from = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  return from === 0 ? cut(text, most) : cut(`…${text.slice(from)}`, most);
}

function counted(list: readonly string[]): Map<string, number> {
  const out = new Map<string, number>();
  for (const t of list) out.set(t, (out.get(t) ?? 0) + 1);
  return out;
}
