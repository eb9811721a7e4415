// Which elements are one of several (rows, items, options, cards), and which items of a list changed.

import { acts, handStarts, pressable } from "../a11y/interactive";
import { explicitRole } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import {
  all, attr, byId, Children, childrenOf, closest, eachChild, hasAny, hasAttr, isConnected, isElement, isPainted, isSeam, isText, localName, matches, nextSibling, parentOf, previousSibling,
  rootOf, textContent,
} from "../dom/dom";
import { lastingClasses, madeAlike } from "../dom/make";
import { flat } from "../dom/strings";
import { isDrop } from "./fieldlist";

/** Roles and tags of items. */
export const itemRoles = new Set(["row", "listitem", "article", "option", "treeitem"]);
const tags = new Set(["tr", "li", "article"]);

/** Whether el is an item by its role or its tag. */
export const isItem = (el: Element): boolean => hasAttr(el, "role") ? itemRoles.has(explicitRole(el)) : tags.has(localName(el));

/** The role of an item; "" if only its look makes it one of several. */
export function itemRole(el: Element): string {
  const role = attr(el, "role") ?? "";
  return itemRoles.has(role) ? role : localName(el) === "tr" ? "row" : localName(el) === "article" ? "article" : localName(el) === "li" ? "listitem" : "";
}

/** A key that is equal for elements made alike. */
function makeOf(el: Element): string {
  if (isItem(el)) return itemRole(el);
  const id = attr(el, "id") ?? "";
  if (id !== "" && !/\d/.test(id)) return `#${id}`; // the page identifies this part by an id of its own
  const classes = lastingClasses(el).sort().join(" ");
  const first = childrenOf(el)[0];
  return `${localName(el)} ${attr(el, "role") ?? ""} ${classes || (first ? localName(first) : "")}`;
}

/** A list whose items changed; was and now: its former and current number of items. */
export interface ListChange { parent: Element; was: number; now: number; lost: Element[]; fresh: Element[]; stay: Element[] }

/** The lists that outermost parts were added to or removed from. up: the current or former parent of an element. */
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
      // If a list comes together with other parts, or replaces them, the whole view changed.
      if ((l.was === 0 || l.now === 0) && [...lists.values()].some((o) => o !== l && (o.fresh.length > 0 || o.lost.length > 0 && l.was === 0))) continue;
      const one = l.fresh[0] ?? l.lost[0];
      if (one && (isItem(one) || Math.max(l.was, l.now) > 1)) out.push(l);
    }
  }
  return out;
}

/** Whether an item is only drawn as one of several, and holds links and buttons and nothing else: their names are no name of it. */
function isMenu(item: Element): boolean {
  if (isItem(item)) return false;
  const controls = new Set(all(item, "a,button,[role=button],[role^=menuitem]"));
  return controls.size >= leastOfMenu && !letters.test(textOf(item, mostWords, undefined, controls));
}

const leastOfMenu = 4;

/** The visible words of an item, without its buttons and boxes, and without links that recur in other items if it has other words. */
export function itemWords(item: Element): string {
  if (isMenu(item)) return "";
  const skips = repeated(item);
  const help = helpIn(item);
  const words = textOf(item, mostWords, undefined, { has: (e) => e !== item && (acts(e) || skips.has(e) || help.has(e) || isChosen(e)) });
  const place = /\p{L}/u.test(words) ? "" : placeOf(item);
  if (place !== "") return flat(`${place} ${words}`);
  return letters.test(words) ? words : isOfNav(item) ? "" : textOf(item, mostWords);
}

const isOfNav = (item: Element): boolean => closest(item, (e) => localName(e) === "nav" || attr(e, "role") === "navigation") !== null;

/** The texts that describe the fields in a part: they are told with the field. */
export function helpIn(part: Element): ReadonlySet<Element> {
  let out: Set<Element> | null = null;
  for (const f of all(part, "[aria-describedby]")) if (matches(f, described)) for (const id of (attr(f, "aria-describedby") ?? "").split(/\s+/)) {
    const e = id === "" ? null : byId(rootOf(f), id);
    if (e) (out ??= new Set()).add(e);
  }
  return out ?? none;
}

const described = "input:not([type=checkbox],[type=radio]),select,textarea,[role=textbox],[role=combobox]";

/** Whether e shows a choice and opens others: its words are a value. */
export const isChosen = (e: Element): boolean => handStarts(e) && isDrop(e);

const manyFields = "input:not([type=hidden]),select,textarea";
const hasFields = (e: Element): boolean => localName(e) === "tr" && all(e, manyFields).length > 1;

/** The place of a table's row of fields among such rows, "1 of 2"; "" if it is no such row, or the only one. */
export function placeOf(e: Element): string {
  const rows = hasFields(e) ? childrenOf(parentOf(e) ?? e).filter(hasFields) : [];
  return rows.length > 1 ? `${rows.indexOf(e) + 1} of ${rows.length}` : "";
}

/** The links in an item that its neighbour has too, such as Edit, and all links in a navigation list. */
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

/** Whether a neighbouring row has a link of the same words: such a link is an action, as Edit is, and doesn't describe the row. */
export function doesAlike(link: Element, row: Element): boolean {
  const words = flat(textContent(link));
  for (const to of [nextSibling, previousSibling]) {
    let n = to(row);
    while (n && !(isElement(n) && isItem(n))) n = to(n);
    if (n && [...all(n as Element, "a[href]")].some((e) => flat(textContent(e)) === words)) return true;
  }
  return false;
}

/** The visible words of a table row, without its controls. */
export const rowWords = (row: Element): string =>
  textOf(row, mostWords, undefined, { has: (e) => e !== row && (acts(e) || localName(e) === "a" && doesAlike(e, row)) });

const mostWords = 160;
const letters = /[\p{L}\p{N}]/u;

/** Elements that only lay out or contain others, or belong to running text: no items. */
export const rowless = new Set(["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "td", "th", "dt", "dd", "nav", "header", "footer", "p", "h1", "h2", "h3", "h4", "h5", "h6",
  "label", "a", "button", "select", "svg", "g", "path", "b", "i", "em", "strong", "small", "slot", "legend", "caption", "summary", "aside", "search"]);
/** Elements that are items, as chips or cards, only if one made alike has a control. */
const mayHold = new Set(["span", "section", "form"]);
const maxClimb = 8;
/** The number of siblings that a part is compared with. */
const mostBeside = 4;
const longest = 600;

/** Whether el has too much text for an item: it is a part of the page, even if there are several of its kind. */
export function isLong(el: Element): boolean {
  const t = textContent(el) ?? "";
  return t.length > longest && (t.length > 10 * longest || (isConnected(el) ? shownLength(el) : flat(t).length) > longest);
}

/** The length of the text in el without hidden menus and the white space of the markup, up to a little more than longest. */
function shownLength(el: Element, so = 0): number {
  let n = so;
  const children = Children.all(el, localName(el));
  for (let c = children.next(); c && n <= longest; c = children.next()) {
    if (isText(c)) n += c.data.trim().length;
    else if (isElement(c) && isPainted(c)) n = shownLength(c, n);
  }
  return n;
}

/** The item that contains an element: by its role or tag, or one of several made alike. */
export function itemAround(el: Element, up: (e: Element) => Element | null): Element | null {
  if (isItem(el) || isOneOf(el)) return null; // it is an item itself
  for (let e: Element | null = up(el), n = 0; e && n < maxClimb; e = up(e), n += e && isSeam(e) ? 0 : 1) {
    if (isItem(e)) return e;
    const tag = localName(e);
    if (tag === "body" || tag === "main" || isLong(e)) return null;
    if (isOneOf(e) && !(isSeam(e) && textOf(e, longest) === textOf(el, longest))) return e; // a host around the control alone is a part of it
  }
  return null;
}

const hasControl = (e: Element): boolean => hasAny(e, pressable);

function isOneOf(e: Element): boolean {
  const tag = localName(e);
  return !rowless.has(tag) && hasLike(e, mayHold.has(tag) ? hasControl : () => true);
}

/** Whether a sibling is made alike and passes the test. */
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
