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
/** Of so many elements styles are held at most: shadow trees are not counted among those of the page. */
const most = 3000;

let held: WeakMap<Element, Styles> | null = null;
let count = 0; // that were put into it
let before = 0; // the same when the look began
let never = false; // one look asked for more than that

/** Whether styles are held, of the page as it is now. A look begins. */
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

/** Of what style sheets put before an element, and after it. */
export function styleBefore(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el, "::before") : of(el, held).before ??= getComputedStyle(el, "::before");
}

export function styleAfter(el: Element): CSSStyleDeclaration {
  return held === null ? getComputedStyle(el, "::after") : of(el, held).after ??= getComputedStyle(el, "::after");
}
