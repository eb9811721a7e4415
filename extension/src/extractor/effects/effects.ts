// Finds the visible changes of an act: two quick sketches of the page, before
// and after, compared once it has settled (settle.ts).

import { comingNotices, Notices } from "../a11y/announce";
import { type OpenDialog, openDialog } from "../a11y/dialogs";
import { nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import { Launches } from "../acting/launch";
import type { Change, EffectOptions, Effects, Led, News, PageLines, RawElement, Rest } from "../api";
import {
  all, animationsIn, attr, closest, deepActive, doc, hasAttr, holds, isConnected, isElement, isPainted, isText, localName, matches, offDocument,
  onDocument, parentOf, rectOf, scopes, shadowOf, shadowRoots, textContent,
} from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { keepStorage, openStorage } from "../dom/storage";
import { countless, cut, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { subjectOf } from "../guard/facts";
import { checkedOf, describe } from "../listing/describe";
import { tellApart } from "../listing/disambiguate";
import { addKnown } from "../listing/hints";
import { amend, currentLook } from "../listing/identity";
import { itemAround, itemWords } from "../listing/items";
import { isTwin, lostNumber, placed } from "../listing/redraw";
import { restless } from "../schedule/quiescence";
import { ask, beginAsking, fades, frame, frameMs, hasAsked, idle, later, pause, running, turn, undrawnMs } from "../schedule/settle";
import { drain, otherTasks, Pace, type Work } from "../schedule/slices";
import { compare, emptyNotes, type Notes } from "./changes";
import { Drags } from "./drags";
import { news, pageLines } from "./news";
import { emptySketch, heldNow, reworded, type Sketch, sketch, sketching, takeAlong } from "./pagesnapshot";
import { isBusy, isEmptyPart, offers, opensEmpty } from "./pending";
import { inOrder } from "./telling";

const maxChanges = 60;
const maxNotes = 5000;
/** How many changes after the last report are told. */
const maxLate = 6;
/** How long the sketch after an act is kept as the sketch before the next one. */
const keepMs = 10000;
/** A scroll without events for so long is over, even without scrollend (the scrolled element may be gone). */
const scrollMs = 250;
/** How long visible changes may take after an act that changed nothing visible and set a timer. */
const unseenMs = 400;

/** How long a page may take to show a field's suggestions after text was written: it waits for more text. */
const offerMs = 600;
/** How long a dialog may slide away. */
const slideMs = 600;
/** How long a busy part, or an open and empty list, may take to fill. */
const busyMs = 1500;

class Watch {
  before: Sketch;
  private focus = deepActive();
  private x = window.scrollX;
  private y = window.scrollY;
  private notes: Notes = emptyNotes();
  private lateNotes: Notes | null = null; // while it rests: changes since the last report
  hovers = false; // the act only moves the mouse
  late: Change[] = []; // changes between the last report and the act
  private title = doc.title;
  private invalid: Element | null = null; // the first field that kept a form from being sent
  private readonly notices = new Notices();
  private mutations = 0;
  private entered = false; // Enter was pressed in the act
  private typed = 0; // the mutations until then
  private readonly scrolled = new Set<Element>();
  private readonly scrolling = new Set<EventTarget>(); // still in motion
  private scrolledAt = 0;
  private readonly observer: MutationObserver;
  private readonly watchedRoots = new WeakSet<Node>();
  private live = true;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private after: Sketch | null = null; // the sketch of the last report
  private reportedMutations = 0; // the mutations until then
  private at = this.focus; // the focused element then
  private mayDiffer = false; // it may look different since
  private words = new Set<Element>(); // elements whose text changed since the sketch before
  private more = false; // something other than text changed
  private grew = false; // elements came, whose shadow roots are not all watched
  private roots = 0; // the number of shadow roots when all were watched
  private target: Element | null = null;
  private over: OpenDialog | null = null; // the dialog open when the act began
  private overAt: DOMRect | null = null; // and its box
  private twin = false; // another row has the same words as the target's row
  private inOver = false; // the target is in that dialog
  private opening = false; // a dialog came that is not drawn yet
  private readonly launches = new Launches();
  private readonly drags = new Drags();
  private ran = new Set<Animation>(); // animations running when the act began
  private began = 0; // the same by performance.now()
  private drawn = true; // a frame came since
  private frame = 0; // the request for it

  private seen = 0; // counts reasons to wait
  private last = performance.now();
  private waits = false; // the act's effects come later than the act
  private dragged = false; // a dropped element may still be moving to its place
  private turning = false; // a turn of the page after a change is under way
  private waiters: (() => void)[] = [];

  /** before: the sketch before, taken now by default; null: the sketch will be taken in slices. */
  constructor(before: Sketch | null = sketch(new LayoutCache())) {
    this.before = before ?? emptySketch();
    this.observer = new MutationObserver((records) => { this.saw(records); });
    this.observe(document);
    if (before) for (const s of scopes()) this.observe(s);
    onDocument("scroll", this.onScroll);
    onDocument("scrollend", this.onScrollEnd);
    for (const t of restless) onDocument(t, this.markMayDiffer);
    onDocument("invalid", this.onInvalid);
    onDocument("keydown", this.onKey);
    window.addEventListener("resize", this.markMayDiffer, { passive: true });
  }

  begin(target: Element | null): void {
    this.target = target;
    if (target) takeAlong(subjectOf(target), this.before);
    const look = new LayoutCache();
    this.twin = target !== null && isTwin(target, look);
    this.over = openDialog(look);
    this.overAt = this.over && rectOf(this.over.el);
    this.inOver = this.over !== null && target !== null && holds(this.over.el, target);
    this.dragged = this.entered = false;
    this.typed = 0;
    this.launches.begin(target);
    this.drags.begin();
    beginAsking();
    this.drawn = false;
    this.began = performance.now();
    cancelAnimationFrame(this.frame);
    this.frame = ask(() => { this.drawn = true; });
    this.ran = new Set(running());
    this.focus = deepActive();
    this.title = doc.title;
    this.x = window.scrollX;
    this.y = window.scrollY;
  }

  /** Watches for keepMs after the act: the next act may need no sketch of its own. */
  rest(): void {
    this.launches.end();
    this.lateNotes = emptyNotes();
    this.resting = later(() => { this.stop(); }, keepMs);
    if (isTop) requestIdleCallback(() => { if (this.after && this.resting !== undefined) pageLines(this.after); });
  }

  /** Stops blocking navigations to other programs (launch.ts): from now on they are not the act's. */
  endLaunches(): void { this.launches.end(); }

  /** Records that the dragged element was dropped. */
  recordDrop(): void { this.dragged = true; }

  /** Takes the sketch before, in slices; it is valid only if the page doesn't change meanwhile. */
  *looking(pace: Pace): Work<Sketch> {
    const look = new LayoutCache();
    for (const root of shadowRoots()) {
      if (root) this.observe(root);
      else if (pace.due()) yield* pace.rest(look);
    }
    return yield* sketching(look, pace);
  }

  /** Whether nothing happened since the watch began. */
  still(): boolean {
    this.flush();
    return this.live && this.mutations === 0 && !this.mayDiffer;
  }

  /** Whether no node has changed since the watch began. */
  untouched(): boolean {
    this.flush();
    return this.live && this.mutations === 0;
  }

  /** Sets the sketch before to one taken in an idle moment, and rests. */
  taken(before: Sketch): void {
    this.before = this.after = before;
    this.reportedMutations = 0;
    this.rest();
  }

  /** Ends the rest: the act is not over yet. */
  resume(): void {
    clearTimeout(this.resting);
    this.resting = undefined;
    this.lateNotes = null;
    this.launches.again();
    this.waits = true;
    this.stir(); // the page handles an answer in its next turns
  }

  /** Whether the page presumably looks as it did at the last report. */
  same(): boolean {
    this.flush();
    return this.live && this.after !== null && this.mutations === this.reportedMutations && !this.mayDiffer && animationsIn(document).length === 0;
  }

  /** Returns a watch for changes since the last report, even if this one is over: a dialog may have blocked the page. */
  onward(): Watch {
    const w = new Watch(this.after ?? this.before);
    this.flush();
    w.notes = this.lateNotes ?? this.notes;
    w.focus = this.at;
    w.mutations = this.mutations - this.reportedMutations;
    w.more = true;
    this.stop();
    return w;
  }

  /** The sketch of the last report if the page still looks the same, else null. */
  get lookNow(): Sketch | null { return this.same() ? this.after : null; }

  /** Whether the page looks as it did at the last report; if so, that sketch becomes the one before the next act. */
  fresh(): boolean {
    clearTimeout(this.resting);
    this.resting = undefined;
    if (!this.same() || !this.after) return false;
    this.before = this.after;
    this.before.fields = heldNow(this.before, new LayoutCache());
    this.words = new Set();
    this.more = false;
    this.notes = emptyNotes();
    this.lateNotes = null;
    this.late = [];
    this.notices.clear();
    this.mutations = this.reportedMutations = 0;
    this.scrolled.clear();
    this.scrolling.clear();
    return true;
  }

  /** The changes between the last report and now, without texts in which only a number differs. */
  lately(now: Sketch): Change[] {
    this.flush();
    if (!this.after) return [];
    const c = compare(this.after, now, this.lateNotes ?? this.notes, new LayoutCache());
    const passed = this.notices.passed((el) => isConnected(el) && (now.seen.has(el) || isPainted(el)));
    const told = c.changes.filter((x) => x.kind !== "text" || countless(x.from) !== countless(x.to) && (x.to || !x.role)); // a toast that vanishes is no news
    return inOrder([...passed.map(asSaid), ...told]).slice(0, maxLate);
  }

  private observe(n: Node): void {
    if (this.watchedRoots.has(n)) return;
    this.watchedRoots.add(n);
    this.observer.observe(n, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
  }

  private saw(records: MutationRecord[]): void {
    this.mutations += records.length;
    for (const r of records) {
      this.note(r);
      this.notices.saw(r);
      const words = wordsOf(r);
      if (words) this.words.add(words);
      else this.more = true;
      for (const n of r.addedNodes) if (isElement(n)) {
        this.grew = true;
        const root = shadowOf(n);
        if (root) this.observe(root);
      }
    }
    // Animations by the style attribute may never end; they are no reason to wait.
    if (records.some((r) => r.type !== "attributes" || r.attributeName !== "style")) this.stir();
    else this.wake();
  }

  /** Records a change; the first of several for a node holds the original value. */
  private note(r: MutationRecord): void {
    this.noteIn(this.notes, r);
    if (this.lateNotes) this.noteIn(this.lateNotes, r);
  }

  private noteIn(notes: Notes, r: MutationRecord): void {
    if (r.type === "attributes" && r.attributeName !== null && r.attributeName !== "style" && isElement(r.target)) {
      let old = notes.attrs.get(r.target);
      if (!old) {
        // Many classes change in animations: they must not crowd out other attributes.
        if (notes.attrs.size >= (r.attributeName === "class" ? maxNotes / 5 : maxNotes)) return;
        notes.attrs.set(r.target, (old = new Map<string, string | null>()));
      }
      if (!old.has(r.attributeName)) old.set(r.attributeName, r.oldValue);
    }
    for (const n of r.addedNodes) if (!notes.from.has(n)) notes.came.add(n);
    const target = isElement(r.target) ? r.target : r.target instanceof ShadowRoot ? r.target.host : null;
    if (!target || notes.from.size >= maxNotes) return;
    for (const n of r.removedNodes) if (!notes.from.has(n) && !notes.came.has(n)) notes.from.set(n, target);
  }

  private readonly onScroll = (e: Event): void => {
    const t = e.target;
    if (t instanceof Element) this.scrolled.add(t);
    if (t) this.scrolling.add(t);
    this.scrolledAt = performance.now();
    this.mayDiffer = true;
    this.stir();
  };

  private readonly onScrollEnd = (e: Event): void => {
    if (e.target) this.scrolling.delete(e.target);
    this.wake();
  };

  /** Whether a scroll is under way: a smooth scroll outlasts its input, and a key meanwhile would start from the old place. */
  private get scrolls(): boolean {
    if (this.scrolling.size > 0 && performance.now() - this.scrolledAt >= scrollMs) this.scrolling.clear();
    return this.scrolling.size > 0;
  }

  private readonly markMayDiffer = (): void => { this.mayDiffer = true; };

  private readonly onInvalid = (e: Event): void => { if (e.target instanceof Element) this.invalid ??= e.target; };

  /** Enter after a text is another deed: what the text changed is no effect of it. */
  private readonly onKey = (e: Event): void => {
    if (!(e instanceof KeyboardEvent) || e.key !== "Enter" || this.resting !== undefined) return;
    this.flush();
    this.entered = true;
    this.typed = this.mutations;
  };

  /** The browser's message for the field that kept a form from being sent; the browser focuses that field. */
  private wrong(): Change[] {
    const el = this.invalid;
    this.invalid = null;
    const says = el && el === deepActive() ? flat((el as Partial<HTMLInputElement>).validationMessage) : "";
    return el && says !== "" ? [{ kind: "invalid", id: idOf(el), role: roleOf(el), name: nameOf(el), to: cut(says, 200), rank: 1 }] : [];
  }

  /** Records a reason to wait, and waits for the page's current turn. */
  private stir(): void {
    this.seen++;
    this.last = performance.now();
    this.wake();
    if (this.turning || this.resting !== undefined) return;
    this.turning = true;
    void this.turns();
  }

  private async turns(): Promise<void> {
    for (let at = -1; this.live && at !== this.seen;) {
      at = this.seen;
      await idle();
      this.flush();
      // If only words changed and the page asked for no frame or timer, nothing more comes.
      if (!this.more && !hasAsked() && this.scrolled.size === 0) continue;
      await turn();
      this.flush();
    }
    this.turning = false;
    this.wake();
  }

  private wake(): void {
    const list = this.waiters;
    this.waiters = [];
    for (const w of list) w();
  }

  /** Waits until something happens, but at most ms. */
  private async event(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((done) => {
      timer = later(done, ms);
      this.waiters.push(done);
    });
    clearTimeout(timer);
  }

  private get changed(): boolean { return this.mutations > this.typed || this.scrolled.size > 0; }

  /**
   * Whether the act had its usual effect, and no more is expected: the
   * target field has another value, which leaves no trace, and the
   * page's scripts asked for neither a timer nor a frame by the end of a turn.
   */
  private async took(): Promise<boolean> {
    const el = this.target && subjectOf(this.target);
    const was = el && this.before.fields.get(el);
    if (this.entered || !el || !was) return false;
    const now = heldNow({ ...emptySketch(), editors: this.before.editors, fields: new Map([[el, was]]) }, new LayoutCache()).get(el);
    if (now?.value === was.value && now.checked === was.checked) return false;
    await turn();
    this.flush();
    return !hasAsked();
  }

  /** Waits until the page has settled; up to firstMs for a first change. Returns false if the page still changes. */
  async settle(o: EffectOptions): Promise<boolean> {
    const start = performance.now();
    const left = (ms: number): number => ms - (performance.now() - start);
    if (this.dragged) this.drawn = await frame(frameMs); // a dropped element begins to move with the next frame
    this.flush();
    const done = !this.changed && await this.took();
    const at = this.waits ? -1 : this.seen;
    this.waits = false;
    const first = done ? 0 : Math.min(o.firstMs ?? o.quietMs, o.maxMs);
    while (!this.changed && left(first) > 0) await this.event(left(first));
    if (!this.changed && !this.scrolls && !done && fades(this.ran, this.target, this.dragged).length === 0) return true;
    // Immediate effects end with the page's turn. If more came
    // later, or still comes, the page must stand still for a while.
    while (this.live) {
      const most = left(o.maxMs);
      if (most <= 0) return false;
      const quiet = this.seen > at ? o.quietMs - (performance.now() - this.last) : 0;
      if (this.turning) await this.event(most);
      else if (this.scrolls) await this.event(Math.min(scrollMs, most));
      else if (quiet > 0) await this.event(Math.min(quiet, most));
      else {
        const ends = fades(this.ran, this.target, this.dragged);
        if (ends.length === 0) return true;
        await Promise.race([Promise.all(ends), pause(most)]);
        await frame(frameMs); // the page gets the end event with the next frame
        await idle();
        this.flush();
      }
    }
    return false;
  }

  /** Whether the page, which asked for a timer, changed before until: it may wait to see whether the mouse stays. */
  async stays(until: number): Promise<boolean> {
    const { mutations } = this;
    while (this.live && this.mutations === mutations) {
      const most = until - performance.now();
      if (most <= 0 || !hasAsked()) return false;
      await this.event(most);
      this.flush();
    }
    return this.live;
  }

  /** Whether the target is marked closed and nothing changed: some menus open after a while. */
  staysClosed(): boolean {
    const opener = this.mutations === 0 ? closest(this.target, (e) => hasAttr(e, "aria-expanded")) : null;
    return opener !== null && attr(opener, "aria-expanded") === "false";
  }

  /**
   * How long to wait for announced content, in ms: suggestions, if the field was written
   * in and the page set a timer; the content of an open, empty list or dialog, or of a busy part.
   */
  pendingMs(changes: readonly Change[]): number {
    if (changes.some((c) => c.kind === "added" && c.role === "dialog" && c.id !== undefined && isEmptyPart(nodeOf(c.id)))) return busyMs;
    if (isBusy((el) => this.notes.attrs.get(el)?.has("aria-busy") ?? !this.before.seen.has(el))) return busyMs;
    const field = this.target && subjectOf(this.target);
    if (!field || !isConnected(field)) return 0;
    const own = idOf(field);
    const written = changes.some((c) => c.kind === "value" && c.id === own);
    if ((written || changes.some((c) => c.kind === "expanded" && c.id === own)) && attr(field, "aria-expanded") === "true" && opensEmpty(field)) return busyMs;
    return written && changes.every((c) => c.id === own || c.kind === "scroll") && offers(field) && hasAsked() ? offerMs : 0;
  }

  /** Waits while the dialog slides away in small steps, as a script moves it. Returns false if it stayed where it was. */
  async slides(): Promise<boolean> {
    const el = this.over?.el;
    const was = this.overAt;
    const until = performance.now() + slideMs;
    let last = was;
    while (el && was && last && isConnected(el) && performance.now() < until) {
      const now = rectOf(el);
      if (now.width !== was.width || now.height !== was.height || now.left === last.left && now.top === last.top) break;
      last = now;
      await frame();
      await frame();
    }
    return last !== was;
  }

  /** Whether the page changed again before until. */
  async comes(until: number): Promise<boolean> {
    const { mutations } = this;
    for (let most = until - performance.now(); this.live && this.mutations === mutations && most > 0; most = until - performance.now()) {
      await this.event(most);
      this.flush();
    }
    return this.live && this.mutations !== mutations;
  }

  /** Whether the act's only visible effect is the focus of its target, or a dialog is not drawn yet. */
  sawNothing(changes: readonly Change[]): boolean {
    return this.opening || changes.every((c) => c.kind === "anew" || c.kind === "focus" && this.target !== null && c.id === idOf(this.target));
  }

  /** Whether the visible changes may be only the beginning. */
  isFirst(changes: readonly Change[]): boolean {
    return this.opening || changes.every((c) => c.kind === "focus" || c.kind === "attr" || c.kind === "anew");
  }

  /** Reports the differences from the sketch before. */
  report(settled: boolean): Effects {
    this.flush();
    const look = new LayoutCache();
    const same = this.more ? null : reworded(this.before, this.words, look);
    const now = same ?? sketch(look);
    if (this.before.along) takeAlong(this.before.along, now);
    const how = { was: this.over, is: openDialog(look), within: this.inOver, hover: this.hovers, twin: this.twin };
    this.opening = how.is !== null && how.is.el !== how.was?.el && !now.seen.has(how.is.el);
    const c = compare(this.before, now, this.notes, look, same && this.words, this.target, how);
    if (this.grew || now.roots !== this.roots) for (const el of now.hosts) {
      const root = shadowOf(el);
      if (root) this.observe(root);
    }
    this.grew = false;
    this.roots = now.roots;
    this.after = now;
    beforeLast = c.before;
    formerOf = new Map([...c.replaced].filter(([o]) => lostNumber(o) > 0).map(([o, n]) => [n, o]));
    // Store the field as the act left it, so that its new choice doesn't make it another control.
    const field = this.target && subjectOf(this.target);
    if (field && isConnected(field) && checkedOf(field) === undefined && (this.before.fields.has(field) || attr(field, "role") === "combobox")) amend(field, nameOf(field), look);
    this.reportedMutations = this.mutations;
    this.mayDiffer = false;
    const f = this.at = deepActive();
    const passed = this.notices.passed((el) => isConnected(el) && (now.seen.has(el) || isPainted(el)));
    this.notices.clear();
    const changes: Change[] = [...this.wrong(), ...passed.map(asSaid), ...c.changes];
    changes.push(...this.moves(f, changes.length > 0));
    if (doc.title !== this.title) changes.push({ kind: "title", from: cut(flat(this.title), 200), to: cut(flat(doc.title), 200), rank: 3 });
    const said = changes.length === 0 ? announced(this.words) : "";
    if (said) changes.push({ kind: "said", to: said });
    const told = inOrder(changes).splice(0, maxChanges);
    const out: Effects = {
      url: location.href, changes: described(withoutMenus(told.map(inRow)), look), more: changes.length + c.more, mutations: this.mutations, settled, seen: currentLook(),
    };
    if (changes.length > 0) out.rest = byKind(changes);
    if (c.part) out.part = describe(c.part, look);
    if (!this.drawn && performance.now() - this.began > undrawnMs) out.undrawn = true;
    if (this.late.length > 0) out.late = this.late;
    if (this.launches.to) out.launch = this.launches.to;
    if (this.drags.ended) out.drag = this.drags.ended;
    if (f && f !== doc.body && f !== doc.root) out.focus = { id: idOf(f), tag: localName(f), name: nameOf(f) };
    return out;
  }

  /** The changes of the focus and of scroll positions. others: whether more is told; then a part that scrolled is no news. */
  private moves(focus: Element | null, others: boolean): Change[] {
    const out: Change[] = [];
    const gone = [this.focus, this.target].some((e) => e !== null && !isConnected(e)) && (!focus || focus === doc.body); // the focused element was removed
    const isHelper = focus !== null && attr(focus, "tabindex") === "-1" && !hasAttr(focus, "role") && nameOf(focus) === "" && roleOf(focus) === "generic";
    if (focus !== this.focus && !gone && !isHelper) {
      out.push(focus && focus !== doc.body ? { kind: "focus", id: idOf(focus), name: nameOf(focus), role: roleOf(focus) } : { kind: "focus", to: "nothing" });
    }
    if ((window.scrollX !== this.x || window.scrollY !== this.y) && isScrollable()) {
      out.push({ kind: "scroll", from: `${Math.round(this.x)},${Math.round(this.y)}`, to: `${Math.round(window.scrollX)},${Math.round(window.scrollY)}` });
    }
    if (!others) for (const el of this.scrolled) out.push({ kind: "scroll", id: idOf(el), role: roleOf(el), name: nameOf(el) });
    return out;
  }

  flush(): void {
    const left = this.observer.takeRecords();
    if (left.length > 0) this.saw(left);
  }

  stop(): void {
    if (!this.live) return;
    this.live = false;
    cancelAnimationFrame(this.frame);
    this.launches.end();
    this.drags.end();
    clearTimeout(this.resting);
    this.observer.disconnect();
    offDocument("scroll", this.onScroll);
    offDocument("scrollend", this.onScrollEnd);
    for (const t of restless) offDocument(t, this.markMayDiffer);
    offDocument("invalid", this.onInvalid);
    offDocument("keydown", this.onKey);
    window.removeEventListener("resize", this.markMayDiffer);
    this.wake();
  }
}

/** Whether the page is longer or wider than its window: one that became short has moved, but was not scrolled. */
function isScrollable(): boolean {
  const root = doc.root;
  return root !== null && (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth);
}

const asSaid = (n: { role: string; text: string }): Change => ({ kind: "said", role: n.role, to: n.text, rank: 1 });

/** Adds the words of its row to a change of a control. */
function inRow(c: Change): Change {
  const el = c.id === undefined || c.within ? null : nodeOf(c.id);
  const row = el && itemAround(el, parentOf);
  const words = row ? itemWords(row) : "";
  return words === "" || c.name === words ? c : { ...c, row: words };
}

/** Removes the words of a row that consist of its controls' names, as in an opened menu. */
function withoutMenus(changes: Change[]): Change[] {
  const by = new Map<string, Change[]>();
  for (const c of changes) if (c.kind === "added" && c.row) by.set(c.row, [...by.get(c.row) ?? [], c]);
  for (const [row, of] of by) if (of.length > 2 && of.slice(0, 3).every((c) => [c.name, wordsOfId(c.id)].some((w) => w && row.includes(w)))) for (const c of of) delete c.row;
  return changes;
}

function wordsOfId(id: number | undefined): string {
  const el = id === undefined ? null : nodeOf(id);
  return el ? flat(textContent(el)) : "";
}

/** Counts changes that are not told, by kind. */
function byKind(changes: readonly Change[]): Rest[] {
  const by = new Map<string, Rest>();
  for (const c of changes) {
    const one: Rest = { kind: c.kind, role: c.role ?? "", from: Boolean(c.id ?? c.from), to: Boolean(c.id ?? c.to), count: 1 };
    const key = JSON.stringify(one);
    const known = by.get(key);
    if (known) known.count++;
    else by.set(key, one);
  }
  return [...by.values()];
}

/** Adds descriptions to the first new controls; to those without a row also the words by which the list tells them apart. */
function described(changes: Change[], look: LayoutCache): Change[] {
  const rowless: { c: Change; el: Element; raw: RawElement }[] = [];
  let n = 0;
  for (const c of changes) {
    if (c.id !== undefined && c.name !== undefined && isSign.test(c.name) && (c.kind === "attr" || c.kind === "text")) {
      const el = nodeOf(c.id);
      const raw = el && describe(el, look);
      if (raw) addKnown(el, raw, look);
      if (raw?.hint) c.hint = raw.hint;
    }
    const el = c.kind === "added" && c.id !== undefined && n < maxDescribed ? nodeOf(c.id) : null;
    if (!el) continue;
    n++;
    const raw = c.now = describe(el, look);
    addKnown(el, raw, look);
    if (!c.row && !c.within) rowless.push({ c, el, raw });
  }
  drain((pace) => tellApart(rowless, look, pace));
  const titles = new Set(changes.map((c) => c.kind === "added" && c.role === "dialog" ? c.name : undefined)); // told with the dialog
  for (const { c, raw } of rowless) if (raw.near && !titles.has(raw.near)) c.near = raw.near;
  return changes;
}

/** A name without letters or digits. */
const isSign = /^[^\p{L}\p{N}]+$/u;

/** How many new controls are described: more than are told. */
const maxDescribed = 30;

/**
 * The page's announcement for screen readers, when nothing else is told: an item that is picked up and moved
 * by keys changes only its style until it is dropped.
 */
function announced(words: Iterable<Element>): string {
  let out = "";
  for (const el of words) {
    if (!isConnected(el) || !isPainted(el) || closest(el, (e) => matches(e, "[aria-live=polite],[aria-live=assertive],[role=status],[role=alert],[role=log]")) === null) continue;
    const text = textContent(el) ?? "";
    if (text.trim() !== "") out = cut(text.trim(), 200);
  }
  return out;
}

/** The element whose own text changed, or null if more than text changed. */
function wordsOf(r: MutationRecord): Element | null {
  const el = isElement(r.target) ? r.target : r.type === "characterData" ? parentOf(r.target) : null;
  if (r.type === "attributes" || !el || shadowOf(el) || el instanceof HTMLSlotElement || localName(el) === "style") return null;
  for (const list of [r.addedNodes, r.removedNodes]) for (const n of list) if (!isText(n)) return null;
  return el;
}

/** Whether this is the main document: its text is kept for comparison with the next page. */
const isTop = window.parent === window;

let current: Watch | null = null;
let kept: Watch | null = null; // the watch of the act before

/** Begins to watch. id: the target of the act, if known. */
export function watch(o?: { id?: number; keep?: boolean } | null): { ok: true; page?: PageLines } {
  if (o?.keep && isTop) keepStorage();
  placed(o?.id ?? 0);
  current?.stop();
  current = kept;
  kept = null;
  if (!current?.fresh()) {
    const before = current;
    current = new Watch();
    if (before) {
      current.late = before.lately(current.before);
      before.stop();
    }
  }
  current.begin(o?.id ? nodeOf(o.id) : null);
  return isTop ? { ok: true, page: pageLines(current.before) } : { ok: true };
}

/** Stops blocking navigations to other programs: the act's effects are not asked for, or the user acts. */
export function endLaunches(): void { current?.endLaunches(); }

/** Records that the element dragged by the act was dropped. */
export function recordDrop(): void { current?.recordDrop(); }

/** The sketch before the last reported act, with replaced elements instead of the old ones. */
let beforeLast: Sketch | null = null;

/** Whether an element was drawn before the last reported act. */
export function wasDrawn(el: Element): boolean {
  const was = beforeLast;
  if (!was || was.seen.has(el) || was.fields.has(el)) return was !== null;
  const svg = closest(el, (e) => localName(e) === "svg");
  const shapes = svg && was.drawings.get(svg);
  return svg !== null && was.seen.has(svg) && (!shapes || [el, ...all(el, "*")].some((e) => shapes.has(e)));
}

/** The elements that were replaced in that act, by the new ones. */
let formerOf: ReadonlyMap<Element, Element> = new Map();

/** The number that an element was shown under before that act, if it could not keep it; else 0. */
export function numberLost(el: Element): number {
  const was = formerOf.get(el);
  return was ? lostNumber(was) : 0;
}

let primed = false;

/**
 * Prepares for an act, which is likely after the page was read: its sketch before is
 * taken when the page has nothing else to do, and holds if nothing changes.
 */
export function prime(): void {
  if (primed || current) return;
  primed = true;
  requestIdleCallback(() => {
    if (isTop) openStorage();
    if (current || kept?.same()) {
      primed = false;
      return;
    }
    kept?.stop();
    kept = null;
    void take(new Watch(null)).finally(() => { primed = false; });
  }, { timeout: 500 });
}

/** The current sketch, which is kept as the one before an act. */
export function lookNow(): Sketch {
  const known = kept?.lookNow;
  if (known) return known;
  const now = sketch(new LayoutCache());
  if (!current && !kept) {
    kept = new Watch(now);
    kept.taken(now);
  }
  return now;
}

/** How long a notice on a new page may take to fade or slide in. */
const noticeMs = 1000;

/** news of the page as it is now; after a form it waits for a notice that is on its way, which the page before did not hold back as well. */
export async function newsNow(o: PageLines & Led): Promise<News> {
  const comes = (): boolean => comingNotices().some((text) => !o.unseen.includes(text));
  for (const end = performance.now() + noticeMs; o.sent && performance.now() < end && comes();) await pause(undrawnMs);
  return news(o, lookNow());
}

/** Takes the sketch before in slices; gives up if the page changes or an act begins. */
async function take(w: Watch): Promise<void> {
  const pace = new Pace();
  const work = w.looking(pace);
  for (let r = work.next(); ; r = work.next()) {
    if (r.done) {
      kept = w;
      w.taken(r.value);
      return;
    }
    await otherTasks();
    if (current || kept || !w.still()) {
      w.stop();
      return;
    }
    pace.goOn();
  }
}

/** Waits until a page takes a drag: some need the button held for a while, and a move before cancels it (Tabulator, dnd-kit with a delay). */
export async function takenUp(o: { maxMs: number }): Promise<{ ok: true }> {
  const w = current;
  if (w?.untouched()) await w.stays(performance.now() + o.maxMs);
  return { ok: true };
}

export async function effects(o: EffectOptions): Promise<Effects> {
  let w = current;
  if (!w && kept) {
    w = o.since ? kept.onward() : kept;
    kept = null;
    w.resume();
  }
  w ??= new Watch();
  current = w;
  w.hovers = (o.staysMs ?? 0) > 0;
  let out = w.report(await w.settle(o));
  if (await w.slides()) out = w.report(await w.settle(o));
  // A control that is only highlighted may be about to open; an invisible change may come first: the backdrop of a dialog (Bootstrap).
  const from = performance.now();
  const unseen = (): boolean => out.mutations > 0 ? w.sawNothing(out.changes) : w.staysClosed();
  const until = (): number => from + Math.max(o.staysMs ?? 0, unseen() ? unseenMs : 0);
  while (w.isFirst(out.changes) && await w.stays(until())) {
    const { changes } = out;
    out = w.report(await w.settle(o));
    out.changes.unshift(...changes.filter((c) => out.changes.every((now) => now.id !== c.id || now.kind !== c.kind)));
  }
  for (let ms = w.pendingMs(out.changes); ms > 0 && await w.comes(from + ms); ms = w.pendingMs(out.changes)) out = w.report(await w.settle(o));
  if (o.stop && current === w) {
    w.rest();
    kept = w;
    current = null;
  }
  return out;
}
