// Caches computed styles for the life of an element: such an object is live, so it is
// right whenever it is read. Making one, above all for ::before or ::after, costs as
// much as all reads of it.

import { elementsIn } from "./dom";

class Styles {
  own: CSSStyleDeclaration | null = null;
  before: CSSStyleDeclaration | null = null;
  after: CSSStyleDeclaration | null = null;
}

/**
 * The most elements of a page whose styles are held. Chromium keeps all objects that
 * another world holds of the page in one table, and a look at a large page seldom asks
 * for the same style twice.
 */
const large = 1000;
/** The most elements whose styles are held; it also counts elements of shadow trees, which large doesn't. */
const most = 3000;

let held: WeakMap<Element, Styles> | null = null;
let count = 0; // elements in held
let before = 0; // count when the look began
let never = false; // one look asked for more than most

/** Begins a look; returns whether styles are held on the present page. */
export function holdStyles(): boolean {
  if (never || elementsIn() > large) held = null;
  else if (held === null || count > most) {
    held = new WeakMap();
    count = 0;
  }
  before = count;
  return held !== null;
}

function of(el: Element, kept: WeakMap<Element, Styles>): Styles {
  let s = kept.get(el);
  if (s !== undefined) return s;
  kept.set(el, s = new Styles());
  if (++count - before > most) {
    never = true;
    held = null;
  }
  return s;
}

export function styleOf(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el) : of(el, held).own ??= getComputedStyle(el);
}

/** The style of an element's ::before. */
export function styleBefore(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el, "::before") : of(el, held).before ??= getComputedStyle(el, "::before");
}

export function styleAfter(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el, "::after") : of(el, held).after ??= getComputedStyle(el, "::after");
}
