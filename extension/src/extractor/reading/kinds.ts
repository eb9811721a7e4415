// What an element is to somebody who reads, told by what it is made of and what
// stands around it: a power, the head of a part, a note, a picture.

import { nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { attr, byId, childElementCount, childrenOf, closest, hasAny, hasAttr, isElement, localName, nextSibling, parentOf, rootOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { endsInPrice, following } from "./figures";

/** What stands in the line of the text around it. */
export const inlined = /^(?:inline|contents|ruby|math$)/;

/** What stands there without a space. */
export const together = /^(?:inline$|contents|ruby|math$)/;

/** An inline block as wide as the code that it stands in is a line of it. */
export function fillsLine(el: Element, look: LayoutCache): boolean {
  if (!look.style(el).display.startsWith("inline-")) return false;
  const code = closest(parentOf(el), (e) => !look.style(e).display.startsWith("inline"));
  const width = (e: Element): number => look.box(e).right - look.box(e).left;
  return code !== null && width(el) > 0.9 * width(code);
}

const powers = /^[-−+]?(?:\p{Nd}{1,4}|[nxykmt])$/u;

/** All of it is a link, or stands in one. */
export const inLink = (el: Element): boolean => hasAny(el, "a") || closest(el, (e) => localName(e) === "a") !== null;

/** What has powers: figures, brackets, units and what is named by one letter. */
const bases = /(?:[\p{Nd})\]]|(?<![\p{L}\p{M}])(?:[a-zR\u0370-\u03ff]|[kcmdµ]m|mc|ft|yd|mi|in|sec|min|hr))$/u;

/** A power, not one more digit; neither cents, nor the top of a fraction, nor the number of a footnote, which is a link. */
export const isPower = (front: string, text: string, el: Element): boolean => powers.test(text) && bases.test(front) && !endsInPrice(front) &&
  !inLink(el) && !/^\s*[/⁄]/.test(following(el));

/** The children of what el stands in; none where they are too many to be compared. */
export function besides(el: Element): Element[] {
  const p = parentOf(el);
  return p && childElementCount(p) <= 60 ? childrenOf(p) : [];
}

/** A box that only shows that something is done. */
export const ticked = (el: Element, tag: string): boolean => tag === "input" && attr(el, "type")?.toLowerCase() === "checkbox" && hasAttr(el, "disabled");

const parts = new Set(["blockquote", "figure", "li", "td", "dialog"]);

/** The head or foot of something smaller than the page, as of a quotation, and a head that only says what the page is called. */
export const ownPart = (el: Element, tag: string): boolean => (tag === "header" || tag === "footer") && (closest(el, (e) => parts.has(localName(e))) !== null ||
  tag === "header" && hasAny(el, "h1") && !hasAny(el, "nav,a,button,input,form,[role]"));

/** What a drawing, or a box that stands for one, is called, if it shows no words itself. */
export function pictured(el: Element, tag: string): string {
  if (tag !== "svg" && attr(el, "role") !== "img" || attr(el, "aria-hidden") === "true") return "";
  return /[\p{L}\p{N}]/u.test(textOf(el, 40)) ? "" : nameOf(el, "img");
}

/** A button that is the heading of what it opens: it holds one, or what it opens stands right behind it. */
export function titled(el: Element): boolean {
  if (roleOf(el) !== "button") return false;
  if (hasAny(el, "h1,h2,h3,h4,h5,h6,[role=heading]")) return true;
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

/** Something said to the reader in passing, which stands in the text it belongs to. */
export const remark = (el: Element, tag: string): boolean => tag === "aside" && remarks.test(`${attr(el, "class") ?? ""} ${attr(el, "aria-label") ?? ""}`);

/** The language that a block of code is marked with, as highlighters do. */
export function languageOf(pre: Element): string {
  for (const el of [pre, ...childrenOf(pre)]) {
    const m = /(?:^|\s)(?:language|lang)-([a-z0-9+#-]{1,20})(?:\s|$)/i.exec(attr(el, "class") ?? "");
    if (m?.[1]) return m[1].toLowerCase();
  }
  return "";
}
