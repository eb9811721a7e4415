// Several elements that a user sees as one control: a wrapper and the link in
// it, a label and its box, a button and the words in it.

import { Kind } from "../a11y/interactive";
import { drawnOptions } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { isEmpty, meet } from "../dom/box";
import { attr, hasAttr, localName, parentOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { pressedFor } from "../guard/facts";
import type { Pace, Work } from "../schedule/slices";
import { standIn } from "./describe";
import type { Found } from "./walk";

/** Keeps one of several elements that form one control. */
export function* distinct(found: Found[], look: LayoutCache, pace: Pace): Work<Found[]> {
  const gone = new Set<Found>();
  const shown = new Set(found.map((f) => f.el));
  const labels = new Map<Element, boolean>(); // whether a label of a listed control is around it
  const drop = (f: Found): void => {
    if (gone.has(f)) return;
    gone.add(f);
    for (let i = f.inside; i; i = i.inside) i.holds--;
  };
  const drawn = drawings(shown, look);
  for (const [at, f] of found.entries()) {
    if (pace.dueAmong(at)) yield* pace.rest(look);
    if (f.inside && isWrapperOf(f.inside, f)) drop(letsThrough(f, look) ? f : f.inside);
    if (f.kind === Kind.Behaviour && !f.own) {
      if (labelOfListed(f.el, shown) || !ownAction(f.el) && partOfLabel(f.el, shown, labels)) drop(f);
      // An inner part of a control that says nothing of its own.
      else if (f.inside && f.inside.kind !== Kind.Behaviour && !ownAction(f.el)) drop(f);
      else if (f.inside && f.inside.kind === Kind.Behaviour && !ownAction(f.el) && same(f, f.inside, look)) drop(drawnOptions.has(f.el) ? f.inside : f); // a list of one option is pressed there
      else if (drawn.size > 0 && isDrawing(f.el, drawn, look)) drop(f);
    }
  }
  for (const [at, f] of found.entries()) { // all children of wrappers are known here
    if (pace.dueAmong(at)) yield* pace.rest(look);
    let o = f.inside;
    while (o && gone.has(o)) o = o.inside;
    if (!o || gone.has(f) || o.holds !== 1) continue;
    if (look.style(f.el).pointerEvents === "none") { // the wrapper takes its presses
      if (o.kind === Kind.Behaviour && pressedFor(f.el) === o.el) drop(o); // and passes them to the only control in it
      continue;
    }
    // A wrapper around one control: the control is kept.
    if (o.kind === Kind.Behaviour && f.kind !== Kind.Behaviour && (same(f, o, look) || isFrame(o.el, f, look))) drop(o);
    else if (o.kind !== Kind.Behaviour && f.kind !== Kind.Behaviour && f.kind !== Kind.Frame && same(f, o, look)) drop(o);
  }
  return found.filter((f) => !gone.has(f));
}

const ticks = new Set(["checkbox", "radio", "switch"]);

/** The facts that decide whether a control only wraps another. */
interface Part { el: Element; kind: Kind; role: string }

/** Whether outer has the same kind of control as the field in it, and does not take the keyboard itself. */
export function isWrapperOf(outer: Part, f: Part): boolean {
  if (outer.kind !== Kind.Role || f.kind === Kind.Behaviour || ownAction(outer.el)) return false;
  return outer.role === f.role && f.role === "combobox" || ticks.has(outer.role) && ticks.has(f.role);
}

/** Whether the wrapper takes the press: its content ignores the mouse. */
export const letsThrough = (f: Part, look: LayoutCache): boolean => f.role === "combobox" && look.style(f.el).pointerEvents === "none";

const maxUp = 3;

/** The element close around each checkbox and slider that lies transparent over its drawing; null if there are several. */
export function drawings(controls: Iterable<Element>, look: LayoutCache): Map<Element, Element | null> {
  const out = new Map<Element, Element | null>();
  for (const el of controls) {
    if (!(el instanceof HTMLInputElement) || !/^(?:checkbox|radio|range)$/.test(el.type) || look.shown(el)) continue;
    for (let p = parentOf(el), up = 0; p && up < maxUp; p = parentOf(p), up++) out.set(p, out.has(p) ? null : el);
  }
  return out;
}

/** Whether el has no words and is the drawing of a transparent control over it. */
export function isDrawing(el: Element, known: Map<Element, Element | null>, look: LayoutCache): boolean {
  if (ownAction(el)) return false;
  for (let p = parentOf(el), up = 0; p && up < maxUp; p = parentOf(p), up++) {
    const over = known.get(p);
    if (over === null) return false;
    if (over) return textOf(el, 80) === "" && (!isEmpty(meet(look.box(el), look.box(over))) || standIn(over, look) === el);
  }
  return false;
}

function labelOfListed(el: Element, listed: Set<Element>): boolean {
  if (!(el instanceof HTMLLabelElement)) return false;
  return el.control !== null && listed.has(el.control);
}

/** Whether el is a switch drawn in the label of a listed control; a press on it reaches the control. */
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

const same = (a: Found, b: Found, look: LayoutCache): boolean =>
  fills(a.el, b.el, look) || (textOf(a.el, 80) !== "" || b.role === "gridcell") && textOf(a.el, 80) === textOf(b.el, 80);

/** Whether an element that only behaves like a control is drawn as the field of the combobox in it, with the words of the choice. */
function isFrame(outer: Element, f: Found, look: LayoutCache): boolean {
  const b = look.box(outer);
  return f.role === "combobox" && (!ownAction(outer) || attr(outer, "tabindex") === "-1" && !hasAttr(outer, "onclick")) && b.bottom - b.top <= 80;
}

/** Whether inner, or its visible stand-in, fills most of outer. */
export function fills(inner: Element, outer: Element, look: LayoutCache): boolean {
  const area = (el: Element): number => { const b = look.box(el); return (b.right - b.left) * (b.bottom - b.top); };
  const room = 0.7 * area(outer);
  return area(inner) > room || area(standIn(inner, look)) > room;
}
