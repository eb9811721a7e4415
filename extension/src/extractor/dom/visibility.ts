// Tells what the user sees. A LayoutCache keeps the facts of each element and is valid
// for one synchronous pass, in which the page can't change.

import { acting, disabled } from "../a11y/interactive";
import { areaBox, pictureOf } from "./area";
import { Beneath } from "./backdrop";
import { type Box, boxOf, isDot, isEmpty, meet, touch } from "./box";
import { cutsItself } from "./clipped";
import { canvas, type Color, differ, rgba } from "./colour";
import {
  askPainted, attr, clientHeight, clientWidth, closest, doc, eachChild, firstChild, hasAttr, hasBox, isElement, isText, keepsPainted, localName,
  newRange, nextSibling, parentOf, scrollHeight, scrollLeft, scrollTop, scrollWidth,
} from "./dom";
import { Known } from "./elementcache";
import { modalDialog } from "./modal";
import { holdStyles, styleAfter, styleBefore, styleOf } from "./styles";

/**
 * Chromium keeps all objects that another world holds of the page in one table.
 * Doubling that table at 262,144 objects blocks the page for 50 ms, so the styles of
 * 100,000 elements must not be held at one time.
 */
const stylesKept = 256;

export class LayoutCache {
  view: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  private known = new Map<Element, Known>();
  private readonly rtl: boolean;
  private scrollX = window.scrollX;
  private scrollY = window.scrollY;
  readonly farRight: number;
  private readonly farLeft: number;
  private readonly body = doc.body;
  private readonly root = doc.root;
  private readonly styled: Known[] = []; // a ring of those with a cached style
  private nextStyled = 0;
  private readonly held = holdStyles();
  private dialog: Element | null | undefined = undefined;
  private readonly beneath = new Beneath(this);

  constructor() {
    const { root } = this;
    this.rtl = root !== null && getComputedStyle(root).direction === "rtl";
    const wide = Math.max(innerWidth, root ? scrollWidth(root) : 0);
    // A page written from right to left scrolls to the left.
    this.farLeft = this.rtl ? innerWidth - wide : 0;
    this.farRight = this.rtl ? innerWidth : wide;
    this.again();
  }

  /** Resumes the work after a pause: its facts answer isPainted in this pass. */
  again(): void { keepsPainted((el) => this.known.get(el)?.painted); }

  /** The number of calls of forget. */
  epoch = 0;

  /** Drops all facts, which may be out of date after the page's own tasks ran. */
  forget(): void {
    this.epoch++;
    this.view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    this.scrollX = window.scrollX;
    this.scrollY = window.scrollY;
    this.known = new Map();
    this.dialog = undefined;
  }

  private of(el: Element): Known {
    let k = this.known.get(el);
    if (k === undefined) this.known.set(el, (k = new Known(el)));
    return k;
  }

  /** parentOf, asked once. */
  private up(k: Known): Known | null {
    if (k.up === undefined) {
      const p = parentOf(k.el);
      k.up = p ? this.of(p) : null;
    }
    return k.up;
  }

  /** Sets the parent of el, for a caller that came from there. */
  within(el: Element, parent: Element): void {
    const k = this.of(el);
    k.up ??= this.of(parent);
  }

  style(el: Element): CSSStyleDeclaration { return this.styleOf(this.of(el)); }

  private styleOf(k: Known): CSSStyleDeclaration {
    if (k.style !== undefined) return k.style;
    if (!this.held) {
      const dropped = this.styled[this.nextStyled];
      if (dropped) dropped.style = undefined;
      this.styled[this.nextStyled] = k;
      this.nextStyled = (this.nextStyled + 1) % stylesKept;
    }
    return k.style = styleOf(k.el);
  }

  /** Whether el is in the flow of the page, even if relatively shifted. */
  flows(el: Element): boolean {
    const p = this.position(this.of(el));
    return p !== "fixed" && p !== "absolute";
  }

  private position(k: Known): string { return k.position ??= this.styleOf(k).position; }

  /**
   * Like hasBox, but asks once. closely: the caller will also ask whether el is painted,
   * and a painted element has a box; asking all elements that costs twice as much.
   */
  boxed(el: Element, closely = false): boolean {
    const k = this.of(el);
    return k.boxed ??= (closely ? this.painted(k) : k.painted) === true || hasBox(el);
  }

  private painted(k: Known): boolean { return k.painted ??= askPainted(k.el); }

  /** The cursor over an element if it means that the element can be pressed or dragged; else "". */
  hand(el: Element): string { return this.handOf(this.of(el)); }

  private handOf(k: Known): string {
    if (k.hand === undefined) {
      const v = this.styleOf(k).cursor;
      k.hand = acting(v) ? v : "";
    }
    return k.hand;
  }

  /** Whether the cursor changes to such a shape at el. */
  handStarts(el: Element, parent: Element | null): boolean {
    const v = this.hand(el);
    return v !== "" && !(parent && this.hand(parent) === v);
  }

  /** Whether its box touches the viewport or is empty: the cheap half of inView. */
  near(el: Element): boolean {
    const b = this.box(el);
    return isEmpty(b) || touch(b, this.view);
  }

  private tag(k: Known): string { return k.tag ??= localName(k.el); }

  /** The box of an element, or of its contents if it has none. */
  box(el: Element): Box {
    const k = this.of(el);
    if (k.box) return k.box;
    let b = boxOf(el);
    if (this.tag(k) === "area") b = areaBox(el) ?? b;
    else if (b.right - b.left < 1 || b.bottom - b.top < 1) b = this.innerBox(el, b, 2);
    return k.box = b;
  }

  /** The box of an element's contents: an inline link around a floated picture has no height. */
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
        const b = boxOf(n);
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

  /** The part of the viewport in which an element can be visible, limited by scroll containers and clipping ancestors. */
  clip(el: Element): Box {
    const k = this.of(el);
    const picture = this.tag(k) === "area" ? pictureOf(el) : null;
    if (picture) return this.clip(picture);
    const pos = this.position(k);
    if (pos === "fixed") return this.view;
    const p = this.up(k);
    return p ? this.clipBy(p, pos === "absolute") : this.view;
  }

  /** free: an absolutely positioned child isn't clipped by ancestors that aren't positioned. */
  private clipBy(k: Known, free: boolean): Box {
    const known = free ? k.freeClip : k.clip;
    if (known) return known;
    const pos = this.position(k);
    const stillFree = free && pos === "static";
    const p = this.up(k);
    let b = this.view;
    if (pos !== "fixed" && p) b = this.clipBy(p, stillFree || pos === "absolute");
    if (!stillFree && k.el !== this.root && k.el !== this.body && this.cutsOff(k)) b = meet(b, boxOf(k.el));
    if (free) k.freeClip = b;
    else k.clip = b;
    return b;
  }

  /** Whether k cuts off content outside its box. Most don't, and asking costs less than measuring. */
  private cutsOff(k: Known): boolean {
    if (k.clips === undefined) {
      // The overflow of the body applies to the viewport, unless the root has its own.
      if (k.el === this.root || k.el === this.body && (!this.root || this.style(this.root).overflow === "visible")) return k.clips = false;
      const s = this.styleOf(k);
      k.clips = s.overflow !== "visible" && s.display !== "inline" && s.display !== "contents";
    }
    return k.clips;
  }

  /** Whether el cuts off content outside its box. */
  clips(el: Element): boolean { return this.cutsOff(this.of(el)); }

  /** … including its absolutely positioned descendants. */
  clipsAll(el: Element): boolean { return this.clips(el) && this.position(this.of(el)) !== "static"; }

  /** Seen by a user once scrolled to: painted, of some size, not clipped away, not parked off-screen. */
  shown(el: Element): boolean {
    const k = this.of(el);
    return k.shown ??= this.look(k);
  }

  private look(k: Known): boolean {
    const { el } = k;
    const tag = this.tag(k);
    if (tag === "area") {
      const picture = pictureOf(el);
      return picture !== null && this.shown(picture) && !isEmpty(this.box(el));
    }
    if (!this.painted(k)) {
      // An element of display: contents has no box, though its children do.
      const s = this.styleOf(k);
      if (s.display !== "contents" || s.visibility !== "visible") return false;
      const p = this.up(k);
      if (!p || !this.shown(p.el)) return false;
    }
    const b = this.box(el);
    if (isEmpty(b) || isDot(b)) return tag === "option" || tag === "optgroup";
    if (this.parked(el, b)) return false;
    return !this.clippedAway(k, b);
  }

  /** Whether el is outside the page, where no scrolling leads. */
  private parked(el: Element, b: Box): boolean {
    const beyond = (box: Box, x: number, y: number): boolean =>
      box.right + x <= this.farLeft || box.bottom + y <= 0 || box.left + x >= this.farRight;
    if (!beyond(b, this.scrollX, this.scrollY)) return false;
    // Within a scroll container it may only be scrolled out.
    const holder = closest(parentOf(el), (e) => e !== this.body && e !== this.root && this.scrolls(e));
    if (!holder) return true;
    // In a row with its own scroll bar it may be further on.
    if (/auto|scroll/.test(this.style(holder).overflowX)) {
      const at = b.left - boxOf(holder).left + scrollLeft(holder);
      if (b.left >= 0 && at < scrollWidth(holder)) return false;
    }
    return beyond(b, this.scrollX + scrollLeft(holder), this.scrollY + scrollTop(holder)) && !this.rtl;
  }

  /** Whether el is a scroll container with content out of its view. */
  scrolls(el: Element): boolean {
    const s = this.style(el);
    const y = s.overflowY === "auto" || s.overflowY === "scroll" || s.overflowY === "hidden";
    const x = s.overflowX === "auto" || s.overflowX === "scroll" || s.overflowX === "hidden";
    return y && scrollHeight(el) > clientHeight(el) + 1 || x && scrollWidth(el) > clientWidth(el) + 1;
  }

  private clippedAway(k: Known, b: Box): boolean {
    if (isDot(b) || this.cut(k)) return true;
    const pos = this.position(k);
    if (pos === "fixed") return false;
    const p = this.up(k);
    return p !== null && this.hides(p, pos === "absolute");
  }

  private cut(k: Known): boolean { return k.cut ??= cutsItself(this.styleOf(k), this.position(k)); }

  /**
   * Whether k or an ancestor hides its contents: it is cut to nothing, one pixel large
   * or collapsed. free as for clipBy.
   */
  private hides(k: Known, free: boolean): boolean {
    const known = free ? k.freeHides : k.hides;
    if (known !== undefined) return known;
    const pos = this.position(k);
    let v = this.cut(k);
    const stillFree = free && pos === "static";
    if (!v && !stillFree && this.cutsOff(k)) {
      const r = boxOf(k.el);
      v = r.right - r.left <= 1 || r.bottom - r.top <= 1;
    }
    if (!v && pos !== "fixed" && k.el !== this.body) {
      const p = this.up(k);
      v = p !== null && this.hides(p, stillFree || pos === "absolute");
    }
    if (free) k.freeHides = v;
    else k.hides = v;
    return v;
  }

  /** In the viewport and not scrolled or clipped out of it. */
  inView(el: Element): boolean {
    const k = this.of(el);
    return k.inView ??= this.meetsView(el);
  }

  private meetsView(el: Element): boolean {
    const b = this.box(el);
    if (!touch(b, this.view)) return false;
    const clip = this.clip(el);
    return clip === this.view || touch(meet(b, this.view), clip);
  }

  /** Whether el has only letters too small or too faint to read, so that the user doesn't know that it is there. */
  faint(el: Element): boolean {
    const k = this.of(el);
    if (holdsLetters(el) && (this.standsOut(k) || this.legible(k))) return false;
    let words = false;
    let other = false;
    // Readable letters usually end the walk, so they are checked first.
    const walk = (e: Element): void => {
      if (e !== el && tagsSeen.has(localName(e))) {
        other = true;
        return;
      }
      let own: boolean | null = null; // whether its own letters can be read
      eachChild(e, (n) => {
        if (other) return;
        if (isElement(n)) walk(n);
        else if (isText(n) && n.data.trim() !== "") {
          words = true;
          own ??= this.standsOut(this.of(e)) || this.legible(this.of(e));
          other = own;
        }
      });
      other ||= this.drawn(e);
    };
    walk(el);
    return words && !other;
  }

  /** Whether the element shows more than letters: a picture, a border, a background of its own colour. */
  private drawn(e: Element): boolean {
    const s = this.style(e);
    if (s.backgroundImage !== "none" || s.borderTopWidth !== "0px" || s.borderBottomWidth !== "0px" || s.boxShadow !== "none" || drawnBeside(e)) return true;
    const own = rgba(s.backgroundColor);
    const p = own !== null && own[3] > 0.1 ? this.up(this.of(e)) : null;
    const under = p ? this.paper(p) : null;
    return own !== null && under !== null && differ(own, under);
  }

  /** Whether its letters differ from its parent's background, so that they or its own background are visible: a cheap check that most pass. */
  private standsOut(k: Known): boolean {
    const p = this.up(k);
    const under = p ? this.paper(p) : null;
    if (under === null) return false;
    const ink = this.ink(k);
    return ink !== null && ink[3] >= 0.05 && differ(ink, under) && !this.tiny(k);
  }

  /** Whether the text directly in el is visible and readable by size and colour. */
  readable(el: Element): boolean {
    const k = this.of(el);
    return k.readable ??= this.shown(el) && this.legible(k);
  }

  private ink(k: Known): Color | null {
    if (k.ink === undefined) {
      const s = this.styleOf(k);
      k.ink = rgba(s.webkitTextFillColor || s.color);
    }
    return k.ink;
  }

  private tiny(k: Known): boolean { return k.tiny ??= parseFloat(this.styleOf(k).fontSize) < 2; }

  private legible(k: Known): boolean {
    if (this.tiny(k) || this.styleOf(k).contentVisibility === "hidden") return false; // as with hidden=until-found
    const ink = this.ink(k);
    if (!ink) return true;
    if (ink[3] < 0.05) return this.styleOf(k).backgroundClip === "text"; // letters cut out of a background
    const paper = this.paper(k);
    return paper === null || differ(ink, paper) || this.beneath.shows(k.el, ink);
  }

  /** The background colour of text in k, or null if it is unknown (pictures, half-transparent layers). */
  private paper(k: Known): Color | null {
    if (k.paper !== undefined) return k.paper;
    const s = this.styleOf(k);
    const own = rgba(s.backgroundColor);
    let v: Color | null = null;
    if (own !== null && s.backgroundImage === "none") {
      if (own[3] > 0.9) v = own;
      else if (own[3] === 0) {
        const p = this.up(k);
        v = p ? this.paper(p) : canvas(this.root && this.style(this.root));
      }
    }
    return k.paper = v;
  }

  inert(el: Element): boolean { return this.inertOf(this.of(el)); }

  private inertOf(k: Known): boolean {
    if (k.inert === undefined) {
      const own = hasAttr(k.el, "inert");
      const p = own ? null : this.up(k);
      k.inert = own || p !== null && this.inertOf(p);
    }
    return k.inert;
  }

  /** The modal dialog over the page, asked once. */
  get modal(): Element | null { return this.dialog === undefined ? this.dialog = modalDialog() : this.dialog; }

  /** Whether a modal dialog keeps everything from el that a user does. */
  behind(el: Element): boolean { return this.modal !== null && this.behindOf(this.of(el)); }

  private behindOf(k: Known): boolean {
    if (k.behind === undefined) {
      const p = k.el === this.modal ? null : this.up(k);
      k.behind = k.el !== this.modal && (p === null || this.behindOf(p));
    }
    return k.behind;
  }

  ariaHidden(el: Element): boolean { return this.ariaHiddenOf(this.of(el)); }

  private ariaHiddenOf(k: Known): boolean {
    if (k.ariaHidden === undefined) {
      const own = attr(k.el, "aria-hidden") === "true";
      const p = own ? null : this.up(k);
      k.ariaHidden = own || p !== null && this.ariaHiddenOf(p);
    }
    return k.ariaHidden;
  }

  /** isEnabled, with what stands around asked once. */
  enabled(el: Element): boolean {
    const own = disabled(el);
    return own === null || !own && !this.ariaDisabled(this.of(el));
  }

  private ariaDisabled(k: Known): boolean {
    if (k.ariaDisabled === undefined) {
      const said = attr(k.el, "aria-disabled");
      const p = said === null ? this.up(k) : null;
      k.ariaDisabled = said === "true" || p !== null && this.ariaDisabled(p);
    }
    return k.ariaDisabled;
  }
}

function holdsLetters(el: Element): boolean {
  for (let n = firstChild(el); n; n = nextSibling(n)) if (isText(n) && n.data.trim() !== "") return true;
  return false;
}

/** Something is drawn by ::before or ::after, as icon fonts do. */
const drawnBeside = (e: Element): boolean => drawnAs(styleBefore(e)) || drawnAs(styleAfter(e));

function drawnAs(s: CSSStyleDeclaration): boolean {
  if (s.content === "none" || s.content === "normal") return false;
  const paint = rgba(s.backgroundColor);
  return s.content !== '""' || s.backgroundImage !== "none" || s.borderTopWidth !== "0px" || paint === null || paint[3] > 0;
}

const tagsSeen = new Set(["img", "svg", "canvas", "video", "picture", "input", "button", "select", "iframe", "object"]);
