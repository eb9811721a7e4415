// Letters need not stand on what they stand in: a bar lies over a picture, a
// heading over a film, a text over the tint that ::before lays over both. Asked
// only of letters in the colour of what they stand in, which are few.

import type { Box } from "./box";
import { type Color, differ, rgba } from "./colour";
import { eachChild, isElement, localName, parentOf } from "./dom";
import { styleAfter, styleBefore } from "./styles";
import type { LayoutCache } from "./visibility";

/** So many siblings are looked at around one element, and so many elements in one look: a page with many letters that nobody can read must not take long. */
const mostSiblings = 64;
const mostAsked = 20000;
/** An own background as solid as that hides what lies behind. */
const solid = 0.9;
/** A tint thinner than that shows nothing. */
const thin = 0.1;

const pictures = new Set(["img", "video", "canvas", "svg", "iframe", "object", "embed"]);

export class Beneath {
  private left = mostAsked;

  constructor(private readonly look: LayoutCache) {}

  /** Whether something that el does not stand in lies behind it on which letters of that colour are seen, or may be: on a picture. */
  shows(el: Element, ink: Color): boolean {
    const b = this.look.box(el);
    const x = (b.left + b.right) / 2;
    const y = (b.top + b.bottom) / 2;
    for (let a: Element = el; ; ) {
      const s = this.look.style(a);
      if (this.layer(styleBefore(a), b, ink) || this.layer(styleAfter(a), b, ink)) return true;
      const own = rgba(s.backgroundColor);
      if (own === null || own[3] > solid || s.backgroundImage !== "none") return false; // of that the letters' own paper was judged
      const p = parentOf(a);
      if (p === null) return false;
      if (this.beside(a, s, p, x, y, ink)) return true;
      a = p;
    }
  }

  /** A sibling of a behind it, by how the two are stacked. */
  private beside(a: Element, s: CSSStyleDeclaration, p: Element, x: number, y: number, ink: Color): boolean {
    const level = levelOf(s);
    let found = false;
    let passed = false; // a
    let seen = 0;
    eachChild(p, (n) => {
      if (found || !isElement(n) || seen >= mostSiblings) return;
      if (n === a) {
        passed = true;
        return;
      }
      seen++;
      const other = this.look.style(n);
      if (other.position === "static" && s.position === "static") return; // in flow they don't lie over each other
      const theirs = levelOf(other);
      if ((theirs < level || theirs === level && !passed) && this.paints(n, x, y, ink)) found = true;
    });
    return found;
  }

  /** Whether el, or something in it, is painted at a point in a way that shows letters of that colour. */
  private paints(el: Element, x: number, y: number, ink: Color): boolean {
    if (--this.left < 0) return false;
    const b = this.look.box(el);
    const there = b.left <= x && x <= b.right && b.top <= y && y <= b.bottom;
    const empty = b.right - b.left < 1 || b.bottom - b.top < 1;
    if (!there && !empty) return false; // what stands out of its box is not looked for
    if (there && this.look.shown(el)) {
      if (pictures.has(localName(el)) || shows(this.look.style(el), ink)) return true;
      if (this.layer(styleBefore(el), b, ink) || this.layer(styleAfter(el), b, ink)) return true;
    }
    let found = false;
    eachChild(el, (n) => {
      if (!found && isElement(n)) found = this.paints(n, x, y, ink);
    });
    return found;
  }

  /** ::before or ::after as a layer of the size of what they stand in, at least. */
  private layer(s: CSSStyleDeclaration, b: Box, ink: Color): boolean {
    return s.content !== "none" && s.content !== "normal" && s.position === "absolute" && s.opacity !== "0" &&
      parseFloat(s.width) >= b.right - b.left - 1 && parseFloat(s.height) >= b.bottom - b.top - 1 && shows(s, ink);
  }
}

function shows(s: CSSStyleDeclaration, ink: Color): boolean {
  if (s.backgroundImage !== "none") return true;
  const own = rgba(s.backgroundColor);
  return own !== null && own[3] > thin && differ(own, ink);
}

/** What is positioned is painted over what is not (CSS 2.1, appendix E). */
const levelOf = (s: CSSStyleDeclaration): number => s.position === "static" ? -0.5 : s.zIndex === "auto" ? 0 : Number(s.zIndex);
