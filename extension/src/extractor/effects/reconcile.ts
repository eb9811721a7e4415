// Many pages draw themselves anew at each act (innerHTML, React without stable keys). A removed element and one in its
// place are the same if they are of one kind and have the same or most words: the sketch before is rewritten with the
// new elements, so that only differences visible to the user are told (changes.ts).

import { isCell } from "../a11y/fieldlabel";
import { acts, pressable } from "../a11y/interactive";
import {
  attr, attrNames, childElementCount, eachChild, hasAny, hasAttrs, isConnected, isElement, isPainted, isText, localName, parentOf, walker,
} from "../dom/dom";
import { handlerOf, lastingClasses, recordName } from "../dom/make";
import { flat } from "../dom/strings";
import { isItem } from "../listing/items";
import type { Notes } from "./changes";
import type { Sketch } from "./pagesnapshot";

/** How many elements are compared at most, on both sides together. */
const maxNodes = 30000;
/** How many pairs of parts are compared by their words. */
const maxPairs = 6000;
const maxDepth = 200;
/** More than so many elements of one make are a list. */
const leastItems = 2;
const maxWords = 600;

/** formerParents: the parent of each removed node, in order; replaced elements stand for the old ones. */
export interface Reconciled { before: Sketch; notes: Notes; replaced: ReadonlyMap<Element, Element>; formerParents: ReadonlyMap<Node, Element> }

/** Returns null if nothing was drawn anew. */
export function reconcile(before: Sketch, after: Sketch, notes: Notes, acted?: Element | null): Reconciled | null {
  if (before.seen === after.seen) return null;
  const taken = new Map<Element, Element[]>();
  for (const [n, p] of notes.from) {
    if (!isElement(n) || isConnected(n)) continue;
    const list = taken.get(p);
    if (list) list.push(n);
    else taken.set(p, [n]);
  }
  if (taken.size === 0) return null;
  const m = new Matching(before, after, taken, acted);
  for (const [p, olds] of taken) if (isConnected(p)) m.children(olds, m.cameTo(p), p);
  m.movedItems();
  return m.replaced.size > 0 ? m.result(notes) : null;
}

class Matching {
  readonly replaced = new Map<Element, Element>();
  private readonly news = new Map<Element, Element>(); // the new elements and those they replace
  private readonly from = new Map<Element, Element>(); // the former parents of reordered or moved elements
  private readonly lost: Element[] = [];
  private readonly came: Element[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly shapes = new Map<Element, number>();
  private readonly known = new Map<Element, Set<string>>();
  private nodes = 0;
  private pairs = 0;

  constructor(private readonly before: Sketch, private readonly after: Sketch, private readonly removedChildren: Map<Element, Element[]>, private readonly acted?: Element | null) {}

  cameTo(parent: Element): Element[] {
    const out: Element[] = [];
    eachChild(parent, (c) => {
      if (isElement(c) && !this.before.seen.has(c) && (this.after.seen.has(c) || childElementCount(c) > 0 && isPainted(c))) out.push(c);
    });
    return out;
  }

  /** A number for an element's tag, shaping attributes and content; classes and values of fields don't count. */
  private shapeOf(el: Element, depth = 0): number {
    const known = this.shapes.get(el);
    if (known !== undefined) return known;
    let key = localName(el);
    if (++this.nodes <= maxNodes && depth < maxDepth) {
      if (hasAttrs(el)) for (const a of shaping) {
        const v = attr(el, a);
        if (v !== null) key += `\0${a}=${v}`;
      }
      eachChild(el, (c) => {
        if (isText(c)) {
          const t = flat(c.data);
          if (t) key += `\0"${t}`;
        } else if (isElement(c)) key += `\0${this.shapeOf(c, depth + 1)}`;
      });
    }
    let n = this.numbers.get(key);
    if (n === undefined) this.numbers.set(key, (n = this.numbers.size));
    this.shapes.set(el, n);
    return n;
  }

  /** Whether two of several parts that have a label each have different ones, and less than half of their words in common: a field and another one in its place. */
  private areUnlike(o: Element, n: Element): boolean {
    const [was, now] = [labelOf(o), labelOf(n)];
    if (was === "" || now === "" || was === now) return false;
    const words = this.wordsIn(n);
    const common = [...this.wordsIn(o)].filter((w) => words.has(w)).length;
    return common * 2 < Math.max(words.size, this.wordsIn(o).size);
  }

  private wordsIn(el: Element): Set<string> {
    let w = this.known.get(el);
    if (w) return w;
    let said = ""; // with spaces: the words of adjacent parts would run together
    const texts = walker(el, NodeFilter.SHOW_TEXT);
    for (let n = texts.nextNode(); n && said.length < maxWords; n = texts.nextNode()) if (isText(n)) said += ` ${n.data}`;
    this.known.set(el, (w = new Set(said.slice(0, maxWords).toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((t) => t !== ""))));
    return w;
  }

  /** Matches elements removed from a part with elements added to it. */
  children(olds: Element[], news: Element[], part: Element): void {
    if (this.nodes > maxNodes) return;
    let restOld = olds.filter((o) => !this.replaced.has(o));
    let restNew = news.filter((n) => !this.news.has(n));
    const alike = new Map<number, Element[]>();
    for (const o of restOld) push(alike, this.shapeOf(o), o);
    const pass = (find: (n: Element) => Element | undefined): void => {
      if (restOld.length === 0) return;
      restNew = restNew.filter((n) => {
        const o = find(n);
        if (!o || !this.mayBe(o, n)) return true;
        this.pair(o, n);
        return false;
      });
      restOld = restOld.filter((o) => !this.replaced.has(o));
    };
    if (olds.length === news.length && olds.every(isCell) && news.every(isCell)) pass((n) => olds[news.indexOf(n)]); // in its column
    pass((n) => alike.get(this.shapeOf(n))?.shift());
    pass((n) => {
      const key = keyOf(n);
      return key === "" ? undefined : restOld.find((o) => !this.replaced.has(o) && keyOf(o) === key);
    });
    pass((n) => {
      const does = acts(n) ? handlerOf(n) : "";
      const same = does === "" ? [] : restOld.filter((o) => !this.replaced.has(o) && kindOf(o) === kindOf(n) && handlerOf(o) === does);
      return same.length === 1 ? same[0] : undefined;
    });
    const shared = this.sharedWords([...restOld, ...restNew].filter(isItem));
    // What takes the place of a whole list and repeats the words of one of its items is not that item.
    const [had, has] = restOld.length > leastItems && restNew.length > 0 ? [countKinds(olds), countKinds(news)] : [null, null];
    pass((n) => this.closestOf(had && has?.get(madeOf(n)) === 1 ? restOld.filter((o) => has.has(madeOf(o)) || (had.get(madeOf(o)) ?? 0) <= leastItems) : restOld, n, shared));
    const isUnlike = (o: Element, n: Element): boolean =>
      [...olds, ...news].filter((e) => classedKindOf(e) === classedKindOf(n)).length > 2 && this.areUnlike(o, n);
    // An element that is the only one of its kind on both sides, or has no words, is matched by its place.
    for (const kind of [classedKindOf, kindOf]) {
      const kinds = new Map<string, Element[]>();
      for (const o of restOld) push(kinds, kind(o), o);
      const now = new Map<string, number>();
      for (const n of restNew) now.set(kind(n), (now.get(kind(n)) ?? 0) + 1);
      pass((n) => {
        const list = kinds.get(kind(n));
        if (!list || (isItem(n) || kind === classedKindOf && (acts(n) || localName(n) === "a")) && this.wordsIn(n).size > 0) return undefined;
        // Parts of different classes, one with buttons and one without, are not the same.
        if (kind === kindOf && list[0] && classedKindOf(list[0]) !== classedKindOf(n) && hasAny(list[0], pressable) !== hasAny(n, pressable)) return undefined;
        const wordless = (e: Element): boolean => this.wordsIn(e).size === 0;
        if (list[0] && isUnlike(list[0], n)) return undefined;
        return list.length === 1 && now.get(kind(n)) === 1 || list.length === now.get(kind(n)) && wordless(n) && list.every(wordless) ? list.shift() : undefined;
      });
    }
    const at = new Map(olds.map((o, i) => [o, i]));
    // A value follows its label, unless both are of the same kind.
    const isOneOfMany = (n: Element): boolean => {
      const before = news[news.indexOf(n) - 1];
      return before !== undefined && attr(n, "class") !== null && classedKindOf(before) === classedKindOf(n);
    };
    const after = (n: Element): Element | undefined => {
      const before = news[news.indexOf(n) - 1];
      const o = before && this.news.get(before);
      return o && olds[(at.get(o) ?? olds.length) + 1];
    };
    pass((n) => {
      const o = isItem(n) || acts(n) || localName(n) === "a" || isOneOfMany(n) ? undefined : after(n);
      return o && !this.replaced.has(o) && classedKindOf(o) === classedKindOf(n) && !isUnlike(o, n) ? o : undefined;
    });
    this.lost.push(...restOld);
    this.came.push(...restNew);
    const places: [Element, number][] = [];
    for (const n of news) {
      const place = at.get(this.news.get(n) ?? n);
      if (place !== undefined) places.push([n, place]);
    }
    if (places.some(([, place], i) => i > 0 && place < (places[i - 1]?.[1] ?? 0))) for (const [n] of places) this.from.set(n, part);
  }

  /** Whether o and n may be the same: a control with another name must have the same handler. */
  private mayBe(o: Element, n: Element): boolean {
    if (this.shapeOf(o) === this.shapeOf(n)) return true;
    const record = recordOf(n);
    if (record !== "" && keyOf(o) !== "" && recordOf(o) !== record) return false;
    if (!acts(n) && localName(n) !== "a") return true;
    const was = this.wordsIn(o);
    const now = this.wordsIn(n);
    if (was.size === now.size && [...now].every((w) => was.has(w))) return true;
    const does = handlerOf(n);
    return handlerOf(o) === does && (does !== "" || o === this.acted);
  }

  /** The words that more than half of the items have, which identify none. */
  private sharedWords(items: Element[]): ReadonlySet<string> {
    const counts = new Map<string, number>();
    for (const e of items) for (const w of this.wordsIn(e)) counts.set(w, (counts.get(w) ?? 0) + 1);
    return new Set(items.length < 4 ? [] : [...counts].filter(([, n]) => n * 2 > items.length).map(([w]) => w));
  }

  /** The element of the same kind with most words in common, if these are more than half. */
  private closestOf(olds: Element[], n: Element, shared: ReadonlySet<string>): Element | undefined {
    const own = (e: Element): ReadonlySet<string> => isItem(e) && shared.size > 0 ? new Set([...this.wordsIn(e)].filter((w) => !shared.has(w))) : this.wordsIn(e);
    const words = own(n);
    if (words.size === 0) return undefined;
    const kind = kindOf(n);
    let best: Element | undefined;
    let most = 0.5;
    for (const o of olds) {
      if (this.replaced.has(o) || kindOf(o) !== kind) continue;
      if (++this.pairs > maxPairs) break;
      const was = own(o);
      let common = 0;
      for (const w of words) if (was.has(w)) common++;
      const share = common / Math.max(words.size, was.size);
      if (share > most) {
        most = share;
        best = o;
      }
    }
    return best;
  }

  private pair(o: Element, n: Element): void {
    this.replaced.set(o, n);
    this.news.set(n, o);
    const olds: Element[] = [...this.removedChildren.get(o) ?? []];
    eachChild(o, (c) => { if (isElement(c)) olds.push(c); });
    const news: Element[] = [];
    eachChild(n, (c) => { if (isElement(c)) news.push(c); });
    if (olds.length === 0 && news.length === 0) return;
    if (olds.length === news.length && this.shapeOf(o) === this.shapeOf(n)) olds.forEach((c, i) => { this.pair(c, news[i] as Element); });
    else this.children(olds, news, n);
  }

  /** Matches items that moved to another list, which was drawn anew as well. */
  movedItems(): void {
    if (this.lost.length === 0 || this.came.length === 0) return;
    const came = new Map<number, Element[]>();
    for (const n of this.came) if (movable(n) && this.wordsIn(n).size > 0) push(came, this.shapeOf(n), n);
    if (came.size === 0) return;
    for (const o of this.lost) {
      const n = movable(o) ? came.get(this.shapeOf(o))?.shift() : undefined;
      const p = n && (parentOf(o) ?? this.partOf(o));
      if (!n || !p) continue;
      this.pair(o, n);
      this.from.set(n, this.replaced.get(p) ?? p);
    }
  }

  private partOf(o: Element): Element | null {
    for (const [p, list] of this.removedChildren) if (list.includes(o)) return p;
    return null;
  }

  result(notes: Notes): Reconciled {
    const { before, replaced } = this;
    const now = (e: Element): Element => replaced.get(e) ?? e;
    const seen = new Set<Element>();
    for (const e of before.seen) seen.add(now(e));
    const texts: Sketch["texts"] = new Map();
    for (const [e, list] of before.texts) texts.set(now(e), replaced.has(e) ? inPlaceOf(list, now(e)) : list);
    const drawings: Sketch["drawings"] = new Map();
    for (const [svg, shapes] of before.drawings) drawings.set(now(svg), new Map([...shapes].map(([e, s]) => [now(e), s])));
    const out: Sketch = {
      ...before, seen, texts, drawings, fields: new Map([...before.fields].map(([e, h]) => [now(e), h])),
      editors: new Map([...before.editors].map(([box, keys]) => [now(box), now(keys)])),
    };
    if (before.along) out.along = now(before.along);
    const from = new Map<Node, Element>();
    const taken = new Map<Node, Element>();
    for (const [n, p] of notes.from) {
      const is = isElement(n) ? now(n) : n;
      if (is === n) from.set(n, now(p));
      taken.set(is, now(p));
    }
    for (const [o, n] of replaced) eachChild(o, (c) => { if (isElement(c) && !replaced.has(c)) { from.set(c, n); taken.set(c, n); } });
    for (const [n, p] of this.from) from.set(n, p);
    const attrs = new Map(notes.attrs);
    for (const [o, n] of replaced) {
      const old = attrsBefore(o, n, notes);
      if (old.size > 0) attrs.set(n, old);
      else attrs.delete(n);
    }
    return { before: out, notes: { attrs, from, came: notes.came }, replaced, formerParents: taken };
  }
}

const letters = /\p{L}/u;

/** The first words in a part that has more than these. */
function labelOf(part: Element): string {
  const pieces: string[] = [];
  const texts = walker(part, NodeFilter.SHOW_TEXT);
  for (let n = texts.nextNode(); n && pieces.length < 2; n = texts.nextNode()) if (isText(n) && letters.test(n.data)) pieces.push(flat(n.data));
  return pieces.length > 1 || hasAny(part, typed) ? pieces[0] ?? "" : "";
}

const typed = "input:not([type=hidden]),select,textarea";

/** Attributes of an element's identity, not of its state. */
const shaping = ["role", "type", "name", "aria-label", "title", "alt", "placeholder", "href"];

const kindOf = (e: Element): string => `${localName(e)} ${attr(e, "role") ?? ""} ${attr(e, "type") ?? ""}`;

const classedKindOf = (e: Element): string => `${kindOf(e)} ${attr(e, "class") ?? ""}`;

/** The kind with the classes that name no state. */
const madeOf = (e: Element): string => `${kindOf(e)} ${lastingClasses(e).join(" ")}`;

function countKinds(list: readonly Element[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const e of list) counts.set(madeOf(e), (counts.get(madeOf(e)) ?? 0) + 1);
  return counts;
}

/** The key by which the page identifies a part: its id or its record; "" if it has none. */
function keyOf(e: Element): string {
  if (!hasAttrs(e)) return "";
  const id = attr(e, "id");
  return id ? `${localName(e)} id ${id}` : recordOf(e);
}

/** The record of the page that an element shows. */
function recordOf(e: Element): string {
  const name = hasAttrs(e) ? attrNames(e).find((a) => recordName.test(a) && attr(e, a)) : undefined;
  return name ? `${localName(e)} ${name} ${attr(e, name) ?? ""}` : "";
}

const movable = (e: Element): boolean => isItem(e) || attr(e, "draggable") === "true";

function push<K>(map: Map<K, Element[]>, key: K, el: Element): void {
  const list = map.get(key);
  if (list) list.push(el);
  else map.set(key, [el]);
}

/** The former words of an element, mapped to the text nodes of its replacement. */
function inPlaceOf(was: Map<Text, string>, el: Element): Map<Text, string> {
  const now: Text[] = [];
  eachChild(el, (c) => { if (isText(c) && c.data.trim() !== "") now.push(c); });
  const out = new Map<Text, string>();
  let i = 0;
  for (const [n, t] of was) out.set(now[i++] ?? n, t);
  return out;
}

/** The former values of attributes in which n differs from o. */
function attrsBefore(o: Element, n: Element, notes: Notes): Map<string, string | null> {
  const out = new Map<string, string | null>();
  if (!hasAttrs(o) && !hasAttrs(n)) return out;
  const changed = notes.attrs.get(o);
  for (const a of new Set([...attrNames(o), ...attrNames(n)])) {
    if (a === "style") continue;
    const was = changed?.has(a) ? changed.get(a) ?? null : attr(o, a);
    if (was !== attr(n, a)) out.set(a, was);
  }
  return out;
}
