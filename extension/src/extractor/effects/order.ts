// What pages show and say by no state of a control: rows in another order, and the
// column that they are sorted by.

import { attr, childrenOf, doc, firstIn, isElement, parentOf, textContent } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import type { Sketch } from "./pagesnapshot";

/** Of how many elements it is told that what stands in them was sorted. */
const maxLists = 20;

export interface Moved { was: Element[]; now: Element[] }

/**
 * The elements within one that stayed there and are seen in another order, or that others came to from elsewhere in the page,
 * and how many such lists more there are. from: where nodes were taken out.
 */
export function moved(from: Map<Node, Element>, before: Sketch, after: Sketch, look: LayoutCache): { lists: Moved[]; more: number } {
  const lists: Moved[] = [];
  let more = 0;
  if (before.seen === after.seen) return { lists, more };
  const parents = new Set<Element>();
  for (const [n, p] of from) if (before.seen.has(n as Element) && after.seen.has(n as Element) && after.seen.has(p)) parents.add(p);
  const places = new Map<Element, number>(); // of all that was seen, in the order of the page then
  if (parents.size > 0) for (const e of before.seen) places.set(e, places.size);
  for (const p of parents) {
    const stayed = childrenOf(p).filter((e) => places.has(e) && after.seen.has(e) && (from.get(e) ?? p) === p);
    const then = (list: Element[]): Element[] => [...list].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    if (same(then(stayed), stayed)) continue;
    const now = stayed.filter((e) => look.flows(e) && (textContent(e) ?? "").trim() !== ""); // a tip or a menu is hung in anywhere
    const was = then(now);
    if (same(was, now)) continue;
    if (lists.length < maxLists) lists.push({ was, now });
    else more++;
  }
  const told = new Set(lists.map((l) => l.now[0] ? parentOf(l.now[0]) : null)); // as sorted, without what came
  for (const l of joined(from, before, after, look)) {
    if (l.now[0] && told.has(parentOf(l.now[0]))) continue;
    if (lists.length < maxLists) lists.push(l);
    else more++;
  }
  return { lists, more };
}

/** A card that was put from one list into another: text that only moved is told nowhere else. */
function joined(from: Map<Node, Element>, before: Sketch, after: Sketch, look: LayoutCache): Moved[] {
  const lists = new Map<Element, Moved>();
  for (const [n, p] of from) {
    const to = isElement(n) && before.seen.has(n) && after.seen.has(n) ? parentOf(n) : null;
    if (!to || to === p || to === doc.body || lists.has(to) || !before.seen.has(to) || !after.seen.has(to)) continue;
    const now = childrenOf(to).filter((e) => before.seen.has(e) && after.seen.has(e) && look.flows(e) && (textContent(e) ?? "").trim() !== "");
    const was = now.filter((e) => (from.get(e) ?? to) === to);
    if (was.length < now.length) lists.set(to, { was, now });
  }
  return [...lists.values()];
}

const same = (a: Element[], b: Element[]): boolean => a.every((e, i) => e === b[i]);

const said = (v: string | null): string => v === "ascending" || v === "descending" ? `sorted ${v}` : "";

/** A column that is sorted says so in its head; pressed is that, or the button in it. */
export function sortOf(head: Element, was: string | null): { pressed: Element; from: string; to: string } | null {
  const from = said(was);
  const to = said(attr(head, "aria-sort"));
  return from === to ? null : { pressed: firstIn(head, "button,a[href],[role=button],[tabindex]") ?? head, from, to };
}
