// Compares the markup of elements: the items of one list or one bar have the same tag,
// classes and parts, whatever their text and state.

import { stateOf } from "../a11y/stateclass";
import { attr, attrNames, firstElement, isElement, localName, nextElement, nextSibling, pass, previousSibling } from "./dom";

/** Words of classes for the state, position or visibility of one of several like elements. */
const stateWord = /(?:^|[-_])(?:off|closed|read|new|disabled|enabled|focus(?:ed)?|hover(?:ed)?|first|last|odd|even|highlight(?:ed)?|hidden|hide|none|gone|visible|show|collapsed?|filtered|enter|leave|appear|exit)(?:$|__)/i;

export const classesOf = (e: Element): string[] => (attr(e, "class") ?? "").split(/\s+/).filter((c) => c !== "");

/** The last part of a class name that a tool made from the style, or a whole name: letters and digits that spell no word. */
const hash = /-(?=[a-z]*\d)(?=\d*[a-z])(?![a-z]+\d{1,2}$)[a-z\d]{5,}$|^(?=[a-z]+\d+[a-z]+\d)[a-z\d]{8,}$/i;

/** A class name without its hash. */
export const withoutHash = (name: string): string => name.replace(hash, "");

/** The classes that don't depend on the element's state. */
export const lastingClasses = (e: Element): string[] => classesOf(e).filter((c) => !stateWord.test(c) && stateOf(c) === "");

/** Whether two elements of one tag have similar classes and similar parts. */
export function madeAlike(a: Element, b: Element): boolean {
  const x = makeOf(a);
  const y = makeOf(b);
  if (x.key === y.key) return true;
  if (x.role !== y.role) return false;
  const most = Math.max(x.classes.length, y.classes.length);
  const few = most < 2 && Math.min(x.classes.length, y.classes.length) === 0; // the only class of one may be its state
  return (few || inCommon(x.classes, y.classes) * 2 >= most) && inCommon(x.parts, y.parts) * 4 >= x.parts.length + y.parts.length;
}

/** e and the siblings with markup like its own, in document order; compares at most most siblings on each side. */
export function likeOf(e: Element, most: number): Element[] {
  const tag = localName(e);
  const out = [e];
  for (const next of [previousSibling, nextSibling]) {
    let asked = 0;
    for (let n = next(e); n && asked < most; n = next(n)) {
      if (!isElement(n)) continue;
      asked++;
      if (localName(n) !== tag || !madeAlike(e, n)) continue;
      if (next === previousSibling) out.unshift(n);
      else out.push(n);
    }
  }
  return out;
}

interface Make { key: string; role: string | null; classes: string[]; parts: string[] }

const mostParts = 12;

// A cache for one pass: each item of a list is compared with several others.
let makes = new WeakMap<Element, Make>();
let of = 0; // the pass of makes

function makeOf(e: Element): Make {
  const now = pass();
  if (now === 0 || now !== of) {
    makes = new WeakMap();
    of = now;
  }
  let m = makes.get(e);
  if (!m) makes.set(e, m = readMake(e));
  return m;
}

function readMake(e: Element): Make {
  const role = attr(e, "role");
  const name = attr(e, "class") ?? "";
  const parts: string[] = [];
  for (let c = firstElement(e); c && parts.length < mostParts; c = nextElement(c)) {
    const tag = localName(c);
    parts.push(tag);
    for (let g = firstElement(c); g && parts.length < mostParts; g = nextElement(g)) parts.push(`${tag} ${localName(g)}`);
  }
  return { key: `${role ?? ""}|${name}|${parts.join()}`, role, classes: name === "" ? none : lastingClasses(e), parts };
}

const none: string[] = [];

function inCommon(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  let n = 0;
  for (const x of a) {
    const at = left.indexOf(x);
    if (at < 0) continue;
    left.splice(at, 1);
    n++;
  }
  return n;
}

/** The attributes of a control that may tell what it does: all but those of its looks and state. */
export function handlerOf(el: Element): string {
  const out: string[] = [];
  for (const a of attrNames(el)) if (!/^(?:class|style|title|disabled|checked|selected|value|open|hidden|tabindex|role|type|aria-.*|data-(?:state|test.*|qa.*|cy))$/.test(a)) out.push(`${a}=${attr(el, a) ?? ""}`);
  return out.sort().join(" ");
}

/** Names of attributes with the page's own record ids. */
export const recordName = /^data-(?!(?:test|qa|cy)\b)(?:[\w-]+-)?(?:id|key|uuid)$/;
