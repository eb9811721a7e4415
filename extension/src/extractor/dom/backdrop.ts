// The background of letters need not be an ancestor: a bar lies over a picture, a
// heading over a video, a text over the tint of a ::before. Asked only for letters in
// the colour of their ancestors' background, which are few.

import type { Box } from "./box";
import { type Color, differ, rgba } from "./colour";
import { eachChild, isElement, localName, parentOf } from "./dom";
import { styleAfter, styleBefore } from "./styles";
import type { LayoutCache } from "./visibility";

/** The most siblings read around one element, and the most elements in one look: a page with much unreadable text must not take long. */
const mostSiblings = 64;
const mostAsked = 20000;
/** The alpha above which a background hides the layers behind it. */
const solid = 0.9;
/** The alpha up to which a tint is invisible. */
const thin = 0.1;

const pictures = new Set(["img", "video", "canvas", "svg", "iframe", "object", "embed"]);

export class Beneath {
  private left = mostAsked;

  constructor(private readonly look: LayoutCache) {}

  /** Whether a layer behind el that is no ancestor makes letters of the colour ink visible; a picture may always. */
  shows(el: Element, ink: Color): boolean {
    const b = this.look.box(el);
    const x = (b.left + b.right) / 2;
    const y = (b.top + b.bottom) / 2;
    for (let a: Element = el; ; ) {
      const s = this.look.style(a);
      if (this.layer(styleBefore(a), b, ink) || this.layer(styleAfter(a), b, ink)) return true;
      const own = rgba(s.backgroundColor);
      if (own === null || own[3] > solid || s.backgroundImage !== "none") return false; // the caller has judged this background
      const p = parentOf(a);
      if (p === null) return false;
      if (this.beside(a, s, p, x, y, ink)) return true;
      a = p;
    }
  }

  /** Whether a sibling stacked behind a makes the letters visible. */
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
      if (other.position === "static" && s.position === "static") return; // in flow they don't overlap
      const theirs = levelOf(other);
      if ((theirs < level || theirs === level && !passed) && this.paints(n, x, y, ink)) found = true;
    });
    return found;
  }

  /** Whether el or a descendant is painted at a point and makes letters of the colour ink visible. */
  private paints(el: Element, x: number, y: number, ink: Color): boolean {
    if (--this.left < 0) return false;
    const b = this.look.box(el);
    const there = b.left <= x && x <= b.right && b.top <= y && y <= b.bottom;
    const empty = b.right - b.left < 1 || b.bottom - b.top < 1;
    if (!there && !empty) return false; // descendants outside its box are ignored
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

  /** Whether ::before or ::after is a layer at least as large as its element, and makes the letters visible. */
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

/** The stacking level; positioned elements are painted over others (CSS 2.1, appendix E). */
const levelOf = (s: CSSStyleDeclaration): number => s.position === "static" ? -0.5 : s.zIndex === "auto" ? 0 : Number(s.zIndex);
