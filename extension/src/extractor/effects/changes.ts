// Compares two sketches of a page and lists the changes visible to a user: controls that
// came, went or changed their state, and text.

import { noticeAround, noticeOf, outermostNotice } from "../a11y/announce";
import type { OpenDialog } from "../a11y/dialogs";
import { headOf, isCell } from "../a11y/fieldlabel";
import { acts, isEnabled, Kind, kindOf, markedKind, pressable, resizes } from "../a11y/interactive";
import { ligatureOf, mayBeLigature } from "../a11y/ligature";
import { nameOf } from "../a11y/name";
import { overlayName } from "../a11y/overlays";
import { headingsAndLegends, roleOf } from "../a11y/role";
import { hushed, secretOf } from "../a11y/secrets";
import { isOnWord, rowWord, stateIn } from "../a11y/stateclass";
import { drawnWord, isBold, isSet } from "../a11y/states";
import { inline, ownTextOf } from "../a11y/visibletext";
import type { Change, RowLink } from "../api";
import {
  all, attr, childElementCount, childrenOf, closest, comesBefore, doc, eachChild, hasAny, hasAttr, holds, isConnected, isElement, isText, localName, matches, nextSibling,
  parentOf, previousSibling, rectOf, textContent,
} from "../dom/dom";
import { reset } from "../dom/format";
import { idOf, nodeOf } from "../dom/ids";
import { madeAlike, withoutHash } from "../dom/make";
import { countless, cut, flat, flatLines } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { checkedOf, expandedOf } from "../listing/describe";
import { HoverParts } from "../listing/hoverparts";
import { doesAlike, hasLike, helpIn, isChosen, isItem, isLong, itemAround, itemRole, itemWords, type ListChange, listChanges, repeated } from "../listing/items";
import { filledRow, grownRows, isOnly, lostIds, lostNumber, mayReplace, rebind, show, stayed, wasShown } from "../listing/redraw";
import { sameName } from "../listing/samename";
import { walk } from "../listing/walk";
import { eachPiece, readable } from "../reading/text";
import { redrawnIn } from "./drawings";
import { type Moved, moved, sortOf } from "./order";
import type { Sketch } from "./pagesnapshot";
import { reconcile } from "./reconcile";
import { counted, noticed, own } from "./telling";

/**
 * How many characters of a text go to the host, far more than it tells: it removes text that a user has
 * hidden, and cannot recognize half of it.
 */
const maxText = 240;
/** How many characters are kept before the place where two long texts differ. */
const lead = 112;
/** How many changes are examined; the rest are only counted. */
const maxClose = 150;
/** How many ancestors are searched. */
const maxUp = 20;
/** Up to so many items that came to a list or left it are told one by one; of more, the count and the first ones. */
const maxItems = 3;
/** The number of first items named in navigation. */
const maxPlaces = 12;
/** How many changes in dialogs and other notices are told first. */
const maxNoticed = 8;
/** The share of a part's sides that a layer over the whole of it takes: the part may have borders. */
const mostOfPart = 0.9;
/** How many sorted rows are checked for unchanged words. */
const maxCompared = 50;

/** Two texts as they go to the host: long ones start shortly before the first difference, as in a log or a chat. */
function shownDifference(was: string, now: string): { from: string; to: string } {
  let n = 0;
  while (n < was.length && n < now.length && was[n] === now[n]) n++;
  const at = Math.max(was.length, now.length) > maxText && n > lead ? n - lead : 0;
  const from = (s: string): string => cut(at > 0 ? `…${s.slice(at)}` : s, maxText);
  return { from: from(was), to: from(now) };
}

/** A value without white space beside its words, but with its lines. */
const inLines = (value: string): string => flatLines(value.trim());

/** Whether something was added or removed, not changed. */
export const isComing = (c: Change): boolean => c.kind === "added" || c.kind === "removed";

/** The changes that a MutationObserver reported between two sketches. */
export interface Notes {
  attrs: Map<Element, Map<string, string | null>>; // the values before
  from: Map<Node, Element>; // the former parents of removed nodes that were there before
  came: WeakSet<Node>; // nodes added since: pages draw several times in a turn, and states in between are never shown
}

export const emptyNotes = (): Notes => ({ attrs: new Map(), from: new Map(), came: new WeakSet() });

/** part: the part of the page that holds most changes, if there are many; before: the sketch before, with replaced elements instead of the old ones; replaced: by the old ones. */
export interface Compared { changes: Change[]; more: number; part?: Element; before: Sketch; replaced: ReadonlyMap<Element, Element> }

/**
 * words: the only elements whose own text can differ; null: any (reworded of pagesnapshot.ts).
 * acted: the element acted on; null: unknown; undefined: nobody acted. States that only classes show are told near it,
 * because slides that move by themselves have them too.
 */
export function compare(before: Sketch, after: Sketch, notes: Notes, look: LayoutCache, words: Set<Element> | null = null, acted?: Element | null, how: How = unasked): Compared {
  const again = reconcile(before, after, notes, acted);
  const now = acted && again?.replaced.get(acted) || acted;
  if (again) {
    // An element removed before the act, such as a dialog's button, is not the one in its place now.
    const stood = (o: Element): boolean => before.seen.has(o) || before.fields.has(o);
    const row = acted && !how.twin ? filledRow(acted, again.replaced, notes.from) : null;
    const rows = acted ? grownRows(acted, again.replaced, notes.from) : new Set<Element>();
    const isIn = (o: Element): boolean => rows.size > 0 && closest(o, (e) => rows.has(e)) !== null;
    for (const [o, n] of again.replaced) if (stood(o) && (o !== acted || !how.twin)) stayed(o, n, o === acted, row !== null && holds(row, o), isIn(o), look);
    rebindIn(after, before, look);
  }
  return new Comparison(again?.before ?? before, after, again?.notes ?? notes, look, words, again?.replaced ?? none, how, again?.formerParents ?? notes.from).run(now);
}

/** was and is: the dialog open before and now; within: the element acted on was in it; hover: the act only moved the mouse; twin: another row has the words of its row. */
export interface How { was: OpenDialog | null; is: OpenDialog | null; within: boolean; hover: boolean; twin: boolean }

const unasked: How = { was: null, is: null, within: false, hover: false, twin: false };

const none: ReadonlyMap<Element, Element> = new Map();

/** Gives elements that look the same to the user the numbers that they had. */
function rebindIn(after: Sketch, before: Sketch, look: LayoutCache): void {
  const ids = lostIds(true);
  if (ids.length > 0 && mayReplace([...after.seen].filter((el) => !before.seen.has(el)), ids)) {
    const { found } = walk(look);
    rebind(found.filter((f) => !before.seen.has(f.el)), look, ids); // what stood beside it is not what replaced it
    rebind(found, look, ids.filter((id) => !nodeOf(id)));
  }
}

/** A piece of text that came or went, and where. */
interface Piece { text: string; el: Element | null }

class Comparison {
  private readonly out: Change[] = [];
  private more = 0;
  private readonly said = new Set<string>();
  private readonly came: Piece[] = [];
  private readonly went: Piece[] = [];
  private readonly blocks = new Map<Element, Element[]>(); // blocks whose text changed, and where in them
  private readonly named = new Set<Element>(); // controls whose content changed
  private readonly fresh = new Map<Element, string>(); // controls that came, and what they are called
  private readonly controls = new Map<Element, boolean>();
  private readonly notices = new Set<Element>(); // notices already told
  private readonly messages = new Set<string>(); // and their words
  private readonly rows = new Set<Element>(); // rows in which a control came
  private own: Element | null = null; // the control acted on
  private row: Element | null = null; // the item around it
  private closed: Element | null = null; // the dialog that is no longer open
  private open: Element | null = null; // the dialog that is still open
  private beside = false; // something outside it changed
  private inside = false; // something in it changed
  private unprompted = false; // nobody acted
  private view: Element | null = null; // the part with a new view
  private title: Change | null = null; // of a title whose words changed
  private anew: Element | null = null; // a list with more new items than are named
  private readonly untoldWent = new Set<Piece>(); // the texts of removed parts that are told as one
  private readonly touched: Element[] = []; // the elements with changes
  private readonly places = new Map<Change, Element>(); // the element of each change

  private readonly removedNodes = new Map<Element, Node[]>(); // the nodes removed from an element
  private readonly turned = new Map<Element, boolean>(); // elements whose text changed without an act, and whether it keeps changing

  constructor(
    private readonly before: Sketch, private readonly after: Sketch, private readonly notes: Notes, private readonly look: LayoutCache,
    private readonly words: Set<Element> | null, private readonly replaced: ReadonlyMap<Element, Element>, private readonly how: How, out: ReadonlyMap<Node, Element>,
  ) {
    for (const [n, p] of out) {
      const list = this.removedNodes.get(p);
      if (list) list.push(n);
      else this.removedNodes.set(p, [n]);
    }
  }

  run(acted: Element | null | undefined): Compared {
    let fresh = this.tops(this.after.seen, this.before.seen);
    let lost = this.tops(this.before.seen, this.after.seen);
    const parts = new HoverParts(this.look);
    if (!this.how.hover) fresh = fresh.filter((el) => !parts.isDrawnByMouse(el, true));
    lost = lost.filter((el) => !isConnected(el) || !parts.isDrawnByMouse(el, false));
    this.unprompted = acted === undefined;
    this.own = acted ? this.controlOf(acted) ?? acted : null;
    this.row = this.own && itemAround(this.own, this.up);
    this.dialogs();
    if (this.closed) lost = lost.filter((el) => !this.wasInClosed(el));
    this.texts();
    const { lists, more } = moved(this.notes.from, this.before, this.after, this.look);
    this.more += more;
    for (const m of lists) this.reordered(m);
    const items = new Set<Element>();
    const changed = listChanges(fresh, lost, this.after.seen, this.up);
    this.views(fresh, lost, changed, items);
    for (const l of changed) if (![...l.lost, ...l.fresh].every((e) => items.has(e))) this.listed(l, items);
    for (const el of fresh) if (!items.has(el)) this.appeared(el);
    for (const el of lost) if (!items.has(el)) this.vanished(el);
    this.attributes();
    this.fields();
    if (acted !== undefined) {
      this.classes(acted);
      this.icons();
      this.drawnNumbers();
      this.drawings();
    }
    for (const el of this.named) this.renamed(el);
    for (const [el, at] of this.blocks) this.retold(el, at);
    this.tellTexts();
    this.stillOpen(acted);
    this.nameView();
    this.choicesGone();
    const isMuch = this.out.length > maxShort;
    if (isMuch || this.view) this.lead();
    const part = isMuch ? this.partAnew() : this.anew;
    if (part) this.nameNew(part);
    const rank = (c: Change): number => c.rank ?? counted + 1;
    const out: Compared = { changes: this.out.sort((a, b) => rank(a) - rank(b)), more: this.more, before: this.before, replaced: this.replaced };
    this.drawnAnew();
    if (part) {
      out.part = part;
      if (part !== this.how.is?.el) for (const [c, el] of this.places) if ((c.kind === "added" && c.id !== undefined || c.kind === "count" || c.kind === "anew") && !holds(part, el)) c.outside = true;
    }
    return out;
  }

  /** Tells the new numbers of controls that could not keep their own, where no other may be meant. */
  private drawnAnew(): void {
    for (const [o, n] of this.replaced) {
      const was = lostNumber(o);
      if (was === 0 || this.fresh.has(n) || !this.after.seen.has(n) || !this.isControl(n) || nameOf(n) === "" || !isOnly(was) || this.hasNamesake(n)) continue;
      const c: Change = { kind: "anew", id: idOf(n), role: roleOf(n), name: nameOf(n), was };
      this.places.set(c, n);
      this.out.push(c);
    }
  }

  /** Whether another control has the same role and name now: after a search a list may be whole again. */
  private hasNamesake(el: Element): boolean {
    const [tag, role, name] = [localName(el), roleOf(el), nameOf(el)];
    for (const e of this.after.seen) if (e !== el && localName(e) === tag && this.isControl(e) && roleOf(e) === role && nameOf(e) === name) return true;
    return false;
  }

  /** The smallest part that holds most of the changes. */
  private partAnew(): Element | null {
    if (this.how.is && !this.before.seen.has(this.how.is.el)) return this.how.is.el;
    const counts = new Map<Element, number>();
    const touched = this.touched.filter((t) => closest(t, isAside) === null);
    for (const t of touched) for (let e: Element | null = t; e; e = parentOf(e)) counts.set(e, (counts.get(e) ?? 0) + 1);
    let part: Element | null = null;
    for (const [e, n] of counts) if (n * mostOf >= touched.length * (mostOf - 1) && (!part || holds(part, e))) part = e;
    return part && this.view ? partOf(part, this.view) : part ?? this.view;
  }

  /** Names a view without a new heading by the tab that is current now, and takes another title over much new text for a view. */
  private nameView(): void {
    const view = this.out.find((c) => c.kind === "view");
    if (!view && this.title && this.out.filter((c) => c.kind === "text" && !c.from).length > maxShort) { // its title says what the page shows now
      this.title.kind = "view";
      this.title.rank = counted;
    }
    if (view?.to === "") view.to = this.out.find((c) => c.kind === "attr" && c.to?.split(" ").includes("current") && c.from === "")?.name ?? "";
  }

  /** Of many changes, what is current now matters more than what came with it, and so does a control that left others of its kind. */
  private lead(): void {
    const first = (is: (c: Change) => boolean): void => {
      const found: Change[] = [];
      for (const c of this.out) if (found.length <= maxItems && c.id !== undefined && letters.test(c.name ?? "") && is(c)) found.push(c);
      if (found.length <= maxItems) for (const c of found) c.rank = Math.min(c.rank ?? own, own);
    };
    first(isNowCurrent);
    first((c) => c.kind === "removed" && this.leftOthers(this.places.get(c) ?? null));
  }

  /** Whether el is one of several controls in a bar, of which others stay. */
  private leftOthers(el: Element | null): boolean {
    const bar = el && this.up(el);
    return bar !== null && this.after.seen.has(bar) && childrenOf(bar).some((e) => e !== el && this.before.seen.has(e) && this.after.seen.has(e) && this.isControl(e) && madeAlike(e, el as Element));
  }

  /** Choices that closed while something else was pressed, as a field's suggestions, matter more than what came. */
  private choicesGone(): void {
    const { own } = this;
    if (!own) return;
    const isChoice = (c: Change): boolean => choices.has(c.role ?? "");
    if (this.before.fields.has(own) && this.out.some((c) => c.kind === "added" && isChoice(c))) return; // they follow what is typed
    for (const c of this.out) if (c.kind === "removed" && isChoice(c) && !this.wasAround(this.places.get(c) ?? null, own)) c.rank ??= counted;
  }

  /** Whether el was in the removed part of a page, or in the same list. */
  private wasAround(part: Element | null, el: Element | null): boolean {
    const list = part && (choices.has(roleOf(part)) && roleOf(part) !== "menu" && roleOf(part) !== "listbox" ? this.up(part) : part);
    for (let e = el, n = 0; e && list && n < maxUp; e = this.up(e), n++) if (e === list) return true;
    return false;
  }

  /** Tells a part of the page that came with many changes, before them: a drawer that is no dialog by its role or look. */
  private nameNew(part: Element): void {
    if (this.view || this.before.seen.has(part) || part === this.how.is?.el || this.notices.has(part)) return;
    let top = part;
    for (let e = parentOf(part); e && !this.before.seen.has(e) && this.after.seen.has(e); e = parentOf(e)) top = e;
    const [title] = all(top, headingsAndLegends);
    const role = roleOf(top);
    const name = cut(flat(attr(top, "aria-label")) || (title ? flat(readable(this.look, title, maxText)) : ""), longHead);
    const isMenu = name === "" && this.isMenu(top);
    if (name === "" && !isMenu || noticeOf(top) !== "") return;
    this.out.push({ kind: "added", role: isMenu ? "menu" : role === "generic" || role === "" ? this.lay(top) ? "overlay" : "part" : role, name, rank: noticed });
  }

  /** Whether a new part lies over the page and has controls of one role, none of which is a field. */
  private isMenu(part: Element): boolean {
    const controls = [...this.fresh.keys()].filter((e) => holds(part, e));
    return controls.length > 1 && this.lay(part) && new Set(controls.map((e) => roleOf(e))).size === 1 && !controls.some((e) => this.after.fields.has(e));
  }

  /** The parent now, or before the node was removed. */
  private readonly up = (n: Node): Element | null => {
    const p = parentOf(n) ?? this.notes.from.get(n) ?? null;
    return p && this.replaced.get(p) || p;
  };

  /** A dialog that came and one that went, each as a whole. */
  private dialogs(): void {
    const { was, is } = this.how;
    const then = was && (this.replaced.get(was.el) ?? was.el);
    if (is && !this.before.seen.has(is.el) && !this.notices.has(is.el)) {
      this.notices.add(is.el);
      this.push({ kind: "added", id: idOf(is.el), role: "dialog", name: is.name }, is.el, noticed);
      this.said.add(is.name);
    }
    if (!was || !then) return;
    if (is?.el !== then && (!this.after.seen.has(then) || !is && !this.look.shown(then))) { // it may still be on its way out
      this.closed = then;
      this.push({ kind: "removed", role: "dialog", name: was.name }, null, noticed);
    } else if (is?.el === then) this.open = then;
  }

  private wasInClosed(el: Element): boolean {
    for (let e: Element | null = el, n = 0; e && n < maxUp * 2; e = this.up(e), n++) if (e === this.closed) return true;
    return false;
  }

  /** Tells that a dialog is still open, if an act in it changed only the page outside it. */
  private stillOpen(acted: Element | null | undefined): void {
    const { is, within } = this.how;
    if (!acted || !is || !this.open || !within || !this.beside || this.inside || this.before.fields.has(acted)) return;
    this.out.push({ kind: "open", role: "dialog", name: is.name, rank: own });
  }

  /** The rank of a change at el; 0: none. */
  private rankOf(el: Element | null): number {
    if (!el) return 0;
    if (noticeAround(el, this.up)) return noticed;
    for (let e: Element | null = el, n = 0; e && n < maxUp; e = this.up(e), n++) if (e === this.own || e === this.row) return own;
    return this.own !== null && closest(this.own, (e) => e === el) !== null && isItem(el) ? own : 0;
  }

  /** Tells a part as a new view if most of its content was replaced; its removed elements are added to told, not told one by one. */
  private views(fresh: readonly Element[], lost: readonly Element[], lists: readonly ListChange[], told: Set<Element>): void {
    const paged = new Set(lists.filter((l) => l.lost.length > 0 && l.fresh.length > 0 && !this.isOther(l)).flatMap((l) => [...l.lost, ...l.fresh]));
    const parts = new Map<Element, { came: Element[]; went: Element[] }>();
    const note = (el: Element, of: "came" | "went"): void => {
      const p = this.up(el);
      if (!p || paged.has(el) || noticeOf(el) !== "") return;
      let part = parts.get(p);
      if (!part) parts.set(p, (part = { came: [], went: [] }));
      part[of].push(el);
    };
    for (const el of fresh) note(el, "came");
    for (const el of lost) note(el, "went");
    const controls = (el: Element, s: Sketch): number => [el, ...all(el, operated)].filter((e) => matches(e, operated) && s.seen.has(e)).length;
    let view: Element | null = null;
    for (const [p, { came, went }] of parts) {
      if (came.length === 0 || !this.before.seen.has(p) || !this.after.seen.has(p)) continue;
      const gone = went.map((el) => controls(el, this.before));
      const sum = gone.reduce((a, b) => a + b, 0);
      // A panel was replaced by another, or else all of the content.
      const isPanel = gone.some((n) => n >= leastGone) && came.some((el) => !lies(el, this.look)) && !went.some((el) => lies(el, this.look));
      if (sum < leastGone || !isPanel && [...all(p, operated)].filter((e) => this.before.seen.has(e) && this.after.seen.has(e)).length * 3 > sum) continue;
      for (const el of went) told.add(el);
      view = view && !holds(p, view) ? partOf(view, p) : p;
    }
    if (!view) return;
    this.view = view;
    const head = this.titleOf(view);
    const to = head ? cut(flat(readable(this.look, head, maxText)), longHead) : "";
    this.said.add(to);
    this.push({ kind: "view", to }, null, counted);
  }

  /** The heading over a view: a new one, or one with other words. One in the middle of it stands over a section. */
  private titleOf(view: Element): Element | undefined {
    const isNew = (h: Element): boolean => this.after.seen.has(h) && !hasAny(h, "button,[role=button]") && closest(h, isAside) === null &&
      (!this.before.seen.has(h) || this.wordsOf(h, this.before) !== this.wordsOf(h, this.after));
    const isOver = (h: Element): boolean => {
      const controls = [...all(view, operated)].filter((e) => this.after.seen.has(e) && !this.before.seen.has(e) && !holds(h, e));
      return controls.filter((e) => comesBefore(e, h)).length * 3 <= controls.length + 2;
    };
    const level = (h: Element): number => Number(/^h(\d)$/.exec(localName(h))?.[1] ?? attr(h, "aria-level") ?? 6);
    const main = closest(view, (e) => localName(e) === "main" || attr(e, "role") === "main") ?? doc.body ?? view;
    const heads = [...all(main, headingsAndLegends)].filter((h) => isNew(h) && (!comesBefore(view, h) || holds(view, h))).sort((a, b) => level(a) - level(b));
    const [first, second] = heads;
    if (first && second && level(first) === level(second) && this.isTabNow()) return undefined; // the tab names it, not its first section
    return heads.find(isOver);
  }

  /** Whether a list is another one now: none of its items stayed, and the page shows another tab or another title. */
  private isOther(l: ListChange): boolean {
    return l.stay.length === 0 && l.lost.length > 0 && l.fresh.length > 0 && (this.isTabNow() || this.isRetitled());
  }

  private tabNow: boolean | null = null;

  /** Whether the control acted on became the current one. */
  private isTabNow(): boolean {
    const { own } = this;
    return this.tabNow ??= own !== null && [own, this.row].some((el) => {
      const old = el && this.after.seen.has(el) && (el === own || this.nameIn(el) === own) ? this.notes.attrs.get(el) : undefined;
      if (!el || !old) return false;
      const gains = (a: string): boolean => old.has(a) && !isSet(old.get(a) ?? null) && isSet(attr(el, a));
      const states = (c: string | null): boolean => stateIn(c).split(" ").some(isOnWord);
      const isDrawn = (): boolean => old.has("class") && !states(old.get("class") ?? "") && states(attr(el, "class")) && (el !== own || drawnWord(own, roleOf(own), nameOf(own), this.look) === "current");
      return gains("aria-current") || gains("aria-selected") || isDrawn();
    });
  }

  private retitles: boolean | null = null;

  /** Whether a title of the page has other words now, but for numbers. */
  private isRetitled(): boolean {
    return this.retitles ??= [...all(document, "h1,h2")].some((h) => {
      if (!this.before.seen.has(h) || !this.after.seen.has(h) || closest(h, isAside)) return false;
      return countless(this.wordsOf(h, this.before)) !== countless(this.wordsOf(h, this.after));
    });
  }

  /** Tells the items that came to a list or left it by name; if they are many, the count and the first ones. It adds told items to told. */
  private listed(l: ListChange, told: Set<Element>): void {
    if (this.controlOf(l.parent) || this.turns(l.parent)) return; // parts of a control, or words that change by themselves
    if (l.lost.length > maxItems && [...l.lost, ...l.fresh].every(acts)) return; // buttons of a bar
    const isBlank = (e: Element, s: Sketch): boolean => !hasAny(e, `${operated},img,svg,canvas`) && !this.isControl(e) && this.textIn(e, s).join("").trim() === "";
    if (l.lost.every((e) => isBlank(e, this.before)) && l.fresh.every((e) => isBlank(e, this.after))) return; // the empty cells of a calendar
    const says = (e: Element, s: Sketch): string => !isPart(e) || this.isControl(e) ? "" : this.itemWords(e, s);
    const isPart = (e: Element): boolean => e !== this.closed && e !== this.how.is?.el && !isLong(e) && noticeOf(e) === "";
    const many = (list: Element[]): boolean => list.length > maxItems && list.every((e) => !isLong(e));
    const lost = many(l.lost) ? l.lost : l.lost.filter((e) => says(e, this.before) !== "");
    const fresh = many(l.lost) ? l.fresh.filter((e) => isPart(e) && (!this.isControl(e) || hasAny(e, `a,${pressable}`))) : l.fresh.filter((e) => says(e, this.after) !== "");
    if (lost.length > maxItems || fresh.length > maxItems) {
      if ((this.view || this.isTabNow()) && this.isOther(l)) return;
      const first = (l.now > l.was ? fresh : [...l.stay, ...l.fresh].filter((e) => !isLong(e)).sort((a, b) => comesBefore(a, b) ? -1 : 1)).slice(0, isAside(l.parent) || closest(l.parent, isAside) ? maxPlaces : maxItems);
      const names = first.map((e) => cut(this.itemWords(e, this.after) || nameOf(e), 80));
      const list = closest(l.parent, (e) => /^(?:table|ul|ol|dl)$/.test(localName(e)) || hasAttr(e, "role"));
      const role = list ? roleOf(list) : "";
      const ofItems = holding.has(role);
      const c: Change = {
        kind: "count", role: ofItems ? role : "list", name: list && ofItems ? nameOf(list) : "", from: String(l.was), to: String(l.now),
        items: { role: itemRole(l.lost[0] ?? l.fresh[0] ?? l.parent), names, links: first.map((e, i) => this.linkIn(e, names[i] ?? "")), came: fresh.length },
      };
      if (fresh.length > names.length) this.anew = l.parent;
      this.places.set(c, l.parent);
      this.push(c, null, counted);
      for (const e of [...lost.filter(isPart), ...fresh]) told.add(e);
      return;
    }
    for (const e of lost) {
      told.add(e);
      this.push({ kind: "removed", role: itemRole(e), name: cut(says(e, this.before), maxText) }, e);
    }
    for (const e of fresh) {
      const inside = walk(this.look, { from: e, parent: parentOf(e) }).found.filter((f) => f.kind !== Kind.Frame && !f.over && !this.before.seen.has(f.el));
      const words = says(e, this.after);
      if (inside.length === 1 && inside[0] && nameOf(inside[0].el) === words) continue;
      told.add(e);
      this.push({ kind: "added", role: itemRole(e), name: cut(words, maxText) }, e);
      for (const f of inside) this.cameControl(f.el, f.role, true);
    }
  }

  /** The link in an item whose name is part of the told words, or else the item if it is a control. */
  private linkIn(item: Element, told: string): RowLink | null {
    const isIts = (e: Element): boolean => { const name = nameOf(e); return letters.test(name) && (told.includes(name.slice(0, told.length - 1)) || told.includes(flat(textContent(e)).slice(0, told.length - 1))); };
    const el = [...all(item, "a,[role=link]")].find((e) => this.after.seen.has(e) && this.isControl(e) && isIts(e)) ?? (this.isControl(item) ? item : null);
    if (!el) return null;
    const name = nameOf(el);
    show(el, name, this.look);
    return { id: idOf(el), role: roleOf(el), name };
  }

  /** The one control in an item whose name is all that the item says, as the link of a tab. */
  private nameIn(item: Element): Element | null {
    const words = this.itemWords(item, this.after);
    const found = words === "" ? [] : [...all(item, named)].filter((e) => this.after.seen.has(e) && this.isControl(e) && nameOf(e) === words);
    return found.length === 1 ? found[0] ?? null : null;
  }

  /** The words that a user reads in an item, without its buttons and boxes if it has other words. */
  private itemWords(item: Element, s: Sketch): string {
    const skips = repeated(item);
    const help = helpIn(item);
    const words = flat(this.textIn(item, s, false, (e) => e !== item && (acts(e) || skips.has(e) || help.has(e) || isConnected(e) && (isSign(e) || isChosen(e)))).join(" "));
    return letters.test(words) ? words : flat(this.textIn(item, s).join(" "));
  }

  private cameControl(el: Element, role: string, within = false): void {
    const name = nameOf(el);
    if (!letters.test(name) && this.isMessage(el)) return; // the cross of a toast
    const row = within ? null : itemAround(el, this.up);
    if (row) this.rows.add(row);
    const c: Change = { kind: "added", id: idOf(el), role, name };
    const text = name === "" ? ownTextOf(el, role, 80) : "";
    if (role === "generic" && (this.messages.has(name || text) || this.isShade(el))) return;
    if (text !== "") c.text = text;
    if (within) c.within = true;
    if (!this.notices.has(el) || noticeOf(el) !== "dialog") this.push(c, el); // a dialog that takes the focus is told already
    show(el, name, this.look); // it counts as listed from now on
    this.said.add(name || text);
    this.fresh.set(el, name || text);
  }

  /** Whether el only lies over the whole of a part, as behind a dialog or while the part waits. */
  private isShade(el: Element): boolean {
    const under = parentOf(el);
    if (!under || childElementCount(el) > 0 || (textContent(el) ?? "").trim() !== "" || !lies(el, this.look)) return false;
    const [r, of] = [rectOf(el), rectOf(under)];
    return !this.after.seen.has(el) || r.width >= Math.min(of.width, innerWidth) * mostOfPart && r.height >= Math.min(of.height, innerHeight) * mostOfPart; // gone, it has no size
  }

  private isMessage(el: Element): boolean {
    const notice = noticeAround(el, this.up)?.notice;
    return notice === "status" || notice === "alert";
  }

  /** Tells a new dialog by its name, and the text of a toast as a whole. */
  private noticeIn(root: Element): void {
    const around = outermostNotice(root, this.up);
    const found = around ? [around] : [...all(root, "dialog,[role],[aria-modal],[aria-live],[class],output")].filter((e) => noticeOf(e) !== "");
    for (const el of found) {
      const notice = noticeAround(el, this.up)?.notice ?? "";
      if (notice === "" || notice === "error" || this.notices.has(el) || !this.after.seen.has(el) && notice !== "dialog" || closest(parentOf(el), (e) => this.notices.has(e))) continue;
      this.notices.add(el);
      if (notice === "dialog") {
        if (this.before.seen.has(el)) continue;
        const name = overlayName(el);
        this.push({ kind: "added", id: idOf(el), role: attr(el, "role") ?? "dialog", name }, el);
        this.said.add(name);
        continue;
      }
      const text = this.says(el).replace(crosses, "");
      if (text === "") continue;
      this.push({ kind: "text", role: notice, to: text }, el);
      this.messages.add(text);
      this.said.add(text);
      eachPiece(this.look, el, (p) => {
        this.said.add(p.text);
        return true;
      });
    }
  }

  /** The text that a user reads in an element. */
  private says(el: Element): string {
    const lines: string[] = [];
    let room = maxText;
    eachPiece(this.look, el, (p) => {
      lines.push(p.text);
      return (room -= p.text.length) > 0;
    });
    return cut(flat(lines.join(" ")), maxText);
  }

  /** The outermost elements that are in one sketch but not in the other. */
  private tops(these: Set<Element>, others: Set<Element>): Element[] {
    const out: Element[] = [];
    if (these === others) return out; // only words changed
    for (const el of these) {
      if (others.has(el)) continue;
      const p = this.up(el);
      if (p && these.has(p) && !others.has(p)) continue;
      out.push(el);
    }
    return out;
  }

  private isControl(el: Element): boolean {
    let v = this.controls.get(el);
    if (v === undefined) {
      const kind = kindOf(el, localName(el), () => isConnected(el) && parentOf(el) !== null && this.look.handStarts(el, parentOf(el)));
      this.controls.set(el, (v = kind !== Kind.None && kind !== Kind.Frame));
    }
    return v;
  }

  private controlOf(el: Element | null): Element | null {
    for (let e = el; e; e = this.up(e)) {
      const keys = this.before.editors.get(e) ?? this.after.editors.get(e);
      if (keys) return keys;
      if (this.isControl(e)) return e;
    }
    return null;
  }

  /** Tells a new order by the first rows that differ, before and now. */
  private reordered(m: Moved): void {
    const first = m.now.findIndex((e, i) => e !== m.was[i]);
    const rows = m.now.slice(first, first + maxCompared);
    if (rows.filter((e) => !this.kept(e)).length * 2 > rows.length) return; // rows used for other content: told as text
    const begins = (list: Element[], s: Sketch): string => cut(list.slice(first, first + 4).map((e) => this.rowIn(e, s)).join(" · "), maxText);
    const from = begins(m.was, this.before);
    const to = begins(m.now, this.after);
    if (from !== to) this.push({ kind: "text", from, to }, null);
  }

  /** Whether a row has at least half of its texts still. */
  private kept(row: Element): boolean {
    const was = this.textIn(row, this.before);
    const now = this.textIn(row, this.after);
    const left = [...was];
    for (const t of now) {
      const i = left.indexOf(t);
      if (i >= 0) left.splice(i, 1);
    }
    return (was.length - left.length) * 2 >= Math.max(was.length, now.length);
  }

  /** The words that a user reads in a row; of an unchanged row, as they are readable now. */
  private rowIn(row: Element, s: Sketch): string {
    const words = (of: Sketch): string => flat(this.textIn(row, of, true).join(" "));
    return s === this.after || words(this.before) === words(this.after) ? flat(readable(this.look, row, maxText)) : words(s);
  }

  /** Finds text nodes that differ in elements seen both times. */
  private texts(): void {
    const { words } = this;
    const one = words?.size === 1 ? words : null; // of several, the order is that of the page
    for (const el of one ?? this.after.texts.keys()) {
      const now = words && !words.has(el) ? undefined : this.after.texts.get(el);
      if (!now || !this.before.seen.has(el)) continue;
      const was = this.before.texts.get(el);
      if (!was || !same(was, now)) this.dirty(el);
    }
    for (const el of one ?? this.before.texts.keys()) if (this.before.texts.has(el) && this.after.seen.has(el) && !this.after.texts.has(el)) this.dirty(el);
  }

  private dirty(el: Element): void {
    const c = this.controlOf(el);
    if (c && this.before.seen.has(c) && this.after.seen.has(c)) this.named.add(c);
    this.reword(el, el);
  }

  /** Records that the words of the block around el changed; at: the element that caused it. */
  private reword(el: Element, at: Element): void {
    const block = this.blockOf(el);
    const list = this.blocks.get(block);
    if (list) list.push(at);
    else this.blocks.set(block, [at]);
  }

  private blockOf(el: Element): Element {
    for (let e: Element | null = el; e; e = this.up(e)) if (this.isBlock(e)) return e;
    return el;
  }

  private isBlock(el: Element): boolean {
    const tag = localName(el);
    if (tag === "button" || tag === "body") return true;
    // An element that left the page has no style.
    const d = isConnected(el) ? this.look.style(el).display : "";
    return d === "" || d === "none" ? !inline.has(tag) && tag !== "rb" && tag !== "rt" : d !== "inline" && d !== "contents" && !d.startsWith("ruby") && d !== "inline-block" && d !== "inline-flex";
  }

  private appeared(root: Element): void {
    if (this.out.length > maxClose) {
      this.more++;
      return;
    }
    const parent = parentOf(root);
    if (lies(root, this.look)) layers.add(root);
    this.noticeIn(root);
    for (const f of walk(this.look, { from: root, parent }).found) {
      if (f.kind === Kind.Frame || f.over || this.before.seen.has(f.el)) continue; // an element shown only under the mouse is no news
      if (f.kind === Kind.Behaviour && parent && this.controlOf(parent)) continue; // a part of a control
      if (f.kind === Kind.Behaviour && resizes(this.look.hand(f.el)) && !letters.test(textContent(f.el) ?? "")) continue; // the edges of a new part are no news
      this.cameControl(f.el, f.role);
    }
    if (parent) this.mark(parent);
    if (this.isBlock(root) && !(parent && this.controlOf(parent))) {
      eachPiece(this.look, root, (p) => {
        if (!this.before.seen.has(p.el)) this.came.push({ text: p.text, el: p.el });
        return this.came.length < maxClose * 4;
      });
    } else if (parent) this.reword(parent, root);
  }

  private vanished(root: Element): void {
    if (this.out.length > maxClose) {
      this.more++;
      return;
    }
    const parent = this.up(root);
    const within = parent !== null && this.controlOf(parent) !== null;
    const controls: Element[] = [];
    const pieces: Piece[] = [];
    let piece = "";
    let at = root;
    const flush = (): void => {
      const text = flat(piece);
      if (text) pieces.push({ text, el: at });
      piece = "";
    };
    const visit = (el: Element): void => {
      if (!this.before.seen.has(el) || this.after.seen.has(el) || el === this.closed) return;
      if ((this.isControl(el) || !isConnected(el) && wasShown(el)) && (!within || isMarked(el))) controls.push(el);
      const texts = this.before.texts.get(el);
      const block = this.isBlock(el);
      const around = at;
      if (block) {
        flush();
        at = el;
      }
      if (!hushed(el)) {
        const done = new Set<Node>();
        const one = (n: Node): void => {
          if (done.has(n)) return;
          done.add(n);
          if (isText(n)) piece += texts?.get(n) ?? " ";
          else if (isElement(n)) visit(n);
        };
        for (const n of this.removedNodes.get(el) ?? []) one(n); // without its last row a list collapses
        eachChild(el, one);
        for (const n of texts?.keys() ?? []) one(n);
      }
      if (block) flush();
      at = around;
    };
    visit(root);
    flush();
    if (controls.length > mostGone && noticeAround(root, this.up)?.notice !== "status") this.partGone(root, controls, pieces);
    else for (const el of controls) this.gone(el);
    if (parent && this.after.seen.has(parent)) {
      this.mark(parent);
      if (within || !this.isBlock(root)) {
        this.reword(parent, root);
        return;
      }
    }
    this.went.push(...pieces);
  }

  /** Tells a removed part with many controls as one. */
  private partGone(root: Element, controls: Element[], pieces: Piece[]): void {
    const roles = new Set(controls.map((el) => this.before.fields.get(el)?.role || roleOf(el)));
    const isMenu = roleOf(root) === "menu" || roles.size === 1 && controls.every((el) => !this.before.fields.has(el)) && this.lay(root);
    const own = new Set(controls);
    const title = isMenu || own.has(root) ? undefined : pieces.find((p) => p.el && letters.test(p.text) && closest(p.el, (e) => own.has(e)) === null);
    const first = (): string => controls.slice(0, maxItems).map((el) => this.before.fields.get(el)?.name || nameOf(el)).filter((n) => n !== "").join(", ");
    const name = own.has(root) ? nameOf(root) : cut(flat(attr(root, "aria-label")) || title?.text || (isMenu ? "" : first()), longHead);
    const role = isMenu ? "menu" : own.has(root) ? roleOf(root) : this.lay(root) ? "overlay" : "part";
    this.push({ kind: "removed", ...own.has(root) ? { id: idOf(root), ...this.wordsOfGone(root, name) } : {}, role, name, held: controls.length }, root);
    for (const p of pieces) this.untoldWent.add(p);
  }

  /** Whether a removed part lay over the others. */
  private lay(root: Element): boolean {
    return layers.has(root) || isConnected(root) && lies(root, this.look);
  }

  private gone(el: Element): void {
    const held = this.before.fields.get(el);
    // The field of a combobox that shows a choice is transparent, not gone.
    if (held?.role === "combobox" && isConnected(el) && closest(parentOf(el), (e) => attr(e, "role") === "combobox" && this.after.seen.has(e))) return;
    if (el !== this.own && (this.isMessage(el) || isConnected(el) && this.isShade(el))) return; // controls of a message go with it
    const name = held?.name || nameOf(el);
    const words = this.wordsOfGone(el, name);
    this.push({ kind: "removed", id: idOf(el), role: held?.role || roleOf(el), name, ...words }, el);
    this.said.add(name || (words.text ?? ""));
  }

  /** The words that a row without a name had. */
  private wordsOfGone(el: Element, name: string): { text?: string } {
    const text = name === "" && isItem(el) ? cut(this.itemWords(el, this.before), longHead) : "";
    return text === "" ? {} : { text };
  }

  /** The name of a new control that el is, or is the label of. */
  private namedBy(el: Element): string | undefined {
    return this.fresh.get(el) ?? (el instanceof HTMLLabelElement && el.control ? this.fresh.get(el.control) : undefined);
  }

  private mark(parent: Element): void {
    const c = this.controlOf(parent);
    if (c && this.before.seen.has(c) && this.after.seen.has(c)) this.named.add(c);
  }

  /**
   * Tells a control whose content changed: its former name is built from the text it had. Content outside its name is told
   * beside the name: the number in a button with a label, or the choice of a combobox.
   */
  private renamed(el: Element): void {
    if (this.after.fields.has(el)) return; // the content of a field is its value
    const now = nameOf(el);
    const had = this.textIn(el, this.before);
    const has = this.textIn(el, this.after);
    for (const sep of ["", " "]) {
      if (flat(has.join(sep)) !== now) continue;
      const was = cut(flat(had.join(sep)), 200);
      if (was !== now) this.retitled(el, was, now);
      return;
    }
    if (this.before.fields.has(el)) return;
    if (has.length === 0 && flat(had.join(" ")) === now) { // its words only fade, behind the sign of a wait
      this.said.add(now);
      return;
    }
    const inner = new Set([...all(el, "*")].filter((e) => this.isControl(e)));
    const [from, to] = inner.size > 0 ? this.apart(el, inner) : [flat(had.join(" ")), flat(has.join(" "))];
    if (from === to || !letters.test(from + to) && this.out.some((c) => c.id === idOf(el) && c.kind === "text")) return; // an icon beside the name that is told
    this.push({ kind: roleOf(el) === "combobox" ? "value" : "text", id: idOf(el), role: roleOf(el), name: now, ...shownDifference(from, to) }, el);
    if (wasShown(el)) show(el, now, this.look);
    this.said.add(from).add(to);
  }

  /** The words that a row which is a control lost and gained, without the words of controls in it. */
  private apart(row: Element, inner: ReadonlySet<Element>): [string, string] {
    const words = (s: Sketch): string[] => this.textIn(row, s, false, (e) => inner.has(e)).map(flat).filter((t) => t !== "" && !this.said.has(t));
    const was = words(this.before);
    const now = words(this.after);
    return [flat(was.filter((t) => !now.includes(t)).join(" ")), flat(now.filter((t) => !was.includes(t)).join(" "))];
  }

  private retitled(el: Element, was: string, now: string): void {
    this.said.add(was).add(now);
    if (!letters.test(was + now) && this.out.some((c) => c.id === idOf(el) && c.kind === "attr")) return; // an icon of the state that is told
    this.push({ kind: "text", id: idOf(el), role: roleOf(el), name: now, ...shownDifference(was, now) }, el);
    if (wasShown(el)) show(el, now, this.look); // by its new name from now on
  }

  /** The texts of a sketch under an element, including those removed since. legible: only those readable in their place now. */
  private textIn(el: Element, s: Sketch, legible = false, skips?: (e: Element) => boolean): string[] {
    const out: string[] = [];
    const visit = (e: Element): void => {
      if (hushed(e) || skips?.(e)) return;
      const texts = legible && !(isConnected(e) && this.look.readable(e)) ? undefined : s.texts.get(e);
      const done = new Set<Node>();
      const one = (n: Node): void => {
        if (done.has(n)) return;
        done.add(n);
        const t = isText(n) ? texts?.get(n) : undefined;
        if (t !== undefined) out.push(t);
        else if (isElement(n)) visit(n);
      };
      if (s === this.before) for (const n of this.removedNodes.get(e) ?? []) one(n);
      eachChild(e, one);
      for (const n of texts?.keys() ?? []) one(n);
    };
    visit(el);
    return out;
  }

  /** The words of one block, before and now. */
  private retold(block: Element, at: Element[]): void {
    if (!this.before.seen.has(block) || !this.after.seen.has(block) || hushed(block)) return;
    if (this.turns(block) || this.isTip(block)) return;
    const c = this.controlOf(block);
    if (c && (this.named.has(c) || this.before.fields.has(c))) return; // told as the control's
    const was = this.wordsOf(block, this.before);
    const now = this.wordsOf(block, this.after);
    if (was === now || this.said.has(now) && now !== "" || this.said.has(was) && was !== "" || this.untold(was) === this.untold(now)) return;
    const wrong = at.find((e) => noticeOf(e) === "error" && this.after.seen.has(e));
    const error = wrong ? flat(readable(this.look, wrong, maxText)) : "";
    if (error !== "") {
      this.push({ kind: "text", to: error }, wrong ?? null, noticed);
      return;
    }
    const around = now === "" ? null : noticeAround(block, this.up);
    if (around && around.notice !== "error" && around.notice !== "dialog") {
      if (!this.notices.has(around.el)) this.push({ kind: "text", role: around.notice, to: cut(now, maxText) }, block);
    } else if (was === "") this.came.push({ text: now, el: block });
    else if (now === "") this.went.push({ text: was, el: block });
    else {
      const c: Change = { kind: "text", ...shownDifference(was, now) };
      this.placed(c, block, was.length > maxLabel || now.length > maxLabel);
      if (titles.has(localName(block)) && countless(was) !== countless(now) && !closest(block, isAside)) this.title = c;
      this.push(c, block, countless(was) === countless(now) ? counted : 0);
    }
  }

  /** Whether short text keeps changing by itself, like rotating tips. */
  private turns(el: Element | null): boolean {
    if (!this.unprompted || !el) return false;
    const region = this.regionOf(el);
    let turns = this.turned.get(region);
    if (turns === undefined) {
      const way: Element[] = []; // a longer text may leave less around it
      for (let e: Element | null = el; e; e = e === region ? null : this.up(e)) way.push(e);
      const n = textLength(region) > longestTip ? 0 : Math.max(0, ...way.map((e) => turnsOf.get(e) ?? 0)) + 1;
      for (const e of way) turnsOf.set(e, n);
      this.turned.set(region, (turns = n > mostTurns));
    }
    return turns;
  }

  /** Adds to a text change the column and the row of its cell, or else the label beside a short text. */
  private placed(c: Change, block: Element, long: boolean): void {
    const cell = closest(block, isCell);
    const row = cell && closest(cell, (e) => itemRole(e) === "row");
    const words = row ? flat(this.textIn(row, this.after, false, (e) => e === cell || acts(e) || localName(e) === "a" && doesAlike(e, row)).join(" ")) : "";
    if (cell && letters.test(words)) {
      c.near = cut(headOf(cell), maxLabel) || "cell";
      c.row = words;
      return;
    }
    const item = itemAround(block, this.up);
    const label = long ? "" : this.labelOf(block, item);
    if (label !== "") c.near = label;
    else if (item && !long) c.row = this.itemWords(item, this.after);
  }

  /** The largest part around el that stays and has little text. */
  private regionOf(el: Element): Element {
    let region = el;
    for (let e: Element | null = el, n = 0; e && n < maxUp && textLength(e) <= longestTip && localName(e) !== "body"; e = this.up(e), n++) {
      if (this.before.seen.has(e) && this.after.seen.has(e)) region = e;
    }
    return region;
  }

  /** The label before or after a short text, which may have buttons beside it if before; "" if there is none. In an item, whose words say more, only what is right beside the text. */
  private labelOf(block: Element, item: Element | null): string {
    for (let e: Element | null = block, up = 0; e && e !== item && up < (item ? 1 : maxUpLabel); e = parentOf(e), up++) {
      for (const next of [previousSibling, nextSibling]) {
        let n = next(e);
        while (n && !(isElement(n) && this.after.seen.has(n))) n = next(n);
        if (!n || !isElement(n) || this.isControl(n) || textLength(n) > longestBeside) continue;
        const label = n;
        const has = hasAny(label, operated);
        if (has && next === nextSibling) continue;
        const said = (s: Sketch): string => flat(this.textIn(label, s, false, (x) => matches(x, operated) || isConnected(x) && isSign(x)).join(" "));
        const words = said(this.after);
        if (!lettered.test(words)) continue; // a figure beside it is no label
        if (words.length > maxLabel || !this.before.seen.has(label)) return "";
        if (said(this.before) === words) return words.replace(/\s*[:：]$/, ""); // else a value beside it that changed, too
      }
    }
    return "";
  }

  /** The words without those already told. */
  private untold(words: string): string {
    let n = 0;
    for (const t of this.said) {
      if (++n > maxClose) break;
      if (t !== "") words = words.replace(t, " ");
    }
    return flat(words);
  }

  private wordsOf(block: Element, s: Sketch): string {
    let out = "";
    const visit = (e: Element): void => {
      const texts = s.texts.get(e);
      const done = new Set<Node>();
      const one = (n: Node): void => {
        if (done.has(n)) return;
        done.add(n);
        const t = isText(n) ? texts?.get(n) : undefined;
        if (t !== undefined) {
          if (s === this.before || this.look.readable(e)) out += t;
        } else if (isText(n)) out += n.data.trim() === "" ? " " : ""; // added since, or not visible
        else if (isElement(n)) {
          if (localName(n) === "br" || this.isBlock(n)) out += " ";
          else if (!hushed(n)) visit(n);
        }
      };
      if (s === this.before) for (const n of this.removedNodes.get(e) ?? []) one(n);
      eachChild(e, one);
      for (const n of texts?.keys() ?? []) one(n);
    };
    visit(block);
    return flat(out);
  }

  /** Tells states in attributes; fields() tells the properties of fields. */
  private attributes(): void {
    let n = 0;
    for (const [el, old] of this.notes.attrs) {
      if (!isConnected(el)) continue;
      if (localName(el) === "fieldset" && old.has("disabled") && this.before.seen.has(el)) {
        for (const c of all(el, "button")) this.states(c, new Map([["disabled", hasAttr(el, "disabled") ? null : ""]]));
      }
      if (localName(el) === "details" && old.has("open")) {
        for (const c of all(el, ":scope > summary")) this.states(c, old);
      }
      if (!this.before.seen.has(el) || !this.after.seen.has(el) || ![...old.keys()].some((k) => telling.has(k))) continue;
      if (++n > maxClose) {
        this.more++;
        continue;
      }
      this.states(el, old);
      const sort = old.get("aria-sort");
      if (sort !== undefined) this.sorted(el, sort);
    }
  }

  private states(el: Element, old: Map<string, string | null>): void {
    const was = (a: string): string | null => old.has(a) ? old.get(a) ?? null : attr(el, a);
    const becomes = [...old].some(([a, v]) => v === null && making.has(a) && hasAttr(el, a));
    if (!this.isControl(el)) {
      const own = (get: (a: string) => string | null): string => ["aria-selected", "aria-current"].some((a) => isSet(get(a))) ? "current" : "";
      const [from, to] = [own(was), own((a) => attr(el, a))];
      const link = from !== to && isItem(el) ? this.nameIn(el) : null;
      if (link) this.push({ kind: "attr", id: idOf(link), role: roleOf(link), name: nameOf(link), from, to }, link);
      return;
    }
    const role = roleOf(el);
    const name = nameOf(el);
    const base = { id: idOf(el), role, name };
    if (becomes && !this.wasControl(el, old)) {
      this.push({ kind: "added", ...base }, el);
      show(el, name, this.look);
      this.said.add(name);
      return;
    }
    const label = was("aria-label");
    if (old.has("aria-label") && label && flat(label) !== name && flat(attr(el, "aria-label")) === name) this.retitled(el, flat(label), name);
    if (!this.before.fields.has(el)) {
      const pick = (v: string | null): string => v === "true" || v === "false" || v === "mixed" ? v : "";
      const checked = checkedOf(el) ?? "";
      if (old.has("aria-checked") && pick(was("aria-checked")) !== checked) this.push({ kind: "checked", ...base, from: pick(was("aria-checked")), to: checked }, el);
    }
    const expanded = String(expandedOf(el) ?? "");
    const wasOpen = localName(el) === "summary" && old.has("open") ? String(old.get("open") !== null) : old.has("aria-expanded") ? was("aria-expanded") ?? "" : expanded;
    if (wasOpen !== expanded) this.push({ kind: "expanded", ...base, from: wasOpen, to: expanded }, el);
    const held = this.before.fields.get(el);
    const told = held !== undefined && held.checked === ""; // fields() tells the written value
    for (const a of ["aria-valuetext", "aria-valuenow"]) {
      if (told || !old.has(a) || was(a) === attr(el, a) || secretOf(el)) continue;
      this.push({ kind: "value", ...base, from: cut(flat(was(a)), maxText), to: cut(flat(attr(el, a)), maxText) }, el);
      break;
    }
    const isOn = (v: string | null): boolean => v !== null && v !== "" && v !== "false";
    const on = (disabled: boolean, get: (a: string) => string | null): string =>
      [disabled ? "disabled" : "", ...["selected", "pressed", "current", "invalid"].filter((a) => isOn(get(`aria-${a}`)))].filter((x) => x !== "").join(" ");
    const disabled = !isEnabled(el);
    const wasDisabled = old.has("disabled") || old.has("aria-disabled") ? was("disabled") !== null || was("aria-disabled") === "true" : disabled;
    // fields() tells whether a field is enabled.
    const field = this.before.fields.has(el);
    const a = on(field ? false : wasDisabled, was);
    const b = on(field ? false : disabled, (x) => attr(el, x));
    if (a !== b) this.push({ kind: "attr", ...base, from: a, to: b }, el, b.includes("invalid") ? noticed : 0);
  }

  private sorted(head: Element, was: string | null): void {
    const s = sortOf(head, was);
    if (!s) return;
    const el = this.isControl(head) ? head : s.pressed;
    this.push({ kind: "attr", id: idOf(el), role: roleOf(el), name: nameOf(el), from: s.from, to: s.to }, el);
  }

  /** Tells states such as chosen, unread or done that only a class shows: on a control, on an icon in it, or on a row. */
  private classes(acted: Element | null): void {
    const told = new Set(this.out.map((c) => c.id));
    for (const [el, old] of this.notes.attrs) {
      const was = old.get("class");
      if (was === undefined || !isConnected(el) || !this.before.seen.has(el) || !this.after.seen.has(el)) continue;
      let from = stateIn(was);
      let to = stateIn(attr(el, "class"));
      if (from === to) [from, to] = this.weights(el, was ?? "");
      const c = this.controlOf(el);
      if (c === el && from === to && isEnabled(el)) [from, to] = [disabledIn(was), disabledIn(attr(el, "class"))];
      if (from === to) continue;
      [from, to] = [alone(from, to), alone(to, from)];
      if (holds(el, this.own) && el !== this.own && this.out.some((o) => o.kind === "expanded" && o.id === idOf(this.own as Element))) continue; // the part that its button opened
      const row = c ? null : el === this.row || isItem(el) ? el : null;
      const isMark = marks(from) !== marks(to);
      const isFar = acted && c && !this.isNear(c, acted);
      if (c && (told.has(idOf(c)) || !isMark && hasAny(c, "input") || isFar && !(isMark && isRow(c)) && !(this.isLeft() && isMarked(c) && /\p{L}/u.test(nameOf(c))))) continue;
      if (c) {
        told.add(idOf(c));
        const role = roleOf(c);
        const name = nameOf(c);
        const word = drawnWord(c, role, name, this.look);
        this.push({ kind: "attr", id: idOf(c), role, name, from: inWords(from, (w) => isOnWord(w) && word || w), to: inWords(to, (w) => isOnWord(w) && word || w) }, c);
      } else if (row && acted && (isMark || this.isNear(row, acted))) {
        const link = isMark ? null : this.nameIn(row);
        const words = (states: string): string => inWords(states, (w) => link && isOnWord(w) ? "current" : rowWord(w) || w);
        if (link && told.has(idOf(link))) continue;
        if (link) this.push({ kind: "attr", id: idOf(link), role: roleOf(link), name: nameOf(link), from: words(from), to: words(to) }, link);
        else this.push({ kind: "attr", role: itemRole(row), name: cut(this.itemWords(row, this.after), 120), from: words(from), to: words(to) }, row);
      }
    }
  }

  /** Tells a new icon in the control acted on, such as a filled star, if nothing else about the control is told. */
  private icons(): void {
    const el = this.own;
    if (!el || !isConnected(el) || !this.before.seen.has(el) || this.out.some((c) => c.id === idOf(el) && c.kind !== "focus")) return;
    let asked = 0;
    for (const [e, old] of this.notes.attrs) {
      if (e === el || !this.after.seen.has(e) || (textContent(e) ?? "").trim() !== "" || closest(e, (x) => x === el) === null || ++asked > maxUp) continue;
      for (const a of ["class", "src", "href", "xlink:href", "data-icon", "name", "icon"]) {
        const was = old.get(a);
        if (was === undefined || was === attr(e, a)) continue;
        const [from, to] = iconWords(was ?? "", attr(e, a) ?? "");
        if (from === to || this.out.length > 0 && withoutHash(from) === withoutHash(to)) continue; // a tool's name of the style says only that it differs
        const base = { id: idOf(el), role: roleOf(el), name: nameOf(el) };
        if (opened.test(from) !== opened.test(to)) this.push({ kind: "expanded", ...base, from: String(opened.test(from)), to: String(opened.test(to)) }, el);
        else this.push({ kind: "icon", ...base, from, to }, el);
        return;
      }
    }
  }

  /** The states "unread" or "" before and now, by bold text: before, that of a sibling which has the item's former class. */
  private weights(item: Element, was: string): [string, string] {
    if (item !== this.row && !isItem(item) && item !== this.own) return ["", ""];
    const parent = this.up(item);
    const like = parent ? childrenOf(parent).find((e) => e !== item && localName(e) === localName(item) && (attr(e, "class") ?? "") === was) : undefined;
    const now = isBold(item, textContent(item) ?? "", this.look);
    return like && isBold(like, textContent(like) ?? "", this.look) !== now ? [now ? "" : "unread", now ? "unread" : ""] : ["", ""];
  }

  /** Tells a number that a style draws from an attribute, as on a badge. */
  private drawnNumbers(): void {
    let asked = 0;
    for (const [el, old] of this.notes.attrs) {
      if (!isConnected(el) || !this.before.seen.has(el) || !this.after.seen.has(el)) continue;
      for (const [a, was] of old) {
        const now = attr(el, a);
        if (!a.startsWith("data-") || now === was || !/\d/.test(`${was ?? ""}${now ?? ""}`) || ++asked > maxUp) continue;
        if (!["::before", "::after"].some((at) => getComputedStyle(el, at).content === JSON.stringify(now ?? ""))) continue;
        const words = cut(this.wordsOf(el, this.after), 60);
        const told = (v: string | null): string => flat(`${words} ${v ?? ""}`);
        this.push({ kind: "text", from: told(was), to: told(now) }, el, counted);
      }
    }
  }

  /** Tells changes in a drawing. */
  private drawings(): void {
    for (const [svg, now] of this.after.drawings) {
      const was = this.before.drawings.get(svg);
      if (!was || was === now) continue;
      const told = new Set<Element>(); // shapes of controls that came
      if ([...now.keys()].some((e) => !was.has(e))) for (const f of walk(this.look, { from: svg, parent: parentOf(svg) }).found) {
        const own = [f.el, ...all(f.el, "*")].filter((e) => now.has(e));
        if (f.el === svg || own.length === 0 || own.some((e) => was.has(e))) continue;
        this.cameControl(f.el, f.role);
        for (const e of own) told.add(e);
      }
      for (const c of redrawnIn(svg, was, now, told)) this.push(c, svg);
    }
  }

  /** Whether the control acted on is gone, or the page shows another view. */
  private isLeft(): boolean {
    return this.view !== null || this.own !== null && !this.after.seen.has(this.own);
  }

  /** Whether a control is the one acted on, inside or around it, or close beside it. */
  private isNear(c: Element, acted: Element): boolean {
    const own = this.controlOf(acted) ?? acted;
    let around = this.up(own);
    while (around && childrenOf(around).length === 1) around = this.up(around); // an item of a list has wrappers around it
    const within = (e: Element | null, outer: Element | null, up: number): boolean => e !== null && (e === outer || up > 0 && within(this.up(e), outer, up - 1));
    return !around || within(c, own, maxUp) || within(own, c, maxUp) || within(c, around, 2);
  }

  private wasControl(el: Element, old: Map<string, string | null>): boolean {
    const tag = localName(el);
    if (tag === "button" || tag === "input" || tag === "select" || tag === "textarea") return true;
    return ["href", "role", "tabindex", "onclick", "contenteditable", "draggable"].some((a) => hasAttr(el, a) && old.get(a) !== null);
  }

  private fields(): void {
    for (const [el, now] of this.after.fields) {
      const was = this.before.fields.get(el);
      if (!was) continue;
      const reworded = was.value !== now.value;
      const spaced = !reworded || flat(was.value) === flat(now.value); // at most white space differs
      const { from, to } = spaced && was.format && now.format ? reset(was.format, now.format) : { from: "", to: "" };
      const lined = spaced && was.lines !== now.lines;
      if (!reworded && was.checked === now.checked && was.enabled === now.enabled && !lined && from === to) continue;
      if (el !== this.before.along && closest(el, (e) => this.after.seen.has(e) && !this.before.seen.has(e))) continue; // told as added
      const base = { id: idOf(el), role: roleOf(el), name: nameOf(el) };
      if ((reworded || was.checked !== now.checked) && el !== this.own && was.name !== "" && base.name !== "" && !sameName(was.name, base.name)) { // its node is another field now
        this.push({ kind: "removed", role: was.role, name: was.name }, el);
        this.cameControl(el, base.role);
        this.said.add(was.name);
        continue;
      }
      if (lined && !secretOf(el)) this.push({ kind: "lines", ...base, from: String(was.lines), to: String(now.lines) }, el);
      else if (reworded) {
        this.push(secretOf(el) ? { kind: "value", ...base } : { kind: "value", ...base, ...shownDifference(inLines(was.value), inLines(now.value)) }, el);
      }
      if (from !== to && !secretOf(el)) this.push({ kind: "format", ...base, from: cut(from, maxText), to: cut(to, maxText) }, el);
      if (was.checked !== now.checked) this.push({ kind: "checked", ...base, from: was.checked, to: now.checked }, el);
      if (was.enabled !== now.enabled) this.push({ kind: "attr", ...base, from: was.enabled ? "" : "disabled", to: now.enabled ? "" : "disabled" }, el);
    }
  }

  /** Tells text that came or went, but not text that only moved to another node. */
  private tellTexts(): void {
    const balance = new Map<string, number>();
    for (const { text } of this.came) balance.set(text, (balance.get(text) ?? 0) + 1);
    for (const { text } of this.went) balance.set(text, (balance.get(text) ?? 0) - 1);
    const tell = (list: Piece[], sign: number, make: (t: string, el: Element | null) => Change): void => {
      let card: Element | null = null; // its words are told as one
      let words: Change | null = null;
      for (const p of list) {
        const { text, el } = p;
        if (el && mayBeLigature(text) && [el, ...all(el, "*")].some((e) => ligatureOf(e) === text)) continue;
        const left = balance.get(text) ?? 0;
        if (left * sign <= 0 || this.said.has(text) || el && (this.turns(el) || this.isTip(el)) || sign > 0 && closest(el, (e) => this.namedBy(e)?.includes(text) || this.rows.has(e) && itemWords(e).includes(text)) !== null) continue;
        balance.set(text, left - sign);
        if (this.untoldWent.has(p)) continue;
        const around = sign > 0 ? this.cardOf(el) : null;
        if (words?.to && around && around === card) {
          words.to = cut(`${words.to} ${text}`, maxText);
          continue;
        }
        const c = make(cut(text, maxText), el);
        [card, words] = [around, c.role ? null : c];
        this.push(c, el);
      }
    };
    tell(this.came, 1, (to, el) => closest(el, (e) => heading.test(localName(e)) || attr(e, "role") === "heading") ? { kind: "text", role: "heading", to } : { kind: "text", to });
    const passes = (el: Element | null): boolean => { // a toast vanishes by itself
      const n = noticeAround(el, this.up);
      return n?.notice === "status" && !this.after.seen.has(n.el) && !holds(n.el, this.own);
    };
    tell(this.went.filter(({ el }) => !passes(el)), -1, (from, el) => {
      const notice = noticeAround(el, this.up)?.notice;
      return notice === "status" || notice === "alert" ? { kind: "text", role: notice, from } : { kind: "text", from };
    });
  }

  /** The largest new part around el with little text, such as a figure with its label. */
  private cardOf(el: Element | null): Element | null {
    let card: Element | null = null;
    for (let e = el; e && !this.before.seen.has(e) && flat(textContent(e)).length <= maxCard && !all(e, pressable).length; e = parentOf(e)) {
      card = e;
      if (isRow(e)) break; // rows are told separately
    }
    return card;
  }

  /** Whether el is in a tooltip that the mouse opened on its way, which is no effect of the act. */
  private isTip(el: Element): boolean {
    return !this.how.hover && closest(el, (e) => attr(e, "role") === "tooltip") !== null;
  }

  private readonly noticedSoFar = { texts: 0, others: 0 };

  /** Adds a change. el: its place; rank: its rank, if that comes before the rank of its place. */
  private push(c: Change, el: Element | null, rank = 0): void {
    if (el && this.after.seen.has(el) && noticeOf(el) === "") this.touched.push(el);
    if (el && this.open) this[holds(this.open, el) ? "inside" : "beside"] = true;
    if (this.out.length >= maxClose * (isComing(c) ? 2 : 3)) {
      this.more++;
      return;
    }
    let place = c.kind === "removed" || c.kind === "text" && !c.to ? 0 : this.rankOf(el);
    if (place === noticed && ++this.noticedSoFar[c.kind === "text" ? "texts" : "others"] > maxNoticed) place = 0;
    const first = rank > 0 && place > 0 ? Math.min(rank, place) : rank || place;
    if (first > 0) c.rank = first;
    if (el) this.places.set(c, el);
    if (c.id !== undefined && c.name === "" && el && isItem(el) && this.after.seen.has(el)) c.text ??= cut(this.itemWords(el, this.after), longHead);
    this.out.push(c);
  }
}

const isNowCurrent = (c: Change): boolean => c.kind === "attr" && ["current", "selected"].some((w) => (c.to ?? "").split(" ").includes(w) && !(c.from ?? "").split(" ").includes(w));

/** Parts that came over the others; this cannot be told once they are removed. */
const layers = new WeakSet<Element>();
/** Up to so many controls of a removed part are told one by one. */
const mostGone = 3;
/** How often the words of a part changed by themselves; mostTurns: how often that is told. */
const turnsOf = new WeakMap<Element, number>();
const mostTurns = 1;
/** The most characters of a text that changes by itself. */
const longestTip = 120;

const textLength = (el: Element): number => flat(textContent(el)).length;

/** The states that stay with a row, not those of the current selection. */
const marks = (states: string): string => states.split(" ").filter((w) => marking.has(w)).sort().join(" ");
const marking = new Set(["unread", "starred", "flagged", "pinned", "muted", "archived", "done", "complete", "completed", "bookmarked"]);
const isRow = (el: Element): boolean => isItem(el) || hasLike(el, () => true);

/** The word for the class of a control that can't be pressed; "" if there is none. */
const disabledIn = (classes: string | null): string => /(?:^|[\s_-])disabled(?=\s|$)/i.test(classes ?? "") ? "disabled" : "";

/** The states without those that say once more what another does which came with them. */
function alone(states: string, before: string): string {
  const came = states.split(" ").filter((w) => !before.split(" ").includes(w));
  const on = came.filter(isOnWord);
  return on.length > 1 ? states.split(" ").filter((w) => !on.slice(1).includes(w)).join(" ") : states;
}

/** States in the words of the list. */
const inWords = (states: string, as: (word: string) => string): string => [...new Set(states.split(" ").map(as))].join(" ");
/** Classes of an arrow that shows that the content under it is open. */
const opened = /(?:^|[-_\s])(?:rotated?|rotate-\d+|open(?:ed)?|expanded|flipped)(?:$|[-_\s])/i;

/** The names of two icons: the parts in which their classes or files differ. */
function iconWords(was: string, now: string): [string, string] {
  const parts = (s: string): string[] => (s.split(/[?]/)[0] ?? "").split(/[\s#/]+/).filter((c) => c !== "" && !/hover|focus|ripple|touch/i.test(c));
  const a = parts(was);
  const b = parts(now);
  return [a.filter((c) => !b.includes(c)), b.filter((c) => !a.includes(c))].map((l) => cut(l.join(" "), 60)) as [string, string];
}

/** Whether el is an icon of an icon font. */
const isSign = (el: Element): boolean => ligatureOf(el) !== "";

/** Roles of choices that open at a control, and of their lists. */
const choices = new Set(["option", "menuitem", "menuitemradio", "menuitemcheckbox", "listbox", "menu"]);
/** What may name an item. */
const named = "a,button,[role=link],[role=button],[role=tab]";
/** The roles of lists of items. */
const holding = new Set(["table", "grid", "treegrid", "list", "listbox", "tree", "feed", "menu", "radiogroup"]);
/** A close sign at the end of a text. */
const crosses = /\s*[×✕✖✗⨯]$/;
const letters = /[\p{L}\p{N}]/u;
const lettered = /\p{L}/u;

/** Whether markup makes a control, not behaviour. */
function isMarked(el: Element): boolean {
  const kind = markedKind(el, localName(el), true);
  return kind === Kind.Native || kind === Kind.Role;
}
/** The fewest lost controls that make a new view. */
const leastGone = 4;
const operated = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=menuitem],[role=tab],[role=option],[tabindex='0'],[onclick]";
const longHead = 80;
/** Up to so many changes, the part that holds them is not searched. */
const maxShort = 12;
/** A part holds all changes, except one in so many. */
const mostOf = 20;

/** Whether el is a part that stays around the views of a page. */
const isAside = (el: Element): boolean => matches(el, "nav,header,footer,[role=navigation],[role=banner],[role=contentinfo]") && closest(el, (e) => localName(e) === "main" || attr(e, "role") === "main") === null;

/** The most characters of a part whose words are told together. */
const maxCard = 80;

/** The most characters of a label, and of a text that has one. */
const maxLabel = 40;
const maxUpLabel = 3;
/** How long the text of a part may be that has a label beside its buttons. */
const longestBeside = 200;

/** The smallest part that holds both. */
const partOf = (a: Element, b: Element): Element => closest(a, (e) => holds(e, b)) ?? b;

/** Whether a part lies over the others, like a menu or a dialog. */
const lies = (el: Element, look: LayoutCache): boolean =>
  matches(el, "dialog,[popover],[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip]") || isConnected(el) && !look.flows(el);

const heading = /^h[1-6]$/;
/** Titles of a page. */
const titles = new Set(["h1", "h2"]);

/** Attributes that make a control (making), or also those of its state (telling). */
const making = new Set(["role", "tabindex", "href", "onclick", "contenteditable", "draggable"]);
const telling = new Set([...making, "aria-label", "aria-checked", "aria-expanded", "aria-selected", "aria-pressed", "aria-current",
  "aria-disabled", "aria-invalid", "disabled", "aria-valuenow", "aria-valuetext", "aria-sort"]);

function same(a: Map<Text, string>, b: Map<Text, string>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [n, t] of a) if (b.get(n) !== t) return false;
  return true;
}
