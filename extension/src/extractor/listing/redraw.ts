// Keeps numbers over a redraw. Pages that redraw themselves, by innerHTML or by new keys, replace the nodes that were shown. If
// exactly one new node has the role, name, row and place of a removed one, the user sees the same control,
// and the new node takes over the number: a ref keeps the meaning that its client was shown. In doubt it does not.

import { acts } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import { stateOf } from "../a11y/stateclass";
import {
  all, attr, attrNames, Children, childrenOf, closest, comesBefore, hasAny, holds, isConnected, isElement, isText, localName, nextSibling, onDocument, parentOf, previousSibling, rootOf,
  textContent, unchanged,
} from "../dom/dom";
import { giveId, goneNode, idIfAny, idOf, nodeOf } from "../dom/ids";
import { handlerOf, madeAlike, recordName } from "../dom/make";
import { countless, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { rawValue } from "../guard/form";
import { later } from "../schedule/settle";
import { isUnderWay, whenThrough } from "../schedule/slices";
import { amend, inherit, type Past, pastOf, remember, rowAround, tokens, wordsShown } from "./identity";
import { itemAround } from "./items";
import { type Found, walk } from "./walk";

/** A control as it was at the last look. */
interface Identity {
  item: string; // the words of the row, card or option around it; empty if there is none
  held: string; // what the fields of the item hold
  tells: boolean; // its item, name or address identifies its subject, not only an action
  row: WeakRef<Element> | null; // the item itself
  twin: boolean; // another item of the list has the same words, and the same in its fields
  record: string; // the key by which the page itself identifies its subject
  objects: ReadonlyMap<string, string>; // what its attributes say it acts on, if nothing else identifies its subject
  around: ReadonlySet<string>; // the words of the first part around it that says more, if nothing identifies its subject
  plain: ReadonlySet<string>; // those of them outside buttons
  path: string; // its ancestors, by tags and names
  beside: string; // the text before and after it
  group: string | undefined; // undefined if not asked for
  dialog: string;
  x: number;
  y: number;
  scrollX: number;
  scrollY: number;
  view: string; // the address
}

/** What was shown under a number. */
interface Entry {
  key: string; // by role, tag and name: equal for every candidate
  past: Past | undefined;
  beside: ReadonlySet<number> | null; // the numbers of elements with the same key at that time; null if there are many
  is: Identity | null; // null until the page is idle
  shown: number; // the state of the page when it was last shown
  at: number; // the state when its place was recorded
  missed: boolean; // it was searched for after its removal
}

const entries = new Map<number, Entry>();
const maxKept = 1500;
/** With more controls or siblings than this, no element is compared with others. */
const maxFound = 3000;
const maxSiblings = 300;
const maxDialog = 2000;
/** The greatest distance from its former place. */
const nearPx = 48;
const maxClimb = 8;
const maxAround = 600;
/** A row may hold long menus that are hidden. */
const maxItem = 3000;
const longName = 24;
const controlSelector = "button,input,select,textarea,summary,[role=button],[role=checkbox],[role=switch],[role=menuitem]";

/** Stores what el is shown as; group: its part of the page, if known. */
export function show(el: Element, name: string, look: LayoutCache, group?: string, role = roleOf(el)): void {
  const id = idOf(el);
  const was = entries.get(id);
  const key = keyOf(el, role, name);
  const state = watchState();
  const isAsBefore = was?.key === key && isUnchanged(el, was.shown);
  if (!isAsBefore) remember(el, name, look);
  const alike = byKey.get(key);
  const beside = was ? was.beside : !alike ? nothing : alike.size > maxAlike ? null : new Set([...alike].filter((other) => !isLost(other)));
  const where = was?.is ?? null;
  keep(id, { key, past: pastOf(el), beside, is: where, shown: state, at: was?.at ?? 0, missed: false });
  if (isAsBefore && where && was.at === state && (group === undefined || group === where.group)) return;
  if (waiting.size === 0) void whenThrough().then(() => { placeThem(actMs, waiting.keys(), leastPlaced); }).then(placeRest);
  waiting.delete(id);
  waiting.set(id, { el, role, name, group: group ?? where?.group, state });
}

/** To record all places costs more than the look that shows them. So it is done right after the look, or when an act begins, and for many controls when the page is idle. */
const waiting = new Map<number, { el: Element; role: string; name: string; group: string | undefined; state: number }>();
const idleMs = 500;
/** The time that an act, and an idle page, spends on it: an act may begin at that moment. */
const actMs = 2;
const mostIdleMs = 4;
/** So many are recorded regardless of time: on a busy machine a few milliseconds are not enough. */
const leastPlaced = 100;

// While the page has not changed, a control is what was shown, where it was shown.
let states = 1; // counts on with each change
let isWatched = false;
const watching = new MutationObserver(changed);
onDocument("scroll", changed);
addEventListener("resize", changed, { passive: true });

function changed(): void {
  states++;
  watching.disconnect(); // one change is enough
  isWatched = false;
}

/** The number of the page's current state; starts to watch for changes. */
function watchState(): number {
  if (isWatched) {
    if (watching.takeRecords().length > 0) states++;
  } else {
    isWatched = true;
    watching.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }
  return states;
}

function placeRest(): void {
  if (waiting.size > 0) requestIdleCallback((d) => {
    if (isUnderWay() || performance.now() < actUntil) { // it would delay a running look or act
      later(placeRest, quietMs);
      return;
    }
    placeThem(d.didTimeout ? mostIdleMs : Math.min(d.timeRemaining(), mostIdleMs), waiting.keys());
    placeRest();
  }, { timeout: idleMs });
}

let actUntil = 0;
const quietMs = 200;

/** Records the places of shown controls before an act on one changes them, starting with the others of its row, whose numbers are next to its own. */
export function placed(acted: number): void {
  actUntil = performance.now() + quietMs;
  if (waiting.size > 0) placeThem(actMs, acted > 0 ? outwards(acted) : waiting.keys(), leastPlaced);
}

/** The waiting numbers, from the closest to one outwards. */
function* outwards(from: number): Generator<number> {
  for (let i = 0; i < maxKept && waiting.size > 0; i++) {
    if (waiting.has(from - i)) yield from - i;
    if (waiting.has(from + i)) yield from + i;
  }
  yield* waiting.keys();
}

function placeThem(ms: number, ids: Iterable<number>, least = 0): void {
  const until = performance.now() + ms;
  unchanged(() => {
    const look = new LayoutCache();
    let n = 0;
    for (const id of ids) {
      placeOne(id, look);
      if (++n >= least && performance.now() > until) break;
    }
  });
}

function placeOne(id: number, look: LayoutCache): void {
  const it = entries.get(id);
  const w = waiting.get(id);
  waiting.delete(id);
  if (!it || !w || !isConnected(w.el)) return;
  const state = watchState();
  const still = isUnchanged(w.el, w.state);
  if (!still && keyOf(w.el, w.role, nameOf(w.el)) !== it.key) return;
  const same = still || flat(rowAround(w.el, look)?.words) === flat(wordsShown(w.el));
  it.is = same ? identityOf(w.el, look, w.name, w.group) : null; // it stands for something else by now
  it.at = state;
}

/** Whether nothing that an element is shown as can have changed since that state. A field's value may change without a mutation. */
const isUnchanged = (el: Element, since: number): boolean =>
  since === states && rootOf(el) === document && !(el instanceof HTMLInputElement || el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement);

const nothing: ReadonlySet<number> = new Set();
const byKey = new Map<string, Set<number>>();
const maxAlike = 50;

/** Moves an entry to the end, so that the last shown is the last forgotten. */
function keep(id: number, it: Entry): void {
  const was = entries.get(id);
  if (was?.key === it.key) {
    entries.delete(id);
    byKey.get(it.key)?.delete(id);
  } else forget(id);
  entries.set(id, it);
  const alike = byKey.get(it.key);
  if (alike) alike.add(id);
  else byKey.set(it.key, new Set([id]));
  if (entries.size > maxKept) forget(entries.keys().next().value ?? 0);
}

function forget(id: number): void {
  const it = entries.get(id);
  if (!it) return;
  entries.delete(id);
  waiting.delete(id);
  const alike = byKey.get(it.key);
  if (alike?.delete(id) && alike.size === 0) byKey.delete(it.key);
}

/** The role for comparison. A script may make a combobox of a text field, which stays the same field to a user. */
export const lastingRole = (el: Element, role: string): string => textRoles.has(role) && (localName(el) === "input" || localName(el) === "textarea") ? "textbox" : role;

const textRoles = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);

/** The key of an element. Links to one address may differ in a count. */
const keyOf = (el: Element, role: string, name: string): string =>
  [lastingRole(el, role), localName(el), attr(el, "type"), leads(el) ? countless(name) : name, attr(el, "href")].join("\0");

function leads(el: Element): boolean {
  const href = attr(el, "href") ?? "";
  return href !== "" && !/^(?:#$|javascript:)/.test(href);
}

/** Text shared by many elements, read once in a look. */
class Around {
  private readonly dialogs = new Map<Element, Element | null>();
  private readonly said = new Map<Element, string>();
  private readonly acts = new Map<Element, Set<string>>();
  private readonly words = new Map<Element, ReadonlySet<string>>();
  private readonly texts = new Map<Element, string>();
  private readonly values = new Map<Element, string>();
  private readonly lists = new Map<Element, Map<string, number>>();

  private dialogOf(el: Element | null): Element | null {
    if (!el) return null;
    let d = this.dialogs.get(el);
    if (d === undefined) {
      const role = attr(el, "role");
      const is = localName(el) === "dialog" || role === "dialog" || role === "alertdialog" || attr(el, "aria-modal") === "true";
      this.dialogs.set(el, d = is ? el : this.dialogOf(parentOf(el)));
    }
    return d;
  }

  /** The words of the dialog around el. */
  dialog(el: Element): string {
    const d = this.dialogOf(el);
    let t = d ? this.said.get(d) : "";
    if (d && t === undefined) this.said.set(d, t = flat((textContent(d) ?? "").slice(0, maxDialog)));
    return t ?? "";
  }

  tokens(el: Element): ReadonlySet<string> {
    let w = this.words.get(el);
    if (!w) this.words.set(el, w = tokens(wordsIn(el, true)));
    return w;
  }

  /** Whether its name, address or item identifies its subject, not only an action. */
  tells(el: Element, item: Element | null, name: string): boolean {
    if (name.length > longName || leads(el)) return true;
    if (!item) return false;
    let acts = this.acts.get(item);
    if (!acts) {
      this.acts.set(item, acts = new Set());
      for (const c of all(item, controlSelector)) for (const w of this.tokens(c)) acts.add(w);
    }
    const own = tokens(name);
    for (const w of this.tokens(item)) if (!acts.has(w) && !own.has(w)) return true;
    return [...own].some((w) => !acts.has(w)); // its name holds all the words of the item
  }

  /** The first ancestor that says more than el. */
  part(el: Element): Element | null {
    const own = this.tokens(el).size;
    for (let e = parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) if (this.tokens(e).size > own) return e;
    return null;
  }

  /** The visible words of an element, without its buttons and boxes. */
  plain(el: Element): string {
    let t = this.texts.get(el);
    if (t === undefined) {
      t = wordsIn(el, false, maxItem);
      this.texts.set(el, t = flat(hasAny(el, typed) ? t.replace(amount, " ") : t));
    }
    return t;
  }

  /** The same, or all words if there are no others. */
  says(el: Element): string { return this.plain(el) || flat(wordsIn(el, true)); }

  /** What the fields in el hold that a user fills in. */
  held(el: Element): string {
    let v = this.values.get(el);
    if (v === undefined) this.values.set(el, v = heldIn(el));
    return v;
  }

  /** The text before and after an element. */
  beside(el: Element | null): string {
    return [previousSibling, nextSibling].map((next) => {
      let n = el && next(el);
      while (n && !isElement(n)) n = next(n);
      return n ? this.plain(n) : "";
    }).join(" | ");
  }

  private whole(item: Element): string { return `${this.says(item)}\0${this.held(item)}`; }

  /** Whether another item of the same list has the same words and the same in its fields; bare: whatever its fields hold. */
  hasTwin(item: Element, bare = false): boolean {
    const list = parentOf(item);
    if (!list) return false;
    let said = this.lists.get(list);
    if (!said) {
      this.lists.set(list, said = new Map());
      const items = childrenOf(list);
      if (items.length <= maxSiblings) for (const c of items) for (const key of [this.says(c), this.whole(c)]) said.set(key, (said.get(key) ?? 0) + 1);
    }
    return (said.get(bare ? this.says(item) : this.whole(item)) ?? 0) > 1;
  }
}

/** Fields that a user fills in. In a row with such fields the amounts are computed from them, often only when it is drawn anew. */
const typed = "input:not([type=hidden],[type=checkbox],[type=radio],[type=button],[type=submit]),select,textarea";
const amount = /\p{Sc}\s?\d[\d.,' ]*|\d[\d.,' ]*\s?\p{Sc}|\b\d[\d.,' ]*[.,]\d\d\b/gu;

/** The words in el; all: with those of buttons and boxes. */
function wordsIn(el: Element, all: boolean, most = maxAround): string {
  let out = "";
  const children = Children.all(el, localName(el));
  for (let c = children.next(); c && out.length <= most; c = children.next()) {
    if (isText(c)) out += ` ${c.data.trim()}`;
    else if (isElement(c) && (all || !acts(c))) out += wordsIn(c, all, most);
  }
  return out.slice(0, most);
}

const arounds = new WeakMap<LayoutCache, Around>();

function aroundIn(look: LayoutCache): Around {
  let around = arounds.get(look);
  if (!around) arounds.set(look, around = new Around());
  return around;
}

function identityOf(el: Element, look: LayoutCache, name: string, group: string | undefined): Identity {
  const around = aroundIn(look);
  const item = itemAround(el, parentOf) ?? (name === "" ? el : null); // a row without a name is known by its words
  const b = look.box(el);
  const tells = around.tells(el, item, name);
  const part = tells ? null : around.part(el);
  const own = around.tokens(el); // its own words don't prove that it is in the same part
  const others = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].filter((w) => !own.has(w)));
  return {
    item: item ? around.says(item) : "", held: item ? around.held(item) : "", row: item && new WeakRef(item), tells, record: recordOf(el), objects: tells ? noObjects : objectsOf(el), twin: item !== null && around.hasTwin(item),
    around: part ? others(around.tokens(part)) : none, plain: part ? others(tokens(around.plain(part))) : none, path: pathOf(el),
    beside: around.beside(item ?? rowAround(el, look)?.el ?? null), group, dialog: around.dialog(el),
    x: b.left, y: b.top, scrollX: window.scrollX, scrollY: window.scrollY, view: location.href,
  };
}

const none: ReadonlySet<string> = new Set();
const noObjects: ReadonlyMap<string, string> = new Map();

/** Attributes that may say what a control acts on. A value of an id with digits is often made by a library. */
const objectName = /^(?:data-(?!test|qa|cy)|on|name$|formaction$|id$)/;

function objectsOf(el: Element): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const a of attrNames(el)) {
    const v = attr(el, a) ?? "";
    if (objectName.test(a) && v !== "" && stateOf(v) === "" && !(a === "id" && /\d/.test(v))) out.set(a, v);
  }
  if (isPressed(el) && attr(el, "value")) out.set("value", attr(el, "value") ?? "");
  const form = closest(el, (e) => localName(e) === "form");
  if (form) out.set("form action", attr(form, "action") ?? "");
  return out;
}

/** Whether the attributes that both have say the same. */
const actsOnSame = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean => [...a].every(([name, v]) => (b.get(name) ?? v) === v);

/** Names of attributes whose number is a place or a measure, and no record. */
const placeName = /-(?:index|idx|pos|position|order|row|col|column|step|level|count|size|delay)$/;

/** Whether both say the same, with the number of a record in it. */
const namesOne = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].some(([name, v]) => /\d/.test(v) && !placeName.test(name)) && [...a].every(([name, v]) => b.get(name) === v);

const pathLength = 4;

function pathOf(el: Element): string {
  const out: string[] = [];
  for (let e = parentOf(el); e && out.length < pathLength; e = parentOf(e)) out.push(`${localName(e)}#${(attr(e, "id") ?? "").replace(/\S*\d\S*/, "")}`);
  return out.join(" ");
}

const recordsUp = 4;

function recordOf(el: Element): string {
  for (let e: Element | null = el, up = 0; e && up < recordsUp; e = parentOf(e), up++) {
    const name = attrNames(e).find((a) => recordName.test(a));
    if (name) return `${name}=${attr(e, name) ?? ""}`;
  }
  return "";
}

/** Whether it was shown under a number. */
export const wasShown = (el: Element): boolean => entries.has(idIfAny(el));

const isLost = (id: number): boolean => nodeOf(id) === null;

/** Whether two numbers were shown at one time, or may have been. */
function stoodBeside(id: number, other: number): boolean {
  const [a, b] = [entries.get(id), entries.get(other)];
  return a !== undefined && b !== undefined && (a.beside === null || b.beside === null || a.beside.has(other) || b.beside.has(id));
}

/** The number under which a replaced element was shown, if no other has taken it; else 0. */
export function lostNumber(el: Element): number {
  const id = idIfAny(el);
  return entries.has(id) && isLost(id) ? id : 0;
}

/** Whether no other element with the same role and name was shown beside the one of a number. */
export function isOnly(id: number): boolean {
  return [...byKey.get(entries.get(id)?.key ?? "") ?? []].every((other) => other === id || !stoodBeside(other, id));
}

/** The numbers of shown elements that are gone; once: only those not yet searched for. */
export function lostIds(once = false): number[] {
  const out: number[] = [];
  for (const [id, it] of entries) if (it.is && !(once && it.missed) && isLost(id)) out.push(id);
  return out;
}

/** Whether one of these can replace a removed one. */
export function mayReplace(fresh: Iterable<Element>, ids: readonly number[]): boolean {
  const tags = new Set(ids.map((id) => entries.get(id)?.key.split("\0", 2)[1]));
  for (const el of fresh) if (tags.has(localName(el))) return true;
  return false;
}

/** Gives the elements in found that replace removed ones their numbers. */
export function rebind(found: readonly Found[], look: LayoutCache, ids = lostIds()): void {
  if (ids.length === 0 || found.length > maxFound) return;
  const kinds = new Set<string>();
  const lost = new Map<string, number[]>(); // by key
  const wanted = new Set<string>();
  for (const id of ids) {
    const it = entries.get(id);
    if (!it) continue;
    it.missed = true;
    wanted.add(it.key);
    kinds.add(it.key.split("\0", 2).join(" "));
  }
  for (const key of wanted) lost.set(key, [...byKey.get(key) ?? []].filter((id) => isLost(id)));
  const fresh = new Map<string, Found[]>();
  for (const f of found) {
    if (!kinds.has(`${lastingRole(f.el, f.role)} ${localName(f.el)}`)) continue;
    const key = keyOf(f.el, f.role, nameOf(f.el));
    if (wanted.has(key)) fresh.set(key, [...fresh.get(key) ?? [], f]);
  }
  for (const [key, list] of fresh) {
    const gone = lost.get(key) ?? [];
    const now = list.map((f) => ({ el: f.el, is: identityOf(f.el, look, nameOf(f.el), f.group.text) }));
    for (const id of [...gone].reverse()) { // an element with several numbers takes the last one shown
      const was = entries.get(id);
      const is = was?.is && lastIdentity(was.is, look);
      if (!was || !is || is.twin || !ids.includes(id)) continue;
      const inGroup = (x: Identity): boolean => x.group === is.group || x.group === undefined || is.group === undefined;
      const isRival = (other: number, as: Identity, x = entries.get(other)): boolean =>
        !peers.includes(other) && isLost(other) && (!x?.is || x.is.item === is.item && x.is.record === is.record && inGroup(x.is) && (as.held !== is.held || heldBy(x.is, look) === is.held)) &&
        (was.beside === null || was.beside.has(other) || x?.beside === null || x?.beside?.has(id) === true);
      const alike = now.filter((n) => inGroup(n.is) && n.is.record === is.record && !stoodBeside(idIfAny(n.el), id));
      let same = alike.filter((n) => standsIn(n.el, is.item, look));
      if (same.length === 0 && /\d/.test(is.record)) same = alike;
      if (same.length > 1) same = same.filter((n) => n.is.held === is.held && !gone.includes(idIfAny(n.el)));
      const peers = [id, ...gone.filter((other) => other !== id && isBeside(other, id, is))].sort(inTree);
      const inOneRow = same.every((n) => n.is.row?.deref() === same[0]?.is.row?.deref());
      const one = same.length === peers.length && inOneRow ? same[peers.indexOf(id)] : undefined;
      if (!one || one.is.twin || !isSame(is, one.is) || isElsewhere(is, one.el) || isRenamed(id, one.el) || gone.some((other) => isRival(other, one.is))) continue;
      takeOver(one.el, id, was, one.is);
    }
  }
}

/** Its identity at the time of removal: its item may have been filled in since it was shown. */
function lastIdentity(is: Identity, look: LayoutCache): Identity {
  const item = is.row?.deref();
  const words = item ? aroundIn(look).says(item) : "";
  const held = heldBy(is, look);
  return words === "" || words === is.item && held === is.held ? is : { ...is, item: words, held, twin: false };
}

/**
 * The row of fields around an element that is gone, if the act only filled it in: it was drawn anew in its place, and no other row came or went.
 * The button of a row may remove it.
 */
export function filledRow(acted: Element, replaced: ReadonlyMap<Element, Element>, from: ReadonlyMap<Node, Element>): Element | null {
  const row = isConnected(acted) || isPressed(acted) ? null : entries.get(idIfAny(acted))?.is?.row?.deref();
  const now = row && replaced.get(row);
  const [list, was] = [now && parentOf(now), row && (parentOf(row) ?? from.get(row))];
  if (!row || !list || !was || !hasAny(row, typed)) return null;
  const before = parentOf(row) ? childrenOf(was) : [...from].filter(([, p]) => p === was).map(([n]) => n);
  const after = childrenOf(list);
  return before.length === after.length && before.every((o, i) => isElement(o) && replaced.get(o) === after[i]) ? row : null;
}

/** What the fields of a row hold. */
const heldIn = (row: Element | undefined): string => row ? [...all(row, typed)].map(rawValue).join("\0") : "";

/**
 * The rows of fields that are gone and were drawn anew where they were, with other rows only after them: what adds a row
 * draws all of them. A control in a row may have copied it, which nobody can tell from that.
 */
export function grownRows(acted: Element, replaced: ReadonlyMap<Element, Element>, from: ReadonlyMap<Node, Element>): Set<Element> {
  const rows = new Set<Element>();
  const lists = new Map<Element, Element>(); // as they were, by what they are now
  for (const [o, n] of replaced) {
    const [list, was] = [parentOf(n), parentOf(o) ?? from.get(o)];
    if (list && was && hasAny(o, typed)) lists.set(list, was);
  }
  const removed = new Map<Element, Node[]>();
  if (lists.size > 0) {
    for (const [n, p] of from) {
      const list = removed.get(p);
      if (list) list.push(n);
      else removed.set(p, [n]);
    }
  }
  for (const [list, was] of lists) {
    const before: Node[] = isConnected(was) ? removed.get(was) ?? [] : childrenOf(was);
    const after = childrenOf(list);
    const stands = (o: Node, i: number): boolean => isElement(o) && replaced.get(o) === after[i] && heldIn(o) === heldIn(after[i]);
    if (before.length === 0 || after.length <= before.length || !before.every(stands) || holds(list, acted) || before.some((o) => isElement(o) && holds(o, acted))) continue;
    const [last, added] = [after[before.length - 1], after.slice(before.length)];
    if (last && added.every((e) => localName(e) === localName(last) && madeAlike(e, last))) for (const o of before) if (isElement(o)) rows.add(o);
  }
  return rows;
}

const isPressed = (el: Element): boolean => localName(el) === "button" || localName(el) === "a" || attr(el, "role") === "button";

/** What the fields of its item hold, or held when it was removed. */
function heldBy(is: Identity, look: LayoutCache): string {
  const item = is.row?.deref();
  return item ? aroundIn(look).held(item) : is.held;
}

/** Whether another removed element was in the same item. */
function isBeside(other: number, id: number, is: Identity): boolean {
  const [item, el, own] = [is.row?.deref(), goneNode(other), goneNode(id)];
  return item !== undefined && el !== null && own !== null && holds(item, el) && holds(item, own);
}

/** The order of two removed elements of one item. */
function inTree(a: number, b: number): number {
  const [x, y] = [goneNode(a), goneNode(b)];
  return x && y && comesBefore(x, y) ? -1 : 1;
}

/** Whether an element is in another item than the old one, whose item still exists. */
function isElsewhere(is: Identity, el: Element): boolean {
  const item = is.row?.deref();
  return item !== undefined && isConnected(item) && !holds(item, el);
}

/** Whether the text of a removed node had changed before, so that its name differs from that of now. */
function isRenamed(id: number, now: Element): boolean {
  const el = goneNode(id);
  const bare = (words: string | null): string => (words ?? "").replace(/\s+/g, ""); // a name has spaces where two parts meet
  const name = bare(nameOf(now));
  const says = (e: Element): boolean => bare(textContent(e)).includes(name);
  return el !== null && says(now) && !says(el);
}

/** Whether another row has the words of el's row: if one of the two goes, nobody can tell which. */
export function isTwin(el: Element, look: LayoutCache): boolean {
  const item = itemAround(el, parentOf);
  return item !== null && aroundIn(look).hasTwin(item, true);
}

/** Whether an ancestor has exactly the words of the former item: if the other items are gone, it no longer counts as an item. */
function standsIn(el: Element, item: string, look: LayoutCache): boolean {
  if (item === "") return true;
  const around = aroundIn(look);
  const words = leads(el) ? countless : (s: string): string => s;
  const was = words(item);
  for (let e = nameOf(el) === "" ? el : parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) if (words(around.says(e)) === was) return true;
  return false;
}

/**
 * Keeps the number of a control that was redrawn under another name: a star that is filled, a tab with another count. It counts as the same
 * if it is in the same row, or in none. acted: it is the one acted on; filled: it is in a row of fields that the act filled in;
 * grown: it is in one of the rows before one that the act added.
 */
export function stayed(o: Element, n: Element, acted: boolean, filled: boolean, grown: boolean, look: LayoutCache): void {
  const id = idIfAny(o);
  const was = id > 0 ? entries.get(id) : undefined;
  if (!was || was.is?.twin && !grown || nodeOf(id) !== null || lastingRole(n, roleOf(n)) !== was.key.split("\0", 1)[0]) return;
  const name = nameOf(n);
  const same = keyOf(n, roleOf(n), name) === was.key;
  if (same && was.is && was.is.record !== recordOf(n)) return; // pressed once more, it would act on something else
  if (!same && !look.shown(n)) return; // a renamed control that is not visible is not reported
  if (!filled && !grown && (same ? !acted : !isSameRow(o, n) && (itemAround(n, parentOf) !== null || handlerOf(n) === "" || !isSamePart(o, n)))) return;
  giveId(n, id);
  amend(n, name, look);
  show(n, name, look);
}

/** Whether the first part that says more has most of its former words: in another view the same field has another use. */
function isSamePart(was: Element, is: Element): boolean {
  const others = (el: Element): ReadonlySet<string> => {
    const own = tokens(textContent(el) ?? "");
    for (let e = parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) {
      const words = [...tokens((textContent(e) ?? "").slice(0, maxAround))].filter((w) => !own.has(w));
      if (words.length > 0) return new Set(words);
    }
    return none;
  };
  const [then, now] = [others(was), others(is)];
  return [...then].filter((w) => now.has(w)).length * 2 >= Math.max(then.size, now.size);
}

function isSameRow(was: Element, is: Element): boolean {
  const row = itemAround(is, parentOf);
  let before: Element | null = was; // only so far up: a removed element has no siblings
  for (let e: Element | null = is; e && e !== row && before; e = parentOf(e)) before = parentOf(before);
  const words = (r: Element, own: Element): string => flat((textContent(r) ?? "").replace(textContent(own) ?? "", " "));
  return row !== null && before !== null && (before === row || words(before, was) === words(row, is));
}

/** Gives el a number that was shown; its own number stays valid too. */
function takeOver(el: Element, id: number, was: Entry, is: Identity): void {
  const own = idIfAny(el);
  const it = entries.get(own);
  giveId(el, id, !it);
  if (was.past) inherit(el, was.past);
  keep(id, { ...was, past: pastOf(el), is, missed: false });
  const alike = it && byKey.get(it.key);
  if (alike?.delete(own)) alike.add(own); // the number shown last stays last
}

/** Whether a user would take the new control for the one shown. */
function isSame(was: Identity, is: Identity): boolean {
  if (was.dialog !== is.dialog || was.record !== is.record || !actsOnSame(was.objects, is.objects)) return false;
  const isNear = Math.abs(was.x - is.x) + Math.abs(was.y - is.y) < nearPx ||
    Math.abs(was.x + was.scrollX - is.x - is.scrollX) + Math.abs(was.y + was.scrollY - is.y - is.scrollY) < nearPx;
  const isBetween = was.beside === is.beside;
  if (/\d/.test(is.record)) return true;
  if (was.tells && is.tells) return was.view === is.view || isNear || isBetween;
  const kept = [...was.around].filter((w) => is.around.has(w)).length;
  const stays = was.path === is.path;
  if (was.view !== is.view) return stays && kept === was.around.size && kept === is.around.size;
  return kept * 2 >= was.around.size && (isNear && isBetween || namesOne(was.objects, is.objects) || stays && [...was.plain].every((w) => is.around.has(w)));
}

/** The node of a number, or the node that replaced it in a redraw. */
export function liveNode(id: number): Element | null {
  const el = nodeOf(id);
  if (el || !entries.get(id)?.is) return el;
  const look = new LayoutCache();
  rebind(walk(look).found, look, [id]);
  return nodeOf(id);
}
