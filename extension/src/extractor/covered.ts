// What lies behind an open dialog and takes no press: a layer over the whole view is
// in the way, whatever role it has. What is behind a modal <dialog> is not listed at all.

import { isEmpty, meet } from "./box";
import { closest, deepAt, doc, holds } from "./dom";
import { standIn } from "./describe";
import { reaches } from "./facts";
import { fillsView } from "./overlays";
import type { Pace, Work } from "./slices";
import type { Look } from "./visibility";
import { away, type Found } from "./walk";

/** Those of found that an overlay keeps from being pressed; none where nothing in an overlay can be. */
export function* coveredIn(found: Found[], overlays: Element[], look: Look, pace: Pace): Work<ReadonlySet<Found>> {
  const out = new Set<Found>();
  if (!found.some((f) => f.overlay)) return out;
  const layers = new Layers(overlays, look);
  let open = false; // something in an overlay can be pressed
  for (const f of layers.fill() ? found : []) {
    if (pace.due()) yield* pace.rest(look);
    if (layers.cover(f)) out.add(f);
    else if (f.overlay) open = true;
  }
  return open ? out : new Set();
}

const nowhere = { left: 0, top: 0, right: 0, bottom: 0 };

class Layers {
  private readonly found = new Set<Element>(); // those that fill the view

  constructor(private readonly overlays: Element[], private readonly look: Look) {}

  /** Whether there is a layer wherever in the view one presses: in its middle, at its edges and in its corners. */
  fill(): boolean {
    const { right, bottom } = this.look.view;
    const inset = 4;
    let free = 0;
    for (const x of [inset, right / 2, right - 20]) for (const y of [inset, bottom / 2, bottom - 20]) {
      const layer = this.at(x, y);
      if (layer) this.found.add(layer);
      else free++;
    }
    return free <= 2; // a message may stand over all
  }

  cover(f: Found): boolean {
    const body = standIn(f.el, this.look);
    const b = away(f, this.look) ? nowhere : meet(meet(this.look.box(body), this.look.clip(body)), this.look.view);
    if (isEmpty(b)) return ![...this.found].some((l) => holds(l, f.el) || !this.stays(l, f.el));
    const hit = deepAt((b.left + b.right) / 2, (b.top + b.bottom) / 2);
    const layer = this.layerOf(hit);
    return layer !== null && !holds(layer, f.el) && !reaches(f.el, hit);
  }

  private at(x: number, y: number): Element | null { return this.layerOf(deepAt(x, y)); }

  private layerOf(hit: Element | null): Element | null {
    return closest(hit, (e) => this.overlays.includes(e) || this.fills(e));
  }

  private fills(e: Element): boolean { return e !== doc.body && e !== doc.root && !this.look.flows(e) && fillsView(e, this.look); }

  /** Whether a layer lies over an element out of the view even when that is scrolled to. */
  private stays(layer: Element, el: Element): boolean {
    if (closest(layer, (e) => this.look.style(e).position === "fixed")) return true;
    const a = this.look.box(layer);
    const b = this.look.box(el);
    return a.top <= b.top && b.bottom <= a.bottom;
  }
}
