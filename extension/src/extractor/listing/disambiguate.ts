// Controls of one name: "Remove" in each row of a list, "20" in each month of a
// calendar. The name and state of such a control don't identify it, so each gets the
// words of its own row, card or chip, as a user would identify it.

import { isWritten } from "../a11y/fieldroles";
import { headingsAndLegends, isRow } from "../a11y/role";
import { controls, isInline, textOf, type Without } from "../a11y/visibletext";
import type { RawElement, RawRow } from "../api";
import {
  attr, childrenOf, closest, firstIn, isConnected, isElement, isText, localName, nextSibling, parentOf, previousSibling,
} from "../dom/dom";
import { cut, flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { headCell } from "../reading/tables";
import { type Pace, stride, type Work } from "../schedule/slices";
import { alike } from "./identity";

export interface Listed { el: Element; raw: RawElement }

/** How much of a part is read, and the most and the least of it that is given. */
const readMost = 200;
const most = 40;
const least = 12;
/** The same for the words of a row, which begin with its subject; the rest may change. */
const leastOfRow = 6;
/** How far a control may be from the words of its row, and how many words on the way are tried. */
const maxClimb = 9;
const maxTries = 4;

const letters = /\p{L}/u;
const titles = `${headingsAndLegends},caption,[role=rowheader]`;
const words = /[\p{L}\p{N}]/u;
const longer = /\p{L}{3}|[\u2e80-\ud7ff]/u;

/** Sets near on the listed controls that share role and name: the words that distinguish each from the others. */
export function* tellApart(listed: Listed[], look: LayoutCache, pace: Pace, told: readonly RawRow[] = []): Work<void> {
  const groups = yield* namesakes(listed, look, pace);
  const rows = new Set(listed.filter((m) => pressedRows.has(m.raw.role) && alike(m.el)).map((m) => m.el));
  if (groups.length === 0 && rows.size === 0) return;
  const parts = Parts.of(listed, groups);
  let whole: Parts | undefined;
  for (const g of groups) {
    const group = g.filter((m) => isConnected(m.el));
    const ends = new Set<Element>();
    let near = byRows(group, told) ?? (yield* wordsOf(group, parts, look, pace, ends));
    // Rows that hold only controls are distinguished by these.
    if (near.every((n) => n === "")) near = yield* wordsOf(group, whole ??= parts.withControls(), look, pace, ends);
    const same = new Map<string, number[]>();
    near.forEach((n, i) => { if (n) same.set(n, [...same.get(n) ?? [], i]); });
    let around: Parts | undefined;
    for (const [n, at] of same) {
      if (at.length < 2) continue;
      // Rows of several lists have the same words: the surroundings of each list distinguish them.
      const wider = yield* wordsOf(at.map((i) => group[i] as Listed), around ??= parts.without(ends), look, pace);
      at.forEach((i, k) => { if (wider[k] && wider[k] !== n) near[i] = `${cut(n, 20)}, ${cut(wider[k], 20)}`; });
    }
    group.forEach((m, i) => { if (near[i]) m.raw.near = joined(parts.names(m.raw.near) ? "" : m.raw.near, near[i]); });
    addPlaces(group);
  }
  const written = new Map<Element, number>(); // a part with several fields to write in is a form
  if (rows.size > 0) for (const m of listed) if (isWritten(m.raw.role)) for (let e = closest(m.el, (x) => rows.has(x)); e; e = closest(parentOf(e), (x) => rows.has(x))) written.set(e, (written.get(e) ?? 0) + 1);
  // A control that only one of several rows has acts on that row as well.
  for (const [i, m] of rows.size > 0 ? listed.entries() : []) {
    if (pace.dueAmong(i)) yield* pace.rest(look);
    if (m.raw.near || m.raw.frameOf || pressedRows.has(m.raw.role) || leads(m.raw) || !mayRepeat(m.raw) || !isConnected(m.el)) continue;
    const own = told[(m.raw.row ?? 0) - 1]?.text;
    const row = own === undefined ? closest(parentOf(m.el), (e) => rows.has(e)) : null;
    const said = row && (written.get(row) ?? 0) < 2 ? parts.in(row) : nothing;
    const near = own ?? (said.first || said.all);
    if (near) m.raw.near = cut(near, most);
  }
}

/** Adds places where the same words are near several controls, as at the two ends of a box in a drawing. */
function addPlaces(group: readonly Listed[]): void {
  const same = new Map<string, Listed[]>();
  for (const m of group) if (m.raw.near) same.set(m.raw.near, [...same.get(m.raw.near) ?? [], m]);
  for (const [near, of] of same) {
    const boxes = of.map((m) => m.raw.rect);
    const tops = boxes.map((b) => b.y);
    if (of.length < 2 || of.length > mostPlaced) continue; // too many: their order distinguishes them
    const apart = Math.max(...tops) - Math.min(...tops) > mostApart;
    if (apart && of.some((m) => !words.test(called(m.raw)))) continue;
    const places = apart ? of.map((_, i) => `${i + 1} of ${of.length}`) : placesOf(boxes);
    of.forEach((m, i) => { if (places[i]) m.raw.near = `${cut(near, mostBefore)} (${places[i]})`; });
  }
}

const mostPlaced = 6;
/** The largest distance between controls at one box, in pixels. */
const mostApart = 100;
const mostBefore = 26;
const across = ["left", "middle", "right"];
const down = ["top", "middle", "bottom"];

/** Words for the place of each of several boxes; none if the boxes form no rows or columns. */
function placesOf(boxes: readonly RawElement["rect"][]): string[] {
  const columns = bands(boxes.map((b) => [b.x + b.width / 2, b.width / 2]));
  const rows = bands(boxes.map((b) => [b.y + b.height / 2, b.height / 2]));
  const wide = Math.max(...columns) + 1;
  const places = boxes.map((_, i) => {
    const column = columns[i] ?? 0;
    const of = [...new Set(rows.filter((_, k) => columns[k] === column))].sort((a, b) => a - b);
    const words = [wide > 1 ? bandWord(across, column, wide) : "", of.length > 1 ? bandWord(down, of.indexOf(rows[i] ?? 0), of.length) : ""];
    return words.filter((w) => w !== "").join(" ");
  });
  return new Set(places).size === places.length && places.every((p) => p !== "" && !p.includes("?")) ? places : [];
}

const bandWord = (words: readonly string[], at: number, of: number): string => of > words.length ? "?" : (of === 2 && at === 1 ? words[2] : words[at]) ?? "?";

/** For each place the number of the band it is in; places in one band count as the same. */
function bands(at: readonly [number, number][]): number[] {
  const sorted = [...at].sort((a, b) => a[0] - b[0]);
  const ends: number[] = []; // of each band
  for (const [middle, half] of sorted) {
    const last = ends.at(-1);
    if (last === undefined || middle > last) ends.push(middle + half);
  }
  return at.map(([middle]) => ends.findIndex((end) => middle <= end));
}

/** The words of the row of each control in a group, where each has its own row; null if the words don't distinguish them. */
function byRows(group: readonly Listed[], rows: readonly RawRow[]): string[] | null {
  const said = group.map((m) => besides(rows[(m.raw.row ?? 0) - 1]?.text ?? "", called(m.raw)));
  return new Set(said).size === said.length && said.every((t) => letters.test(t)) ? shortened(said.map((t) => ({ said: t, whole: true })), leastOfRow) : null;
}

/** Roles of an element that is a row if it can be pressed and has similar siblings. */
const pressedRows = new Set(["generic", "listitem", "row"]);

/** Joins words shared by several controls with words that distinguish one. */
const joined = (known = "", own: string): string => known === "" || own.startsWith(known) ? own : `${cut(known, 20)}, ${cut(own, 20)}`;

const called = (e: RawElement): string => e.name || e.text;

/** Longer names belong to a thing and identify it: a headline, a message. A wide letter counts as three. */
const isShort = (name: string): boolean => name.length <= 24 && name.replace(wide, "xxx").length <= 24;
const wide = /[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff]/g;

/** Whether a control is an action repeated in each row. Branches of a tree, and cells named by their content, are not. Days are cells too. */
function mayRepeat(e: RawElement): boolean {
  const name = called(e);
  return name !== "" && isShort(name) && e.role !== "treeitem" && !(cells.has(e.role) && letters.test(name));
}

const cells = new Set(["gridcell", "cell", "columnheader", "rowheader"]);

/** Whether a link only leads to another page. In a table a link may be an action. */
const leads = (e: RawElement): boolean => e.href !== undefined && e.href !== "" && !/^(?:#|javascript:)/.test(e.href);

/**
 * Groups of controls with one role and name under one heading. Their values and states don't identify their row,
 * nor do the words beside a control without a name if others have the same words beside them.
 */
function* namesakes(listed: Listed[], look: LayoutCache, pace: Pace): Work<Listed[][]> {
  const by = new Map<string, Listed[]>();
  const places = new Map<string, Set<Element | null>>();
  for (const [i, m] of listed.entries()) {
    if (i % stride === 0 && pace.due()) yield* pace.rest(look);
    const { raw } = m;
    if (raw.frameOf || (raw.near ? words.test(called(raw)) : !mayRepeat(raw))) continue;
    const key = [raw.role, called(raw), raw.hint, raw.placeholder, raw.group, raw.overlay, addressed(raw.href), raw.near].join("\0");
    if (leads(raw)) {
      const place = `${key}\0${raw.href}`;
      const row = closest(m.el, isRow);
      const known = places.get(place);
      if (known?.has(row)) continue; // two links to one address are equal, unless they act on their row
      if (known) known.add(row);
      else places.set(place, new Set([row]));
    }
    const known = by.get(key);
    if (known) known.push(m);
    else by.set(key, [m]);
  }
  return [...by.values()].filter((g) => g.length > 1 && g.every((m) => !leads(m.raw) || closest(m.el, isRow)));
}

/** An address with its numbers replaced: numbers identify no row to a user. */
const addressed = (href = ""): string => href.replace(/[\da-f-]{12,}|\d+/gi, "#");

/** The words that identify a part of the page: its heading or first piece, and all its words; "" if it has none, or too many. */
interface Said { first: string; all: string }

/** The words of the parts of a page, without those of controls that occur elsewhere too; each part is read once. */
class Parts {
  private readonly said = new Map<Element, Said>();

  private readonly listed: ReadonlySet<Element>;
  private told: Set<string> | undefined;

  private constructor(private readonly members: Listed[], private readonly left: ReadonlySet<Element>, private readonly all = false) {
    this.listed = new Set(members.map((m) => m.el));
  }

  static of(listed: Listed[], groups: Listed[][]): Parts {
    const left = new Set<Element>();
    for (const g of groups) for (const m of g) left.add(m.el);
    for (const m of listed) if (!letters.test(called(m.raw))) left.add(m.el); // days, hours, steppers
    return new Parts(listed, left);
  }

  /** Parts without the words of the elements in more. */
  without(more: ReadonlySet<Element>): Parts { return new Parts(this.members, new Set([...this.left, ...more]), this.all); }

  /** Parts with the words of controls that occur in one row only. */
  withControls(): Parts { return new Parts(this.members, this.left, true); }

  /** Whether the words are the name of a listed element. */
  names(words = ""): boolean {
    this.told ??= new Set(this.members.flatMap((m) => [m.raw.name, m.raw.text]));
    return this.told.has(words);
  }

  /** Whether e is listed itself, so that its own line gives its name. */
  lists(e: Element): boolean { return this.listed.has(e); }

  private fields: Map<Element, RawElement | null> | undefined;

  /** The name of the only field in a part beside a control: it identifies a box that clears the field. */
  fieldIn(e: Element, control: RawElement): string {
    if (!this.fields) {
      this.fields = new Map();
      for (const { el, raw } of this.members) {
        if (!isWritten(raw.role) || this.left.has(el)) continue;
        for (let p = parentOf(el), up = 0; p && up < 3; p = parentOf(p), up++) this.fields.set(p, this.fields.has(p) ? null : raw);
      }
    }
    const field = this.fields.get(e);
    return field && field !== control ? field.name : "";
  }

  in(e: Element): Said {
    let t = this.said.get(e);
    if (!t) this.said.set(e, t = this.read(e));
    return t;
  }

  private readonly out: Without = { has: (e) => this.left.has(e) || !this.all && controls.has(e) };

  private text(e: Element, max: number): string { return textOf(e, max, undefined, this.out); }

  private read(e: Element): Said {
    const t = this.text(e, readMost);
    if (!words.test(t)) return nothing;
    const h = firstIn(e, localName(e) === "tr" ? "th" : titles);
    const title = h && !this.left.has(h) ? this.text(h, 60) : "";
    const whole = t.length < readMost - 1 || this.lists(e) || rowTags.has(localName(e)) || rowRoles.has(attr(e, "role") ?? "") ? t : "";
    return { first: letters.test(title) ? title : whole && firstPiece(e, this.out), all: whole };
  }
}

/** The first block in a part that says something: the name on a card, the first cell of a row. */
export function firstPiece(e: Element, without: Without): string {
  let n = 0;
  for (const c of childrenOf(e)) {
    if (without.has(c)) continue;
    if (isInline(c) || ++n > 6) return "";
    const t = textOf(c, 60, undefined, without);
    if (letters.test(t)) return t;
  }
  return "";
}

const nothing: Said = { first: "", all: "" };
const rowTags = new Set(["tr", "li", "article", "section", "fieldset"]);
const rowRoles = new Set(["row", "listitem", "article"]);

/**
 * The words that distinguish each control of a group; "" if none do. ends receives the own part of each control; without it the
 * surroundings of rows are read.
 */
function* wordsOf(group: Listed[], parts: Parts, look: LayoutCache, pace: Pace, ends?: Set<Element>): Work<string[]> {
  // An element around only one of them belongs to that one.
  const owner = new Map<Element, number>();
  for (const [i, m] of group.entries()) {
    if (pace.dueAmong(i)) yield* pace.rest(look);
    for (let e: Element | null = m.el; e; e = parentOf(e)) {
      const known = owner.get(e);
      owner.set(e, known === undefined ? i : ofSeveral);
      if (known !== undefined) break;
    }
  }
  const within = new Map<Element | null, number>(); // how many own parts are in it
  const made = new Map<string, number>();
  const own: Own[] = [];
  for (const [i, m] of group.entries()) {
    const way: Element[] = [];
    for (let e: Element | null = m.el; e && owner.get(e) === i; e = parentOf(e)) way.push(e);
    const top = way[way.length - 1] ?? m.el;
    const parent = parentOf(top);
    const make = makeOf(m.el);
    within.set(parent, (within.get(parent) ?? 0) + 1);
    made.set(make, (made.get(make) ?? 0) + 1);
    own.push({ way, top, parent, make });
    if (way.length > 0) ends?.add(top);
  }
  const tries: Iterator<Try, undefined>[] = [];
  const now: Try[] = [];
  for (const [i, m] of group.entries()) {
    if (pace.dueAmong(i)) yield* pace.rest(look);
    const o = own[i] as Own;
    const beside = (within.get(o.parent) ?? 0) > 1;
    const t = beside || alike(o.top) && (made.get(o.make) ?? 0) > 1 ? candidates(m, o, beside, ends === undefined, (e) => owner.has(e), parts) : none();
    tries.push(t);
    now.push(t.next().value ?? nobody);
  }
  for (let n = 1; n < maxTries; n++) {
    const count = counted(now);
    const among = now.filter((t) => t.said === "" || (count.get(t.said) ?? 0) > 1).length;
    if (among === 0) break;
    for (const [i, t] of now.entries()) {
      if (pace.dueAmong(i)) yield* pace.rest(look);
      // Where most have equal words, the few others need words other than their row's name, such as its state.
      if (t.said !== "" && (count.get(t.said) ?? 0) < 2 && among * 2 <= now.length) continue;
      now[i] = tries[i]?.next().value ?? t;
    }
  }
  return counted(now).size < 2 ? now.map(() => "") : shortened(now);
}

const ofSeveral = -1;

/** The part of the page around a control that contains none of the others. way: the elements from the control to top. */
interface Own { way: Element[]; top: Element; parent: Element | null; make: string }

/** Words that may distinguish a control. whole: all words of a part, which are cut to the shortest beginning that is unique. */
interface Try { said: string; whole: boolean }

const nobody: Try = { said: "", whole: false };

const none = (): Iterator<Try, undefined> => ({ next: () => ({ done: true, value: undefined }) });

/** How a control is nested in its row: equal for the controls of several rows. */
function makeOf(el: Element): string {
  const parent = parentOf(el);
  const outer = parent && parentOf(parent);
  return [el, parent, outer].map((e) => e ? localName(e) : "").join(" ");
}

function counted(list: Try[]): Map<string, number> {
  const out = new Map<string, number>();
  for (const t of list) out.set(t.said, (out.get(t.said) ?? 0) + 1);
  return out;
}

/** Words that may distinguish a control, the closest first. siblings: others are beside its own part; wider: only parts named by their heading. */
function* candidates(m: Listed, own: Own, siblings: boolean, wider: boolean, taken: (e: Element) => boolean, parts: Parts): Generator<Try, undefined> {
  const name = called(m.raw);
  const numbered = !letters.test(name);
  let last = "";
  let figures = ""; // an amount or a time: used if nothing else distinguishes
  const fresh = (said: string): boolean => {
    if (!letters.test(said)) {
      if (!numbered) figures ||= words.test(said) ? said : "";
      return false;
    }
    if (said === last || numbered && !longer.test(said)) return false; // the letters of the weekdays identify no day
    last = said;
    return true;
  };
  const told = (said: string, whole = false): Try => ({ said, whole });
  for (const e of own.way.slice(0, 3)) {
    const day = dayOf(e, name);
    if (day) yield told(day);
  }
  const title = besides(flat(attr(m.el, "title")), name);
  if (!wider && fresh(title)) yield told(title);
  for (const e of own.way.slice(1, maxClimb)) {
    const said = parts.in(e);
    for (const t of [parts.fieldIn(e, m.raw), besides(flat(attr(e, "aria-label")), name), besides(said.first, name)]) if (fresh(t)) yield told(t);
    const rest = besides(said.all, name);
    if (!wider && fresh(rest)) yield told(rest, true);
    const type = flat(attr(e, "data-type")); // columns of hours and minutes
    if (said.all === "" && fresh(type)) yield told(type);
  }
  if (siblings && !wider && last === "") {
    const head = headCell(own.top);
    if (head && fresh(textOf(head, 60))) yield told(last);
    for (const to of [previousSibling, nextSibling]) {
      const said = besides(beside(own.top, to, (e) => taken(e) || parts.lists(e)), name);
      if (fresh(said)) yield told(said);
    }
  }
  if (figures && !wider) yield told(figures);
}

/** The month of a day that is named by its number: 2026-05. All days of a month share it, so it is given once. */
function dayOf(e: Element, name: string): string {
  for (const a of ["title", "data-date", "data-day", "aria-label"]) {
    const d = /^(\d{4}-\d\d?)-(\d\d?)(?!\d)/.exec(attr(e, a) ?? "");
    if (d?.[1] && Number(d[2]) === Number(name)) return d[1];
  }
  return "";
}

/** The words next to a part, up to the part of another control. */
function beside(top: Element, to: (n: Node) => Node | null, taken: (e: Element) => boolean): string {
  for (let n = to(top), i = 0; n && i < 6; n = to(n), i++) {
    if (isElement(n) && (taken(n) || to === nextSibling && !isInline(n))) return ""; // a block after it is the heading of the next part
    const t = isText(n) ? flat(n.data) : isElement(n) ? textOf(n, 60) : "";
    if (words.test(t)) return t;
  }
  return "";
}

/** The words without the control's own name at either end. */
function besides(said: string, name: string): string {
  if (said === name) return "";
  if (said.startsWith(name) && !words.test(said.charAt(name.length))) said = said.slice(name.length);
  if (said.endsWith(name) && !words.test(said.charAt(said.length - name.length - 1))) said = said.slice(0, -name.length);
  return said.trim();
}

/** Shortens words so that they still differ. */
function shortened(list: Try[], shortest = least): string[] {
  const sorted = [...new Set(list.map((t) => t.said))].sort();
  // The length of a beginning that two of them share; a longer beginning is unique.
  const enough = new Map<string, number>();
  sorted.forEach((t, i) => { enough.set(t, Math.max(inCommon(t, sorted[i - 1] ?? ""), inCommon(t, sorted[i + 1] ?? ""))); });
  return list.map(({ said, whole }) => {
    const same = enough.get(said) ?? 0;
    const end = whole ? wordEnd(said, Math.max(same + 1, shortest)) : said.length;
    if (end <= most) return said.slice(0, end);
    if (same < most - 1) return cut(said.slice(0, end), most);
    const rest = said.slice(said.lastIndexOf(" ", same) + 1);
    return letters.test(rest) ? `…${cut(rest, 2 * least)}` : "";
  });
}

function inCommon(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a.charAt(n) === b.charAt(n)) n++;
  return n;
}

function wordEnd(s: string, from: number): number {
  const at = s.indexOf(" ", from);
  return at < 0 ? s.length : at;
}
