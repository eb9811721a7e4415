// What an element means to a reader, judged by its markup and the text around it:
// a power, the head of a part, a note, a picture.

import { nameOf } from "../a11y/name";
import { headings, roleOf } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { attr, byId, childElementCount, childrenOf, closest, hasAny, hasAttr, isElement, localName, nextSibling, parentOf, rootOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { endsInPrice, following } from "./figures";

/** Values of display that keep an element in the line of the text around it. */
export const inlined = /^(?:inline|contents|ruby|math$)/;

/** Those of them that put no space around it. */
export const together = /^(?:inline$|contents|ruby|math$)/;

/** Whether el is one line of code: an inline block about as wide as the block around it. */
export function fillsLine(el: Element, look: LayoutCache): boolean {
  if (!look.style(el).display.startsWith("inline-")) return false;
  const code = closest(parentOf(el), (e) => !look.style(e).display.startsWith("inline"));
  const width = (e: Element): number => look.box(e).right - look.box(e).left;
  return code !== null && width(el) > 0.9 * width(code);
}

const powers = /^[-−+]?(?:\p{Nd}{1,4}|[nxykmt])$/u;

/** Whether el contains a link or is in one. */
export const inLink = (el: Element): boolean => hasAny(el, "a") || closest(el, (e) => localName(e) === "a") !== null;

/** What a power can follow: a figure, a closing bracket, a unit, or a variable of one letter. */
const bases = /(?:[\p{Nd})\]]|(?<![\p{L}\p{M}])(?:[a-zR\u0370-\u03ff]|[kcmdµ]m|mc|ft|yd|mi|in|sec|min|hr))$/u;

/** Whether a raised text is a power: not cents, nor the top of a fraction, nor a footnote's number, which is a link. */
export const isPower = (front: string, text: string, el: Element): boolean => powers.test(text) && bases.test(front) && !endsInPrice(front) &&
  !inLink(el) && !/^\s*[/⁄]/.test(following(el));

/** el and its siblings; none if they are too many to compare. */
export function besides(el: Element): Element[] {
  const p = parentOf(el);
  return p && childElementCount(p) <= 60 ? childrenOf(p) : [];
}

/** Whether el is a disabled checkbox, which only shows a state. */
export const ticked = (el: Element, tag: string): boolean => tag === "input" && attr(el, "type")?.toLowerCase() === "checkbox" && hasAttr(el, "disabled");

const parts = new Set(["blockquote", "figure", "li", "td", "dialog"]);

/** Whether el is the header or footer of a smaller part, such as a quotation, or a header with only the page's title. */
export const ownPart = (el: Element, tag: string): boolean => (tag === "header" || tag === "footer") && (closest(el, (e) => parts.has(localName(e))) !== null ||
  tag === "header" && hasAny(el, "h1") && !hasAny(el, "nav,a,button,input,form,[role]"));

/** The name of a drawing, or of an element with the role img; "" if it shows words itself. */
export function pictured(el: Element, tag: string): string {
  if (tag !== "svg" && attr(el, "role") !== "img" || attr(el, "aria-hidden") === "true") return "";
  return /[\p{L}\p{N}]/u.test(textOf(el, 40)) ? "" : nameOf(el, "img");
}

/** Whether a button is the heading of the panel it opens: it contains a heading, or the panel comes right after it. */
export function titled(el: Element): boolean {
  if (roleOf(el) !== "button") return false;
  if (hasAny(el, headings)) return true;
  if (!hasAttr(el, "aria-expanded") || hasAttr(el, "aria-haspopup")) return false;
  const opens = attr(el, "aria-controls");
  const panel = opens ? byId(rootOf(el), opens) : null;
  let at: Element | null = el;
  for (let up = 0; panel && at && up < 3; up++, at = parentOf(at)) {
    const next = nextElement(at);
    if (next) return next === panel;
  }
  return false;
}

function nextElement(el: Element): Element | null {
  let n = nextSibling(el);
  while (n && !isElement(n)) n = nextSibling(n);
  return n;
}

const remarks = /(?:^|\s)info(?:\s|$)|(?:^|[\s_-])(?:note|tip|important|caution|warning|danger|hint|callout|admonition|notice|attention|pull-?quote)(?:[\s_-]|$)/i;

/** Whether el is a note to the reader within the text, such as a tip or a warning. */
export const remark = (el: Element, tag: string): boolean => tag === "aside" && remarks.test(`${attr(el, "class") ?? ""} ${attr(el, "aria-label") ?? ""}`);

/** The language of a block of code by the class that highlighters read ("language-go"); "" without one. */
export function languageOf(pre: Element): string {
  for (const el of [pre, ...childrenOf(pre)]) {
    const m = /(?:^|\s)(?:language|lang)-([a-z0-9+#-]{1,20})(?:\s|$)/i.exec(attr(el, "class") ?? "");
    if (m?.[1]) return m[1].toLowerCase();
  }
  return "";
}
