// Which elements are pressed among those that only listen for presses and show no sign of it:
// an element itself, a row, or, if a container listens for its content, the container's parts.

import { drawnOptions } from "../a11y/role";
import {
  all, attr, childrenOf, contains, firstChild, hasAttrs, isText, localName, nextElement, nextSibling, parentOf, previousElement, textContent,
} from "../dom/dom";
import { Hears, hears } from "../dom/listeners";
import type { LayoutCache } from "../dom/visibility";
import { standIn } from "./describe";

const pressed = Hears.Press | Hears.Menu | Hears.Drag;

/** An element with more descendants, or longer text, is not one thing to press. */
const mostInOwn = 60;
const longestOwn = 200;
/** A larger container is the page itself, or listens only to count presses. */
const mostInContainer = 1500;
/** The largest icon, in pixels, and the longest words, in characters, that are a part to press. */
const largestIcon = 48;
const longestWord = 30;
const thickestLine = 3;
const longestRow = 200;
/** Words to press stand alone, not in a text. */
const longestWords = 120;

const controls = "a[href],button,input:not([type=hidden]),select,textarea,summary,iframe,video[controls],audio[controls],[contenteditable=''],[contenteditable=true],[tabindex='0']," +
  "[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=textbox],[role=combobox],[role=slider],[role=treeitem]";

/** Parts of a text, which look alike and are read. */
const prose = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "figure", "figcaption", "br", "hr", "dt", "dd", "label", "th", "form", "main", "nav", "header", "footer", "aside"]);
const inline = new Set(["b", "strong", "em", "code", "sup", "sub", "small", "mark", "u", "s", "q", "cite", "abbr", "time", "kbd"]);
const listed = new Set(["li", "tr", "td", "option"]);
/** Elements that only contain others. */
const holders = new Set(["form", "main", "nav", "table", "thead", "tbody", "tfoot", "ul", "ol", "dl", "menu"]);
const pictures = new Set(["svg", "img", "canvas"]);
const shapes = new Set(["rect", "circle", "ellipse", "path", "polygon", "polyline", "line", "text", "image"]);
const shapesTaken = 60;

/** Whether a part of a drawing listens for presses. */
export const hearsWithin = (svg: Element): boolean => [...all(svg, "*")].some((e) => (hears(e) & pressed) !== 0);

/** Whether an element is a separator line, as in a menu. */
export function isLine(el: Element, look: LayoutCache): boolean {
  const b = look.box(el);
  return Math.min(b.right - b.left, b.bottom - b.top) <= thickestLine && childrenOf(el).length === 0 && flatLength(el) === 0;
}

export class PressTargets {
  private readonly parts = new Set<Element>();

  constructor(private readonly look: LayoutCache) {}

  /** Whether el, which nothing else makes a control, is pressed. Ancestors must be asked first. */
  is(el: Element, tag: string): boolean {
    if (this.parts.has(el) || drawnOptions.has(el)) return true;
    if ((hears(el) & pressed) === 0) return false;
    if (tag === "svg") return this.drawing(el);
    if (this.isOwn(el, tag)) return true;
    this.addParts(el);
    return false;
  }

  /** A drawing that listens is pressed at a place in it, and so are its shapes. */
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
    if (this.look.hand(el) !== "pointer" && [...inside].some((e) => this.look.hand(e) === "pointer" && !inner.some((i) => contains(i, e)))) return false; // it listens for them
    const text = this.shownText(el);
    if (text.length > longestOwn) return false;
    if (inside.length === 0) return text !== "" || this.isDrawn(el, tag);
    const b = this.look.box(el);
    const height = b.bottom - b.top;
    if ([previousElement(el), nextElement(el)].some((s) => s !== null && isTwin(s, el) && (hears(s) & pressed) !== 0)) {
      return height < innerHeight / 2 && (text !== "" || inner.length === 0 && this.isDrawnWithin(el, inside));
    }
    // Beside other controls el must be a line with words of its own, not a panel.
    // An element that stands for a transparent control, as the box of a combobox, is that control.
    if (inner.some((e) => standIn(e, this.look) === el)) return false;
    if (inner.length > 0) return height <= 60 && this.saysMore(el, inner) && ![...inside].some((e) => prose.has(localName(e)));
    return !this.hasParts(el, text) && (text !== "" || this.isDrawnWithin(el, inside));
  }

  /** Whether el mostly consists of several parts made alike, or is a list. */
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

  /** Adds the parts to press in a container: its rows with their icons, and words that stand alone. */
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

  /** Whether an element without words is painted. */
  private isDrawn(e: Element, tag: string): boolean {
    if (pictures.has(tag) || e instanceof SVGElement) return true;
    const s = this.look.style(e);
    if (s.backgroundImage !== "none" || s.boxShadow !== "none" || s.borderTopWidth !== "0px" || s.borderBottomWidth !== "0px" || !/^(?:transparent|rgba\(.*, 0\))$/.test(s.backgroundColor)) return true;
    return ["::before", "::after"].some((w) => !/^(?:none|normal|"")$/.test(getComputedStyle(e, w).content));
  }

  private isDrawnWithin(el: Element, inside: NodeListOf<Element>): boolean {
    return this.isDrawn(el, localName(el)) || [...inside].some((e) => this.look.shown(e) && this.isDrawn(e, localName(e)));
  }

  /** Whether a row has words outside its controls. */
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

/** Whether a row is the head of a table. */
const isHead = (row: Element): boolean => localName(row) === "tr" && childrenOf(row).every((c) => localName(c) === "th");

/** Whether two elements are made alike. */
const isLike = (a: Element, b: Element): boolean => localName(a) === localName(b) && kind(a) === kind(b);
/** Whether two elements are made alike and share more than their place: a class, or the same content. */
const isTwin = (a: Element, b: Element): boolean => isLike(a, b) && (kind(a) !== "" || listed.has(localName(a)) || content(a) === content(b));
const content = (e: Element): string => childrenOf(e).slice(0, 8).map(localName).join();
const states = /\b(?:is-)?(?:active|selected|current|first|last|odd|even|unread|read|open|disabled|hover)\b/g;
const kind = (e: Element): string => (attr(e, "class") ?? "").replace(states, "").trim().split(/\s+/)[0] ?? "";

/** Whether el is in running text. */
function besideText(el: Element): boolean {
  const p = parentOf(el);
  for (let n = p && firstChild(p); n; n = nextSibling(n)) if (isText(n) && n.data.trim().length > 2) return true;
  return false;
}
