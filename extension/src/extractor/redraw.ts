// Pages that draw themselves anew, by innerHTML or by new keys, put other nodes in the place of those that were shown. Where
// one of them has the role, the name, the row and the place of one that is gone, and no other has, it is the same to a user,
// and takes over the number: a ref goes on to mean what its client was shown. In doubt it does not.

import { all, attr, isConnected, localName, parentOf, textContent } from "./dom";
import { giveId, idIfAny, idOf, nodeOf } from "./ids";
import { itemAround } from "./items";
import { amend, inherit, type Past, pastOf, remember, type Row, rowAround, textOf, tokens, wordsShown } from "./likeness";
import { nameOf } from "./name";
import { roleOf } from "./role";
import { otherTasks } from "./slices";
import { countless, flat } from "./strings";
import { Look } from "./visibility";
import { type Found, walk } from "./walk";

/** A control as it stood there when it was looked at last. */
interface Identity {
  row: string;
  isRow: boolean; // it stands in no row but itself
  before: string; // what the rows beside it say
  after: string;
  group: string | undefined; // where that was not asked for
  dialog: string;
  around: ReadonlySet<string>; // words of what it stands in, where its row does not tell it
  tells: boolean;
  twin: boolean; // another row of the list says the same
  x: number;
  y: number;
  scrollX: number;
  scrollY: number;
  url: string;
}

/** What was shown under a number. */
interface Entry {
  key: string; // what any other must be called alike by
  past: Past | undefined;
  beside: Set<number> | null; // the numbers of those called alike that stood there as it came; null where they are many
  is: Identity | null; // null until the page has nothing else to do
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
const maxClimb = 6;
const longName = 24;
const told = "button,input,select,textarea,summary,[role=button],[role=checkbox],[role=switch],[role=menuitem]";

/** Keeps what el is shown as; group: the part of the page that it is in, where that is known. */
export function show(el: Element, name: string, look: Look, group?: string, role = roleOf(el)): void {
  remember(el, name, look);
  const id = idOf(el);
  const was = entries.get(id);
  const key = keyOf(el, role, name);
  const alike = byKey.get(key);
  const beside = was ? was.beside : alike && alike.size > maxAlike ? null : new Set([...alike ?? []].filter((other) => !isLost(other)));
  keep(id, { key, past: pastOf(el), beside, is: was?.is ?? null, missed: false });
  waiting.delete(id);
  waiting.set(id, { el, role, name, group: group ?? was?.is?.group });
  if (waiting.size === 1) void otherTasks().then(placed).then(placeRest);
}

/** Where each stands costs more than the look that shows it: that is seen right after it, or when an act begins, and of many when the page has nothing else to do. */
const waiting = new Map<number, { el: Element; role: string; name: string; group: string | undefined }>();
const idleMs = 500;
/** How long the page, or an act, waits for it. */
const actMs = 5;

function placeRest(): void {
  if (waiting.size > 0) requestIdleCallback((d) => {
    placeThem(Math.min(Math.max(d.timeRemaining(), 1), actMs));
    placeRest();
  }, { timeout: idleMs });
}

/** Sees where those stand that were shown, before an act may change that. */
export const placed = (): void => { if (waiting.size > 0) placeThem(actMs); };

function placeThem(ms: number): void {
  const until = performance.now() + ms;
  const look = new Look();
  for (const [id, { el, role, name, group }] of waiting) {
    waiting.delete(id);
    const it = entries.get(id);
    if (it && isConnected(el) && keyOf(el, role, nameOf(el)) === it.key) {
      const is = identityOf(el, look, name, group);
      it.is = is.row === flat(wordsShown(el)) ? is : null; // it is for something else by now
    }
    if (performance.now() > until) break;
  }
}

const byKey = new Map<string, Set<number>>();
const maxAlike = 50;

/** The last one that was shown is the last to be forgotten. */
function keep(id: number, it: Entry): void {
  forget(id);
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

const keyOf = (el: Element, role: string, name: string): string =>
  [role, localName(el), attr(el, "type"), name, attr(el, "href")].join("\0");

function leads(el: Element): boolean {
  const href = attr(el, "href") ?? "";
  return href !== "" && !/^(?:#$|javascript:)/.test(href);
}

/** What is the same for many elements, asked once in a look. */
class Around {
  private readonly dialogs = new Map<Element, Element | null>();
  private readonly said = new Map<Element, string>();
  private readonly acts = new Map<Element, Set<string>>();
  private readonly words = new Map<Element, Set<string>>();
  private readonly lists = new Map<Element, Map<string, number>>();

  constructor(private readonly look: Look) {}

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

  private tokens(el: Element): Set<string> {
    let w = this.words.get(el);
    if (!w) this.words.set(el, w = tokens(textOf(el, this.look)));
    return w;
  }

  /** Whether its name, its address or its row says of what it is, as against what is done to that. */
  tells(el: Element, row: Row, name: string): boolean {
    if (name.length > longName || leads(el)) return true;
    let acts = this.acts.get(row.el);
    if (!acts) {
      this.acts.set(row.el, acts = new Set());
      for (const c of all(row.el, told)) for (const w of this.tokens(c)) acts.add(w);
    }
    const own = tokens(name);
    for (const w of this.tokens(row.el)) if (!acts.has(w) && !own.has(w)) return true;
    return false;
  }

  /** The words of the first part around that says more, without numbers, which count on. */
  wordsAround(from: Element): Set<string> {
    const own = this.tokens(from);
    for (let e = parentOf(from), up = 0; e && up < maxClimb; e = parentOf(e), up++) {
      const words = [...this.tokens(e)].filter((w) => !own.has(w) && !/\d/.test(w));
      if (words.length > 0) return new Set(words);
    }
    return new Set();
  }

  /** Whether another row of the same list says the same. */
  hasTwin(row: Element): boolean {
    const list = parentOf(row);
    if (!list || list.childElementCount > maxSiblings) return false;
    let said = this.lists.get(list);
    if (!said) {
      this.lists.set(list, said = new Map());
      for (const c of list.children) said.set(textOf(c, this.look), (said.get(textOf(c, this.look)) ?? 0) + 1);
    }
    return (said.get(textOf(row, this.look)) ?? 0) > 1;
  }
}

const arounds = new WeakMap<Look, Around>();

function identityOf(el: Element, look: Look, name: string, group: string | undefined): Identity {
  let around = arounds.get(look);
  if (!around) arounds.set(look, around = new Around(look));
  const row = rowAround(el, look);
  const b = look.box(el);
  const isRow = row === null || row.el === el;
  const tells = row !== null && around.tells(el, row, name);
  return {
    row: flat(row?.words), isRow, before: flat(row?.before), after: flat(row?.after), group,
    dialog: around.dialog(el), around: tells ? none : around.wordsAround(row?.el ?? el), tells, twin: row !== null && !isRow && around.hasTwin(row.el),
    x: b.left, y: b.top, scrollX: window.scrollX, scrollY: window.scrollY, url: location.pathname + location.search,
  };
}

const none: ReadonlySet<string> = new Set();

const isLost = (id: number): boolean => nodeOf(id) === null;

/** The numbers of what was shown and is gone, and was not looked for since. */
export function lostIds(): number[] {
  const out: number[] = [];
  for (const [id, it] of entries) if (it.is && !it.missed && isLost(id)) out.push(id);
  return out;
}

/** Whether one of these can stand in the place of one that is gone. */
export function mayReplace(fresh: Iterable<Element>, ids: readonly number[]): boolean {
  const tags = new Set(ids.map((id) => entries.get(id)?.key.split("\0", 2)[1]));
  for (const el of fresh) if (tags.has(localName(el))) return true;
  return false;
}

/** Gives those of found that stand in the place of what is gone its number. */
export function rebind(found: readonly Found[], look: Look, ids = lostIds()): void {
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
    if (!kinds.has(`${f.role} ${localName(f.el)}`)) continue;
    const key = keyOf(f.el, f.role, nameOf(f.el));
    if (wanted.has(key)) fresh.set(key, [...fresh.get(key) ?? [], f]);
  }
  for (const [key, list] of fresh) {
    const gone = lost.get(key) ?? [];
    const now = list.map((f) => ({ el: f.el, is: identityOf(f.el, look, nameOf(f.el), f.group.text) }));
    for (const id of gone) {
      const was = entries.get(id);
      if (!was?.is || was.is.twin || !ids.includes(id)) continue;
      const { row, group } = was.is;
      const isRival = (other: number, x = entries.get(other)): boolean =>
        other !== id && (!x?.is || x.is.row === row && (x.is.group === undefined || group === undefined || x.is.group === group)) &&
        (was.beside === null || was.beside.has(other) || x?.beside === null || x?.beside?.has(id) === true);
      const same = now.filter((n) => n.is.row === row && (n.is.group === group || group === undefined));
      const [one] = same;
      if (same.length !== 1 || !one || one.is.twin || !isSame(was.is, one.is) || gone.some((other) => isRival(other))) continue;
      const own = entries.get(idIfAny(one.el));
      if (own && (own.beside === null || own.beside.has(id))) continue; // it stood there with the one that is gone
      takeOver(one.el, id, was, one.is);
    }
  }
}

/** What was paired by all that the page says goes on by its number, where its row tells what it is for and says the same, wherever it stands; of what leads to the same address counts may differ. */
export function follow(replaced: ReadonlyMap<Element, Element>, look: Look): void {
  for (const [o, n] of replaced) {
    const id = idIfAny(o);
    const was = id > 0 ? entries.get(id) : undefined;
    if (!was?.is?.tells || was.is.twin || nodeOf(id) !== null || entries.has(idIfAny(n))) continue;
    const same = leads(n) ? (a: string, b: string): boolean => countless(a) === countless(b) : (a: string, b: string): boolean => a === b;
    if (!same(keyOf(n, roleOf(n), nameOf(n)), was.key)) continue;
    const is = identityOf(n, look, nameOf(n), was.is.group);
    if (is.dialog !== was.is.dialog) continue;
    if (is.row === "" || is.isRow ? !standsIn(n, was.is.row, look) : !same(is.row, was.is.row) || is.twin || !is.tells) continue;
    takeOver(n, id, was, is);
  }
}

/** Whether another row says what the row of an element says: where one of the two goes nobody can tell which. */
export function isTwin(el: Element, look: Look): boolean {
  const row = rowAround(el, look);
  return row !== null && row.el !== el && new Around(look).hasTwin(row.el);
}

/** Whether something around an element says just what its row said: where the others are gone it is no row any more. */
function standsIn(el: Element, row: string, look: Look): boolean {
  for (let e: Element | null = el, up = 0; e && up < maxClimb; e = parentOf(e), up++) if (flat(textOf(e, look)) === row) return true;
  return false;
}

/** What was acted on was drawn anew as what it is now: a star that is filled. It is the same where it stands in the same row; elsewhere also its name has to be the same. */
export function stayed(acted: Element, now: Element, look: Look): void {
  const id = idIfAny(acted);
  const was = id > 0 ? entries.get(id) : undefined;
  if (!was || was.is?.twin || nodeOf(id) !== null || roleOf(now) !== was.key.split("\0", 1)[0]) return;
  const name = nameOf(now);
  if (keyOf(now, roleOf(now), name) !== was.key && !isSameRow(acted, now)) return;
  giveId(now, id);
  amend(now, name, look);
  show(now, name, look);
}

function isSameRow(was: Element, is: Element): boolean {
  const row = itemAround(is, parentOf);
  let before: Element | null = was; // as far up as that: what was taken out stands beside nothing
  for (let e: Element | null = is; e && e !== row && before; e = parentOf(e)) before = parentOf(before);
  const words = (r: Element, own: Element): string => flat((textContent(r) ?? "").replace(textContent(own) ?? "", " "));
  return row !== null && before !== null && (before === row || words(before, was) === words(row, is));
}

function takeOver(el: Element, id: number, was: Entry, is: Identity): void {
  giveId(el, id);
  if (was.past) inherit(el, was.past);
  keep(id, { ...was, past: pastOf(el), is, missed: false });
}

/** Whether what stands there now is what was shown to a user. */
function isSame(was: Identity, is: Identity): boolean {
  if (was.dialog !== is.dialog) return false;
  const d = Math.abs(was.x - is.x);
  const isNear = d + Math.abs(was.y - is.y) < nearPx ||
    Math.abs(was.x + was.scrollX - is.x - is.scrollX) + Math.abs(was.y + was.scrollY - is.y - is.scrollY) < nearPx;
  const beside = was.before !== "" && was.before === is.before || was.after !== "" && was.after === is.after;
  if (was.tells && is.tells) return isNear || beside;
  const isBetween = was.before === is.before && was.after === is.after || was.isRow && is.isRow && beside;
  const kept = [...was.around].filter((w) => is.around.has(w)).length;
  return isNear && isBetween && was.group !== undefined && was.url === is.url && kept * 2 >= was.around.size;
}

/** The node of a number; what stands in its place, where the page was drawn anew. */
export function liveNode(id: number): Element | null {
  const el = nodeOf(id);
  if (el || !entries.get(id)?.is) return el;
  const look = new Look();
  rebind(walk(look).found, look, [id]);
  return nodeOf(id);
}
