// What a person sees. A Look caches what it learned and is good for one
// synchronous pass: nothing may change in between.

import { areaBox, pictureOf } from "./area";
import {
  attr, clientHeight, clientRects, clientWidth, closest, doc, eachChild, hasAttr, hasBox, isElement, isPainted,
  isText, localName, newRange, parentOf, rectOf, scrollHeight, scrollLeft, scrollTop, scrollWidth,
} from "./dom";
import { acting, disabled } from "./interactive";

export interface Box { left: number; top: number; right: number; bottom: number }

export const toRect = (b: Box): { x: number; y: number; width: number; height: number } => ({
  x: Math.round(b.left * 10) / 10, y: Math.round(b.top * 10) / 10,
  width: Math.round((b.right - b.left) * 10) / 10, height: Math.round((b.bottom - b.top) * 10) / 10,
});
export const meet = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
});
export const isEmpty = (b: Box): boolean => b.right - b.left < 1 || b.bottom - b.top < 1;
const isDot = (b: Box): boolean => b.right - b.left <= 1 && b.bottom - b.top <= 1;

export class Look {
  view: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  private readonly styles = new Map<Element, CSSStyleDeclaration>();
  private readonly boxes = new Map<Element, Box>();
  private readonly clips = new Map<Element, Box>();
  private readonly freeClips = new Map<Element, Box>();
  private readonly hiding = new Map<Element, boolean>();
  private readonly freeHides = new Map<Element, boolean>();
  private readonly seen = new Map<Element, boolean>();
  private readonly papers = new Map<Element, Color | null>();
  private readonly read = new Map<Element, boolean>();
  private readonly hands = new Map<Element, string>();
  private readonly inerts = new Map<Element, boolean>();
  private readonly hiddens = new Map<Element, boolean>();
  private readonly disableds = new Map<Element, boolean>();
  private readonly rtl: boolean;
  private scrollX = window.scrollX;
  private scrollY = window.scrollY;
  readonly farRight: number;
  private readonly farLeft: number;

  constructor() {
    const root = doc.root;
    this.rtl = root !== null && getComputedStyle(root).direction === "rtl";
    const wide = Math.max(innerWidth, root ? scrollWidth(root) : 0);
    // A page written from right to left scrolls to the left.
    this.farLeft = this.rtl ? innerWidth - wide : 0;
    this.farRight = this.rtl ? innerWidth : wide;
  }

  /** What was learned may hold no more: the page's own tasks ran. */
  forget(): void {
    this.view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    this.scrollX = window.scrollX;
    this.scrollY = window.scrollY;
    for (const m of [this.boxes, this.clips, this.freeClips, this.hiding, this.freeHides, this.seen, this.papers, this.read,
      this.hands, this.inerts, this.hiddens, this.disableds]) m.clear();
  }

  style(el: Element): CSSStyleDeclaration {
    let s = this.styles.get(el);
    if (!s) this.styles.set(el, (s = getComputedStyle(el)));
    return s;
  }

  /** The pointer over an element where it says that something can be pressed or drawn there, else "". */
  hand(el: Element): string {
    let v = this.hands.get(el);
    if (v === undefined) {
      v = getComputedStyle(el).cursor;
      this.hands.set(el, v = acting(v) ? v : "");
    }
    return v;
  }

  /** Whether the pointer changes to such a one at el. */
  handStarts(el: Element, parent: Element | null): boolean {
    const v = this.hand(el);
    return v !== "" && !(parent && this.hand(parent) === v);
  }

  /** The cursor an element asks for. */
  cursor(el: Element): string {
    return getComputedStyle(el).cursor;
  }

  /** Its box touches the viewport, or it has none: the cheap half of inView. */
  near(el: Element): boolean {
    const b = this.box(el);
    return isEmpty(b) || !isEmpty(meet(b, this.view));
  }

  /** The box of an element; of its contents where it has none of its own. */
  box(el: Element): Box {
    let b = this.boxes.get(el);
    if (b) return b;
    const r = rectOf(el);
    b = { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
    if (localName(el) === "area") b = areaBox(el) ?? b;
    else if (r.width < 1 || r.height < 1) b = this.innerBox(el, b, 2);
    this.boxes.set(el, b);
    return b;
  }

  /** An inline link around a floated picture is zero high: the picture is what one sees. */
  private innerBox(el: Element, own: Box, depth: number): Box {
    if (depth === 0 || !hasBox(el) && this.style(el).display !== "contents") return own;
    const s = this.style(el);
    if (s.overflow !== "visible") return own;
    let out: Box | null = null;
    const add = (b: Box): void => {
      if (isEmpty(b)) return;
      out = out ? {
        left: Math.min(out.left, b.left), top: Math.min(out.top, b.top),
        right: Math.max(out.right, b.right), bottom: Math.max(out.bottom, b.bottom),
      } : b;
    };
    eachChild(el, (n) => {
      if (isElement(n)) {
        const r = rectOf(n);
        const b = { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
        add(isEmpty(b) ? this.innerBox(n, b, depth - 1) : b);
      } else if (isText(n) && s.display === "contents") {
        const range = newRange();
        range.selectNodeContents(n);
        const r = range.getBoundingClientRect();
        add({ left: r.left, top: r.top, right: r.right, bottom: r.bottom });
      }
    });
    return out ?? own;
  }

  /** What of the viewport an element can be seen through: scroll containers and clipping ancestors. */
  clip(el: Element): Box {
    const picture = localName(el) === "area" ? pictureOf(el) : null;
    if (picture) return this.clip(picture);
    const pos = this.style(el).position;
    if (pos === "fixed") return this.view;
    const p = parentOf(el);
    return p ? this.clipBy(p, pos === "absolute") : this.view;
  }

  /** free: an absolutely positioned child isn't clipped by ancestors that aren't positioned. */
  private clipBy(el: Element, free: boolean): Box {
    const cache = free ? this.freeClips : this.clips;
    const known = cache.get(el);
    if (known) return known;
    const s = this.style(el);
    const positioned = s.position !== "static";
    const stillFree = free && !positioned;
    const p = parentOf(el);
    let b = this.view;
    if (s.position !== "fixed" && p) b = this.clipBy(p, stillFree || s.position === "absolute");
    if (!stillFree && s.overflow !== "visible" && el !== doc.root && el !== doc.body && s.display !== "inline" && s.display !== "contents") {
      const r = rectOf(el);
      b = meet(b, { left: r.left, top: r.top, right: r.right, bottom: r.bottom });
    }
    cache.set(el, b);
    return b;
  }

  /** Seen by a person once scrolled to: painted, of some size, not clipped away, not parked off-screen. */
  shown(el: Element): boolean {
    let v = this.seen.get(el);
    if (v === undefined) this.seen.set(el, (v = this.look(el)));
    return v;
  }

  private look(el: Element): boolean {
    if (localName(el) === "area") {
      const picture = pictureOf(el);
      return picture !== null && this.shown(picture) && !isEmpty(this.box(el));
    }
    if (!isPainted(el)) {
      // An element of display: contents has no box, though its children do.
      if (this.style(el).display !== "contents" || this.style(el).visibility !== "visible") return false;
      const p = parentOf(el);
      if (!p || !this.shown(p)) return false;
    }
    const b = this.box(el);
    if (isEmpty(b) || isDot(b)) return localName(el) === "option" || localName(el) === "optgroup";
    if (this.parked(el, b)) return false;
    return !this.clippedAway(el, b);
  }

  /** Moved out of the page where no scrolling leads. */
  private parked(el: Element, b: Box): boolean {
    const beyond = (box: Box, x: number, y: number): boolean =>
      box.right + x <= this.farLeft || box.bottom + y <= 0 || box.left + x >= this.farRight;
    if (!beyond(b, this.scrollX, this.scrollY)) return false;
    // Within a scroll container it may only be scrolled out.
    const holder = closest(parentOf(el), (e) => e !== doc.body && e !== doc.root && this.scrolls(e));
    if (holder) return beyond(b, this.scrollX + scrollLeft(holder), this.scrollY + scrollTop(holder)) && !this.rtl;
    return true;
  }

  /** An own scroll container that can show more than it shows. */
  scrolls(el: Element): boolean {
    const s = this.style(el);
    const y = s.overflowY === "auto" || s.overflowY === "scroll" || s.overflowY === "hidden";
    const x = s.overflowX === "auto" || s.overflowX === "scroll" || s.overflowX === "hidden";
    return y && scrollHeight(el) > clientHeight(el) + 1 || x && scrollWidth(el) > clientWidth(el) + 1;
  }

  private clippedAway(el: Element, b: Box): boolean {
    if (isDot(b)) return true;
    const s = this.style(el);
    const pos = s.position;
    if (cutsItself(s, pos)) return true;
    if (pos === "fixed") return false;
    const p = parentOf(el);
    return p !== null && this.hides(p, pos === "absolute");
  }

  /**
   * Whether el, or something around it, hides what stands in it: cut to nothing,
   * or boxed into one pixel or a collapsed panel. free as for clipBy.
   */
  private hides(el: Element, free: boolean): boolean {
    const cache = free ? this.freeHides : this.hiding;
    const known = cache.get(el);
    if (known !== undefined) return known;
    const s = this.style(el);
    const pos = s.position;
    let v = cutsItself(s, pos);
    const stillFree = free && pos === "static";
    // Most clip nothing: to ask that costs less than to measure them.
    if (!v && !stillFree && s.overflow !== "visible" && s.display !== "inline" && s.display !== "contents") {
      const r = rectOf(el);
      v = r.width <= 1 || r.height <= 1;
    }
    if (!v && pos !== "fixed" && el !== doc.body) {
      const p = parentOf(el);
      v = p !== null && this.hides(p, stillFree || pos === "absolute");
    }
    cache.set(el, v);
    return v;
  }

  /** In the viewport and not scrolled or clipped out of it. */
  inView(el: Element): boolean {
    if (isEmpty(meet(this.box(el), this.view))) return false;
    return !isEmpty(meet(meet(this.box(el), this.clip(el)), this.view));
  }

  /** Nothing but letters that can't be read, for their size or colour: a person does not know that it is there. */
  faint(el: Element): boolean {
    if (this.standsOut(el) || this.legible(el)) return false;
    let words = false;
    let other = false;
    const walk = (e: Element): void => {
      if (other) return;
      const s = this.style(e);
      if (s.backgroundImage !== "none" || s.borderTopWidth !== "0px" || s.borderBottomWidth !== "0px" || s.boxShadow !== "none" ||
        e !== el && tagsSeen.has(localName(e)) || drawnBeside(e)) {
        other = true;
        return;
      }
      eachChild(e, (n) => {
        if (isText(n)) {
          if (n.data.trim() === "") return;
          words = true;
          if (this.legible(e)) other = true;
        } else if (isElement(n)) walk(n);
      });
      // A box of another colour than what it stands on is seen without letters.
      const own = rgba(s.backgroundColor);
      const p = parentOf(e);
      const under = own !== null && own[3] > 0.1 && p ? this.paper(p) : null;
      if (own !== null && under !== null && distance(own, under) > 6) other = true;
    };
    walk(el);
    return words && !other;
  }

  /** Its letters differ from what it stands on, so that they or its own background are seen: most do, and less is asked. */
  private standsOut(el: Element): boolean {
    const p = parentOf(el);
    const under = p ? this.paper(p) : null;
    if (under === null) return false;
    const s = this.style(el);
    const ink = rgba(s.webkitTextFillColor || s.color);
    return ink !== null && ink[3] >= 0.05 && distance(ink, under) > 6 && parseFloat(s.fontSize) >= 2;
  }

  /** The text that stands directly in el can be read: size and colour, too. */
  readable(el: Element): boolean {
    let v = this.read.get(el);
    if (v === undefined) this.read.set(el, (v = this.shown(el) && this.legible(el)));
    return v;
  }

  private legible(el: Element): boolean {
    const s = this.style(el);
    if (parseFloat(s.fontSize) < 2 || s.contentVisibility === "hidden") return false; // as until-found is
    const fill = s.webkitTextFillColor || s.color;
    const ink = rgba(fill);
    if (!ink) return true;
    if (ink[3] < 0.05) return s.backgroundClip === "text"; // letters cut out of a background
    const paper = this.paper(el);
    return paper === null || distance(ink, paper) > 6;
  }

  /** What text in el is painted on, or null where that can't be told (pictures, half-transparent layers). */
  private paper(el: Element): Color | null {
    const known = this.papers.get(el);
    if (known !== undefined) return known;
    const s = this.style(el);
    const own = rgba(s.backgroundColor);
    let v: Color | null = null;
    if (own !== null && s.backgroundImage === "none") {
      if (own[3] > 0.9) v = own;
      else if (own[3] === 0) {
        const p = parentOf(el);
        v = p ? this.paper(p) : this.canvas();
      }
    }
    this.papers.set(el, v);
    return v;
  }

  /** Where nothing is painted: white, unless the colour scheme is dark. */
  private canvas(): Color | null {
    return doc.root !== null && this.style(doc.root).colorScheme.startsWith("dark") ? null : [255, 255, 255, 1];
  }

  inert(el: Element): boolean {
    const known = this.inerts.get(el);
    if (known !== undefined) return known;
    const p = parentOf(el);
    const v = hasAttr(el, "inert") || p !== null && this.inert(p);
    this.inerts.set(el, v);
    return v;
  }

  ariaHidden(el: Element): boolean {
    const known = this.hiddens.get(el);
    if (known !== undefined) return known;
    const p = parentOf(el);
    const v = attr(el, "aria-hidden") === "true" || p !== null && this.ariaHidden(p);
    this.hiddens.set(el, v);
    return v;
  }

  /** isEnabled, with what stands around asked once. */
  enabled(el: Element): boolean {
    const own = disabled(el);
    return own === null || !own && !this.ariaDisabled(el);
  }

  private ariaDisabled(el: Element): boolean {
    const known = this.disableds.get(el);
    if (known !== undefined) return known;
    const said = attr(el, "aria-disabled");
    const p = said === null ? parentOf(el) : null;
    const v = said === "true" || p !== null && this.ariaDisabled(p);
    this.disableds.set(el, v);
    return v;
  }
}

/** Something is drawn by ::before or ::after, as icon fonts do. */
const drawnBeside = (e: Element): boolean => ["::before", "::after"].some((part) => {
  const s = getComputedStyle(e, part);
  if (s.content === "none" || s.content === "normal") return false;
  const paint = rgba(s.backgroundColor);
  return s.content !== '""' || s.backgroundImage !== "none" || s.borderTopWidth !== "0px" || paint === null || paint[3] > 0;
});

const tagsSeen = new Set(["img", "svg", "canvas", "video", "picture", "input", "button", "select", "iframe", "object"]);

type Color = [number, number, number, number];

/** A page has few colours and asks for each of them thousands of times. */
const colours = new Map<string, Color | null>();

function rgba(s: string): Color | null {
  let c = colours.get(s);
  if (c === undefined) {
    if (colours.size > 1000) colours.clear();
    colours.set(s, (c = parsed(s)));
  }
  return c;
}

function parsed(s: string): Color | null {
  const m = /^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\)$/.exec(s);
  return m ? [Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 1 : Number(m[4])] : null;
}
const distance = (a: Color, b: Color): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));

function cutsItself(s: CSSStyleDeclaration, position: string): boolean {
  const filter = s.filter;
  if (filter !== "none" && /\bopacity\(0%?\)/.test(filter)) return true;
  const path = s.clipPath;
  if (path !== "none" && emptyPath(path)) return true;
  if (position !== "absolute" && position !== "fixed") return false;
  const clip = s.clip;
  return clip !== "auto" && emptyClip(clip);
}

function emptyClip(clip: string): boolean {
  const n = clip.match(/-?[\d.]+(?=px)|auto/g);
  if (!n || n.length !== 4 || n.includes("auto")) return false;
  const [t = 0, r = 0, b = 0, l = 0] = n.map(Number);
  return r - l <= 1 || b - t <= 1;
}

function emptyPath(path: string): boolean {
  const inset = /^inset\(([^)]*)\)/.exec(path);
  if (inset) {
    const p = (inset[1] ?? "").split(" round")[0]?.trim().split(/\s+/).map((v) => v.endsWith("%") ? parseFloat(v) : NaN) ?? [];
    const [t = NaN, r = t, b = t, l = r] = p;
    return t + b >= 100 || l + r >= 100;
  }
  return /^circle\(0(?:px|%)?[ )]/.test(path) || /^polygon\((?:0(?:px|%)? 0(?:px|%)?,? ?)+\)$/.test(path);
}

/** The rects a person can hit, line by line for wrapped inline elements. */
export function hitRects(el: Element): Box[] {
  return [...clientRects(el)].filter((r) => r.width >= 1 && r.height >= 1)
    .map((r) => ({ left: r.left, top: r.top, right: r.right, bottom: r.bottom }));
}
