// Changes that are no state of a control: rows in another order, and the
// column that sorts them.

import { attr, childrenOf, doc, firstIn, isElement, parentOf, textContent } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import type { Sketch } from "./pagesnapshot";

/** How many sorted lists are told. */
const maxLists = 20;

export interface Moved { was: Element[]; now: Element[] }

/**
 * The lists whose elements stayed but are in another order, or that got elements from elsewhere in the page,
 * and how many more such lists there are. from: the former parents of removed nodes.
 */
export function moved(from: Map<Node, Element>, before: Sketch, after: Sketch, look: LayoutCache): { lists: Moved[]; more: number } {
  const lists: Moved[] = [];
  let more = 0;
  if (before.seen === after.seen) return { lists, more };
  const parents = new Set<Element>();
  for (const [n, p] of from) if (before.seen.has(n as Element) && after.seen.has(n as Element) && after.seen.has(p)) parents.add(p);
  const places = new Map<Element, number>(); // places in the page before
  if (parents.size > 0) for (const e of before.seen) places.set(e, places.size);
  for (const p of parents) {
    const stayed = childrenOf(p).filter((e) => places.has(e) && after.seen.has(e) && (from.get(e) ?? p) === p);
    const then = (list: Element[]): Element[] => [...list].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    if (same(then(stayed), stayed)) continue;
    const now = stayed.filter((e) => look.flows(e) && (textContent(e) ?? "").trim() !== ""); // a tip or a menu may be inserted anywhere
    const was = then(now);
    if (same(was, now)) continue;
    if (lists.length < maxLists) lists.push({ was, now });
    else more++;
  }
  const told = new Set(lists.map((l) => l.now[0] ? parentOf(l.now[0]) : null)); // lists already told as sorted
  for (const l of joined(from, before, after, look)) {
    if (l.now[0] && told.has(parentOf(l.now[0]))) continue;
    if (lists.length < maxLists) lists.push(l);
    else more++;
  }
  return { lists, more };
}

/** Lists that got elements from another list: moved text is not told elsewhere. */
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

/** The change of aria-sort in a column head, or null; pressed: the button in it, or the head. */
export function sortOf(head: Element, was: string | null): { pressed: Element; from: string; to: string } | null {
  const from = said(was);
  const to = said(attr(head, "aria-sort"));
  return from === to ? null : { pressed: firstIn(head, "button,a[href],[role=button],[tabindex]") ?? head, from, to };
}
