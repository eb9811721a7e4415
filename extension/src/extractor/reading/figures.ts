// Figures that touch but aren't one number: raised cents behind their dollars, a
// power, the number of a footnote.

import { closest, firstChild, holds, isElement, isText, localName, nextSibling, parentNode, parentOf } from "../dom/dom";
import { styleOf } from "../dom/styles";
import { signs } from "./money";

const size = (n: Node): number => {
  const p = parentOf(n);
  return p ? parseFloat(styleOf(p).fontSize) : 0;
};

const figure = /^\p{Nd}/u;
const figures = /\p{Nd}$/u;
/** A count such as "+3", as some calendars show behind the number of a day. */
const counts = /^[+−-]\p{Nd}/u;
/** Whether words that follow before begin with a number of their own, though before ends in a figure. */
export const isNextFigure = (before: string, words: string): boolean => figures.test(before) && (figure.test(words) || counts.test(words));

// Whole numbers: cents are added only to a number without decimals.
const whole = `(?:${signs.digit}{1,3}(?:[.,'’\u00a0\u202f ]${signs.digit}{3})+|(?<!${signs.digit}[.,٫]?)${signs.digit}+)`;
const priced = new RegExp(`${signs.before}\\s?${whole}$`);
const amount = new RegExp(`${signs.before}\\s?${signs.number}$`);
const counted = new RegExp(`${whole}$`);
const pricedBehind = new RegExp(`${whole}\\s?${signs.after}$`);
const signFollows = new RegExp(`^\\s*${signs.after}(?!\\s?${signs.digit})`);

/** The cents of a price: two figures, alone or before a unit ("/month") or an asterisk. */
const cents = /^(\p{Nd}{2})(?=\s*(?:$|[/*]))/u;

/** Whether a text ends in an amount of money. */
export const endsInPrice = (s: string): boolean => amount.test(s) || pricedBehind.test(s);

/**
 * The separator between two text nodes that touch; before is the text in front of
 * b in its line. Usually "", but a space or a decimal sign if figures of another size follow figures.
 */
export function between(before: string, a: Node | null, b: Text, data = b.data): string {
  if (a === null || before === "") return "";
  if (!figure.test(data)) return counts.test(data) && figures.test(before) && linked(a, b) ? " " : "";
  const behind = !figures.test(before);
  if (behind && !pricedBehind.test(before)) return "";
  const large = size(a);
  const small = size(b);
  if (small === large) return "";
  if (small > large || linked(a, b)) return " ";
  if (behind) return cents.test(data) ? "," : " ";
  if (cents.test(data) && priced.test(before)) return arabic(before) ? "٫" : ".";
  const rest = data.replace(/^\p{Nd}{2}(?!\p{Nd})/u, "");
  if (rest.length === data.length || !counted.test(before)) return " ";
  if (!signFollows.test(rest.trim() === "" ? following(b) : rest)) return " ";
  return arabic(before) ? "٫" : ",";
}

const wordEnds = /[\p{L}\p{N}]$/u;
const wordBegins = /^[\p{L}\p{N}]/u;
/** Whether two texts in a row would read as one word. */
export const touch = (before: string, words: string): boolean => wordBegins.test(words) && wordEnds.test(before.slice(-2));
/** The least gap that reads as a space, as a part of the font size; a space is about 0.25. */
export const spaceFrom = 0.15;

/** Returns a space if words of two elements touch in the page's text but a margin or a line's end separates them on the screen. */
export function spaceBetween(before: string, a: Text | null, b: Text): string {
  if (a === null || !touch(before, b.data) || !touch(a.data, b.data) || parentOf(a) === parentOf(b)) return "";
  const range = document.createRange();
  const rect = (n: Text, at: number): DOMRect => {
    range.setStart(n, at);
    range.setEnd(n, at + 1);
    return range.getBoundingClientRect();
  };
  const one = rect(a, a.data.length - 1);
  const two = rect(b, 0);
  if (one.height === 0 || two.height === 0) return "";
  const px = Math.min(size(a), size(b)) * spaceFrom;
  const isApart = two.left - one.right > px && one.left < two.left || one.left - two.right > px && two.left < one.left || two.top >= one.bottom || one.top >= two.bottom;
  return isApart ? " " : "";
}

const arabic = (s: string): boolean => /[٠-٩۰-۹]$/.test(s);

/** Whether b is in a link that does not contain a, as the number of a footnote is. */
function linked(a: Node, b: Node): boolean {
  const link = closest(parentOf(b), (e) => localName(e) === "a");
  return link !== null && !holds(link, parentOf(a));
}

/** The first 20 characters of the next text behind a node in its line. */
export function following(n: Node): string {
  let at: Node | null = n;
  for (let steps = 0; at && steps < 12; steps++) {
    const next: Node | null = nextSibling(at);
    if (!next) {
      at = parentNode(at);
      if (!isElement(at) || !styleOf(at).display.startsWith("inline")) return "";
      continue;
    }
    at = next;
    for (let inner = firstChild(at); inner; inner = firstChild(at)) at = inner;
    if (isText(at) && at.data.trim() !== "") return at.data.slice(0, 20);
  }
  return "";
}
