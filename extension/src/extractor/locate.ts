// Finding nodes by selector: CSS or xpath=…, in the document and in every
// shadow root we may see; the first visible match is preferred.

import { all, isElement, scopes } from "./dom";
import { standIn } from "./describe";
import type { Look } from "./visibility";

export class BadSelector extends Error {}

/** The match meant by a selector, or null. Throws BadSelector when it can't be read. */
export function find(selector: string, look: Look): Element | null {
  const found = matchesOf(selector);
  return found.find((el) => look.shown(standIn(el, look))) ?? found[0] ?? null;
}

export function matchesOf(selector: string): Element[] {
  const s = selector.trim();
  if (s === "") throw new BadSelector("an empty selector");
  const xpath = /^xpath=(.*)$/s.exec(s)?.[1] ?? (/^\(*\/\//.test(s) ? s : null);
  return xpath !== null ? byXPath(xpath) : byCSS(s.replace(/^css=/, ""));
}

function byCSS(selector: string): Element[] {
  const out: Element[] = [];
  try {
    for (const scope of scopes()) out.push(...all(scope, selector));
  } catch {
    throw new BadSelector(`not a CSS selector: ${selector}`);
  }
  return out;
}

function byXPath(path: string): Element[] {
  const out: Element[] = [];
  try {
    const r = document.evaluate(path, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    for (let i = 0; i < r.snapshotLength && out.length < 200; i++) {
      const n = r.snapshotItem(i);
      if (isElement(n)) out.push(n);
    }
  } catch {
    throw new BadSelector(`not an XPath: ${path}`);
  }
  return out;
}
