// Numbers for DOM nodes, given once for the life of the document and kept
// outside the page: a WeakMap one way, weak references the other.

import { isConnected } from "./dom";

const byNode = new WeakMap<Node, number>();
const byId = new Map<number, WeakRef<Element>>();
// A page that draws itself anew for days must leave nothing behind here.
const gone = new FinalizationRegistry<number>((id) => { byId.delete(id); });
let last = 0;

export function idOf(el: Element): number {
  let id = byNode.get(el);
  if (id === undefined) {
    id = ++last;
    byId.set(id, new WeakRef(el));
    byNode.set(el, id);
    gone.register(el, id);
  }
  return id;
}

/** The node of a number while it stands in the document. */
export function nodeOf(id: number): Element | null {
  const el = byId.get(id)?.deref();
  return el && isConnected(el) ? el : null;
}
