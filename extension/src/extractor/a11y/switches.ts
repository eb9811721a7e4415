// Switches that a page only draws: a long track with a knob in it that a class calls
// a switch or a toggle, without a role. They get the role of a switch, a name from the
// words beside them, and the state on or off.

import {
  all, attr, childElementCount, childrenOf, closest, hasAny, hasAttr, hasAttrs, isElement, isPainted, isText, localName, nextSibling, parentOf,
  previousSibling, rectOf, textContent, walker,
} from "../dom/dom";
import { flat } from "../dom/strings";
import { styleAfter, styleBefore, styleOf } from "../dom/styles";

const tags = new Set(["div", "span", "i", "a", "button", "label", "li"]);
const word = /(?:^|[\s_-])(?:toggle|switch)(?:er)?(?:[\s_-]|$)/i;
/** Words for groups and parts of switches, and for controls that open and close something. */
const otherWord = /knob|thumb|handle|dot|circle|label|text|group|wrap|container|\brow\b|list|bar|dropdown|menu|nav|collapse|accordion|expand|caret|arrow|password|view|lang|content|panel/i;
const onWord = /(?:^|[\s_-])(?:is-)?(?:on|active|checked|enabled|selected|true)(?=$|\s)/i;
const offWord = /(?:^|[\s_-])(?:is-)?(?:off|inactive|unchecked|disabled-off|false)(?=$|\s)/i;
const inside = "input,select,textarea,button,a,[role],[contenteditable]";

const called = (el: Element): string => `${attr(el, "class") ?? ""} ${attr(el, "data-testid") ?? ""}`.replace(/([a-z])([A-Z])/g, "$1-$2");

/** Whether a class calls it a switch, whatever its shape. */
function isCalled(el: Element, tag: string): boolean {
  if (!tags.has(tag) || !hasAttrs(el)) return false;
  const name = attr(el, "class");
  return name !== null && /toggle|switch/i.test(name) && word.test(called(el)) && !otherWord.test(called(el).split(/\s+/).filter((c) => word.test(c)).join(" "));
}

/** Whether el is a drawn switch, and no part of another one or of a native control. */
export function isDrawnSwitch(el: Element, tag = localName(el)): boolean {
  if (!isCalled(el, tag) || hasAttr(el, "role") || (textContent(el) ?? "").trim() !== "" || hasAny(el, inside)) return false;
  const p = parentOf(el);
  if (p !== null && isCalled(p, localName(p)) && childElementCount(p) === 1) return false; // its track
  if (hasAny(p ?? el, ":scope > input") || closest(p, (e) => e instanceof HTMLLabelElement && e.control !== null) !== null) return false;
  return knobAt(el) !== null;
}

/** The place of the knob's middle in its track, from 0 to 1 in reading direction; null if there is no knob. */
function knobAt(el: Element): number | null {
  const r = rectOf(el);
  if (r.width < 20 || r.width > 100 || r.height < 10 || r.height > 50 || r.width < 1.4 * r.height) return null;
  const parts = [...all(el, "*")].slice(0, 4);
  let at: number | undefined;
  for (const e of parts) {
    const b = rectOf(e);
    if (b.width > 0 && b.width < 0.75 * r.width && Math.abs(b.width - b.height) <= 3 && b.height > 0.4 * r.height) at = (b.left + b.width / 2 - r.left) / r.width;
  }
  for (const e of at === undefined ? [el, ...parts] : []) for (const s of [styleBefore(e), styleAfter(e)]) at ??= drawnAt(s, rectOf(e).width);
  if (at === undefined) return null;
  return styleOf(el).direction === "rtl" ? 1 - at : at;
}

/** The same of a knob that a style sheet draws. */
function drawnAt(s: CSSStyleDeclaration, track: number): number | undefined {
  const width = parseFloat(s.width);
  if (s.content === "none" || s.content === "normal" || s.position !== "absolute" || track === 0 || !(width > 0 && width < 0.75 * track && Math.abs(width - parseFloat(s.height)) <= 3)) return undefined;
  const moved = s.transform === "none" ? 0 : new DOMMatrix(s.transform).m41;
  return ((parseFloat(s.left) || 0) + moved + width / 2) / track;
}

/** Kinds of switches of this document that have a class when on: without it they are off, even while the knob still moves. */
const telling = new Set<string>();

/** Whether a drawn switch is on: by its class or state attribute, a class of its first children, or the place of its knob. */
export function isSwitchedOn(el: Element): boolean {
  const said = attr(el, "data-state") ?? attr(el, "data-checked") ?? "";
  const base = called(el).replace(onWord, "").trim().split(/\s+/).sort().join(" ");
  for (const c of [called(el), said, ...childrenOf(el).slice(0, 2).map(called)]) {
    if (offWord.test(c)) return false;
    if (!onWord.test(c)) continue;
    telling.add(base);
    return true;
  }
  return !telling.has(base) && (knobAt(el) ?? 0) > 0.5;
}

const letters = /\p{L}/u;
const maxUp = 4;
const longest = 80;

/** The name of a drawn switch: the nearest words before it, or else after it. */
export function wordsBeside(el: Element): string {
  for (let e: Element | null = el, up = 0; e && up < maxUp; e = parentOf(e), up++) {
    for (const to of [previousSibling, nextSibling]) {
      for (let n = to(e); n; n = to(n)) {
        if (isElement(n) && (isCalled(n, localName(n)) || hasAny(n, "[class*=toggle i],[class*=switch i],input"))) return ""; // another's
        const said = isText(n) ? flat(n.data) : isElement(n) ? firstWords(n) : "";
        if (letters.test(said)) return said.length <= longest ? said : "";
      }
    }
  }
  return "";
}

/** The text of the first painted element with words in el. */
function firstWords(el: Element): string {
  if (childElementCount(el) === 0) return isPainted(el) ? flat(textContent(el)) : "";
  const text = walker(el, NodeFilter.SHOW_TEXT);
  for (let n = text.nextNode(); n; n = text.nextNode()) {
    const p = isText(n) && letters.test(n.data) ? parentOf(n) : null;
    if (p && isPainted(p)) return flat(textContent(p));
  }
  return "";
}
