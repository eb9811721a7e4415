// Which elements are one of several (rows, items, options, cards), and what of a list is another than it was.

import { attr, childrenOf, eachChild, hasAttr, isElement, localName, nextSibling, previousSibling, textContent } from "./dom";
import { textOf } from "./name";
import { lastingClasses, madeAlike } from "./make";

const roles = new Set(["row", "listitem", "article", "option", "treeitem"]);
const tags = new Set(["tr", "li", "article"]);

/** By its role or its tag. */
export const isItem = (el: Element): boolean => hasAttr(el, "role") ? roles.has(attr(el, "role") ?? "") : tags.has(localName(el));

/** The role of an item; "" where it is one of several by its look only. */
export function itemRole(el: Element): string {
  const role = attr(el, "role") ?? "";
  return roles.has(role) ? role : localName(el) === "tr" ? "row" : localName(el) === "article" ? "article" : localName(el) === "li" ? "listitem" : "";
}

/** One word for all that are made as it is. */
function makeOf(el: Element): string {
  if (isItem(el)) return itemRole(el);
  const classes = lastingClasses(el).sort().join(" ");
  const first = childrenOf(el)[0];
  return `${localName(el)} ${attr(el, "role") ?? ""} ${classes || (first ? localName(first) : "")}`;
}

/** A list of which items came or went; was and now: how many it had and has. */
export interface ListChange { parent: Element; was: number; now: number; lost: Element[]; fresh: Element[]; stay: Element[] }

/** The lists that outermost parts came to or went from. up: where each stands, or stood. */
export function listChanges(fresh: readonly Element[], lost: readonly Element[], seen: ReadonlySet<Element>, up: (e: Element) => Element | null): ListChange[] {
  const parts = new Map<Element, Map<string, ListChange>>();
  const note = (el: Element, of: "fresh" | "lost"): void => {
    const parent = up(el);
    if (!parent) return;
    let lists = parts.get(parent);
    if (!lists) parts.set(parent, (lists = new Map()));
    const make = makeOf(el);
    let list = lists.get(make);
    if (!list) lists.set(make, (list = { parent, was: 0, now: 0, lost: [], fresh: [], stay: [] }));
    list[of].push(el);
  };
  for (const el of fresh) note(el, "fresh");
  for (const el of lost) note(el, "lost");
  const out: ListChange[] = [];
  for (const [parent, lists] of parts) {
    const tags = new Set([...lists.values()].map((l) => localName(l.fresh[0] ?? l.lost[0] ?? parent)));
    eachChild(parent, (c) => {
      const list = isElement(c) && tags.has(localName(c)) && seen.has(c) ? lists.get(makeOf(c)) : undefined;
      if (!list) return;
      list.now++;
      if (!list.fresh.includes(c as Element)) list.stay.push(c as Element);
    });
    for (const l of lists.values()) {
      l.was = l.now - l.fresh.length + l.lost.length;
      const one = l.fresh[0] ?? l.lost[0];
      if (one && (isItem(one) || Math.max(l.was, l.now) > 1)) out.push(l);
    }
  }
  return out;
}

/** A button or a box in a row, whose words are no words of the row. */
export const acts = (e: Element): boolean =>
  /^(?:button|input|select|textarea)$/.test(localName(e)) || /^(?:button|checkbox|switch|menuitem|combobox)$/.test(attr(e, "role") ?? "");

/** What a user reads in an item, but for its buttons and boxes where there is more. */
export function itemWords(item: Element): string {
  const words = textOf(item, mostWords, undefined, { has: (e) => e !== item && acts(e) });
  return letters.test(words) ? words : textOf(item, mostWords);
}

const mostWords = 160;
const letters = /[\p{L}\p{N}]/u;
const rowless = new Set(["td", "th", "p", "label", "a", "button", "span", "b", "i", "em", "strong", "small", "ul", "ol", "table", "tbody", "thead", "main", "body", "html", "nav", "section", "form", "h1", "h2", "h3", "h4", "h5", "h6"]);
const maxClimb = 8;
/** How many of those beside a part are compared with it. */
const mostBeside = 4;
const longest = 600;

/** The item that an element stands in: by its role or tag, or one of several that are made alike. */
export function itemAround(el: Element, up: (e: Element) => Element | null): Element | null {
  if (isItem(el) || isOneOf(el)) return null; // it is one itself
  for (let e: Element | null = up(el), n = 0; e && n < maxClimb; e = up(e), n++) {
    if (isItem(e)) return e;
    const tag = localName(e);
    if (tag === "body" || tag === "main" || (textContent(e) ?? "").length > longest) return null;
    if (isOneOf(e)) return e;
  }
  return null;
}

function isOneOf(e: Element): boolean {
  const tag = localName(e);
  if (rowless.has(tag)) return false;
  for (const to of [nextSibling, previousSibling]) {
    for (let n = to(e), asked = 0; n && asked < mostBeside; n = to(n)) {
      if (!isElement(n)) continue;
      asked++;
      if (localName(n) === tag && madeAlike(e, n)) return true;
    }
  }
  return false;
}
