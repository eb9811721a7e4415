// While the mouse is over a row many pages draw it in another way: its date makes
// room for buttons, or a tip comes. What our own mouse changed so is no other element.

import { all, attr, isText, textContent, walker } from "./dom";
import { amountsIn } from "./money";
import { flat } from "./strings";

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
    } catch { // a page may say anything of its language
      continue;
    }
  }
  return dates;
}

const labels = ["aria-label", "title", "alt"];

/** What an element says by itself. */
const labelled = (el: Element): string => labels.map((a) => attr(el, a) ?? "").join(" ");

const said = (el: Element): string => `${textContent(el) ?? ""} ${labelled(el)}`;

/** All that an element and what is in it say, piece by piece, drawn or not. */
function piecesOf(el: Element): string[][] {
  const out = [el, ...all(el, labels.map((a) => `[${a}]`).join())].map((e) => words(labelled(e)));
  const w = walker(el, NodeFilter.SHOW_TEXT);
  for (let n = w.nextNode(); n; n = w.nextNode()) if (isText(n)) out.push(words(n.data));
  return out;
}

/** What the mouse has been over since the look began to be taken here. */
const visited = new WeakSet<EventTarget>();

export function followMouse(): void {
  addEventListener("mouseover", (e) => { for (const t of e.composedPath()) visited.add(t); }, { capture: true, passive: true });
}

/** What of an element stands there, drawn or not, and differs from what it was called only by the mouse over it. */
const known = new WeakMap<Element, string>();

/**
 * Whether an element is called something else only because the mouse is over it, or is no more: what is missing of its name
 * is there and not drawn, or was a date; so is what has come, or it stands in controls or in pieces of its own, beside all
 * that was said before. An amount that comes is no such thing.
 */
export function isDrawnByHover(el: Element, was: string, now: string): boolean {
  if (!visited.has(el)) return false;
  const old = words(was);
  const pieces = piecesOf(el);
  const has = new Set(pieces.flat());
  const own = new Set([...all(el, "button,a,input,[role=button],[role=link],[role=menuitem],[role=checkbox]")].flatMap((c) => words(said(c))));
  const isDate = (w: string): boolean => /^(?:\d{1,2}|(?:19|20)\d\d)$/.test(w) || dateWords().has(w);
  const kept = old.filter((w) => has.has(w) && !own.has(w) && !isDate(w));
  if (kept.length === 0 || !old.every((w) => has.has(w) || isDate(w))) return false;
  const came = words(now).filter((w) => !old.includes(w) && !own.has(w) && !isDate(w));
  const ok = came.length === 0 || stands(old.filter((w) => !isDate(w)), words(now)) && !pieces.some((p) => p.some((w) => came.includes(w)) && p.some((w) => kept.includes(w))) &&
    amountsIn(now).every((a) => amountsIn(was).includes(a));
  if (ok) known.set(el, said(el));
  return ok;
}

/** Whether words stand among others, in their order. */
function stands(some: string[], among: string[]): boolean {
  let at = 0;
  for (const w of among) if (w === some[at]) at++;
  return at === some.length;
}

/** Whether that was found of it, and it says the same still. */
export const isKnownByHover = (el: Element): boolean => known.has(el) && known.get(el) === said(el);
