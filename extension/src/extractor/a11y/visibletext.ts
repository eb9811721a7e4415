// The visible text of an element: the words that a user reads in it, and of a row those
// outside its controls.

import {
  attr, eachChild, firstChild, firstWithin, hasAttr, hasAttrs, hasBox, isElement, isPainted, isText, localName, nextSibling, nodeType, rectOf,
  shadowOf, slotted, speaks, textContent,
} from "../dom/dom";
import { cut, flat } from "../dom/strings";
import { styleOf } from "../dom/styles";
import { between, spaceBetween, spaceFrom } from "../reading/figures";
import { activates, hasHandlerAttr, isAside } from "./interactive";
import { ligatureOf } from "./ligature";
import { roleOf } from "./role";
import { hushed } from "./secrets";

export const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title"]);
/** Elements that are inline by default. */
export const inline = new Set(("a abbr b bdi bdo cite code data dfn em font i ins kbd label mark q s samp small span strong sub " +
  "sup time tt u var wbr ruby slot svg img path use g").split(" "));

export const drawings = new Set(["svg", "path", "use", "g", "circle", "rect", "line", "polyline", "polygon", "ellipse", "image"]);


/** Roles that ARIA gives no name, or one that repeats the controls in it: their elements are named by the other words in them. */
export const rowRoles = new Set(["generic", "listitem", "row"]);
export const word = /[\p{L}\p{N}]/u;
const cells = new Set(["td", "th"]);

/**
 * Whether an element is a separate control in a row that can be pressed as well: its words are its own name, and no part of
 * the row's. A link is not: its words belong to the row.
 */
export function isControl(e: Element): boolean {
  const tag = localName(e);
  if (tag === "label") return e instanceof HTMLLabelElement && e.control !== null;
  if (cells.has(tag) || !hasAttrs(e) && !activates(e)) return false;
  const role = roleOf(e);
  if (role === "link" || role === "gridcell") return false;
  return activates(e) || hasHandlerAttr(e) || Number(attr(e, "tabindex") ?? -1) >= 0 || isAside(e) && (tag === "svg" || !word.test(textContent(e) ?? ""));
}

/** Whether it is a sign with a title or label: an action, or a state such as a rating. */
export function isSign(e: Element): boolean {
  const text = hasAttr(e, "title") || hasAttr(e, "aria-label") ? textContent(e) ?? "" : "";
  return text.trim() !== "" && !word.test(text);
}

/** The elements that are left out of the text of a row. */
export const controls = { has: (e: Element): boolean => isControl(e) || isSign(e) };

/** The visible text of an element of that role; of a row, without the text of its controls if there is other text. */
export function ownTextOf(el: Element, role: string, max: number): string {
  const text = rowRoles.has(role) ? textOf(el, max, undefined, controls) : "";
  return word.test(text) ? text : textOf(el, max);
}

/** Whether it is laid out inline. */
export const isInline = (el: Element, tag = localName(el)): boolean => inline.has(tag) && !blocky(el, tag);

/** Whether el is not laid out inline: a span in a flex box or a grid separates words as a div does. */
function blocky(el: Element, tag: string): boolean {
  if (drawings.has(tag) || tag === "br" || tag === "wbr") return false;
  const d = styleOf(el).display;
  return d !== "inline" && d !== "contents" && d !== "ruby";
}

/** Whether an inline element is drawn apart from the words beside it: a label with a border or margins of its own. */
export function standsApart(el: Element): boolean {
  const s = styleOf(el);
  const px = (v: string): number => parseFloat(v) || 0;
  return Math.max(px(s.marginLeft) + px(s.borderLeftWidth) + px(s.paddingLeft), px(s.marginRight) + px(s.borderRightWidth) + px(s.paddingRight)) > px(s.fontSize) * spaceFrom;
}

/** The text of a pseudo-element, with spaces around it unless it is inline. */
export function beside(s: CSSStyleDeclaration): string {
  const t = pseudo(s);
  return t === "" || s.display === "inline" ? t : ` ${t} `;
}

/** The text that style sheets put before or after; the alternative behind a slash replaces it. */
export function pseudo(s: CSSStyleDeclaration): string {
  const c = s.content;
  if (c === "none" || c === "normal" || c === "" || c === '""') return "";
  let out = "";
  let instead = false;
  // Strings, pictures (whose addresses may hold quotes), the slash, and the rest.
  for (const [part] of c.matchAll(/"(?:[^"\\]|\\.)*"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^)"])*\)|\/|[^\s"]+/g)) {
    if (part === "/") {
      out = "";
      instead = true;
    } else if (part === "open-quote") out += "“";
    else if (part === "close-quote") out += "”";
    else if (part.startsWith('"')) out += part.slice(1, -1).replace(/\\(.)/g, "$1");
  }
  return instead ? ` ${out} ` : out;
}

/**
 * The text that a user reads in an element: painted text, picture alternatives left
 * out. With within, text that floats outside of that element's box is left out;
 * so is that of elements in without.
 */
export function textOf(el: Element, max: number, within?: Element, without?: Without): string {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement || hushed(el)) return "";
  const only = onlyText(el);
  if (only) return isPainted(el) || styleOf(el).display === "contents" ? cut(flat(only.data), max) : "";
  if (!isPainted(el) && styleOf(el).display !== "contents") return "";
  const reading: Reading = { out: "", last: null, room: max + 1, within, without };
  readIn(el, localName(el), reading, 0);
  if (reading.drawn && reading.out.trim() === "") {
    reading.signs = true;
    readIn(el, localName(el), reading, 0);
  }
  return cut(flat(reading.out), max);
}

export type Without = Pick<ReadonlySet<Element>, "has">;

interface Reading {
  out: string;
  last: Text | null;
  room: number; // the characters left, white space aside
  within: Element | undefined;
  without: Without | undefined;
  drawn?: boolean; // icons of a font were left out
  signs?: boolean; // icons of a font are read
}

function readIn(el: Element, name: string, r: Reading, depth: number): void {
  if (depth > 60) return;
  const folded = name === "details" && !hasAttr(el, "open");
  const given = slotted(el, name);
  if (given) for (const n of given) readPart(n, folded, r, depth);
  else for (let n = firstWithin(el, name); n && r.room > 0; n = nextSibling(n)) readPart(n, folded, r, depth);
}

/** Elements that don't show the text in them. */
const unread = new Set(["select", "textarea", "iframe", "rp", "meter", "progress", "audio", "video", "canvas", "object"]);

function readPart(n: Node, folded: boolean, r: Reading, depth: number): void {
  const type = nodeType(n);
  if (r.room <= 0) return;
  if (type === Node.TEXT_NODE) {
    if (folded) return;
    const { data } = n as Text;
    r.out += (between(r.out, r.last, n as Text, data) || spaceBetween(r.out, r.last, n as Text)) + data;
    r.last = n as Text;
    r.room -= flat(data).length;
    return;
  }
  if (type !== Node.ELEMENT_NODE) return;
  const el = n as Element;
  if (r.without?.has(el)) {
    r.out += " ";
    return;
  }
  const tag = localName(el);
  if (folded && tag !== "summary") return;
  if (!r.signs && ligatureOf(el) !== "") {
    r.drawn = true;
    r.out += " ";
    return;
  }
  if (skip.has(tag) || unread.has(tag) || speaks(el) && hushed(el)) return;
  if (tag === "br") {
    r.out += " ";
    return;
  }
  if (!isPainted(el) && styleOf(el).display !== "contents") {
    // visibility: hidden may have a visible child; display: none may not.
    if (!hasBox(el)) return;
    if (styleOf(el).visibility === "visible") return; // opacity 0
    eachVisible(el, (c) => { r.out += " "; readIn(c, localName(c), r, depth + 1); });
    return;
  }
  if (r.within && floatsOff(el, r.within)) return;
  const gap = !isInline(el, tag);
  if (gap) r.out += " ";
  readIn(el, tag, r, depth + 1);
  if (gap) r.out += " ";
}

/** The only text of an element that holds nothing else; null for details, slots and shadow hosts. */
export function onlyText(el: Element): Text | null {
  const n = firstChild(el);
  if (!isText(n) || nextSibling(n) !== null) return null;
  const tag = localName(el);
  return tag === "details" || tag === "slot" || shadowOf(el, tag) !== null ? null : n;
}

export function eachVisible(el: Element, fn: (e: Element) => void): void {
  eachChild(el, (n) => {
    if (!isElement(n)) return;
    if (isPainted(n)) fn(n);
    else eachVisible(n, fn);
  });
}

function floatsOff(el: Element, from: Element): boolean {
  const p = styleOf(el).position;
  if (p !== "absolute" && p !== "fixed") return false;
  const a = rectOf(el);
  const b = rectOf(from);
  return a.left >= b.right || a.right <= b.left || a.top >= b.bottom || a.bottom <= b.top;
}
