// Which elements are pressed, of those that hear presses and show it by nothing: an
// element of its own, a row, or, where a container hears for what is in it, its parts.

import { drawnOptions } from "../a11y/role";
import {
  all, attr, childrenOf, contains, firstChild, hasAttrs, isText, localName, nextElement, nextSibling, parentOf, previousElement, textContent,
} from "../dom/dom";
import { Hears, hears } from "../dom/listeners";
import type { LayoutCache } from "../dom/visibility";
import { standIn } from "./describe";

const pressed = Hears.Press | Hears.Menu | Hears.Drag;

/** Of more elements, or longer text, no one says that it is one thing to press. */
const mostInOwn = 60;
const longestOwn = 200;
/** In more elements no parts are looked for: it is the page, or hears for the sake of counting. */
const mostInContainer = 1500;
/** Parts that are icons, in pixels, and words, in characters. */
const largestIcon = 48;
const longestWord = 30;
const thickestLine = 3;
const longestRow = 200;
/** Words that are pressed stand alone, and not in a text. */
const longestWords = 120;

const controls = "a[href],button,input:not([type=hidden]),select,textarea,summary,iframe,video[controls],audio[controls],[contenteditable=''],[contenteditable=true],[tabindex='0']," +
  "[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=textbox],[role=combobox],[role=slider],[role=treeitem]";

/** Parts of a text, which are alike and are read. */
const prose = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "figure", "figcaption", "br", "hr", "dt", "dd", "label", "th", "form", "main", "nav", "header", "footer", "aside"]);
const inline = new Set(["b", "strong", "em", "code", "sup", "sub", "small", "mark", "u", "s", "q", "cite", "abbr", "time", "kbd"]);
const listed = new Set(["li", "tr", "td", "option"]);
/** What is only there to hold others. */
const holders = new Set(["form", "main", "nav", "table", "thead", "tbody", "tfoot", "ul", "ol", "dl", "menu"]);
const pictures = new Set(["svg", "img", "canvas"]);
const shapes = new Set(["rect", "circle", "ellipse", "path", "polygon", "polyline", "line", "text", "image"]);
const shapesTaken = 60;

/** Whether parts of a drawing hear presses. */
export const hearsWithin = (svg: Element): boolean => [...all(svg, "*")].some((e) => (hears(e) & pressed) !== 0);

/** Whether an element is a line, as between the parts of a menu. */
export function isLine(el: Element, look: LayoutCache): boolean {
  const b = look.box(el);
  return Math.min(b.right - b.left, b.bottom - b.top) <= thickestLine && childrenOf(el).length === 0 && flatLength(el) === 0;
}

export class PressTargets {
  private readonly parts = new Set<Element>();

  constructor(private readonly look: LayoutCache) {}

  /** Whether el, which nothing else makes a control, is pressed. Asked of what stands around it first. */
  is(el: Element, tag: string): boolean {
    if (this.parts.has(el) || drawnOptions.has(el)) return true;
    if ((hears(el) & pressed) === 0) return false;
    if (tag === "svg") return this.drawing(el);
    if (this.isOwn(el, tag)) return true;
    this.addParts(el);
    return false;
  }

  /** A drawing is pressed at a place in it, and so are the shapes in it. */
  private drawing(svg: Element): boolean {
    const found = [...all(svg, "*")].filter((e) => shapes.has(localName(e)));
    if (found.length <= shapesTaken && !found.some((e) => (hears(e) & pressed) !== 0)) for (const e of found) this.parts.add(e);
    return true;
  }

  private isOwn(el: Element, tag: string): boolean {
    if (holders.has(tag)) return false;
    const inside = all(el, "*");
    if (inside.length > mostInOwn) return false;
    const inner = innerTargets(el, inside);
    const text = this.shownText(el);
    if (text.length > longestOwn) return false;
    if (inside.length === 0) return text !== "" || this.isDrawn(el, tag);
    const b = this.look.box(el);
    const height = b.bottom - b.top;
    if ([previousElement(el), nextElement(el)].some((s) => s !== null && isTwin(s, el) && (hears(s) & pressed) !== 0)) {
      return height < innerHeight / 2 && (text !== "" || inner.length === 0 && this.isDrawnWithin(el, inside));
    }
    // Alone with controls in it: a line with words of its own, and no panel of them.
    // What stands for a transparent one of these, as the box of a combobox, is that.
    if (inner.some((e) => standIn(e, this.look) === el)) return false;
    if (inner.length > 0) return height <= 60 && this.saysMore(el, inner) && ![...inside].some((e) => prose.has(localName(e)));
    return !this.hasParts(el, text) && (text !== "" || this.isDrawnWithin(el, inside));
  }

  /** Whether what is in el is several things made alike, which are most of it, or a list. */
  private hasParts(el: Element, text: string): boolean {
    for (let level: Element[] = [el], down = 0; down < 4 && level.length > 0; down++) {
      const next: Element[] = [];
      for (const e of level) {
        const shown = this.shownChildren(e);
        const rows = shown.filter((c) => shown.some((o) => o !== c && isLike(o, c)) && (flatLength(c) > 0 || text === "" && this.isDrawn(c, localName(c))));
        const [first] = rows;
        if (first && rows.length > 1 && !inline.has(localName(first))) {
          if (listed.has(localName(first)) || rows.reduce((n, c) => n + flatLength(c), 0) * 2 >= text.length) return true;
        }
        next.push(...shown);
      }
      level = next;
    }
    return false;
  }

  /** Takes what is pressed in a container: its rows with their icons, and words that stand alone. */
  private addParts(el: Element): void {
    const inside = all(el, "*");
    if (inside.length === 0 || inside.length > mostInContainer || inside.length * 3 > all(document, "body *").length * 2 && inside.length > mostInOwn) return;
    const inner = new Set(innerTargets(el, inside));
    for (const e of inside) if (this.look.hand(e) === "pointer") inner.add(e);
    const isWordy = (textContent(el) ?? "").trim().length <= longestWords;
    this.partsIn(el, inner, isWordy, 0);
  }

  private partsIn(el: Element, inner: ReadonlySet<Element>, isWordy: boolean, depth: number): void {
    if (depth > 5) return;
    const shown = this.shownChildren(el);
    for (const c of shown) {
      const tag = localName(c);
      if (inner.has(c) || prose.has(tag) || inline.has(tag)) continue;
      const isRow = shown.some((o) => o !== c && isLike(o, c)) && (hasAttrs(c) || listed.has(tag) || listed.has(localName(el)) || shown.every((o) => localName(o) === tag));
      const length = flatLength(c);
      if (isRow && tag !== "tbody" && !isHead(c) && length <= longestRow && (length > 0 ? holdsNone(c, inner) || this.saysMore(c, [...inner]) : this.isDrawn(c, tag) && !isLine(c, this.look))) {
        this.parts.add(c);
        this.iconsIn(c, inner);
      } else if (isWordy && inner.size === 0 && length > 0 && length <= longestWord && childrenOf(c).length === 0 && !besideText(c)) this.parts.add(c);
      else if (length === 0 && this.isIcon(c, tag)) this.parts.add(c);
      else this.partsIn(c, inner, isWordy, depth + 1);
    }
  }

  private iconsIn(row: Element, inner: ReadonlySet<Element>): void {
    for (const e of all(row, "*")) {
      const tag = localName(e);
      if (inner.has(e) || flatLength(e) > 0 || !this.isIcon(e, tag)) continue;
      const p = parentOf(e);
      if (p && (this.parts.has(p) && p !== row || p instanceof SVGElement)) continue;
      this.parts.add(e);
    }
  }

  private isIcon(e: Element, tag: string): boolean {
    if (e instanceof SVGElement && tag !== "svg" || !this.look.shown(e)) return false;
    const b = this.look.box(e);
    const [w, h] = [b.right - b.left, b.bottom - b.top];
    return w >= 8 && h >= 8 && w <= largestIcon && h <= largestIcon && this.isDrawn(e, tag);
  }

  /** Something is painted of an element without words. */
  private isDrawn(e: Element, tag: string): boolean {
    if (pictures.has(tag) || e instanceof SVGElement) return true;
    const s = this.look.style(e);
    if (s.backgroundImage !== "none" || s.boxShadow !== "none" || s.borderTopWidth !== "0px" || s.borderBottomWidth !== "0px" || !/^(?:transparent|rgba\(.*, 0\))$/.test(s.backgroundColor)) return true;
    return ["::before", "::after"].some((w) => !/^(?:none|normal|"")$/.test(getComputedStyle(e, w).content));
  }

  private isDrawnWithin(el: Element, inside: NodeListOf<Element>): boolean {
    return this.isDrawn(el, localName(el)) || [...inside].some((e) => this.look.shown(e) && this.isDrawn(e, localName(e)));
  }

  /** Whether a row has words that none of the controls in it says. */
  private saysMore(el: Element, inner: readonly Element[]): boolean {
    let said = 0;
    for (const e of inner) if (e !== el && !inner.some((o) => o !== e && contains(o, e)) && contains(el, e)) said += flatLength(e);
    return flatLength(el) - said >= 3;
  }

  private shownText(el: Element): string {
    const t = (textContent(el) ?? "").trim();
    if (t.length <= longestOwn || childrenOf(el).length === 0) return t;
    return this.shownChildren(el).map((c) => (textContent(c) ?? "").trim()).join(" ");
  }

  private shownChildren(el: Element): Element[] {
    return childrenOf(el).filter((c) => this.look.boxed(c) || this.look.style(c).display === "contents");
  }
}

function innerTargets(el: Element, inside: NodeListOf<Element>): Element[] {
  const out = [...all(el, controls)];
  for (const e of inside) if ((hears(e) & pressed) !== 0 && !out.includes(e)) out.push(e);
  return out;
}

const holdsNone = (el: Element, inner: ReadonlySet<Element>): boolean => {
  for (const e of inner) if (contains(el, e)) return false;
  return true;
};

const flatLength = (el: Element): number => (textContent(el) ?? "").trim().length;

/** The head of a table says what its columns are. */
const isHead = (row: Element): boolean => localName(row) === "tr" && childrenOf(row).every((c) => localName(c) === "th");

/** Whether two are made alike. */
const isLike = (a: Element, b: Element): boolean => localName(a) === localName(b) && kind(a) === kind(b);
/** The same of two whose place may be all that they share: they have a class, or the same things in them. */
const isTwin = (a: Element, b: Element): boolean => isLike(a, b) && (kind(a) !== "" || listed.has(localName(a)) || content(a) === content(b));
const content = (e: Element): string => childrenOf(e).slice(0, 8).map(localName).join();
const states = /\b(?:is-)?(?:active|selected|current|first|last|odd|even|unread|read|open|disabled|hover)\b/g;
const kind = (e: Element): string => (attr(e, "class") ?? "").replace(states, "").trim().split(/\s+/)[0] ?? "";

/** Whether it stands in running text. */
function besideText(el: Element): boolean {
  const p = parentOf(el);
  for (let n = p && firstChild(p); n; n = nextSibling(n)) if (isText(n) && n.data.trim().length > 2) return true;
  return false;
}
