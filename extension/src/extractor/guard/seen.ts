// Reads a control as the eye does: its painted letters by their places,
// and the names of its pictures. Names and text follow the document;
// style sheets can put letters into another order, hide some of them, or add
// some, and a user presses what is visible.

import { hushed } from "../a11y/secrets";
import { all, attr, childrenOf, eachChild, hasBox, isElement, isText, localName, newRange, rectOf } from "../dom/dom";
import { cut, flat } from "../dom/strings";

interface Glyph { text: string; left: number; right: number; middle: number; height: number }

/** Longer texts are no labels, and each letter costs a measurement. */
const maxGlyphs = 120;

// Letters written from right to left are in their right order in the document.
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

/** The painted letters of el in reading order; of long or right-to-left text only those that style sheets add. */
export function seenText(el: Element): string {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement || hushed(el)) return "";
  const glyphs: Glyph[] = [];
  const added: string[] = [];
  const complete = collect(el, rectOf(el), glyphs, added, 0);
  if (!complete || glyphs.some((g) => rightToLeft.test(g.text))) return flat(added.join(" "));
  return cut(flat(`${added.join(" ")} ${lines(glyphs)}`), 300);
}

function collect(el: Element, within: DOMRect, out: Glyph[], added: string[], depth: number): boolean {
  if (depth > 12 || out.length > maxGlyphs) return false;
  for (const which of ["::before", "::after"]) {
    const { content, display, visibility, opacity } = getComputedStyle(el, which);
    if (!content || content === "none" || content === "normal" || content === '""' || display === "none" || visibility === "hidden" || opacity === "0") continue; // a tooltip
    const parts = [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((m) => (m[1] ?? "").replace(/\\(.)/g, "$1"));
    if (parts.length > 0) added.push(parts.join(""));
  }
  let complete = true;
  eachChild(el, (n) => {
    if (!complete) return;
    if (isText(n)) complete = measure(n, within, out);
    else if (isElement(n) && localName(n) !== "script" && localName(n) !== "style" && hasBox(n) && !hushed(n)) complete = collect(n, within, out, added, depth + 1);
  });
  return complete;
}

function measure(n: Text, within: DOMRect, out: Glyph[]): boolean {
  const range = newRange();
  let at = 0;
  for (const c of n.data) {
    const from = at;
    at += c.length;
    if (!c.trim()) continue;
    if (out.length >= maxGlyphs) return false;
    range.setStart(n, from);
    range.setEnd(n, at);
    const r = range.getBoundingClientRect();
    if (r.width < 0.5 || r.height < 2) continue; // nothing a user could read
    const x = (r.left + r.right) / 2;
    const y = (r.top + r.bottom) / 2;
    if (x < within.left - 2 || x > within.right + 2 || y < within.top - 2 || y > within.bottom + 2) continue;
    out.push({ text: c, left: r.left, right: r.right, middle: y, height: r.height });
  }
  return true;
}

function lines(glyphs: Glyph[]): string {
  const sorted = [...glyphs].sort((a, b) => a.middle - b.middle);
  const rows: Glyph[][] = [];
  for (const g of sorted) {
    const row = rows[rows.length - 1];
    const first = row?.[0];
    if (row && first && g.middle - first.middle < first.height * 0.5) row.push(g);
    else rows.push([g]);
  }
  return rows.map((row) => {
    row.sort((a, b) => a.left - b.left);
    let out = "";
    let end = Number.POSITIVE_INFINITY;
    for (const g of row) {
      if (g.left - end > g.height * 0.12) out += " ";
      out += g.text;
      end = g.right;
    }
    return out;
  }).join(" ");
}

/** The words of a control's icons in the page's code: classes, data-icon, the file, the sprite. */
export function iconWords(el: Element): string {
  const out = new Set<string>();
  const take = (s: string | null): void => {
    for (const w of (s ?? "").slice(0, 200).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/)) if (w.length > 2 && out.size < 40) out.add(w);
  };
  const look = (e: Element): void => {
    for (const a of ["class", "id", "data-icon", "data-lucide", "data-feather", "data-testid", "data-action", "icon", "name"]) take(attr(e, a));
    const tag = localName(e);
    if (tag === "use") take(attr(e, "href") ?? attr(e, "xlink:href"));
    if (tag === "img") take((attr(e, "src") ?? "").split(/[?#]/)[0]?.split("/").pop() ?? "");
  };
  look(el);
  let n = 0;
  for (const e of all(el, "*")) if (n++ < 20) look(e);
  for (const e of childrenOf(el).slice(0, 4)) {
    const m = /url\("?([^")]*)/.exec(getComputedStyle(e).backgroundImage);
    if (m && !(m[1] ?? "").startsWith("data:")) take((m[1] ?? "").split(/[?#]/)[0]?.split("/").pop() ?? "");
  }
  return [...out].join(" ");
}
