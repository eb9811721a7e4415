// Rows: the repeated part of a page around a control (a row of a table, an item of a
// list, one of several similar cards), with its visible words. They distinguish buttons
// of one name, and they show facts that only the row has (an amount, a status) with
// its controls.

import { isFieldRole } from "../a11y/fieldroles";
import { pressable } from "../a11y/interactive";
import { ligatureOf } from "../a11y/ligature";
import { explicitRole, roleOf } from "../a11y/role";
import { statesOf } from "../a11y/states";
import { controls, textOf, type Without } from "../a11y/visibletext";
import type { RawElement, RawRow } from "../api";
import {
  all, attr, attrNames, childrenOf, closest, eachChild, firstChild, hasAny, hasAttr, hasAttrs, hasSeveral, holds, isConnected, isElement, isText,
  localName, matches, nextSibling, parentOf, textContent,
} from "../dom/dom";
import { cut, cutWithin, flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { type Pace, stride, type Work } from "../schedule/slices";
import type { Listed } from "./disambiguate";
import { doesAlike, hasLike, helpIn, isItem, itemRoles, placeOf, rowless } from "./items";
import { segmentsOf } from "./segments";

/** The most levels between a control and its row. */
const maxClimb = 10;
/** The same for rows without a box of their own. */
const maxFlat = 3;
/** The most characters in a row; a longer one is a part of the page. */
const mostWords = 600;
const mostListed = 3000;
/** With more headings it has parts of its own. */
const mostHeadings = 2;
/** Landmarks that a card does not have; it may have a header, a footer and a form. */
const partsOfPage = "main,nav,search,[role=main],[role=navigation],[role=search],[role=banner],[role=contentinfo],[role=complementary]";
/** The most characters of a row that are printed. */
const mostTold = 160;
const unparted = new Map<Element, Element>();
const words = /[\p{L}\p{N}]/u;
const letters = /\p{L}/u;
/** Separators between links, left at the ends of a row's words. */
const separators = /^(?:[|·•›»]\s*)+|(?:\s*[|·•›»])+$/g;

const cellRoles = new Set(["cell", "gridcell"]);
/** Elements that are no row and contain no row of the controls inside. */
const ends = new Set(["body", "html", "main", "dialog"]);
const endRoles = new Set(["main", "dialog", "alertdialog", "application"]);
/** Elements whose rows have markup of their own. */
const laid = new Set(["tr", "ul", "ol", "table", "thead", "tbody", "tfoot", "select", "svg", "nav", "header", "footer", "p"]);

const called = (e: RawElement): string => e.name || e.text;

/** Roles of a control that may name its row if no other has its name: to press it opens the row's subject. */
const naming = new Set(["link", "generic", "listitem", "row", "gridcell", "treeitem", "article", "option"]);

/** Sets the row of each listed control and returns what the rows say. more: unlisted controls, whose words are their own; some: only one kind is listed. */
export function* findRows(listed: readonly Listed[], look: LayoutCache, pace: Pace, more: ReadonlySet<Element>, some: boolean): Work<RawRow[]> {
  const rows = new Rows(listed, look, more, some);
  yield* rows.count(listed, pace);
  const members = new Map<Element, Listed[]>();
  for (const [i, m] of listed.entries()) {
    if (pace.dueAmong(i)) yield* pace.rest(look);
    if (m.raw.frameOf || !isConnected(m.el)) continue;
    const row = rows.around(m.el);
    const known = row && members.get(row);
    if (known) known.push(m);
    else if (row) members.set(row, [m]);
  }
  const out: RawRow[] = [];
  const found = new Set([...members.keys()].flatMap((el) => rows.segments.get(el) ?? [el]));
  for (const [el, of] of members) {
    if (pace.due()) yield* pace.rest(look);
    if (!isConnected(el)) continue;
    const row = rows.tell(el, of, found);
    if (!row) continue;
    out.push(row);
    for (const m of of) m.raw.row = out.length;
    const own = row.el ? rows.listed.get(el) : undefined;
    if (own) own.row = out.length;
  }
  return out;
}

class Rows {
  readonly listed: ReadonlyMap<Element, RawElement>;
  private readonly holds = new Map<Element, number>(); // by container: one or several listed controls in it
  private readonly shared = new Set<string>(); // names of several controls
  private readonly known = new Map<Element, Element | null>();
  private readonly lengths = new Map<Element, number>();
  private readonly named = new Map<RawElement, boolean>();
  private signs: Element[] = []; // signs met in the text read
  private readonly apart = new Map<Element, boolean>();
  private readonly flat = new Map<Element, Map<Element, Element>>(); // by box: its rows that have no box of their own
  readonly segments = new Map<Element, readonly Element[]>(); // these rows by their first part
  private readonly helps = new Map<Element, ReadonlySet<Element>>(); // by row
  private readonly acted = new Map<Element, boolean>(); // by row: whether its cells that can be pressed are its data

  constructor(listed: readonly Listed[], private readonly look: LayoutCache, private readonly more: ReadonlySet<Element>, private readonly some: boolean) {
    this.listed = new Map(listed.map((m) => [m.el, m.raw]));
  }

  /** Counts the listed controls in each container, and the names that several have. */
  *count(listed: readonly Listed[], pace: Pace): Work<void> {
    const names = new Map<string, Listed>();
    for (const [i, m] of listed.entries()) {
      if (i % stride === 0 && pace.due()) yield* pace.rest(this.look);
      const { el, raw } = m;
      const key = nameKey(raw);
      const other = names.get(key);
      names.set(key, m);
      // A link to the same thing in another list names its row there as well.
      if (other && (!raw.href || raw.href !== other.raw.href || !standTogether(other.el, el) && (raw.href.startsWith("#") || !isElsewhere(other.el, el)))) this.shared.add(key);
      for (let e = parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) {
        const known = this.holds.get(e) ?? 0;
        if (known > 1) break; // its ancestors hold several as well
        this.holds.set(e, known + 1);
      }
    }
  }

  /** Whether it may name its row, since no other has its name. */
  isNamed(raw: RawElement): boolean {
    if (!naming.has(raw.role) || raw.role === "generic" && (raw.expanded !== undefined || raw.haspopup !== undefined)) return false;
    let v = this.named.get(raw);
    if (v === undefined) this.named.set(raw, v = called(raw) !== "" && !this.shared.has(nameKey(raw)));
    return v;
  }

  /** The innermost row around el. */
  around(el: Element): Element | null {
    const way: Element[] = [];
    let row: Element | null = null;
    let child = el;
    for (let e = parentOf(el), up = 0; e && up < maxClimb; child = e, e = parentOf(e), up++) {
      const known = this.known.get(e);
      if (known !== undefined) {
        row = known;
        break;
      }
      row = up < maxFlat ? this.segmentIn(e, child) : null;
      if (row) break;
      way.push(e);
      if (this.isEnd(e)) break;
      if (!this.isRow(e)) continue;
      row = e;
      break;
    }
    for (const e of way) this.known.set(e, row);
    return row;
  }

  /** The first of the sibling parts in e that form a row with child. */
  private segmentIn(e: Element, child: Element): Element | null {
    let firsts = this.flat.get(e);
    if (firsts === undefined) {
      const found = laid.has(localName(e)) || !hasSeveral(e, 4) || this.length(e) > mostListed ? null : segmentsOf(e, (x) => this.hasControl(x), (x) => textOf(x, 20));
      firsts = found ? new Map() : unparted;
      this.flat.set(e, firsts);
      for (const parts of found ?? []) {
        const first = parts[0];
        if (!first || !words.test(this.read(parts, 40, false, false))) continue;
        this.segments.set(first, parts);
        for (const p of parts) firsts.set(p, first);
      }
    }
    return firsts.get(child) ?? null;
  }

  private hasControl(x: Element): boolean { return this.holds.has(x) || this.listed.has(x) || matches(x, pressable) || hasAny(x, pressable); }

  /** The length of the text, without the white space of the markup. */
  private length(e: Element): number {
    let n = this.lengths.get(e);
    if (n === undefined) {
      const t = textContent(e) ?? "";
      n = t.length <= mostWords || t.length > 10 * mostWords ? t.length : flat(t).length;
      if (n > mostWords) for (const s of all(e, "select")) n -= (textContent(s) ?? "").length; // options are no words of a row
      this.lengths.set(e, n);
    }
    return n;
  }

  private isEnd(e: Element): boolean { return ends.has(localName(e)) || endRoles.has(explicitRole(e)) || this.length(e) > mostListed; }

  private isRow(e: Element): boolean {
    const tag = localName(e);
    const item = isItem(e) || this.isPressedCell(e, tag);
    if (!item && (rowless.has(tag) || this.length(e) > mostWords || this.isPart(e) || !hasLike(e, (n) => this.holds.has(n) || hasAny(n, pressable)))) return false;
    return this.saysMore(e, item);
  }

  /** Whether e is a column or a bar of a page, with parts of its own. */
  private isPart(e: Element): boolean { return hasAny(e, partsOfPage) || all(e, "h1,h2,h3,h4,h5,h6").length > mostHeadings; }

  /** Whether e is a calendar day that can be pressed, as can its content, and no data of a row. */
  private isPressedCell(e: Element, tag: string): boolean {
    if (!this.listed.has(e) || !(hasAttr(e, "role") ? cellRoles.has(explicitRole(e)) : tag === "td")) return false;
    const row = closest(e, (x) => x !== e && isItem(x));
    return row === null || !this.hasData(row);
  }

  /** Whether e says more than the names of its controls, or has several controls. */
  private saysMore(e: Element, item: boolean): boolean {
    if (localName(e) === "tr" && childrenOf(e).every((c) => localName(c) === "th")) return false; // column heads
    const one = (this.holds.get(e) ?? 0) < 2;
    return this.hasWords(e, this.without(e, !one || this.listed.has(e)), 0) || item && !one && !this.listed.has(e) && this.hasWords(e, this.without(e, true, true), 0) || !one && placeOf(e) !== "";
  }

  /** Whether e has any word, visible or not: cheap enough for the few that ask. */
  private hasWords(e: Element, without: Without, depth: number): boolean {
    let found = false;
    eachChild(e, (n) => {
      if (found) return;
      if (isText(n)) found = words.test(n.data);
      else if (isElement(n) && depth < maxClimb && !silent.has(localName(n)) && !without.has(n)) found = this.hasWords(n, without, depth + 1);
    });
    return found;
  }

  /** The elements left out of the words of a row: its controls, except those that name it. labelled: the labels of its boxes are kept. */
  private without(row: Element, named: boolean, labelled = false, rows?: ReadonlySet<Element>): Without {
    const branched = roleOf(row) === "treeitem"; // its branches have lines of their own
    const help = this.help(row);
    return {
      has: (e) => {
        if (e === row) return false;
        if (help.has(e) || rows?.has(e) || branched && roleOf(e) === "group") return true;
        const raw = this.listed.get(e);
        if (raw ? cellRoles.has(raw.role) && this.hasData(row) : this.more.has(e) && localName(e) === "td" && this.hasData(row)) return false;
        if (raw) return !(named && (this.isNamed(raw) || inHead(e)));
        if (this.more.has(e) || localName(e) === "a" && hasAttr(e, "href") && (!this.some || doesAlike(e, row))) return true; // nobody sees it now
        if (localName(e) === "label" && (labelled || isCellOf(e, row))) return false;
        if (isSign(e)) this.signs.push(e);
        return this.isApart(e) || this.holds.has(e) && localName(e) === localName(row) && isItem(e);
      },
    };
  }

  /** helpIn, cached: a row is read several times. */
  private help(row: Element): ReadonlySet<Element> {
    let v = this.helps.get(row);
    if (v === undefined) this.helps.set(row, v = helpIn(row));
    return v;
  }

  /** Whether the cells that can be pressed are the data of the row: other controls are beside them. */
  private hasData(row: Element): boolean {
    let v = this.acted.get(row);
    if (v === undefined) {
      const apart = (e: Element): boolean => e === row || !cellRoles.has(this.listed.get(e)?.role ?? "") && apart(parentOf(e) ?? row);
      this.acted.set(row, v = isItem(row) && [...all(row, pressable)].some((e) => this.listed.has(e) && apart(e)));
    }
    return v;
  }

  /** Whether an unlisted element is no word of its row; cached, since each is asked several times. */
  private isApart(e: Element): boolean {
    let v = this.apart.get(e);
    if (v === undefined) this.apart.set(e, v = hasAttrs(e) && (ligatureOf(e) !== "" || controls.has(e)) || !hasAttrs(e) && native.has(localName(e)));
    return v;
  }

  /** The words of a row's parts, one or several. */
  private read(parts: readonly Element[], most: number, named: boolean, labelled: boolean, rows?: ReadonlySet<Element>): string {
    const [first] = parts;
    if (!first) return "";
    if (parts.length === 1) return textOf(first, most, undefined, this.without(first, named, labelled, rows));
    const box = parentOf(first) ?? first;
    const bare = this.without(box, named, labelled);
    const without = this.without(box, named, labelled, rows);
    return cut(flat(parts.map((p) => bare.has(p) ? "" : textOf(p, most, undefined, without)).join(" ")), most);
  }

  /** The words of a row; null if they are not worth a line. */
  tell(el: Element, of: readonly Listed[], rows: ReadonlySet<Element>): RawRow | null {
    const parts = this.segments.get(el) ?? [el];
    const whole = parts.length === 1;
    const own = whole ? this.listed.get(el) : undefined;
    if (!own && of.every((m) => inProse(m))) return null;
    const role = whole && (itemRoles.has(roleOf(el)) || own && cellRoles.has(roleOf(el))) ? roleOf(el) : "group";
    this.signs = [];
    const text = this.said(parts, of, rows, own, role).replace(separators, "");
    const place = whole && !own && !letters.test(text) ? placeOf(el) : "";
    if (place !== "") return { role, text: flat(`${place} ${text}`) };
    const bare = cutWithin(text, mostTold);
    const { states: drawn, signs } = whole ? statesOf(el, bare, new Set(this.signs), this.look) : { states: [], signs: [] };
    const states = of.length === 1 && of[0]?.raw.current ? drawn.filter((s) => s !== "current") : drawn; // the control says it
    if (!words.test(text) || !own && states.length + signs.length === 0 && this.isNeedless(text, of, role)) return null;
    const row: RawRow = { role, text: cutWithin([bare, ...signs].join(" "), mostTold) };
    if (states.length > 0) row.states = states;
    if (own) row.el = own.id;
    return row;
  }

  private said(parts: readonly Element[], of: readonly Listed[], rows: ReadonlySet<Element>, own: RawElement | undefined, role: string): string {
    const read = (named: boolean, labelled = false): string => this.read(parts, mostWords, named, labelled, rows);
    const naming = of.filter((m) => this.isNamed(m.raw));
    if (own || role === "row") return read(true) || read(true, true);
    // Its names belong to its words, unless they are all of them, or many.
    const all = of.length > 1 && naming.length > 0 && naming.length <= mostNaming ? read(true) : "";
    const rest = all === "" ? read(false) : naming.reduce((t, m) => t.replace(m.raw.text.replace(/…$/, "") || m.raw.name, ""), all);
    if (words.test(rest)) {
      // The words before several links are their heading; the links have lines of their own.
      const head = naming.length > 1 && all !== "" ? read(false) : "";
      return head !== "" && all.startsWith(`${head} `) ? head : all || rest;
    }
    // A row of controls only: those whose names recur are distinguished by its subject.
    const alike = of.some((m) => m.raw.near || !words.test(called(m.raw)) || this.shared.has(nameKey(m.raw)));
    if (naming[0]) return alike && naming.length <= mostNaming ? called(naming[0].raw) : "";
    return of.length > 1 ? read(true, true) || of.find((m) => m.raw.near)?.raw.near || "" : "";
  }

  /** Whether a line for the row would only repeat the lines below or above it. */
  private isNeedless(text: string, of: readonly Listed[], role: string): boolean {
    const only = of.length === 1 ? of[0] : undefined;
    if (!letters.test(text) && (of.length > 5 || only && words.test(called(only.raw)) && text.replace(/\D/g, "").length < 3)) return true;
    if (role !== "group") return false;
    const written = of.filter((m) => isFieldRole(m.raw.role)).length;
    return of.every((m) => m.raw.group?.endsWith(text)) || only?.raw.near === text && written === 1 || written > 2 && text.length > mostFormText;
  }
}

/** Whether a label stands in another cell than its box, and so is a value of the row. */
function isCellOf(label: Element, row: Element): boolean {
  const control = label instanceof HTMLLabelElement ? label.control : null;
  const cell = closest(label, (e) => e === row || localName(e) === "td" || localName(e) === "th");
  return control !== null && cell !== null && cell !== row && !holds(cell, control) && holds(row, control);
}

/** Whether e is in the header of its row. */
function inHead(e: Element): boolean {
  const cell = parentOf(e);
  return cell !== null && localName(cell) === "th";
}

/** Whether e may be a sign with a name; statesOf uses it. */
function isSign(e: Element): boolean {
  if (!hasAttrs(e)) return false;
  for (const name of attrNames(e)) if (name === "title" || name === "aria-label" || name === "alt" || name === "class" && signClass.test(attr(e, name) ?? "")) return true;
  return localName(e) === "svg";
}
const signClass = /icon|symbol|unread/i;
const silent = new Set(["script", "style", "template", "noscript", "svg", "select", "textarea"]);

/** Controls without any attribute. */
const native = new Set(["button", "input", "select", "textarea", "label"]);

/** The most controls that name a row. */
const mostNaming = 3;
/** With more text among several fields it is a form. */
const mostFormText = 60;

const nameKey = (e: RawElement): string => `${e.role}\0${called(e)}`;

/** Whether two links may belong to one row, as the picture and the title of a card. */
function standTogether(a: Element, b: Element): boolean {
  let e: Element | null = a;
  for (let up = 0; e && up < 3 && !isItem(e); up++) e = parentOf(e);
  return e !== null && holds(e, b) && (!isItem(e) || closest(b, isItem) === e);
}

/** Whether two elements are in items of different lists. */
function isElsewhere(a: Element, b: Element): boolean {
  const list = (e: Element): Element | null => {
    const item = closest(e, isItem);
    return item && parentOf(item);
  };
  const [x, y] = [list(a), list(b)];
  return x !== null && y !== null && x !== y && !holds(x, b) && !holds(y, a);
}

const prose = 20;

/** Whether it is a link in running text, which is no control of a row. */
function inProse(m: Listed): boolean {
  const p = m.raw.role === "link" ? parentOf(m.el) : null;
  if (!p) return false;
  let n = 0;
  for (let c = firstChild(p); c; c = nextSibling(c)) if (isText(c)) n += c.data.trim().length;
  return n >= prose;
}
