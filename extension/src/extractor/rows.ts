// Rows: the repeated part of a page that a control stands in (a row of a table, an
// item of a list, one of several cards made alike), with what a user reads there.
// Buttons of one name are told apart by it, and what only the row shows (an amount,
// a status) is read with its controls.

import type { RawElement, RawRow } from "./api";
import { all, attr, childrenOf, firstChild, hasAttr, holds, isConnected, isElement, isText, localName, nextSibling, parentOf, previousSibling, textContent } from "./dom";
import { controls, textOf, type Without } from "./name";
import type { Listed } from "./namesakes";
import { explicitRole, roleOf } from "./role";
import type { Pace, Work } from "./slices";
import type { Look } from "./visibility";

/** How far a control may stand from its row. */
const maxClimb = 10;
/** In characters of all that stands in it: what is longer is a part of the page, and no row. */
const mostWords = 600;
const mostListed = 3000;
/** How much of a row is told. */
const mostTold = 160;
/** How many of those beside a part are compared with it. */
const mostBeside = 4;

const words = /[\p{L}\p{N}]/u;
const letters = /\p{L}/u;

/** Roles and tags of what is one of several by itself. */
const itemRoles = new Set(["row", "listitem", "article", "option", "treeitem"]);
/** What is no row, nor within one that its own controls are of. */
const ends = new Set(["body", "html", "main", "dialog"]);
const endRoles = new Set(["main", "dialog", "alertdialog", "application"]);
/** What only lays out or holds others, or stands in the flow of words. */
const never = new Set(["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "td", "th", "nav", "header", "footer", "p", "h1", "h2", "h3", "h4", "h5", "h6",
  "label", "a", "button", "select", "svg", "g", "path", "b", "i", "em", "strong", "small", "slot", "legend", "caption", "summary", "aside", "search"]);

const called = (e: RawElement): string => e.name || e.text;

/** Roles of what may say what its row is about, where no other is called so: to press it opens that. */
const naming = new Set(["link", "generic", "listitem", "row", "gridcell", "treeitem", "article", "option"]);

/** Gives each of what is listed its row, and tells what the rows say. */
export function* findRows(listed: readonly Listed[], look: Look, pace: Pace): Work<RawRow[]> {
  const rows = new Rows(listed);
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
  const found = new Set(members.keys());
  for (const [el, of] of members) {
    if (pace.due()) yield* pace.rest(look);
    if (!isConnected(el)) continue;
    const row = rows.tell(el, of, found);
    if (!row) continue;
    out.push(row);
    for (const m of of) m.raw.row = out.length;
    const own = rows.listed.get(el);
    if (own) own.row = out.length;
  }
  return out;
}

class Rows {
  readonly listed: ReadonlyMap<Element, RawElement>;
  private readonly holds = new Map<Element, number>(); // how many listed ones stand in what is around them
  private readonly shared: ReadonlySet<string>; // names that several have
  private readonly known = new Map<Element, Element | null>();
  private readonly lengths = new Map<Element, number>();

  constructor(listed: readonly Listed[]) {
    this.listed = new Map(listed.map((m) => [m.el, m.raw]));
    const names = new Map<string, Listed>();
    const shared = new Set<string>();
    for (const m of listed) {
      const { el, raw } = m;
      const key = nameKey(raw);
      const other = names.get(key);
      if (!other) names.set(key, m);
      else if (!raw.href || raw.href !== other.raw.href || !standTogether(other.el, el)) shared.add(key);
      for (let e = parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) this.holds.set(e, (this.holds.get(e) ?? 0) + 1);
    }
    this.shared = shared;
  }

  /** The innermost row that el stands in. */
  around(el: Element): Element | null {
    const way: Element[] = [];
    let row: Element | null = null;
    for (let e = parentOf(el), up = 0; e && up < maxClimb; e = parentOf(e), up++) {
      const known = this.known.get(e);
      if (known !== undefined) {
        row = known;
        break;
      }
      way.push(e);
      if (this.isEnd(e)) break;
      if (!this.isRow(e)) continue;
      row = e;
      break;
    }
    for (const e of way) this.known.set(e, row);
    return row;
  }

  private length(e: Element): number {
    let n = this.lengths.get(e);
    if (n === undefined) this.lengths.set(e, n = (textContent(e) ?? "").length);
    return n;
  }

  private isEnd(e: Element): boolean { return ends.has(localName(e)) || endRoles.has(explicitRole(e)) || this.length(e) > mostListed; }

  private isRow(e: Element): boolean {
    const tag = localName(e);
    const item = isItem(e, tag);
    if (!item && (never.has(tag) || this.length(e) > mostWords || !this.hasLike(e, tag))) return false;
    return this.saysMore(e, item);
  }

  /** Whether one of those beside it is made alike, with a control in it as well. */
  private hasLike(e: Element, tag: string): boolean {
    for (const next of [nextSibling, previousSibling]) {
      let asked = 0;
      for (let n = next(e); n && asked < mostBeside; n = next(n)) {
        if (!isElement(n)) continue;
        asked++;
        if (localName(n) === tag && madeAlike(e, n) && (this.holds.has(n) || all(n, pressed).length > 0)) return true;
      }
    }
    return false;
  }

  /** Whether it says more than what its controls are called, or has several of them. */
  private saysMore(e: Element, item: boolean): boolean {
    if (localName(e) === "tr" && childrenOf(e).every((c) => localName(c) === "th")) return false; // the heads of columns
    const one = (this.holds.get(e) ?? 0) < 2;
    return words.test(textOf(e, 40, undefined, this.without(e, !one || this.listed.has(e)))) || item && !one && !this.listed.has(e) && letters.test(textOf(e, 40, undefined, this.without(e, true, true)));
  }

  /** What is left out of the words of a row: its controls but for those that name it; labelled: those of its boxes are kept. */
  private without(row: Element, named: boolean, labelled = false, rows?: ReadonlySet<Element>): Without {
    return {
      has: (e) => {
        if (rows?.has(e) && e !== row) return true;
        const raw = this.listed.get(e);
        if (raw) return e !== row && !(named && naming.has(raw.role) && !this.shared.has(nameKey(raw)) && called(raw) !== "");
        if (labelled && localName(e) === "label") return false;
        return this.holds.has(e) && isItem(e, localName(e)) && isItem(row, localName(row)) && localName(e) === localName(row) || controls.has(e);
      },
    };
  }

  /** What a row says; null where nothing of it is worth a line. */
  tell(el: Element, of: readonly Listed[], rows: ReadonlySet<Element>): RawRow | null {
    const own = this.listed.get(el);
    if (!own && of.every((m) => inProse(m))) return null;
    const named = own !== undefined || of.length > 1;
    let text = textOf(el, mostTold, undefined, this.without(el, named, false, rows));
    if (!words.test(text) && named) text = textOf(el, mostTold, undefined, this.without(el, true, true, rows));
    if (!words.test(text)) text = of.find((m) => m.raw.near)?.raw.near ?? "";
    if (!words.test(text) || !own && of.length > 5 && !letters.test(text)) return null;
    const role = roleOf(el);
    const row: RawRow = { role: itemRoles.has(role) ? role : "group", text };
    if (own) row.el = own.id;
    return row;
  }
}

const nameKey = (e: RawElement): string => `${e.role}\0${called(e)}`;

const isItem = (e: Element, tag: string): boolean => {
  if (hasAttr(e, "role")) return itemRoles.has(explicitRole(e));
  return tag === "tr" || tag === "li" || tag === "article";
};

/** Whether two links may be of one row, as the picture and the title of a card. */
function standTogether(a: Element, b: Element): boolean {
  let e: Element | null = a;
  for (let up = 0; e && up < 3 && !isItem(e, localName(e)); up++) e = parentOf(e);
  return e !== null && holds(e, b);
}

const pressed = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=checkbox],[role=switch],[tabindex],[onclick]";

/** Words of classes that say in which state one of several is. */
export const stateWord = /(?:^|[-_])(?:active|current|selected|checked|on|off|open|opened|closed|unread|read|new|starred|flagged|pinned|disabled|enabled|focus(?:ed)?|hover(?:ed)?|first|last|odd|even|highlight(?:ed)?|done|completed?)$/i;

/** Whether two of one tag are made alike: by their classes, and by what they are made of. */
export function madeAlike(a: Element, b: Element): boolean {
  if (attr(a, "role") !== attr(b, "role")) return false;
  const x = makeOf(a);
  const y = makeOf(b);
  return inCommon(x.classes, y.classes) * 2 >= Math.max(x.classes.length, y.classes.length) && inCommon(x.parts, y.parts) * 4 >= x.parts.length + y.parts.length;
}

interface Make { classes: string[]; parts: string[] }

const mostParts = 24;

function makeOf(e: Element): Make {
  const classes = (attr(e, "class") ?? "").split(/\s+/).filter((c) => c !== "" && !stateWord.test(c));
  const parts: string[] = [];
  for (const c of childrenOf(e)) {
    if (parts.length >= mostParts) break;
    const tag = localName(c);
    parts.push(tag);
    for (const g of childrenOf(c)) if (parts.length < mostParts) parts.push(`${tag} ${localName(g)}`);
  }
  return { classes, parts };
}

function inCommon(a: readonly string[], b: readonly string[]): number {
  const left = [...b];
  let n = 0;
  for (const x of a) {
    const at = left.indexOf(x);
    if (at < 0) continue;
    left.splice(at, 1);
    n++;
  }
  return n;
}

const prose = 20;

/** Whether it is a link in running text, which is no row of controls. */
function inProse(m: Listed): boolean {
  const p = m.raw.role === "link" ? parentOf(m.el) : null;
  if (!p) return false;
  let n = 0;
  for (let c = firstChild(p); c; c = nextSibling(c)) if (isText(c)) n += c.data.trim().length;
  return n >= prose;
}
