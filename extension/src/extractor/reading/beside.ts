// The main part of a page, and parts beside it that belong to it: the summary of an
// order, which some pages put where others put advertisements.

import { roleOf } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { all, attr, closest, doc, holds, localName, parentOf } from "../dom/dom";
import { hasMoreText } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { totalLines } from "./amounts";
import { amountsIn } from "./money";

/** The main part of a page: its only main element, else its only long article, else its body. */
export function mainOf(look: LayoutCache): Element | null {
  const mains = [...all(document, "main,[role=main]")].filter((e) => look.shown(e) && textOf(e, 200).length > 50);
  if (mains.length === 1 && mains[0]) return mains[0];
  const articles = [...all(document, "article,[role=article]")].filter((e) => look.shown(e) && closest(e, (x) => x !== e && roleOf(x) === "article") === null);
  const long = articles.filter((e) => hasMoreText(e, 400));
  if (long.length === 1 && long[0]) return long[0];
  return doc.body ?? doc.root;
}

/** Roles of parts that aren't content: they lead around the page or stand beside its main part. */
export const furniture = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "toolbar", "menubar", "menu", "tablist"]);

/** The parts that say the sum to pay: parts outside main, and complementary parts inside it. */
export function sumsBeside(main: Element, look: LayoutCache): Element[] {
  const out: Element[] = [];
  const add = (el: Element | null): void => {
    if (!el || !look.shown(el) || out.some((o) => holds(o, el))) return;
    if (roleOf(el) !== "complementary" && furniture.has(roleOf(el))) return;
    if (closest(parentOf(el), (e) => furniture.has(roleOf(e))) === null) out.push(el);
  };
  for (const { row } of totalLines([document])) {
    add(closest(row, (e) => roleOf(e) === "complementary") ?? (holds(main, row) ? null : branchOf(row, main)));
  }
  // Without a word for a total, the sum is an amount that a button elsewhere on the page also says.
  let buttons: Pressed[] | null = null;
  for (const aside of all(document, "aside,[role=complementary]")) {
    const said = new Set(amountsIn(textOf(aside, 4000)));
    if (said.size > 0 && (buttons ??= pressed()).some((b) => b.amounts.some((a) => said.has(a)) && !holds(aside, b.el))) add(aside);
  }
  return out;
}

/** The largest part around el that does not contain main. */
function branchOf(el: Element, main: Element): Element {
  let top = el;
  for (let p = parentOf(el); p && p !== doc.body && !holds(p, main); p = parentOf(p)) top = p;
  return top;
}

interface Pressed { el: Element; amounts: string[] }

/** The buttons with an amount on them. */
function pressed(): Pressed[] {
  const out: Pressed[] = [];
  for (const el of all(document, "button,input[type=submit],[role=button]")) {
    const amounts = amountsIn(localName(el) === "input" ? attr(el, "value") ?? "" : textOf(el, 80));
    if (amounts.length > 0) out.push({ el, amounts });
  }
  return out;
}
