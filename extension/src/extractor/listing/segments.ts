// Rows without a box of their own: the names and values of a list, the cells of a
// grid, headings with what follows them. Their parts stand side by side in one box,
// and come again in the same order.

import { attr, childrenOf, localName } from "../dom/dom";

const mostKids = 200;
const passed = new Set(["br", "hr", "script", "style", "template", "wbr"]);

/** The parts of what stands in el, if they come again and again: each as long as the first of its kind begins another; null of all else. */
export function segmentsOf(el: Element, hasControl: (e: Element) => boolean, textOf: (e: Element) => string): Element[][] | null {
  const kids = childrenOf(el).filter((c) => !passed.has(localName(c)));
  if (kids.length < 4 || kids.length > mostKids) return null;
  // Most boxes hold things of one kind, or what is there once.
  const makes = kids.map((k) => `${localName(k)} ${attr(k, "class") ?? ""}`);
  if (makes.lastIndexOf(makes[0] ?? "") === 0 || makes.every((m) => m === makes[0]) && !hasControl(kids[0] as Element) === !hasControl(kids[1] as Element)) return null;
  const kinds = kids.map((k, i) => `${makes[i] ?? ""} ${hasControl(k)}`);
  const first = kinds[0];
  const period = periodOf(kinds);
  if (period > 1) return chunked(kids, (i) => i % period === 0);
  // Headings and names begin a part of any length.
  if (hasControl(kids[0] as Element) || kinds.every((k) => k === first)) return null;
  const parts = chunked(kids, (i) => kinds[i] === first);
  return parts.length > 1 && parts.every((p) => p.length > 1 && textOf(p[0] as Element) !== "" && p.some(hasControl)) ? parts : null;
}

/** After how many the same kinds come again, to the end; 0 where they don't. */
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
