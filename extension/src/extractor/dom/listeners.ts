// The events that elements of the page listen to: an isolated world sees only its own
// listeners, so the host asks in the page's world (host/browser/listeners.js) and passes
// the report to hear. Both visit elements in the same order.

import { all, isElement, localName, openShadow, type Scope } from "./dom";

/** Kinds of events that an element may listen to, as in listeners.js. */
export const enum Hears { Press = 1, Menu = 2, Drag = 4, Hover = 8, Change = 16 }

let known = new WeakMap<Element, number>();
let last = "";
let isStale = true;
const observer = new MutationObserver(note);

function note(records: MutationRecord[]): void {
  if (!records.some((r) => [...r.addedNodes].some(isElement))) return;
  isStale = true;
  observer.disconnect(); // one is enough
}

/** Whether elements were added since the last report, or it didn't fit the page. */
export function unheard(): boolean {
  if (!isStale) note(observer.takeRecords());
  return isStale;
}

/**
 * Takes the report of listeners.js. If a tree has changed since, its part is ignored,
 * its elements keep what is known of them, and whole is false. isNews: the report
 * says something new of an element.
 */
export function hear(told: string): { whole: boolean; isNews: boolean } {
  if (told === last && !unheard()) return { whole: true, isNews: false };
  const next = new WeakMap<Element, number>();
  const trees: (NodeListOf<Element> | null)[] = [];
  const out = { whole: true, isNews: false };
  observer.disconnect();
  for (const line of told.split("\n")) {
    const w = line.split(" ");
    const host = trees[Number(w[0])]?.[Number(w[1])];
    const scope: Scope | null = trees.length === 0 ? document : host ? openShadow(host) : null;
    const tree = scope && all(scope, "*");
    const isSame = tree !== null && tree.length === Number(w[2]) && agrees(tree, w);
    trees.push(isSame ? tree : null);
    if (!isSame) out.whole = false;
    else {
      for (let i = 3; i + 2 < w.length; i += 3) {
        const el = tree[Number(w[i])] as Element;
        const hears = Number(w[i + 1]);
        out.isNews ||= known.get(el) !== hears;
        next.set(el, hears);
      }
      observer.observe(scope as Scope, { childList: true, subtree: true });
    }
  }
  if (out.whole) known = next;
  else for (const tree of trees) for (const el of tree ?? []) copy(el, next);
  isStale = !out.whole;
  last = told;
  return out;
}

/** Whether the listening elements have the tag names of the report. */
function agrees(tree: NodeListOf<Element>, w: readonly string[]): boolean {
  for (let i = 3; i + 2 < w.length; i += 3) {
    const el = tree[Number(w[i])];
    if (!el || localName(el) !== w[i + 2]) return false;
  }
  return true;
}

function copy(el: Element, from: WeakMap<Element, number>): void {
  const hears = from.get(el);
  if (hears === undefined) known.delete(el);
  else known.set(el, hears);
}

/** The kinds of events that an element listens to, as bits of Hears; 0 if nothing is known. */
export const hears = (el: Element): number => known.get(el) ?? 0;
