// Pages that draw themselves anew, by innerHTML or by new keys, put other nodes in the place of those that were shown. Where
// one of them has the role, the name, the row and the place of one that is gone, and no other has, it is the same to a user,
// and takes over the number: a ref goes on to mean what its client was shown. In doubt it does not.

import { nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import {
  all, attr, attrNames, childrenOf, eachChild, holds, isConnected, isElement, isText, localName, nextSibling, onDocument, parentOf, previousSibling, rootOf,
  textContent, unchanged,
} from "../dom/dom";
import { giveId, goneNode, idIfAny, idOf, nodeOf } from "../dom/ids";
import { handlerOf, recordName } from "../dom/make";
import { countless, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { later } from "../schedule/settle";
import { isUnderWay, whenThrough } from "../schedule/slices";
import { amend, inherit, type Past, pastOf, remember, rowAround, tokens, wordsShown } from "./identity";
import { acts, itemAround } from "./items";
import { type Found, walk } from "./walk";

/** A control as it stood there when it was looked at last. */
interface Identity {
  item: string; // what the row, card or option says that it stands in; empty where it stands in none
  tells: boolean; // that, its name or its address says of what it is, as against what is done to it
  row: WeakRef<Element> | null; // that item
  twin: boolean; // another item of the list says the same
  record: string; // by what the page itself knows what it is for
  around: ReadonlySet<string>; // the words of the first part around that says more, where nothing tells of what it is
  plain: ReadonlySet<string>; // and those of them that are not of its buttons
  path: string; // what it stands in, by tags and names
  beside: string; // what stands before and after
  group: string | undefined; // where that was not asked for
  dialog: string;
  x: number;
  y: number;
  scrollX: number;
  scrollY: number;
  view: string; // the address
}

/** What was shown under a number. */
interface Entry {
  key: string; // what any other must be called alike by
  past: Past | undefined;
  beside: ReadonlySet<number> | null; // the numbers of those called alike that stood there as it came; null where they are many
  is: Identity | null; // null until the page has nothing else to do
  shown: number; // the state of the page when it was shown last
  at: number; // and when it was seen where it stands
  missed: boolean; // it was looked for after it had gone
}

const entries = new Map<number, Entry>();
const maxKept = 1500;
/** Of more controls, or of more siblings, it is not asked whether one is like another. */
const maxFound = 3000;
const maxSiblings = 300;
const maxDialog = 2000;
/** How far something may be from where it stood. */
const nearPx = 48;
const maxClimb = 8;
const maxAround = 600;
const longName = 24;
const told = "button,input,select,textarea,summary,[role=button],[role=checkbox],[role=switch],[role=menuitem]";

/** Keeps what el is shown as; group: the part of the page that it is in, where that is known. */
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

/** Where each stands costs more than the look that shows it: that is seen right after it, or when an act begins, and of many when the page has nothing else to do. */
const waiting = new Map<number, { el: Element; role: string; name: string; group: string | undefined; state: number }>();
const idleMs = 500;
/** How long an act, and an idle page, waits for it: an act may begin in that moment. */
const actMs = 2;
const mostIdleMs = 4;
/** How many are seen however long that takes: on a busy machine little gets done in a few milliseconds. */
const leastPlaced = 100;

// As long as the page has not changed since, what was shown is what it was, and stands where it stood.
let states = 1; // counts on with each change
let isWatched = false;
const watching = new MutationObserver(changed);
onDocument("scroll", changed);
addEventListener("resize", changed, { passive: true });

function changed(): void {
  states++;
  watching.disconnect(); // one change is as good as many
  isWatched = false;
}

/** The state that the page is in, which is watched from now on. */
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
    if (isUnderWay() || performance.now() < actUntil) { // it would come between the parts of a look, or of the act
      later(placeRest, quietMs);
      return;
    }
    placeThem(d.didTimeout ? mostIdleMs : Math.min(d.timeRemaining(), mostIdleMs), waiting.keys());
    placeRest();
  }, { timeout: idleMs });
}

let actUntil = 0;
const quietMs = 200;

/** Sees where those stand that were shown, before an act on one may change that: first the others of its row, which were numbered with it. */
export function placed(acted: number): void {
  actUntil = performance.now() + quietMs;
  if (waiting.size > 0) placeThem(actMs, acted > 0 ? outwards(acted) : waiting.keys(), leastPlaced);
}

/** The numbers that wait, from those next to one on. */
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
  it.is = same ? identityOf(w.el, look, w.name, w.group) : null; // it is for something else by now
  it.at = state;
}

/** Whether nothing can have changed since that state what an element is shown as; a field may hold something else, of which nobody is told. */
const isUnchanged = (el: Element, since: number): boolean =>
  since === states && rootOf(el) === document && !(el instanceof HTMLInputElement || el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement);

const nothing: ReadonlySet<number> = new Set();
const byKey = new Map<string, Set<number>>();
const maxAlike = 50;

/** The last one that was shown is the last to be forgotten. */
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

/** A script may make a combobox of a field in which text is written, which is the same to a user. */
export const lastingRole = (el: Element, role: string): string => textRoles.has(role) && (localName(el) === "input" || localName(el) === "textarea") ? "textbox" : role;

const textRoles = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);

/** Of what leads to the same address a count may differ. */
const keyOf = (el: Element, role: string, name: string): string =>
  [lastingRole(el, role), localName(el), attr(el, "type"), leads(el) ? countless(name) : name, attr(el, "href")].join("\0");

function leads(el: Element): boolean {
  const href = attr(el, "href") ?? "";
  return href !== "" && !/^(?:#$|javascript:)/.test(href);
}

/** What is the same for many elements, asked once in a look. */
class Around {
  private readonly dialogs = new Map<Element, Element | null>();
  private readonly said = new Map<Element, string>();
  private readonly acts = new Map<Element, Set<string>>();
  private readonly words = new Map<Element, ReadonlySet<string>>();
  private readonly texts = new Map<Element, string>();
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

  /** What the dialog says that el is in. */
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

  /** Whether its name, its address or its item says of what it is, as against what is done to that. */
  tells(el: Element, item: Element | null, name: string): boolean {
    if (name.length > longName || leads(el)) return true;
    if (!item) return false;
    let acts = this.acts.get(item);
    if (!acts) {
      this.acts.set(item, acts = new Set());
      for (const c of all(item, told)) for (const w of this.tokens(c)) acts.add(w);
    }
    const own = tokens(name);
    for (const w of this.tokens(item)) if (!acts.has(w) && !own.has(w)) return true;
    return [...own].some((w) => !acts.has(w)); // its name is all that the item says
  }

  /** The first part around that says more. */
  part(el: Element): Element | null {
    const own = this.tokens(el).size;
    for (let e = parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) if (this.tokens(e).size > own) return e;
    return null;
  }

  /** What a user reads in an element, but for its buttons and boxes. */
  plain(el: Element): string {
    let t = this.texts.get(el);
    if (t === undefined) this.texts.set(el, t = flat(wordsIn(el, false)).slice(0, maxAround));
    return t;
  }

  /** The same, where there is more than those. */
  says(el: Element): string { return this.plain(el) || flat(wordsIn(el, true)).slice(0, maxAround); }

  /** What stands before and after an element. */
  beside(el: Element | null): string {
    return [previousSibling, nextSibling].map((next) => {
      let n = el && next(el);
      while (n && !isElement(n)) n = next(n);
      return n ? this.plain(n) : "";
    }).join(" | ");
  }

  /** Whether another item of the same list says the same. */
  hasTwin(item: Element): boolean {
    const list = parentOf(item);
    if (!list) return false;
    let said = this.lists.get(list);
    if (!said) {
      this.lists.set(list, said = new Map());
      const items = childrenOf(list);
      if (items.length <= maxSiblings) for (const c of items) said.set(this.says(c), (said.get(this.says(c)) ?? 0) + 1);
    }
    return (said.get(this.says(item)) ?? 0) > 1;
  }
}

/** all: with those of buttons and boxes. */
function wordsIn(el: Element, all: boolean): string {
  let out = "";
  eachChild(el, (c) => {
    if (out.length > maxAround) return;
    if (isText(c)) out += ` ${c.data.trim()}`;
    else if (isElement(c) && (all || !acts(c))) out += wordsIn(c, all);
  });
  return out;
}

const arounds = new WeakMap<LayoutCache, Around>();

function aroundIn(look: LayoutCache): Around {
  let around = arounds.get(look);
  if (!around) arounds.set(look, around = new Around());
  return around;
}

function identityOf(el: Element, look: LayoutCache, name: string, group: string | undefined): Identity {
  const around = aroundIn(look);
  const item = itemAround(el, parentOf) ?? (name === "" ? el : null); // a row without a name is known by what it says
  const b = look.box(el);
  const tells = around.tells(el, item, name);
  const part = tells ? null : around.part(el);
  const own = around.tokens(el); // that it says the same itself does not tell that it stands in the same part
  const others = (words: ReadonlySet<string>): ReadonlySet<string> => new Set([...words].filter((w) => !own.has(w)));
  return {
    item: item ? around.says(item) : "", row: item && new WeakRef(item), tells, record: recordOf(el), twin: item !== null && around.hasTwin(item),
    around: part ? others(around.tokens(part)) : none, plain: part ? others(tokens(around.plain(part))) : none, path: pathOf(el),
    beside: around.beside(item ?? rowAround(el, look)?.el ?? null), group, dialog: around.dialog(el),
    x: b.left, y: b.top, scrollX: window.scrollX, scrollY: window.scrollY, view: location.href,
  };
}

const none: ReadonlySet<string> = new Set();

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

/** The numbers of what was shown and is gone; once: without those that were looked for since. */
export function lostIds(once = false): number[] {
  const out: number[] = [];
  for (const [id, it] of entries) if (it.is && !(once && it.missed) && isLost(id)) out.push(id);
  return out;
}

/** Whether one of these can stand in the place of one that is gone. */
export function mayReplace(fresh: Iterable<Element>, ids: readonly number[]): boolean {
  const tags = new Set(ids.map((id) => entries.get(id)?.key.split("\0", 2)[1]));
  for (const el of fresh) if (tags.has(localName(el))) return true;
  return false;
}

/** Gives those of found that stand in the place of what is gone its number. */
export function rebind(found: readonly Found[], look: LayoutCache, ids = lostIds()): void {
  if (ids.length === 0 || found.length > maxFound) return;
  const kinds = new Set<string>();
  const lost = new Map<string, number[]>(); // by role, tag and name
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
    for (const id of [...gone].reverse()) { // what has several numbers is called by the last that was shown
      const was = entries.get(id);
      const is = was?.is && lastIdentity(was.is, look);
      if (!was || !is || is.twin || !ids.includes(id)) continue;
      const inGroup = (x: Identity): boolean => x.group === is.group || x.group === undefined || is.group === undefined;
      const isRival = (other: number, x = entries.get(other)): boolean =>
        other !== id && (!x?.is || x.is.item === is.item && x.is.record === is.record && inGroup(x.is)) &&
        (was.beside === null || was.beside.has(other) || x?.beside === null || x?.beside?.has(id) === true);
      const alike = now.filter((n) => inGroup(n.is) && n.is.record === is.record);
      let same = alike.filter((n) => standsIn(n.el, is.item, look));
      if (same.length === 0 && /\d/.test(is.record)) same = alike;
      const [one] = same;
      if (same.length !== 1 || !one || one.is.twin || !isSame(is, one.is) || isElsewhere(is, one.el) || isRenamed(id, one.el) || gone.some((other) => isRival(other))) continue;
      const own = entries.get(idIfAny(one.el));
      if (own && (own.beside === null || own.beside.has(id))) continue; // it stood there with the one that is gone
      takeOver(one.el, id, was, one.is);
    }
  }
}

/** What it stood in as it went: its item may have been filled in since it was shown. */
function lastIdentity(is: Identity, look: LayoutCache): Identity {
  const item = is.row?.deref();
  const words = item ? aroundIn(look).says(item) : "";
  return words === "" || words === is.item ? is : { ...is, item: words, twin: false };
}

/** Whether an element stands in another item than one does that is still there. */
function isElsewhere(is: Identity, el: Element): boolean {
  const item = is.row?.deref();
  return item !== undefined && isConnected(item) && !holds(item, el);
}

/** Whether the text of a node had changed before it went, so that it was called by the name of now no more. */
function isRenamed(id: number, now: Element): boolean {
  const el = goneNode(id);
  const bare = (words: string | null): string => (words ?? "").replace(/\s+/g, ""); // a name has spaces where two parts meet
  const name = bare(nameOf(now));
  const says = (e: Element): boolean => bare(textContent(e)).includes(name);
  return el !== null && says(now) && !says(el);
}

/** Whether another row says what the row of an element says: where one of the two goes nobody can tell which. */
export function isTwin(el: Element, look: LayoutCache): boolean {
  const item = itemAround(el, parentOf);
  return item !== null && aroundIn(look).hasTwin(item);
}

/** Whether something around an element says just what its item said: where the others are gone it is no item any more. */
function standsIn(el: Element, item: string, look: LayoutCache): boolean {
  if (item === "") return true;
  const around = aroundIn(look);
  const words = leads(el) ? countless : (s: string): string => s;
  const was = words(item);
  for (let e = nameOf(el) === "" ? el : parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) if (words(around.says(e)) === was) return true;
  return false;
}

/**
 * What was drawn anew by another name, and is told so: a star that is filled, a tab with another count. It is the same where it stands in
 * the same row, or in none.
 */
export function stayed(o: Element, n: Element, acted: boolean, look: LayoutCache): void {
  const id = idIfAny(o);
  const was = id > 0 ? entries.get(id) : undefined;
  if (!was || was.is?.twin || nodeOf(id) !== null || lastingRole(n, roleOf(n)) !== was.key.split("\0", 1)[0]) return;
  const name = nameOf(n);
  const same = keyOf(n, roleOf(n), name) === was.key;
  if (!same && !look.shown(n)) return; // nobody is told of what is called otherwise and not seen
  if (same ? !acted : !isSameRow(o, n) && (itemAround(n, parentOf) !== null || handlerOf(n) === "" || !isSamePart(o, n))) return;
  giveId(n, id);
  amend(n, name, look);
  show(n, name, look);
}

/** Whether the first part around that says more says most of what it said: a field of another view does the same with something else. */
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
  let before: Element | null = was; // as far up as that: what was taken out stands beside nothing
  for (let e: Element | null = is; e && e !== row && before; e = parentOf(e)) before = parentOf(before);
  const words = (r: Element, own: Element): string => flat((textContent(r) ?? "").replace(textContent(own) ?? "", " "));
  return row !== null && before !== null && (before === row || words(before, was) === words(row, is));
}

/** What has a number that was shown keeps it, and answers to the other as well. */
function takeOver(el: Element, id: number, was: Entry, is: Identity): void {
  const own = idIfAny(el);
  const it = entries.get(own);
  giveId(el, id, !it);
  if (was.past) inherit(el, was.past);
  keep(id, { ...was, past: pastOf(el), is, missed: false });
  const alike = it && byKey.get(it.key);
  if (alike?.delete(own)) alike.add(own); // the last number that was shown stays the last
}

/** Whether what stands there now is what was shown to a user. */
function isSame(was: Identity, is: Identity): boolean {
  if (was.dialog !== is.dialog || was.record !== is.record) return false;
  const isNear = Math.abs(was.x - is.x) + Math.abs(was.y - is.y) < nearPx ||
    Math.abs(was.x + was.scrollX - is.x - is.scrollX) + Math.abs(was.y + was.scrollY - is.y - is.scrollY) < nearPx;
  const isBetween = was.beside === is.beside;
  if (/\d/.test(is.record)) return true;
  if (was.tells && is.tells) return was.view === is.view || isNear || isBetween;
  const kept = [...was.around].filter((w) => is.around.has(w)).length;
  const stays = was.path === is.path;
  if (was.view !== is.view) return stays && kept === was.around.size && kept === is.around.size;
  return kept * 2 >= was.around.size && (isNear && isBetween || stays && [...was.plain].every((w) => is.around.has(w)));
}

/** The node of a number; what stands in its place, where the page was drawn anew. */
export function liveNode(id: number): Element | null {
  const el = nodeOf(id);
  if (el || !entries.get(id)?.is) return el;
  const look = new LayoutCache();
  rebind(walk(look).found, look, [id]);
  return nodeOf(id);
}
