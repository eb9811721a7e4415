// Money on the page: near a target, in the line that says the total, and
// anywhere else, in that order.

import { textOf } from "../a11y/visibletext";
import { childrenOf, closest, doc, isConnected, localName, parentOf, type Scope, scopes, textContent, walker } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { amountsIn, currency, totalWords, totalWordsWithin } from "./money";
import { eachPiece } from "./text";

/** Amounts in the smallest group around el that shows some; none if that group is a whole list of offers. */
export function amountsNear(el: Element): string[] {
  for (let e: Element | null = el, up = 0; e && up < 8 && e !== doc.root; e = parentOf(e), up++) {
    const t = textOf(e, 2000);
    const found = amountsIn(t);
    if (found.length > 0) return found.length <= 8 ? found : [];
    if (t.length >= 1999) return [];
  }
  return [];
}

interface TotalLine { row: Element; text: string }

/** The text nodes of a tree that contain a word for a total; all and data tell whether they are up to date. */
interface Known { all: string; nodes: Text[]; data: string[] }
const known = new WeakMap<Scope, Known>();

// Cached while the text of the tree is the same: on a long page, reading each text
// node takes longer than the rest of a look, and the guard asks at every event.
// Visibility isn't cached.
function candidates(scope: Scope): Text[] {
  const root = scope instanceof Document ? doc.root : scope;
  const all = root ? textContent(root) ?? "" : "";
  const k = known.get(scope);
  if (k && k.all === all && k.nodes.every((n, i) => isConnected(n) && n.data === k.data[i])) return k.nodes;
  const nodes: Text[] = [];
  if (totalWordsWithin.test(all)) {
    const w = walker(scope, NodeFilter.SHOW_TEXT);
    for (let n = w.nextNode(); n; n = w.nextNode()) {
      const t = (n as Text).data;
      if (t.length <= 200 && totalWords.test(t)) nodes.push(n as Text);
    }
  }
  known.set(scope, { all, nodes, data: nodes.map((n) => n.data) });
  return nodes;
}

/** Lines such as "Total: $12.50", as read. */
export function totalLines(parts: readonly Scope[] = scopes()): TotalLine[] {
  const out: TotalLine[] = [];
  for (const scope of parts) {
    for (const n of candidates(scope)) {
      if (out.length >= 12) return out;
      const row = rowOf(n);
      if (row && !out.some((o) => o.row === row.row)) out.push(row);
    }
  }
  return out;
}

function rowOf(n: Node): TotalLine | null {
  let e = parentOf(n);
  for (let up = 0; e && up < 4; up++, e = parentOf(e)) {
    const text = textOf(e, 161);
    if (text === "" || text.length > 160) return null;
    const n = amountsIn(text).length;
    // A row with more amounts isn't the total's own.
    if (n > 0) return n <= 2 ? { row: e, text } : null;
  }
  return null;
}

export const totals = (): string[] => totalLines().map((l) => l.text);

/**
 * The readable text, at most max characters, and every amount a user can
 * read, nearest to el first, at most 40. One walk finds both; after the first max
 * characters it skips elements without a currency.
 */
export function textAndAmounts(look: LayoutCache, el: Element | null, max: number): { text: string; amounts: string[] } {
  const near = el ? amountsNear(el) : [];
  const out = new Set<string>(near.length === 1 ? near : []);
  for (const t of totals()) for (const a of amountsIn(t)) out.add(a);
  for (const a of near) out.add(a);
  const lines: string[] = [];
  let n = 0;
  eachPiece(look, null, (p) => {
    if (n < max) lines.push(p.text);
    n += p.text.length + 1;
    if (out.size < 40) for (const a of amountsIn(p.text)) out.add(a);
    return n < max || out.size < 40;
  }, (e) => n >= max && !currency.test(textContent(e) ?? ""));
  return { text: lines.join("\n").slice(0, max), amounts: [...out].slice(0, 40) };
}

/** The lines of an order summary: rows with an amount around the total. */
export function orderItems(): string[] {
  for (const total of totalLines()) {
    let box: Element | null = parentOf(total.row);
    for (let up = 0; box && up < 5 && box !== doc.root; up++, box = parentOf(box)) {
      const rows = rowsIn(box, total.row);
      if (rows.length > 0) return rows.slice(0, 20);
      if (box === doc.body) break;
    }
  }
  return [];
}

function rowsIn(box: Element, total: Element): string[] {
  const out: string[] = [];
  const visit = (el: Element): void => {
    if (out.length >= 20 || el === total) return;
    const t = textOf(el, 200);
    const n = amountsIn(t).length;
    if (n === 0) return;
    const kids = childrenOf(el);
    const holdsTotal = closest(total, (e) => e === el) !== null;
    const withAmounts = kids.filter((k) => amountsIn(textOf(k, 200)).length > 0);
    // A row is the widest box with one item: at most one child has an amount, with words beside it.
    const row = !holdsTotal && t.length <= 160 && (withAmounts.length <= 1 || /^(?:tr|li)$/.test(localName(el)));
    if (row) {
      const words = t.replace(/[\d\s.,$€£¥]/g, "");
      if (words.length >= 2 && !totalWords.test(t)) out.push(t);
      return;
    }
    for (const k of kids) visit(k);
  };
  for (const k of childrenOf(box)) visit(k);
  return out;
}
