// Finding nodes by selector: CSS, xpath=… or text=…, in the document and in every
// shadow root we may see. Visible matches come before invisible ones.

import { standIn } from "../listing/describe";
import { all, isElement, parentOf, scopes, textContent, xpath } from "./dom";
import { flat } from "./strings";
import type { LayoutCache } from "./visibility";

export class BadSelector extends Error {}

/** The visible matches of a selector, or all if none is visible. Throws BadSelector for an invalid selector. */
export function findAll(selector: string, look: LayoutCache): Element[] {
  const found = matchesOf(selector);
  if (found.length < 2) return found;
  const shown = found.filter((el) => look.shown(standIn(el, look)));
  return shown.length > 0 ? shown : found;
}

/** The first match of findAll, or null. */
export const find = (selector: string, look: LayoutCache): Element | null => findAll(selector, look)[0] ?? null;

export function matchesOf(selector: string): Element[] {
  const s = selector.trim();
  if (s === "") throw new BadSelector("an empty selector");
  const path = /^xpath=(.*)$/s.exec(s)?.[1] ?? (/^\(*\/\//.test(s) ? s : null);
  if (path !== null) return byXPath(path);
  const text = /^text=(.*)$/s.exec(s)?.[1];
  if (text !== undefined) return smallest(byCSS("body *"), text.replace(/^(["'])(.*)\1$/s, "$2"));
  // The notations of jQuery and Playwright, which models often write.
  const m = /^(.*):(?:contains|has-text)\(\s*(["']?)(.*?)\2\s*\)$/s.exec(s);
  if (m) return smallest(byCSS(m[1] || "body *", s), m[3] ?? "");
  return byCSS(s.replace(/^css=/, ""));
}

/** The innermost of els whose text contains words. */
function smallest(els: Element[], words: string): Element[] {
  const w = flat(words).toLowerCase();
  const held = els.filter((el) => flat(textContent(el)).toLowerCase().includes(w));
  const outer = new Set<Element>();
  for (const el of held) for (let p = parentOf(el); p && !outer.has(p); p = parentOf(p)) outer.add(p);
  return held.filter((el) => !outer.has(el));
}

function byCSS(selector: string, whole = selector): Element[] {
  const out: Element[] = [];
  try {
    for (const scope of scopes()) out.push(...all(scope, selector));
  } catch {
    throw new BadSelector(`not a CSS selector: ${whole}${/:(?:contains|has-text)\(/.test(selector) ? " (:has-text may only stand at its end)" : ""}`);
  }
  return out;
}

function byXPath(path: string): Element[] {
  const out: Element[] = [];
  try {
    const r = xpath(path);
    for (let i = 0; i < r.snapshotLength && out.length < 200; i++) {
      const n = r.snapshotItem(i);
      if (isElement(n)) out.push(n);
    }
  } catch {
    throw new BadSelector(`not an XPath: ${path}`);
  }
  return out;
}
