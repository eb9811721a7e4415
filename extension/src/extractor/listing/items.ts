// Which elements are one of several (rows, items, options, cards), and what of a list is another than it was.

import { explicitRole } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import {
  all, attr, childrenOf, closest, eachChild, hasAny, hasAttr, isElement, localName, nextSibling, previousSibling, textContent,
} from "../dom/dom";
import { lastingClasses, madeAlike } from "../dom/make";
import { flat } from "../dom/strings";

/** Roles and tags of what is one of several by itself. */
export const itemRoles = new Set(["row", "listitem", "article", "option", "treeitem"]);
const tags = new Set(["tr", "li", "article"]);

/** By its role or its tag. */
export const isItem = (el: Element): boolean => hasAttr(el, "role") ? itemRoles.has(explicitRole(el)) : tags.has(localName(el));

/** The role of an item; "" where it is one of several by its look only. */
export function itemRole(el: Element): string {
  const role = attr(el, "role") ?? "";
  return itemRoles.has(role) ? role : localName(el) === "tr" ? "row" : localName(el) === "article" ? "article" : localName(el) === "li" ? "listitem" : "";
}

/** One word for all that are made as it is. */
function makeOf(el: Element): string {
  if (isItem(el)) return itemRole(el);
  const id = attr(el, "id") ?? "";
  if (id !== "" && !/\d/.test(id)) return `#${id}`; // a part that the page knows by a name of its own
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
      // Where a list comes with other parts, or in the place of others, the whole view is another.
      if ((l.was === 0 || l.now === 0) && [...lists.values()].some((o) => o !== l && (o.fresh.length > 0 || o.lost.length > 0 && l.was === 0))) continue;
      const one = l.fresh[0] ?? l.lost[0];
      if (one && (isItem(one) || Math.max(l.was, l.now) > 1)) out.push(l);
    }
  }
  return out;
}

/** A button or a box in a row, whose words are no words of the row. */
export const acts = (e: Element): boolean =>
  /^(?:button|input|select|textarea)$/.test(localName(e)) || /^(?:button|checkbox|switch|menuitem|combobox)$/.test(attr(e, "role") ?? "");

/** What a user reads in an item, but for its buttons, boxes and links of its like where there is more. */
export function itemWords(item: Element): string {
  const skips = repeated(item);
  const words = textOf(item, mostWords, undefined, { has: (e) => e !== item && (acts(e) || skips.has(e)) });
  return letters.test(words) ? words : isOfNav(item) ? "" : textOf(item, mostWords);
}

const isOfNav = (item: Element): boolean => closest(item, (e) => localName(e) === "nav" || attr(e, "role") === "navigation") !== null;

/** The links in an item that the one beside it has as well, as to edit it, and all in a list of where to go. */
export function repeated(item: Element): ReadonlySet<Element> {
  const links = [...all(item, "a")].slice(0, mostLinks);
  if (links.length === 0) return none;
  if (isOfNav(item)) return new Set(links);
  const tag = localName(item);
  let beside = nextSibling(item) ?? previousSibling(item);
  while (beside && !(isElement(beside) && localName(beside) === tag)) beside = nextSibling(beside);
  if (!beside || !madeAlike(item, beside as Element)) return none;
  const theirs = all(beside as Element, "a");
  return new Set(links.filter((a, i) => theirs[i] && textContent(a) === textContent(theirs[i])));
}

const none: ReadonlySet<Element> = new Set();
const mostLinks = 20;

/** Whether a row beside it has a link of the same words: that does something with it, as Edit, and says nothing of it. */
export function doesAlike(link: Element, row: Element): boolean {
  const words = flat(textContent(link));
  for (const to of [nextSibling, previousSibling]) {
    let n = to(row);
    while (n && !(isElement(n) && isItem(n))) n = to(n);
    if (n && [...all(n as Element, "a[href]")].some((e) => flat(textContent(e)) === words)) return true;
  }
  return false;
}

/** What a user reads in a row of a table, but for its controls. */
export const rowWords = (row: Element): string =>
  textOf(row, mostWords, undefined, { has: (e) => e !== row && (acts(e) || localName(e) === "a" && doesAlike(e, row)) });

const mostWords = 160;
const letters = /[\p{L}\p{N}]/u;

/** What only lays out or holds others, or stands in the flow of words, and is no item. */
export const rowless = new Set(["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "td", "th", "dt", "dd", "nav", "header", "footer", "p", "h1", "h2", "h3", "h4", "h5", "h6",
  "label", "a", "button", "select", "svg", "g", "path", "b", "i", "em", "strong", "small", "slot", "legend", "caption", "summary", "aside", "search"]);
/** What is an item, as a chip or a card, only where what is made like it has a control. */
const mayHold = new Set(["span", "section", "form"]);
const maxClimb = 8;
/** How many of those beside a part are compared with it. */
const mostBeside = 4;
const longest = 600;

/** Whether it says too much for an item: it is a part of the page, though there are several of its kind. */
export function isLong(el: Element): boolean {
  const t = textContent(el) ?? "";
  return t.length > longest && (t.length > 10 * longest || flat(t).length > longest); // without what sets the markup in lines
}

/** The item that an element stands in: by its role or tag, or one of several that are made alike. */
export function itemAround(el: Element, up: (e: Element) => Element | null): Element | null {
  if (isItem(el) || isOneOf(el)) return null; // it is one itself
  for (let e: Element | null = up(el), n = 0; e && n < maxClimb; e = up(e), n++) {
    if (isItem(e)) return e;
    const tag = localName(e);
    if (tag === "body" || tag === "main" || isLong(e)) return null;
    if (isOneOf(e)) return e;
  }
  return null;
}

const hasControl = (e: Element): boolean => hasAny(e, pressed);

function isOneOf(e: Element): boolean {
  const tag = localName(e);
  return !rowless.has(tag) && hasLike(e, mayHold.has(tag) ? hasControl : () => true);
}

export const pressed = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=checkbox],[role=switch],[tabindex],[onclick]";

/** Whether one of those beside it is made alike, and is such. */
export function hasLike(e: Element, is: (n: Element) => boolean): boolean {
  const tag = localName(e);
  for (const to of [nextSibling, previousSibling]) {
    for (let n = to(e), asked = 0; n && asked < mostBeside; n = to(n)) {
      if (!isElement(n)) continue;
      asked++;
      if (localName(n) === tag && madeAlike(e, n) && is(n)) return true;
    }
  }
  return false;
}
