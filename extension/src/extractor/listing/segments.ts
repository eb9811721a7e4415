// Rows without a box of their own: the names and values of a description list, the cells
// of a grid, headings with the content after them. Their parts are siblings in one box
// and recur in the same order.

import { attr, childrenOf, localName } from "../dom/dom";

const mostKids = 200;
const passed = new Set(["br", "hr", "script", "style", "template", "wbr"]);

/** The repeating groups of el's children, each begun by a part like the first; null if they don't repeat. */
export function segmentsOf(el: Element, hasControl: (e: Element) => boolean, textOf: (e: Element) => string): Element[][] | null {
  const kids = childrenOf(el).filter((c) => !passed.has(localName(c)));
  if (kids.length < 4 || kids.length > mostKids) return null;
  // Most boxes hold parts of one kind, or parts that occur once.
  const makes = kids.map((k) => `${localName(k)} ${attr(k, "class") ?? ""}`);
  if (makes.lastIndexOf(makes[0] ?? "") === 0 || makes.every((m) => m === makes[0]) && !hasControl(kids[0] as Element) === !hasControl(kids[1] as Element)) return null;
  const kinds = kids.map((k, i) => `${makes[i] ?? ""} ${hasControl(k)}`);
  const first = kinds[0];
  const period = periodOf(kinds);
  if (period > 1) return chunked(kids, (i) => i % period === 0);
  // Headings and names begin a group of any length.
  if (hasControl(kids[0] as Element) || kinds.every((k) => k === first)) return null;
  const parts = chunked(kids, (i) => kinds[i] === first);
  return parts.length > 1 && parts.every((p) => p.length > 1 && textOf(p[0] as Element) !== "" && p.some(hasControl)) ? parts : null;
}

/** The length after which the kinds repeat, to the end; 0 if they don't. */
function periodOf(kinds: readonly string[]): number {
  for (let n = 2; n * 2 <= kinds.length; n++) {
    if (kinds.length % n === 0 && kinds.every((k, i) => k === kinds[i % n]) && new Set(kinds.slice(0, n)).size > 1) return n;
  }
  return 0;
}

function chunked(kids: readonly Element[], begins: (i: number) => boolean): Element[][] {
  const out: Element[][] = [];
  for (const [i, k] of kids.entries()) {
    const last = out.at(-1);
    if (last && !begins(i)) last.push(k);
    else out.push([k]);
  }
  return out;
}
