// Finds the controls that lie behind an open dialog and take no press. A layer over the whole view
// covers them, whatever its role. What is behind a modal <dialog> is not listed at all.
// In doubt an element counts as pressable.

import { fillsView } from "../a11y/overlays";
import { hitBoxes } from "../acting/ready";
import { type Box, corners, isEmpty, meet, points } from "../dom/box";
import { closest, deepAt, doc, holds, parentOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { reaches } from "../guard/facts";
import type { Pace, Work } from "../schedule/slices";
import { standIn } from "./describe";
import { knownSide, type Found, type Walked } from "./walk";

/** The members of found that an overlay keeps from being pressed; none if nothing in an overlay can be pressed. */
export function* coveredIn(found: Found[], overlays: Element[], look: LayoutCache, pace: Pace): Work<ReadonlySet<Found>> {
  const out = new Set<Found>();
  if (!found.some((f) => f.overlay)) return out;
  const layers = new Layers(overlays, look);
  if (!layers.fill()) return out;
  let open = false; // something in an overlay can be pressed
  const further: Found[] = []; // out of the view: judged by the elements inside it
  for (const f of found) {
    if (pace.due()) yield* pace.rest(look);
    const boxes = layers.boxes(f);
    if (boxes.length === 0) further.push(f);
    else if (layers.cover(f.el, boxes)) out.add(f);
    else if (f.overlay) open = true;
  }
  for (const f of further) {
    if (pace.due()) yield* pace.rest(look);
    if (layers.coverFurther(f)) out.add(f);
    else if (f.overlay) open = true;
  }
  return open ? out : new Set();
}

/** The layers over the page that keep all other controls of the walk from being pressed; null if there are none. */
export const overAll = (w: Walked, covered: ReadonlySet<Found>): Element[] | null =>
  covered.size > 0 && w.found.every((f) => f.overlay || covered.has(f)) ? w.overlays : null;

class Layers {
  private readonly covering = new Set<Element>(); // the layers over a control in the view
  private readonly around = new Map<Element, ReadonlySet<Element> | null>(); // by container of controls out of the view: the layers over it

  constructor(private readonly overlays: Element[], private readonly look: LayoutCache) {}

  /** Whether layers cover the view: its middle, its edges and its corners. */
  fill(): boolean {
    const { right, bottom } = this.look.view;
    const inset = 4;
    let free = 0;
    for (const x of [inset, right / 2, right - 20]) for (const y of [inset, bottom / 2, bottom - 20]) if (!this.layerOf(deepAt(x, y))) free++;
    return free <= 2; // a message may lie over the layer
  }

  /** The boxes of a control in the view. */
  boxes(f: Found): Box[] {
    if (knownSide(f, this.look)) return [];
    const body = standIn(f.el, this.look);
    const clip = meet(this.look.clip(body), this.look.view);
    return hitBoxes(f.el, body, this.look).map((b) => meet(b, clip)).filter((b) => !isEmpty(b));
  }

  cover(el: Element, boxes: Box[]): boolean {
    const over = this.over(el, boxes, (hit) => reaches(el, hit));
    for (const layer of over ?? []) this.covering.add(layer);
    return over !== null;
  }

  /** Whether a control out of the view stays covered after scrolling to it: all visible parts of its container are covered. */
  coverFurther(f: Found): boolean {
    const own = f.overlay ? closest(f.el, (e) => this.overlays.includes(e)) : null;
    if (own && this.overKnown(own) === null) return false;
    const near = closest(parentOf(f.el), (e) => !isEmpty(this.sight(e)));
    const over = near ? this.overKnown(near) : null;
    // A layer without a role that covers nothing in the view may be the background of the page.
    return over !== null && over.size > 0 && [...over].every((l) => (this.overlays.includes(l) || this.covering.has(l)) && this.stays(l, f.el));
  }

  /** The layers that take every press in boxes and don't contain el; null if a press reaches el somewhere. */
  private over(el: Element, boxes: Box[], isReached: (hit: Element | null) => boolean): ReadonlySet<Element> | null {
    const out = new Set<Element>();
    const hits = new Set<Element | null>();
    for (const b of boxes) for (const at of [points, corners]) for (const p of at(b)) {
      const hit = deepAt(p.x, p.y);
      if (hits.has(hit)) continue;
      hits.add(hit);
      const layer = this.layerOf(hit);
      if (layer === null || holds(layer, el) || isReached(hit)) return null;
      out.add(layer);
    }
    return out;
  }

  private overKnown(el: Element): ReadonlySet<Element> | null {
    let v = this.around.get(el);
    if (v === undefined) this.around.set(el, v = this.over(el, [this.sight(el)].filter((b) => !isEmpty(b)), () => false));
    return v;
  }

  /** The part of the view that an element occupies. */
  private sight(e: Element): Box { return meet(meet(this.look.box(e), this.look.clip(e)), this.look.view); }

  private layerOf(hit: Element | null): Element | null {
    return closest(hit, (e) => this.overlays.includes(e) || this.fills(e));
  }

  private fills(e: Element): boolean { return e !== doc.body && e !== doc.root && !this.look.flows(e) && fillsView(e, this.look); }

  /** Whether a layer still lies over an element after the page is scrolled to it. */
  private stays(layer: Element, el: Element): boolean {
    if (closest(layer, (e) => this.look.style(e).position === "fixed")) return true;
    const a = this.look.box(layer);
    const b = this.look.box(el);
    return a.top <= b.top && b.bottom <= a.bottom;
  }
}
