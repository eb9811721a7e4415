// The guard at the arrival of input. A check before the input can't be the last
// word, since CDP input passes through the browser process: so, for one act
// and a bounded time, listeners at the window see every trusted event first
// and stop those that reach another node than the judged one, or the judged one
// after its facts changed.

import { activates, isEditable } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import { secretOf } from "../a11y/secrets";
import { keyboard } from "../acting/act";
import { BoxRow } from "../acting/boxes";
import { dropsOn, isTakenBack } from "../acting/drop";
import { isKnownByHover } from "../acting/hovered";
import { isStill } from "../acting/ready";
import type { ArmReport, EffectOptions, Guard, GuardReport } from "../api";
import {
  attr, childrenOf, closest, contains, deepActive, doc, hasAny, holds, isConnected, isElement, localName, rootOf, type Scope, scopes, shadowOf,
  textContent, unchanged, walker,
} from "../dom/dom";
import { nodeOf, serialOf } from "../dom/ids";
import { isUnpainted } from "../dom/painted";
import { flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { effects, recordDrop, endLaunches, watch } from "../effects/effects";
import { describe } from "../listing/describe";
import { identityChange } from "../listing/identity";
import { liveNode } from "../listing/redraw";
import { hasAsked, later, pause } from "../schedule/settle";
import { basePrintOf, isPriced, isSeenAround, isWeighty, kindPrintOf, printOf, reaches, subjectOf, takenButHidden, valuesTaken } from "./facts";
import { Steady } from "./factswatch";
import { controlsOf, defaultButton, destination, factsOfForm, formOf, isSubmitter } from "./form";
import { OwnRow } from "./ownrow";

const pointerEvents = ["pointerdown", "pointerup", "mousedown", "mouseup", "click", "auxclick", "dblclick", "contextmenu",
  "touchstart", "touchend", "dragstart", "drop"];
const keyEvents = ["keydown", "keypress", "keyup", "beforeinput"];
// pointermove, mousemove and mouseover pass: hovering is how menus open.
const watched = [...pointerEvents, ...keyEvents, "submit"];

/**
 * A blocking touch listener at the window changes which parts can be scrolled by touch: Chrome redraws the whole page
 * when it is added and removed. So this one is passive; the events that Chrome makes of the touch, from the press to
 * the click, are stopped themselves.
 */
const touch = "touchstart";

/** Events at which the target must still be as judged. */
const facing = /^(?:pointerdown|mousedown|click|auxclick|dblclick|contextmenu|touchstart|dragstart|keydown|beforeinput)$/;
const pressing = /^(?:pointerdown|mousedown|click)$/;
const begins = /^(?:pointerdown|mousedown|touchstart|keydown)$/;
const releases = /^(?:pointerup|mouseup)$/;
const popup = /^(?:menu|listbox|dialog|tree|grid|tooltip)$/;
/** Events right after a press or release: if the target's facts have changed by then, the page changed them in answer. */
const answers = new Set(["mousedown", "pointerup", "click"]);
const framing = new Set(["iframe", "frame", "object", "embed"]);

/** How long after its time a guard still waits for events that a page held up. */
const lateMs = 1000;

type Why = "other_node" | "facts_changed" | "submits";

/** The control of the label around a click, read before the page answers: it may remove the clicked element. */
function labelled(e: Event): Element | null {
  const deep = deepOf(e);
  const label = deep && closest(deep, (x) => localName(x) === "label");
  return label instanceof HTMLLabelElement ? label.control : null;
}

class Armed {
  arrived = 0;
  presses = 0;
  stopped: GuardReport["stopped"] = [];
  sending: GuardReport["sending"];
  private until = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly windows = new Map<Window, (e: Event) => void>();
  private readonly roots = new Set<Node>(); // shadow roots: a submit event does not leave its root
  private readonly observer = new MutationObserver((records) => { this.changed(records); });
  private readonly steady: Steady;
  private readonly node: Element | null;
  private readonly where: { action: string; method: string } | null;
  private pressed: { x: number; y: number } | null = null; // where the press arrived
  private letGo: { x: number; y: number } | null = null; // where a drag's end arrived
  private readonly valuesBefore: string; // the values around the target when the guard began
  stepped = false;
  acted = false; // the target's facts had changed by the event after its press or release
  private left = false; // the press took the focus from a changed field elsewhere, which may change the facts, too
  private beforeBlur = ""; // what the press takes along but for hidden fields, as the press took the focus from a field
  private poisoned = false; // a press was stopped: so are the events after it
  private handing: Element | null = null; // the field to which a label hands on the click that just arrived
  private menu = false; // the target was asked for its menu
  private row: OwnRow | null = null; // the target's row at the press
  private under = new Set<Element>(); // the elements under the mouse at the press
  private ghost = false; // the release came over a copy that follows the mouse
  private readonly came = new WeakSet<Node>(); // nodes added since the press
  private clicked: { x: number; y: number } | null = null; // the place of the click after the press
  private typed = false; // our own characters arrived
  private wrote: boolean; // … and passed: they may have changed the field's name
  private inputs = 0; // how many keys the browser turned into input
  private last: Element | null = null; // the target of the last key
  wentOn = false; // some keys went to other boxes of its row
  readonly boxes: BoxRow | null;
  private broke = false; // … a line break among them
  private live = true;

  constructor(readonly guard: Guard, parts: readonly Scope[]) {
    const node = liveNode(guard.id);
    this.node = node;
    this.wrote = guard.written === true;
    this.boxes = node && guard.kind === "key" ? BoxRow.of(subjectOf(node)) : null;
    const form = node ? formOf(subjectOf(node)) : null;
    this.where = form && node ? destination(form, subjectOf(node)) : null;
    this.windows.set(window, this.on);
    for (const s of parts) if (s instanceof ShadowRoot) this.roots.add(s);
    for (let r: Node | null = node ? rootOf(node) : null; r instanceof ShadowRoot; r = rootOf(r.host)) this.roots.add(r);
    this.listen();
    for (const s of parts) this.observer.observe(s, { childList: true, subtree: true });
    this.steady = new Steady(node, new Set<Node>([...parts, ...this.roots]));
    this.valuesBefore = node && guard.kind === "pointer" ? valuesTaken(subjectOf(node)) : "";
    this.renew();
  }

  /** Whether the press only changed one number in a visible field beside it, as a stepper's arrows do. */
  private hasStepped(): boolean {
    const node = nodeOf(this.guard.id);
    const it = node && subjectOf(node);
    if (!it || isPriced(it) || isSubmitter(it) || this.guard.fingerprint.split(".")[0] !== basePrintOf(it)) return false;
    const pairs = (s: string): string[] => s === "" ? [] : (JSON.parse(s) as [string[], string])[0]; // names and values in turn
    const was = pairs(this.valuesBefore);
    const now = pairs(valuesTaken(it));
    const at = now.findIndex((v, i) => v !== was[i]);
    if (at < 0) return false;
    const came = now.length > was.length; // an empty field counts in a form only
    const value = came ? at | 1 : at;
    const rest = came ? now.toSpliced(value - 1, 2) : now.with(value, was[value] ?? "");
    return value % 2 === 1 && /^\d+$/.test(now[value] ?? "") && (came || /^\d*$/.test(was[value] ?? "-")) && JSON.stringify(rest) === JSON.stringify(was) &&
      isSeenAround(it, now[value - 1] ?? "", now[value] ?? "");
  }

  /** Whether the page kept the browser from turning any of the keys into input. */
  get isRefused(): boolean { return this.wrote && this.guard.kind === "key" && this.inputs === 0 && this.last !== null; }

  /** Restarts the guard's time; returns false if the guard is over. */
  renew(): boolean {
    if (!this.live) return false;
    clearTimeout(this.timer);
    this.until = performance.now() + this.guard.ms;
    // After a blocked main thread the time is up before the waiting events are dispatched.
    this.timer = later(() => { this.timer = later(() => { this.release(); }, lateMs); }, this.guard.ms);
    return true;
  }

  private listen(): void {
    for (const [w, on] of this.windows) for (const t of watched) w.addEventListener(t, on, { capture: true, passive: t === touch });
    for (const r of this.roots) r.addEventListener("submit", this.on, { capture: true });
    window.addEventListener("change", this.onLeft, { capture: true });
    window.addEventListener("blur", this.onBlur, { capture: true });
  }

  private readonly onLeft = (e: Event): void => {
    const deep = deepOf(e);
    if (e.isTrusted && this.pressed && this.node && deep && !holds(this.node, deep)) this.left = true;
  };

  /** A page may fill hidden fields as the press takes the focus from a field, as it may when the form is sent. */
  private readonly onBlur = (e: Event): void => {
    const { node } = this;
    if (!e.isTrusted || !this.pressed || !node || e.target === window || e.target === node) return;
    this.beforeBlur = this.guard.fingerprint.split(".")[1] === printOf(node).split(".")[1] ? takenButHidden(subjectOf(node)) : "";
  };

  release(): void {
    if (!this.live) return;
    this.live = false;
    clearTimeout(this.timer);
    this.observer.disconnect();
    this.steady.stop();
    for (const [w, on] of this.windows) for (const t of watched) w.removeEventListener(t, on, { capture: true });
    for (const r of this.roots) r.removeEventListener("submit", this.on, { capture: true });
    window.removeEventListener("change", this.onLeft, { capture: true });
    window.removeEventListener("blur", this.onBlur, { capture: true });
  }

  /**
   * The events of an act arrive together, and the page may answer the
   * first with a document without a guard: a new frame, or its own one
   * rewritten, which loses its listeners. Listens in those, too.
   */
  private changed(records: MutationRecord[]): void {
    if (!this.live) return;
    let anew = false;
    for (const r of records) {
      anew ||= r.target.nodeType === Node.DOCUMENT_NODE;
      if (this.pressed || this.guard.breaks) for (const n of r.addedNodes) this.came.add(n);
      for (const n of r.addedNodes) if (n.nodeType === Node.ELEMENT_NODE) anew = this.enter(n) || anew;
    }
    if (anew) this.listen();
  }

  /** Observes frames and shadow roots in new content; returns whether it found any. */
  private enter(from: Node): boolean {
    let found = false;
    const w = walker(from, NodeFilter.SHOW_ELEMENT);
    for (let n: Node | null = w.currentNode; n; n = w.nextNode()) {
      if (n.nodeType !== Node.ELEMENT_NODE) continue;
      const el = n as Element;
      const inner = shadowOf(el) ?? (framing.has(localName(el)) ? (el as HTMLIFrameElement).contentDocument : null);
      if (!inner) continue;
      this.observer.observe(inner, { childList: true, subtree: true });
      if (inner instanceof ShadowRoot && !this.roots.has(inner)) {
        this.roots.add(inner);
        found = true;
      }
      const view = (inner as Document).defaultView as Window | null | undefined;
      if (view) {
        this.windows.set(view, this.elsewhere);
        found = true;
      }
      found = this.enter(inner) || found;
    }
    return found;
  }

  /** Stops events in a frame that was added after the guard began. */
  private readonly elsewhere = (e: Event): void => {
    if (e.isTrusted && this.inTime(e) && this.concerns(e)) this.stop(e, "other_node");
  };

  /** Whether an event is the act's: one that began after the guard's time is the user's and ends the guard. */
  private inTime(e: Event): boolean {
    if (this.live && begins.test(e.type) && e.timeStamp > this.until) this.release();
    return this.live;
  }

  awaits(e: Event): boolean {
    return this.live && e.timeStamp <= this.until && e.type !== "wheel" && this.concerns(e);
  }

  private readonly on = (e: Event): void => {
    if (!e.isTrusted || !this.inTime(e) || !this.concerns(e)) return;
    this.answered(e);
    const handed = e.type === "click" && this.handing !== null && deepOf(e) === this.handing;
    if (this.isHandedOn(e)) return;
    const why = this.poisoned && e.type !== "keydown" ? "other_node" : this.judge(e);
    if (why === null) {
      this.arrived++;
      if (e.type === "pointerup" && this.pressed) this.presses++;
      if (this.node && this.writes(e, this.node)) {
        this.wrote = true;
        if (e.type === "beforeinput") this.inputs++;
        const to = deepOf(e);
        this.wentOn ||= this.last !== null && to !== this.last;
        this.last = to;
      }
      this.broke ||= this.wrote && e instanceof KeyboardEvent && e.type === "keydown" && isEnter(e);
      this.menu ||= e.type === "contextmenu";
      if (begins.test(e.type)) this.clicked = null;
      else if (e.type === "click" && e instanceof MouseEvent) this.clicked = { x: e.clientX, y: e.clientY };
      this.handing = e.type === "click" && this.guard.kind === "pointer" ? labelled(e) : null;
      // The click shows that the press arrived: the page keeps such events from later listeners.
      if (e.type === "click" && this.guard.whole && !this.poisoned) this.stopped = this.stopped.filter((s) => !releases.test(s.type));
      if (/^(?:pointerdown|mousedown)$/.test(e.type) && e instanceof MouseEvent) {
        if (e.type === "pointerdown") {
          this.row = this.node && new OwnRow(subjectOf(this.node));
          this.under = new Set(document.elementsFromPoint(e.clientX, e.clientY));
        }
        this.pressed = { x: e.clientX, y: e.clientY };
      }
      return;
    }
    this.stop(e, why, handed);
  };

  /**
   * The browser's own second click, by which a label gives its field the keyboard after a click on anything in it. A
   * text field or a select does nothing else with it; a button or a box would, which was not judged:
   * that is stopped, and the click that was judged has come all the same.
   */
  private isHandedOn(e: Event): boolean {
    const field = this.handing;
    this.handing = null;
    return field !== null && !this.poisoned && e.type === "click" && deepOf(e) === field && (isEditable(field) || localName(field) === "select");
  }

  /** Sets acted, at an event after the press, if the target's facts have changed since and no field elsewhere lost the focus. */
  private answered(e: Event): void {
    if (!this.pressed || this.acted || this.left || this.poisoned || !answers.has(e.type)) return;
    const node = nodeOf(this.guard.id);
    this.acted = node !== null && !this.steady.holds() && !unchanged(() => this.sameFacts(e, node));
  }

  /** Whether the release is over a copy of the target added since the press, which follows the mouse. */
  private isGhost(e: Event, node: Element, deep: Element | null): boolean {
    if (this.guard.kind !== "pointer" || !this.pressed || this.poisoned || !deep) return false;
    if (this.guard.fingerprint.split(".")[0] !== basePrintOf(node)) return false;
    if (e.type === "click") return this.ghost && holds(deep, node);
    this.changed(this.observer.takeRecords());
    const copy = releases.test(e.type) ? closest(deep, (x) => this.came.has(x)) : null;
    const words = flat(textContent(node));
    return this.ghost ||= copy !== null && !holds(node, copy) && words !== "" && flat(textContent(copy)) === words;
  }

  /** Whether a popup with choices or fields came over the target since the press. */
  private isPopup(deep: Element | null): boolean {
    if (!this.pressed || !this.node || !deep || this.under.has(deep)) return false;
    const node = this.node;
    const top = closest(deep, (x) => !holds(x, node) && /^(?:absolute|fixed)$/.test(getComputedStyle(x).position));
    return top !== null && (closest(deep, (x) => popup.test(attr(x, "role") ?? "")) !== null || hasAny(top, "input,select,textarea") ||
      [...childrenOf(top)].filter((c) => textContent(c)).length > 1);
  }

  private stop(e: Event, why: Why, handed = false): void {
    if (begins.test(e.type) || e.type === "dragstart") this.poisoned = true;
    const deep = deepOf(e);
    const passes = why === "other_node" && this.endsOnNothing(e, deep);
    if (passes && this.menu) return;
    if (!passes) {
      e.stopImmediatePropagation();
      if (e.type !== touch) e.preventDefault();
    }
    if (this.menu && /^(?:pointerup|mouseup|auxclick)$/.test(e.type)) return; // the menu has opened under the mouse
    const gone = deep !== null && !isConnected(deep);
    if (handed && !this.poisoned) return;
    if (why === "facts_changed" && e.type === "click" && this.acted) this.stepped = this.hasStepped();
    if (this.stopped.length < 20) this.stopped.push({ type: e.type, why, on: nameFor(e), gone, popup: why === "other_node" && releases.test(e.type) && this.isPopup(deep) });
  }

  /** Whether an event is of the guard's kind: a pointer act ignores the user's keys, and vice versa. */
  private concerns(e: Event): boolean {
    const key = keyEvents.includes(e.type);
    if (this.guard.kind === "key") {
      // Enter and Space press: their click comes without a pointer.
      if (e.type === "click") return !(e instanceof PointerEvent) || e.pointerType === "";
      return key || e.type === "submit";
    }
    return !key;
  }

  private judge(e: Event): Why | null {
    // A key that moved the focus (Tab) is let go where the focus went; only Enter and Space do anything on the way up.
    if (this.guard.kind === "key" && e.type === "keyup" && !activation(e as KeyboardEvent)) return null;
    if (this.guard.iframeId !== undefined && this.guard.iframeId > 0) {
      const owner = nodeOf(this.guard.iframeId);
      const deep = deepOf(e);
      if (!owner || !deep || !holds(owner, deep)) return "other_node";
      // Events inside a frame are not visible outside. A press that is visible hit the frame's edge, or the browser sent it
      // by an outdated position of the frame, as it does on a busy machine after a scroll.
      return this.guard.kind === "pointer" && begins.test(e.type) ? "other_node" : null;
    }
    if (this.guard.id <= 0) {
      // This document holds no target: only a drag's end may arrive here.
      const drop = this.guard.dropId ? nodeOf(this.guard.dropId) : null;
      return drop && !/^(?:pointerdown|mousedown|dragstart)$/.test(e.type) && dropsOn(e, drop, drop, deepOf(e)) ? null : "other_node";
    }
    const own = (this.guard.kind === "pointer" && !this.pressed ? liveNode : nodeOf)(this.guard.id);
    if (own && this.guard.node && serialOf(own) !== this.guard.node) return "other_node";
    const node = own ?? this.handle ?? this.boxAnew;
    if (!node) return "other_node";
    if (e.type === "submit") return this.judgeSubmit(e as SubmitEvent, node);
    if (this.guard.whole && !this.pressed && releases.test(e.type)) return "other_node";
    const deep = deepOf(e);
    const release = e.type === "drop" || this.guard.kind === "drag" && /^(?:pointerup|mouseup|click|touchend)$/.test(e.type);
    if (release) {
      if (!this.guard.dropId || this.hasLetGo(e) || releases.test(e.type) && isTakenBack(e, node, deep, this.pressed)) return null;
      if (e.type === "click" && this.stopped.some((s) => releases.test(s.type))) return "other_node"; // of a drag that did not end where it should
      if (!dropsOn(e, node, nodeOf(this.guard.dropId), deep, this.guard.dropAt, this.hasCome)) return "other_node";
      if (e.type === "pointerup" && e instanceof MouseEvent) this.letGo = { x: e.clientX, y: e.clientY };
      return null;
    }
    if (!reaches(node, deep) && !this.followsFrom(e, node, deep) && !this.takesUp(e, node, deep)) return this.isGhost(e, node, deep) ? null : "other_node";
    return this.isJudged(e, node) ? null : "facts_changed";
  }

  private readonly hasCome = (x: Element): boolean => {
    this.changed(this.observer.takeRecords());
    return this.came.has(x);
  };

  /** The element being dragged: a page may draw its handle anew meanwhile, and the release is judged by its place. */
  private get handle(): Element | null {
    return this.guard.kind === "drag" && this.pressed ? this.node : null;
  }

  /**
   * Whether an arrived press is released over the page itself, or over an empty, inactive element: a menu that it
   * opened keeps the mouse from everything else (Radix), a selection box is drawn there (jQuery UI). The page gets
   * the release, or it would wait for it and miss the next press; the report still lists it as stopped.
   */
  private endsOnNothing(e: Event, deep: Element | null): boolean {
    if (this.guard.kind !== "pointer" || this.guard.whole || !this.pressed || this.poisoned || !deep || !/^(?:pointerup|mouseup|auxclick)$/.test(e.type)) return false;
    return deep === doc.body || deep === doc.root || childrenOf(deep).length === 0 && flat(textContent(deep)) === "" && closest(deep, activates) === null;
  }

  /** Whether node is as judged; the facts are read anew if they may have changed since the last event. */
  private isJudged(e: Event, node: Element): boolean {
    const writes = this.writes(e, node);
    if (writes) this.typed = true; // characters of our own
    if (!facing.test(e.type) || (writes ? this.steady.takes() : this.steady.holds())) return true;
    if (!unchanged(() => this.isWhatItWas(e, node))) return false;
    this.steady.judged();
    return true;
  }

  /** Whether the event writes into the field; Enter does if it is a line break. */
  private writes(e: Event, node: Element): boolean {
    return e.type === "beforeinput" || e instanceof KeyboardEvent && e.type === "keydown" && (!presses(e, node) || this.breaks(e));
  }

  private breaks(e: KeyboardEvent): boolean {
    return this.guard.breaks === true && isEnter(e);
  }

  /**
   * Whether deep is a box of the row that takes the next character: an empty one. anew: also one whose
   * text the page has selected.
   */
  private isNextBox(e: Event, deep: Element, anew: boolean): boolean {
    if (!this.boxes?.has(deep) || e instanceof KeyboardEvent && activation(e)) return false;
    const open = deep.value === "" || anew && deep.selectionStart === 0 && deep.selectionEnd === deep.value.length;
    return open || e.type === "keyup" || e.type === "keypress";
  }

  /** The replacement of a box that was written in and drawn anew. */
  private get boxAnew(): Element | null {
    const now = this.wrote ? this.boxes?.own ?? null : null;
    return now && this.guard.fingerprint.split(".")[3] === kindPrintOf(now) ? now : null;
  }

  /** Whether the page moves the focus on from the target of the last character, within ms. */
  async movedOn(ms: number): Promise<boolean> {
    for (const until = performance.now() + ms; deepActive() === this.last && performance.now() < until;) await pause(5);
    return deepActive() !== this.last;
  }

  /**
   * Whether deep is a new block of an editor, made and focused by a line break: it came after
   * that, and has the same kind of secret and the same form as the first.
   */
  private isNextBlock(node: Element, deep: Element): boolean {
    if (!this.broke || !isEditable(deep) || deep instanceof HTMLInputElement || deep instanceof HTMLTextAreaElement) return false;
    this.changed(this.observer.takeRecords());
    return closest(deep, (x) => this.came.has(x)) !== null && secretOf(deep) === secretOf(node) && formOf(deep) === formOf(node);
  }

  /**
   * Whether the browser starts the drag of a draggable element around the pressed handle (SortableJS marks the item of the
   * list at the press): its end is judged at the drop.
   */
  private takesUp(e: Event, node: Element, deep: Element | null): boolean {
    return e.type === "dragstart" && this.guard.kind === "drag" && this.pressed !== null && deep instanceof HTMLElement && deep.draggable && holds(deep, node);
  }

  /** Whether it is the mouseup of a release whose pointerup was accepted: the page may have drawn itself anew since. */
  private hasLetGo(e: Event): boolean {
    const at = this.letGo;
    return at !== null && e.type === "mouseup" && e instanceof MouseEvent && e.clientX === at.x && e.clientY === at.y;
  }

  /** Enter in a field presses its form's default button: a click of its own, on another node. */
  private followsFrom(e: Event, node: Element, deep: Element | null): boolean {
    if (node === doc.body || node === doc.root) return this.guard.kind === "key" && (deep === doc.body || deep === doc.root);
    if (this.guard.kind !== "key" || !deep) return false;
    if (e.type === "click") {
      const next = this.guard.nextId ? nodeOf(this.guard.nextId) : null;
      if (next && deep === next) return basePrintOf(next) === this.guard.nextPrint;
      const form = formOf(subjectOf(node));
      const button = form ? defaultButton(form) : null;
      return button !== null && reaches(button, deep);
    }
    if (this.isNextBox(e, deep, this.guard.focus === "select") || this.isNextBlock(node, deep)) return true;
    // Keys go to what is focused inside an editor or a widget with a roving focus.
    return holds(node, deep) && (isEditable(node) || e.type !== "keydown" || !activation(e as KeyboardEvent));
  }

  /**
   * Judges the sending of the form. After the press the page's own handlers run, and may
   * rename the button ("Sending…") or fill hidden fields; only
   * the form's destination must stay the same.
   */
  private judgeSubmit(e: SubmitEvent, node: Element): Why | null {
    const form = formOf(subjectOf(node));
    if (!form || e.target !== form || !this.where || !this.guard.submits && !isSubmitter(subjectOf(node))) return this.judgeSending(e);
    const now = destination(form, e.submitter ?? subjectOf(node));
    const by = e.submitter ? destination(form, e.submitter) : now;
    const ok = now.action === this.where.action && now.method === this.where.method || by.action === this.defaultGoal(form) && this.guard.kind === "key";
    return ok ? null : "facts_changed";
  }

  /**
   * Judges a form that the page's own script sends without a judgement for it. A
   * GET without secrets, such as a search while typing, passes; anything else is stopped and judged.
   */
  private judgeSending(e: SubmitEvent): Why | null {
    const form = e.target;
    if (!(form instanceof HTMLFormElement)) return null;
    const by = e.submitter ?? defaultButton(form);
    const to = destination(form, by);
    if (this.guard.sendsTo === `${to.method} ${to.action}`) return null;
    if (to.method === "get" && !controlsOf(form).some((c) => secretOf(c) !== "")) return null;
    this.sending ??= { form: factsOfForm(form, by), button: by ? nameOf(by) : "" };
    return "submits";
  }

  private defaultGoal(form: HTMLFormElement): string {
    return destination(form, defaultButton(form)).action;
  }

  private isWhatItWas(e: Event, node: Element): boolean {
    if (this.guard.kind === "pointer" && pressing.test(e.type) && identityChange(node, nameOf(node), new LayoutCache(), this.guard.seen, this.guard.name) !== null && !isKnownByHover(node)) return false;
    return this.sameFacts(e, node);
  }

  private sameFacts(e: Event, node: Element): boolean {
    const key = e instanceof KeyboardEvent;
    if (this.guard.fingerprint === "") return true;
    const was = this.guard.fingerprint.split(".");
    // A double click comes with the judged click of the same release: values changed between them are that click's effect,
    // as where a click ticks a row and a double click edits its cell.
    if (e.type === "dblclick" && e instanceof MouseEvent && this.clicked?.x === e.clientX && this.clicked.y === e.clientY) return was[0] === basePrintOf(node);
    // A field that is written in stays the same field, even if its name changes.
    if (this.wrote && this.writes(e, node)) return was[3] === kindPrintOf(node);
    if (key ? !presses(e, node) && !this.breaks(e) : !isWeighty(node) || e.type === "beforeinput") return was[0] === basePrintOf(node);
    const now = printOf(node).split(".");
    if (was[0] !== now[0] || was[1] !== now[1] && !this.row?.isChosen() && this.beforeBlur !== takenButHidden(subjectOf(node))) return false;
    // In this act our own typing changes the value.
    return this.typed || !key || was[2] === now[2];
  }
}

const isEnter = (e: KeyboardEvent): boolean => e.key === "Enter";
const activation = (e: KeyboardEvent): boolean => e.key === "Enter" || e.key === " " || e.key === "NumpadEnter";

/** Whether a key presses something, rather than writes. */
function presses(e: KeyboardEvent, node: Element): boolean {
  if (e.key === "Enter" || e.key === "NumpadEnter") return true;
  return e.key === " " && !isEditable(subjectOf(node));
}

/** The deepest node of an event, into closed shadow roots that we know. */
function deepOf(e: Event): Element | null {
  const first = e.composedPath()[0];
  let el: Element | null = first instanceof Node && isElement(first) ? first : first === window || first === document ? doc.body ?? doc.root : null;
  while (el) {
    const root = shadowOf(el);
    if (!root) break;
    const inner: Element | null = e instanceof MouseEvent ? root.elementFromPoint(e.clientX, e.clientY) : e instanceof KeyboardEvent || e instanceof InputEvent ? root.activeElement : null;
    if (!inner || inner === el || !contains(root, inner)) break;
    el = inner;
  }
  // Before anything is focused, keys go to the body or the root.
  if (e instanceof KeyboardEvent && el === doc.root) el = deepActive() ?? el;
  return el;
}

function nameFor(e: Event): string {
  const el = deepOf(e);
  if (!el) return "";
  const near = closest(el, (x) => localName(x) !== "span") ?? el;
  const d = describe(near, new LayoutCache());
  return d.name || d.text ? `${d.role} "${(d.name || d.text).slice(0, 60)}"` : d.tag;
}

let current: Armed | null = null;

/** Whether an event comes while the host's own input of its kind is under way here. */
export const expected = (e: Event): boolean => current !== null && current.awaits(e);

/** Elements with documents that no extractor, and so no guard, is in. */
const opaque = "object,embed,fencedframe,portal,webview";

export function arm(g: Guard): ArmReport | Promise<ArmReport> {
  current?.release();
  const early = !g.unpainted && isUnpainted(); // the host will arm again; this guard holds until then
  const watched = g.watch && !early ? watch({ id: g.id, keep: g.keep === true }) : null;
  const had = deepActive();
  const focused = g.focus !== undefined && !early && keyboard(g.id, g.focus);
  const parts = g.kind === "key" ? [document] : scopes();
  current = new Armed(g, parts);
  const node = nodeOf(g.id);
  const report: ArmReport = {
    ok: true, focused, box: current.boxes !== null, still: !node || isStill(node),
    sure: g.kind !== "pointer" || parts.every((s) => !hasAny(s, opaque)), unpainted: early,
  };
  if (watched?.page) report.page = watched.page;
  // Keys are handled before timers: a field that prepares itself in a timer after its focus would lose them (the date fields of MUI, which
  // choose a section and draw it). In a hidden tab timers are late, and nobody waits for them.
  const field = deepActive();
  return focused && field !== had && field instanceof HTMLInputElement && document.visibilityState === "visible" && hasAsked() ? pause(0).then(() => pause(0)).then(() => report) : report;
}

/** Renews the host's lease on the guard: without it the guard ends, and the user's clicks pass again. */
export const renew = (o: { token: string }): { ok: boolean; held?: boolean } => {
  const mine = current?.guard.token === o.token ? current : null;
  return mine ? { ok: mine.renew(), held: mine.stopped.some((s) => releases.test(s.type) || s.type === "drop") } : { ok: false };
};

/** Focuses the last filled box of a row from the target on and selects its content; if none is filled, the target. */
export function lastBox(o: { token: string }): { filled: boolean } {
  const row = current?.guard.token === o.token ? current.boxes : null;
  const box = row?.filled ?? row?.own;
  box?.focus({ preventScroll: true });
  box?.select();
  return { filled: box !== undefined && box !== null && box.value !== "" };
}

/** Whether the page itself moves the focus on in a row of boxes, within ms. */
export async function movedOn(o: { token: string; ms: number }): Promise<{ moved: boolean }> {
  return { moved: current?.guard.token === o.token && await current.movedOn(o.ms) };
}

export function disarm(o: { token: string; effects?: EffectOptions }): GuardReport | Promise<GuardReport> {
  if (current?.guard.kind === "drag") recordDrop();
  const out = finalReport(o.token);
  if (!o.effects || out.stopped.length > 0) {
    endLaunches();
    return out;
  }
  return effects(o.effects).then((e) => ({ ...out, effects: e }));
}

function finalReport(token: string): GuardReport {
  if (!current || current.guard.token !== token) return { arrived: 0, stopped: [] };
  const { arrived, presses, stopped, sending, acted, stepped } = current;
  const wentOn = current.wentOn && current.boxes !== null;
  const boxes = wentOn || stopped.length > 0 ? current.boxes?.values : null;
  const { isRefused } = current;
  current.release();
  current = null;
  const out: GuardReport = { arrived, stopped };
  if (wentOn) out.wentOn = true;
  if (boxes) out.boxes = boxes;
  if (isRefused) out.refused = true;
  if (presses) out.presses = presses;
  if (sending) out.sending = sending;
  if (acted) out.acted = true;
  if (stepped) out.stepped = true;
  // Chrome notes a press before any listener: a page that keeps it from us has had it all the same.
  if (arrived === 0 && navigator.userActivation?.isActive) out.active = true;
  return out;
}
