// Numbers for DOM nodes, given once for the life of the document and kept
// outside the page: a WeakMap one way, weak references the other.

import { isConnected } from "./dom";

const byNode = new WeakMap<Node, number>();
const byId = new Map<number, WeakRef<Element>>();
let last = 0;
// A page that redraws itself for days must not fill this map. A sweep now and then
// costs less than a finalizer for each element.
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

/** A serial number that stays with the node, whatever id it takes over. */
export function serialOf(el: Element): number {
  let n = serials.get(el);
  if (n === undefined) serials.set(el, n = ++lastSerial);
  return n;
}

/** The number of an element that has one, else 0. */
export const idIfAny = (el: Element): number => byNode.get(el) ?? 0;

/** Makes id lead to el, whose own id still works; as: id also becomes the id of el. */
export function giveId(el: Element, id: number, as = true): void {
  byId.set(id, new WeakRef(el));
  if (as) byNode.set(el, id);
}

function sweep(): void {
  for (const [id, node] of byId) if (!node.deref()) byId.delete(id);
  sweepAt = Math.max(sweepFrom, 2 * byId.size);
}

/** The node of a number if it was removed from the document and still exists; else null. */
export function goneNode(id: number): Element | null {
  const el = byId.get(id)?.deref();
  return el && !isConnected(el) ? el : null;
}

/** The node of a number if it is in the document; else null. */
export function nodeOf(id: number): Element | null {
  const el = byId.get(id)?.deref();
  return el && isConnected(el) ? el : null;
}
