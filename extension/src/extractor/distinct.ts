// Several elements that are one control to a person: a wrapper and the link in
// it, a label and its box, a button and the words in it.

import { standIn } from "./describe";
import { attr, hasAttr, localName, parentOf } from "./dom";
import { Kind } from "./interactive";
import { textOf } from "./name";
import type { Pace, Work } from "./slices";
import type { Look } from "./visibility";
import type { Found } from "./walk";

/** Leaves one of several elements that are one control. */
export function* distinct(found: Found[], look: Look, pace: Pace): Work<Found[]> {
  const gone = new Set<Found>();
  const shown = new Set(found.map((f) => f.el));
  const labels = new Map<Element, boolean>(); // whether there is one of a listed control around it
  const drop = (f: Found): void => {
    if (gone.has(f)) return;
    gone.add(f);
    for (let i = f.inside; i; i = i.inside) i.holds--;
  };
  for (const [at, f] of found.entries()) {
    if (pace.dueAmong(at)) yield* pace.rest(look);
    if (f.kind === Kind.Behaviour && !f.own) {
      if (labelOfListed(f.el, shown) || !ownAction(f.el) && partOfLabel(f.el, shown, labels)) drop(f);
      // An inner part of a control, with nothing of its own to say.
      else if (f.inside && f.inside.kind !== Kind.Behaviour && !ownAction(f.el)) drop(f);
      else if (f.inside && f.inside.kind === Kind.Behaviour && !ownAction(f.el) && same(f, f.inside, look)) drop(f);
    }
  }
  for (const [at, f] of found.entries()) { // now it is known what a wrapper holds
    if (pace.dueAmong(at)) yield* pace.rest(look);
    let o = f.inside;
    while (o && gone.has(o)) o = o.inside;
    if (!o || gone.has(f) || o.holds !== 1) continue;
    if (look.style(f.el).pointerEvents === "none") continue; // the wrapper takes its presses
    // A wrapper round one control: the control is what one means.
    if (o.kind === Kind.Behaviour && f.kind !== Kind.Behaviour && (same(f, o, look) || isFrame(o.el, f, look))) drop(o);
    else if (o.kind !== Kind.Behaviour && f.kind !== Kind.Behaviour && f.kind !== Kind.Frame && same(f, o, look)) drop(o);
  }
  return found.filter((f) => !gone.has(f));
}

function labelOfListed(el: Element, listed: Set<Element>): boolean {
  if (!(el instanceof HTMLLabelElement)) return false;
  return el.control !== null && listed.has(el.control);
}

/** The switch drawn in a label presses what the label is of. */
function partOfLabel(el: Element, listed: Set<Element>, known: Map<Element, boolean>): boolean {
  return localName(el) !== "label" && inLabel(parentOf(el), listed, known);
}

/** Whether the nearest label, el or around it, is of a listed control. */
function inLabel(el: Element | null, listed: Set<Element>, known: Map<Element, boolean>): boolean {
  if (el === null) return false;
  let v = known.get(el);
  if (v === undefined) known.set(el, v = localName(el) === "label" ? labelOfListed(el, listed) : inLabel(parentOf(el), listed, known));
  return v;
}

export const ownAction = (el: Element): boolean => hasAttr(el, "onclick") || hasAttr(el, "tabindex") || attr(el, "draggable") === "true";

const same = (a: Found, b: Found, look: Look): boolean =>
  fills(a.el, b.el, look) || (textOf(a.el, 80) !== "" || b.role === "gridcell") && textOf(a.el, 80) === textOf(b.el, 80);

/** Whether what only behaves like a control is drawn as the field of the combobox in it, with the words of what is chosen. */
function isFrame(outer: Element, f: Found, look: Look): boolean {
  const b = look.box(outer);
  return f.role === "combobox" && !ownAction(outer) && b.bottom - b.top <= 80;
}

/** Whether inner, or what is drawn for it, takes most of outer's room. */
export function fills(inner: Element, outer: Element, look: Look): boolean {
  const a = look.box(standIn(inner, look));
  const b = look.box(outer);
  return (a.right - a.left) * (a.bottom - a.top) > 0.7 * (b.right - b.left) * (b.bottom - b.top);
}
