// Chooses the controls that a model is shown first. A long page has thousands, and to
// describe and send them all costs many times as much as to find them. First come controls
// over the page, then those in view, then the following ones as far as they will be
// read, and last the covered ones; the rest is counted.

import type { Box } from "../dom/box";
import { Kind } from "../a11y/interactive";
import type { LayoutCache } from "../dom/visibility";
import type { Pace, Work } from "../schedule/slices";
import { standIn } from "./describe";
import { knownSide, type Found, isConfirmed } from "./walk";

export interface Left { inView: number; below: number; above: number; covered: number }

/** Controls in view may take this multiple of the lines asked for; a first look omits none of them. */
const inViewTimes = 3;
/** The most new controls above the view that are taken (lead.go takes a part of them). */
const mostLead = 60;

/** About `lines` lines of the list in document order, and how many were omitted where. withLead: also the first ones above the view. Frames are always kept. */
export function* firstOf(found: Found[], covered: ReadonlySet<Found>, look: LayoutCache, lines: number, pace: Pace, withLead = false): Work<{ taken: Found[]; left: Left }> {
  const taken = new Set<Found>();
  const over: Found[] = [];
  const inView: Found[] = [];
  const behind: Found[] = [];
  const others: { f: Found; at: number }[] = [];
  const seen = new Set<Found>();
  let anchor = -1; // the last one in view
  for (const [at, f] of found.entries()) {
    if (pace.dueAmong(at)) yield* pace.rest(look);
    const here = !knownSide(f, look) && isSeen(f, look);
    if (here) seen.add(f);
    if (f.kind === Kind.Frame) taken.add(f);
    else if (covered.has(f)) behind.push(f);
    else if (f.overlay) over.push(f);
    else if (here) {
      inView.push(f);
      anchor = at;
    } else others.push({ f, at });
  }
  if (anchor < 0) anchor = found.findIndex((f) => look.box(f.el).top >= 0) - 1;
  const after = others.filter((x) => x.at > anchor).map((x) => x.f);
  const before = others.filter((x) => x.at <= anchor).map((x) => x.f).reverse(); // the nearest first
  let count = 0;
  const none = new Set<Found>(); // controls that turn out to be unusable
  let asked = 0;
  // A list of new controls begins there while the page stays scrolled.
  const lead = withLead ? before.slice(-mostLead).reverse() : [];
  for (const layer of [over, lead, inView, after, before, behind]) {
    const most = layer === over || layer === inView ? lines * inViewTimes : lines;
    for (const f of layer) {
      if (count >= most) break;
      if (pace.dueAmong(asked++)) yield* pace.rest(look);
      if (taken.has(f) || none.has(f)) continue;
      if (!isConfirmed(f, look)) {
        none.add(f);
        continue;
      }
      taken.add(f);
      count++;
    }
  }
  const out: Left = { inView: 0, below: 0, above: 0, covered: 0 };
  for (const [at, f] of found.entries()) {
    if (pace.dueAmong(at)) yield* pace.rest(look);
    if (taken.has(f) || none.has(f)) continue;
    if (covered.has(f)) out.covered++;
    else if (seen.has(f)) out.inView++;
    else if (knownSide(f, look) ? knownSide(f, look) < 0 : isPast(look.box(f.over ?? standIn(f.el, look)))) out.above++;
    else out.below++;
  }
  return { taken: found.filter((f) => taken.has(f)), left: out };
}

/** Whether a box is above the view; an empty box has no place. */
const isPast = (b: Box): boolean => b.bottom <= 0 && b.bottom > b.top;

function isSeen(f: Found, look: LayoutCache): boolean {
  if (f.over) return look.inView(f.over);
  const where = standIn(f.el, look);
  return look.inView(where) && look.shown(where);
}
