// From a locator to the element an action will really reach, with its facts.

import { activates, actorOf, isEditable } from "../a11y/interactive";
import { namedByValue, nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import type { ExtractorError, Locator, RawElement, Resolved } from "../api";
import { isEmpty, meet } from "../dom/box";
import {
  all, attr, closest, deepActive, deepAt, doc, holds, isElement, localName, matches, parentOf, rootOf, type Scope, shadowOf,
} from "../dom/dom";
import { idOf, nodeOf, serialOf } from "../dom/ids";
import { BadSelector, findAll } from "../dom/locate";
import { LayoutCache } from "../dom/visibility";
import { subjectOf, targetOf } from "../guard/facts";
import { describe, standIn } from "../listing/describe";
import { type Listed, tellApart } from "../listing/disambiguate";
import { identityChange, currentLook, toldBy } from "../listing/identity";
import { headedBy, partsOf } from "../listing/part";
import { lastingRole, liveNode, show } from "../listing/redraw";
import { sameName } from "../listing/samename";
import { drain } from "../schedule/slices";
import { isDrawnByHover } from "./hovered";

type Outcome = Resolved | { error: ExtractorError };

export const failure = (code: string, message: string, more: { candidates?: RawElement[]; cover?: RawElement; over?: number } = {}): { error: ExtractorError } =>
  ({ error: { code, message, ...more } });

export function resolve(l: Locator): Outcome {
  const look = new LayoutCache();
  if (l.id !== undefined) {
    const el = liveNode(l.id);
    return el ? resolved(el, look) : failure("stale_ref", "The element is no longer in the page.");
  }
  if (l.selector !== undefined) {
    let found: Element[];
    try {
      found = l.part && partsOf(l.selector, look) || findAll(l.selector, look);
      if (l.part && found.length === 0) found = headedBy(l.selector, look);
    } catch (e) {
      if (!(e instanceof BadSelector)) throw e;
      found = l.part ? headedBy(l.selector, look) : [];
      if (found.length === 0) return failure("invalid_params", e.message);
    }
    const el = found[0];
    if (!el) return failure("not_found", `Nothing on the page matches ${l.selector}.`);
    // Several matches with the same control, as a label and its box, count as one.
    const works = (m: Element): Element => l.exact ? m : (l.ready === "type" ? fieldOf(m, look) : null) ?? acting(m, look);
    const it = works(el);
    const same = subjectOf(it);
    if (found.slice(1).some((m) => l.exact || subjectOf(works(m)) !== same)) return severalOf(found, l.selector, look);
    const out = named(it, look);
    return it !== el && holds(it, el) ? { ...out, part: idOf(el) } : out;
  }
  if (l.focused) {
    const el = deepActive() ?? doc.body ?? doc.root;
    return el ? resolved(el, look) : failure("not_found", "The page has no element that could take keys.");
  }
  if (l.x !== undefined && l.y !== undefined) {
    const el = deepAt(l.x, l.y);
    return el ? named(isFrame(el) ? el : actorOf(el), look) : failure("not_found", `There is nothing at ${l.x}, ${l.y}: the point is outside of the viewport.`);
  }
  return failure("invalid_params", "A target needs an id, a selector, a point or focused.");
}

const maxTold = 10;

/** The failure for a selector with several matches. */
function severalOf(found: Element[], selector: string, look: LayoutCache): { error: ExtractorError } {
  const told = found.slice(0, maxTold).map((el) => ({ el, raw: describe(el, look) }));
  showAll(told, look);
  const error: ExtractorError = { code: "ambiguous", message: `${selector} matches ${found.length} elements`, candidates: told.map((t) => t.raw), matches: found.length, seen: currentLook() };
  return { error };
}

/** Marks elements as shown, with words that distinguish them from each other. */
export function showAll(told: Listed[], look: LayoutCache): void {
  drain((pace) => tellApart(told, look, pace));
  for (const t of told) {
    show(t.el, t.raw.name, look, undefined, t.raw.role);
    if (t.raw.near) toldBy(t.el, t.raw.near);
  }
}

const isFrame = (el: Element): boolean => localName(el) === "iframe" || localName(el) === "frame";

/** The only visible field in the shadow tree of a component, or null. */
export function fieldOf(el: Element, look: LayoutCache): Element | null {
  const root = isEditable(el) ? null : shadowOf(el);
  const fields = root ? [...all(root, "*")].filter((e) => isEditable(e) && look.shown(e)) : [];
  return fields.length === 1 ? fields[0] ?? null : null;
}

/** The control that a click on a match operates: el itself, one around it, or the only one that fills it. */
function acting(el: Element, look: LayoutCache): Element {
  if (isFrame(el) || activates(el) && !labelsNothing(el)) return el;
  const up = actorOf(el);
  if (up !== el && activates(up) && !labelsNothing(up)) return up;
  const over = controlOver(el, look);
  if (over) return over;
  const b = look.box(el);
  const inner = [...all(shadowOf(el) ?? el, "*")].filter((e) => activates(e) && look.shown(standIn(e, look)));
  const only = inner.length === 1 ? inner[0] : undefined;
  if (!only) return up;
  const c = look.box(only);
  return (c.right - c.left) * (c.bottom - c.top) > 0.7 * (b.right - b.left) * (b.bottom - b.top) ? only : up;
}

const labelsNothing = (el: Element): boolean => el instanceof HTMLLabelElement && el.control === null;

/** The transparent box that takes the presses of what is drawn under it: the menus that work without a script have one over their words. */
function controlOver(el: Element, look: LayoutCache): Element | null {
  for (let p = parentOf(el), up = 0; p && up < 3; p = parentOf(p), up++) {
    const boxes = all(p, "input[type=checkbox],input[type=radio]");
    if (boxes.length > 1) return null;
    const box = boxes[0];
    if (box) return !look.shown(box) && holds(standIn(box, look), el) && !isEmpty(meet(look.box(box), look.box(el))) ? box : null;
  }
  return null;
}

/** Resolves an element found by selector or point and records it as shown in its present state. */
function named(el: Element, look: LayoutCache): Resolved {
  const out = resolved(el, look);
  show(el, out.element.name, look, undefined, out.element.role);
  out.seen = currentLook();
  return out;
}

export function resolved(el: Element, look: LayoutCache): Resolved {
  const out: Resolved = { id: idOf(el), node: serialOf(el), element: describe(el, look), target: targetOf(el), page: { url: location.href, title: doc.title } };
  if (isFrame(el)) out.iframe = true;
  return out;
}

/** Resolves an element by id; fails unless its role, name and row are as shown, except for digits and the like. */
export function check(o: { id: number; role: string; name: string; seen?: number }): Outcome {
  const el = liveNode(o.id);
  if (!el || !isElement(el)) return failure("stale_ref", "The element is no longer in the page.");
  const look = new LayoutCache();
  // An element known only as the focused one was never shown with a role.
  if (o.role !== "" && o.role !== "iframe") {
    const role = roleOf(el);
    const name = nameOf(el);
    // What is chosen in it changes; the words of its row tell it from its like.
    // A tooltip takes the title away that it was named by.
    const isSame = lastingRole(el, role) === lastingRole(el, o.role);
    const unnamed = isSame && name === "" && identityChange(el, name, look, o.seen, o.name) === null;
    if (unnamed) return { ...resolved(el, look), hovered: true };
    const hovered = isSame && !sameName(o.name, name) && isDrawnByHover(el, o.name, name, () => identityChange(el, name, look, o.seen, o.name) === null);
    if (hovered) return { ...resolved(el, look), hovered };
    if (!isSame || !sameName(o.name, name) && !namedByValue(el, role, name)) {
      return failure("stale_ref", `It is now ${name === "" ? "another element" : `${role === "generic" ? "clickable" : role} "${name}"`}.`, { candidates: [describe(el, look)] });
    }
    const other = identityChange(el, name, look, o.seen, o.name);
    if (other !== null) return failure("stale_ref", other, { candidates: [describe(el, look)] });
  }
  return resolved(el, look);
}

/** The radio buttons of the group that el is in: of a form by their name, of a page's own by what they stand in. */
function radiosBeside(el: Element): Element[] {
  if (el instanceof HTMLInputElement) {
    if (el.name === "") return [];
    return [...all(rootOf(el) as Scope, "input")].filter((x) => x instanceof HTMLInputElement && x.type === "radio" && x.name === el.name && x.form === el.form);
  }
  const role = roleOf(el);
  const group = closest(el, (e) => /^(?:radiogroup|menu|menubar|group)$/.test(attr(e, "role") ?? ""));
  return group ? [...all(group, `[role="${role}"]`)] : [];
}

/** The radio button that an arrow key on one presses, as browsers choose it. */
export function nextRadio(o: { id: number; key: string }): Outcome | { id: 0 } {
  const node = nodeOf(o.id);
  const el = node ? subjectOf(node) : null;
  if (el === null) return { id: 0 };
  const look = new LayoutCache();
  const isOpen = (x: Element): boolean => x === el || !matches(x, ":disabled,[aria-disabled=true]") && look.style(x).display !== "none" && look.style(x).visibility === "visible";
  const group = radiosBeside(el).filter(isOpen);
  const rtl = look.style(el).direction === "rtl";
  const forward = o.key === "ArrowDown" || o.key === (rtl ? "ArrowLeft" : "ArrowRight");
  const next = group[(group.indexOf(el) + (forward ? 1 : group.length - 1)) % group.length];
  return next && next !== el ? resolved(next, look) : { id: 0 };
}
