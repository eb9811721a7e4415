// Pages that draw themselves anew, by innerHTML or by new keys, put other nodes in the place of those that were shown. Where
// one of them has the role, the name, the row and the place of one that is gone, and no other has, it is the same to a user,
// and takes over the number: a ref goes on to mean what its client was shown. In doubt it does not.

import { all, attr, closest, localName, parentOf, textContent } from "./dom";
import { giveId, idIfAny, idOf, nodeOf } from "./ids";
import { inherit, type Past, pastOf, remember, type Row, rowAround, textOf, tokens } from "./likeness";
import { nameOf } from "./name";
import { roleOf } from "./role";
import { flat } from "./strings";
import { Look } from "./visibility";
import { type Found, walk } from "./walk";

/** A control as it was looked at last. */
interface Identity {
  key: string; // what any other must be called alike by
  row: string;
  isRow: boolean; // it stands in no row but itself
  before: string; // what the rows beside it say
  after: string;
  group: string | undefined; // where that was not asked for
  dialog: string;
  around: Set<string>; // words of what it stands in, where its row does not tell it
  tells: boolean;
  twin: boolean; // another row of the list says the same
  x: number;
  y: number;
  scrollX: number;
  scrollY: number;
  url: string;
  past: Past | undefined;
  beside: Set<number>; // the numbers of those called alike that stood there as it came
  missed: boolean; // it was looked for after it had gone
}

const identities = new Map<number, Identity>();
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
  const known = identities.get(id);
  const is = identityOf(el, role, name, look, group ?? known?.group);
  is.beside = known?.beside ?? new Set([...byKey.get(is.key) ?? []].filter((other) => !isLost(other)));
  keep(id, is);
}

const byKey = new Map<string, Set<number>>();

/** The last one that was shown is the last to be forgotten. */
function keep(id: number, is: Identity): void {
  forget(id);
  identities.set(id, is);
  const alike = byKey.get(is.key);
  if (alike) alike.add(id);
  else byKey.set(is.key, new Set([id]));
  if (identities.size > maxKept) forget(identities.keys().next().value ?? 0);
}

function forget(id: number): void {
  const it = identities.get(id);
  if (!it) return;
  identities.delete(id);
  const alike = byKey.get(it.key);
  if (alike?.delete(id) && alike.size === 0) byKey.delete(it.key);
}

const keyOf = (el: Element, role: string, name: string): string =>
  [role, localName(el), attr(el, "type"), name, attr(el, "href")].join("\0");

function identityOf(el: Element, role: string, name: string, look: Look, group: string | undefined): Identity {
  const row = rowAround(el, look);
  const b = look.box(el);
  const dialog = closest(el, (e) => localName(e) === "dialog" || /^(?:alert)?dialog$/.test(attr(e, "role") ?? "") || attr(e, "aria-modal") === "true");
  const tells = row !== null && isTelling(el, row, name, look);
  return {
    key: keyOf(el, role, name), row: flat(row?.words), isRow: row === null || row.el === el, before: flat(row?.before), after: flat(row?.after), group,
    dialog: dialog ? flat((textContent(dialog) ?? "").slice(0, maxDialog)) : "", around: tells ? new Set() : wordsAround(row?.el ?? el, look),
    tells, twin: row !== null && row.el !== el && hasTwin(row.el, look),
    x: b.left, y: b.top, scrollX: window.scrollX, scrollY: window.scrollY, url: location.pathname + location.search, past: pastOf(el), beside: new Set(), missed: false,
  };
}

/** Whether its name, its address or its row says of what it is, as against what is done to that. */
function isTelling(el: Element, row: Row, name: string, look: Look): boolean {
  const href = attr(el, "href") ?? "";
  if (name.length > longName || href !== "" && !/^(?:#$|javascript:)/.test(href)) return true;
  const known = tokens(name);
  for (const c of all(row.el, told)) for (const w of tokens(textOf(c, look))) known.add(w);
  return [...tokens(row.words)].some((w) => !known.has(w));
}

/** The words of the first part around that says more, without numbers, which count on. */
function wordsAround(from: Element, look: Look): Set<string> {
  const own = tokens(textOf(from, look));
  for (let e = parentOf(from), up = 0; e && up < maxClimb; e = parentOf(e), up++) {
    const words = [...tokens(textOf(e, look))].filter((w) => !own.has(w) && !/\d/.test(w));
    if (words.length > 0) return new Set(words);
  }
  return new Set();
}

const rows = new WeakMap<Look, Map<Element, Map<string, number>>>();

/** Whether another row of the same list says the same. */
function hasTwin(row: Element, look: Look): boolean {
  const list = parentOf(row);
  if (!list || list.childElementCount > maxSiblings) return false;
  let known = rows.get(look);
  if (!known) rows.set(look, known = new Map());
  let said = known.get(list);
  if (!said) {
    known.set(list, said = new Map());
    for (const c of list.children) said.set(textOf(c, look), (said.get(textOf(c, look)) ?? 0) + 1);
  }
  return (said.get(textOf(row, look)) ?? 0) > 1;
}

const isLost = (id: number): boolean => nodeOf(id) === null;

/** The numbers of what was shown and is gone, and was not looked for since. */
export function lostIds(): number[] {
  const out: number[] = [];
  for (const [id, it] of identities) if (!it.missed && isLost(id)) out.push(id);
  return out;
}

/** Gives those of found that stand in the place of what is gone its number: which they are, with what they replace while that is known. */
export function rebind(found: readonly Found[], look: Look, ids = lostIds()): Map<Element, Element | undefined> {
  const out = new Map<Element, Element | undefined>();
  if (ids.length === 0 || found.length > maxFound) return out;
  const lost = new Map<string, number[]>(); // by role, tag and name
  const kinds = new Set<string>();
  for (const [id, it] of identities) if (isLost(id)) {
    lost.set(it.key, [...lost.get(it.key) ?? [], id]);
    const [role, tag] = it.key.split("\0", 2);
    kinds.add(`${role} ${tag}`);
  }
  const fresh = new Map<string, Found[]>();
  for (const f of found) {
    if (!kinds.has(`${f.role} ${localName(f.el)}`)) continue;
    const key = keyOf(f.el, f.role, nameOf(f.el));
    if (lost.has(key)) fresh.set(key, [...fresh.get(key) ?? [], f]);
  }
  const wanted = new Set(ids);
  for (const id of ids) {
    const it = identities.get(id);
    if (it) it.missed = true;
  }
  for (const [key, list] of fresh) {
    const gone = lost.get(key) ?? [];
    const now = list.map((f) => ({ f, is: identityOf(f.el, f.role, nameOf(f.el), look, f.group.text) }));
    for (const id of gone) {
      const was = identities.get(id);
      if (!was || !wanted.has(id) || was.twin) continue;
      const isRival = (other: number, x = identities.get(other)): boolean =>
        x !== undefined && x.row === was.row && (x.group === undefined || was.group === undefined || x.group === was.group) && (was.beside.has(other) || x.beside.has(id));
      const same = now.filter((n) => n.is.row === was.row && (n.is.group === was.group || was.group === undefined));
      const [one] = same;
      if (gone.some((other) => isRival(other)) || same.length !== 1 || !one || one.is.twin || !isSame(was, one.is) || identities.get(idIfAny(one.f.el))?.beside.has(id)) continue;
      out.set(one.f.el, giveId(one.f.el, id));
      if (was.past) inherit(one.f.el, was.past);
      keep(id, { ...one.is, past: pastOf(one.f.el), beside: was.beside });
    }
  }
  return out;
}

/** Whether one of these can stand in the place of one that is gone. */
export function mayReplace(fresh: Iterable<Element>, ids: readonly number[]): boolean {
  const tags = new Set(ids.map((id) => identities.get(id)?.key.split("\0", 2)[1]));
  for (const el of fresh) if (tags.has(localName(el))) return true;
  return false;
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
  if (el || !identities.has(id)) return el;
  const look = new Look();
  rebind(walk(look).found, look, [id]);
  return nodeOf(id);
}
