// Numbers for DOM nodes, given once for the life of the document and kept
// outside the page: a WeakMap one way, weak references the other.

import { isConnected } from "./dom";

const byNode = new WeakMap<Node, number>();
const byId: (WeakRef<Element> | undefined)[] = [undefined];

export function idOf(el: Element): number {
  let id = byNode.get(el);
  if (id === undefined) {
    id = byId.push(new WeakRef(el)) - 1;
    byNode.set(el, id);
  }
  return id;
}

/** The number a node already has. */
export const knownId = (el: Element): number | undefined => byNode.get(el);

/** The node of a number while it stands in the document. */
export function nodeOf(id: number): Element | null {
  const el = byId[id]?.deref();
  return el && isConnected(el) ? el : null;
}
