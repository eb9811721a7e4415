// Computed styles, asked for once in the life of an element: such an object is
// alive, and says how its element looks whenever it is read. To make one, and
// above all one of what stands before or after an element, costs as much as all
// that is read of it.

import { elementsIn } from "./dom";

class Styles {
  own: CSSStyleDeclaration | null = null;
  before: CSSStyleDeclaration | null = null;
  after: CSSStyleDeclaration | null = null;
}

/**
 * Of a larger page none are held: Chromium keeps each object that a world other
 * than the page's holds of it in one table, and a look at it asks for few of them
 * twice before the next one.
 */
const large = 1000;

let held: WeakMap<Element, Styles> | null = null;

/** Whether styles are held, of the page as it is now. */
export function holdStyles(): boolean {
  if (elementsIn() > large) held = null;
  else held ??= new WeakMap();
  return held !== null;
}

function of(el: Element, kept: WeakMap<Element, Styles>): Styles {
  let s = kept.get(el);
  if (s === undefined) kept.set(el, s = new Styles());
  return s;
}

export function styleOf(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el) : of(el, held).own ??= getComputedStyle(el);
}

/** Of what style sheets put before an element, and after it. */
export function styleBefore(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el, "::before") : of(el, held).before ??= getComputedStyle(el, "::before");
}

export function styleAfter(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el, "::after") : of(el, held).after ??= getComputedStyle(el, "::after");
}
