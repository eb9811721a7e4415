// Money on the page: near a target, in the line that says the total, and
// anywhere else, in that order.

import { childrenOf, closest, doc, localName, parentOf, scopes, walker } from "./dom";
import { amountsIn, totalWords } from "./money";
import { textOf } from "./name";
import { eachPiece } from "./text";
import type { Look } from "./visibility";

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

/** Lines such as "Total: $12.50", as read. */
export function totalLines(): TotalLine[] {
  const out: TotalLine[] = [];
  for (const scope of scopes()) {
    const w = walker(scope, NodeFilter.SHOW_TEXT);
    for (let n = w.nextNode(); n && out.length < 12; n = w.nextNode()) {
      const t = (n as Text).data;
      if (t.length > 200 || !totalWords.test(t)) continue;
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

/** Every amount a person can read, nearest to el first, at most 40. */
export function allAmounts(look: Look, el: Element | null): string[] {
  const near = el ? amountsNear(el) : [];
  const out = new Set<string>(near.length === 1 ? near : []);
  for (const t of totals()) for (const a of amountsIn(t)) out.add(a);
  for (const a of near) out.add(a);
  eachPiece(look, null, (p) => {
    for (const a of amountsIn(p.text)) out.add(a);
    return out.size < 40;
  });
  return [...out].slice(0, 40);
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
    // A row is the widest box that still tells of one thing: one child with an amount, words beside it.
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
