// Numbers for DOM nodes, given once for the life of the document and kept
// outside the page: a WeakMap one way, weak references the other.

import { isConnected } from "./dom";

const byNode = new WeakMap<Node, number>();
const byId = new Map<number, WeakRef<Element>>();
let last = 0;
// A page that draws itself anew for days must leave nothing behind here. To look
// through all now and then costs less than to be told of each that is gone.
const sweepFrom = 10000;
let sweepAt = sweepFrom;

export function idOf(el: Element): number {
  let id = byNode.get(el);
  if (id === undefined) {
    id = ++last;
    byId.set(id, new WeakRef(el));
    byNode.set(el, id);
    if (byId.size >= sweepAt) sweep();
  }
  return id;
}

const serials = new WeakMap<Element, number>();
let lastSerial = 0;

/** What tells one node from all others, whatever number it takes over. */
export function serialOf(el: Element): number {
  let n = serials.get(el);
  if (n === undefined) serials.set(el, n = ++lastSerial);
  return n;
}

/** The number of an element that has one, else 0. */
export const idIfAny = (el: Element): number => byNode.get(el) ?? 0;

/** el takes over a number, and answers to its own still; as: it is called by it from now on. */
export function giveId(el: Element, id: number, as = true): void {
  byId.set(id, new WeakRef(el));
  if (as) byNode.set(el, id);
}

function sweep(): void {
  for (const [id, node] of byId) if (!node.deref()) byId.delete(id);
  sweepAt = Math.max(sweepFrom, 2 * byId.size);
}

/** The node of a number that was taken out of the document, while anything keeps it. */
export function goneNode(id: number): Element | null {
  const el = byId.get(id)?.deref();
  return el && !isConnected(el) ? el : null;
}

/** The node of a number while it stands in the document. */
export function nodeOf(id: number): Element | null {
  const el = byId.get(id)?.deref();
  return el && isConnected(el) ? el : null;
}
