// Many pages draw a row in another way while the mouse is over it: buttons replace its
// date, or a tooltip appears. An element that our own mouse changed so is still the same.

import { all, attr, isText, matches, textContent, walker } from "../dom/dom";
import { flat, hasMoreText } from "../dom/strings";
import { amountsIn } from "../reading/money";

const words = (s: string): string[] => flat(s).toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((w) => w !== "");

let dates: Set<string> | undefined;

/** The words of dates, in the page's language, the browser's and English. */
function dateWords(): Set<string> {
  if (dates) return dates;
  dates = new Set();
  for (const lang of [document.documentElement.lang, navigator.language, "en"]) {
    try {
      for (const length of ["short", "long"] as const) {
        const day = new Intl.DateTimeFormat(lang || "en", { weekday: length, month: length });
        for (let i = 0; i < 12; i++) for (const w of words(day.format(new Date(2024, i, 1 + i)))) dates.add(w);
      }
      const ago = new Intl.RelativeTimeFormat(lang || "en", { numeric: "auto" });
      for (const unit of ["second", "minute", "hour", "day", "week", "month"] as const) for (const n of [-2, -1, 0]) for (const w of words(ago.format(n, unit))) dates.add(w);
    } catch { // a page may give any text as its language
      continue;
    }
  }
  return dates;
}

const labels = ["aria-label", "title", "alt"];

/** The text in an element's own attributes. */
const labelled = (el: Element): string => labels.map((a) => attr(el, a) ?? "").join(" ");

const said = (el: Element): string => `${textContent(el) ?? ""} ${labelled(el)}`;

/** A text node, or an element with its own attributes' text. */
interface Piece { of: Node; said: string }

/** The texts of an element and its descendants, visible or not. */
function piecesOf(el: Element): Piece[] {
  const out: Piece[] = [el, ...all(el, labels.map((a) => `[${a}]`).join())].map((e) => ({ of: e, said: labelled(e) }));
  const w = walker(el, NodeFilter.SHOW_TEXT);
  for (let n = w.nextNode(); n; n = w.nextNode()) if (isText(n)) out.push({ of: n, said: n.data });
  return out;
}

/** The most characters of a row. */
const maxRow = 1000;

/** The elements that the mouse was over since followMouse, with their texts as the mouse came; null for one too long to be a row. */
const visited = new WeakMap<Element, Piece[] | null>();

/** The elements under the mouse. */
let under = new Set<EventTarget>();

export function followMouse(): void {
  addEventListener("mouseover", (e) => {
    const path = e.composedPath();
    let isRow = true;
    for (const t of path) {
      if (!(t instanceof Element)) continue;
      isRow &&= !hasMoreText(t, maxRow);
      if (!under.has(t)) visited.set(t, isRow ? piecesOf(t) : null);
    }
    under = new Set(path);
  }, { capture: true, passive: true });
}

/** Elements that differ only by the mouse over them, with all their text at that time. */
const known = new WeakMap<Element, string>();

/**
 * Whether an element is called something else only because the mouse is over it, or is no more: what is missing of its name
 * is there and not drawn, or was a date; so is what has come, or it stands in controls or, while the mouse is over it, in pieces
 * of its own, beside all that was said before and stands untouched since the mouse came. An amount that comes is no such thing.
 * isSame: whether what is around it says that it is the same, asked where words came.
 */
export function isDrawnByHover(el: Element, was: string, now: string, isSame: () => boolean): boolean {
  const before = visited.get(el);
  if (before === undefined) return false;
  const old = words(was);
  const pieces = piecesOf(el).map((p) => ({ ...p, words: words(p.said) }));
  const has = new Set(pieces.flatMap((p) => p.words));
  const own = new Set([...all(el, "button,a,input,[role=button],[role=link],[role=menuitem],[role=checkbox]")].flatMap((c) => words(said(c))));
  const isDate = (w: string): boolean => /^(?:\d{1,2}|(?:19|20)\d\d)$/.test(w) || dateWords().has(w);
  const kept = old.filter((w) => has.has(w) && !own.has(w) && !isDate(w));
  if (kept.length === 0 || !old.every((w) => has.has(w) || isDate(w))) return false;
  const stood = new Set(pieces.filter((p) => before?.some((b) => b.of === p.of && b.said === p.said)).flatMap((p) => p.words));
  const elided = was.includes("…"); // other words of what stands untouched are shown where some were left out
  const came = words(now).filter((w) => !old.includes(w) && !own.has(w) && !isDate(w) && !(elided && stood.has(w)));
  const ok = came.length === 0 || matches(el, ":hover") && stands(old.filter((w) => !isDate(w)), words(now)) && !pieces.some((p) => p.words.some((w) => came.includes(w)) && p.words.some((w) => kept.includes(w))) &&
    amountsIn(now).every((a) => amountsIn(was).includes(a)) && kept.every((w) => stood.has(w)) && isSame();
  if (ok) known.set(el, said(el));
  return ok;
}

/** Whether the words of some occur in among, in their order. */
function stands(some: string[], among: string[]): boolean {
  let at = 0;
  for (const w of among) if (w === some[at]) at++;
  return at === some.length;
}

/** Whether isDrawnByHover was true for el and its text is unchanged since. */
export const isKnownByHover = (el: Element): boolean => known.has(el) && known.get(el) === said(el);
