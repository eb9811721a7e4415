// What an act changed that a person can see: two looks at the page, before and
// after, compared once the DOM has been quiet for a moment.

import type { Change, Effects } from "./api";
import { attr, deepActive, doc, isElement, localName, offDocument, onDocument, scopes, shadowOf } from "./dom";
import { checkedOf, expandedOf, valueOf } from "./describe";
import { isEnabled, Kind } from "./interactive";
import { idOf } from "./ids";
import { walk } from "./list";
import { nameOf } from "./name";
import { roleOf } from "./role";
import { secretOf } from "./secrets";
import { rawValue } from "./form";
import { digest } from "./sha256";
import { cut, flat } from "./strings";
import { eachPiece } from "./text";
import { Look } from "./visibility";

const maxChanges = 60;
const maxText = 80;
const maxSeen = 3000;

interface State {
  role: string;
  name: string;
  value: string; // a digest where it is secret
  secret: boolean;
  checked: string;
  expanded: string;
  more: string; // disabled, selected, pressed
}

interface Picture {
  texts: Map<Element, string>;
  controls: Map<Element, State>;
  focus: Element | null;
  x: number;
  y: number;
  overlays: Set<Element>;
}

function picture(): Picture {
  const look = new Look();
  const texts = new Map<Element, string>();
  eachPiece(look, null, (p) => {
    const had = texts.get(p.el);
    texts.set(p.el, had === undefined ? p.text : `${had} ${p.text}`);
    return texts.size < maxSeen;
  });
  const controls = new Map<Element, State>();
  const w = walk(look);
  for (const f of w.found) {
    if (controls.size >= maxSeen) break;
    if (f.kind !== Kind.Frame) controls.set(f.el, stateOf(f.el, f.role));
  }
  return { texts, controls, focus: deepActive(), x: window.scrollX, y: window.scrollY, overlays: new Set(w.overlays) };
}

function stateOf(el: Element, role: string): State {
  const secret = secretOf(el) !== "";
  const on: string[] = [];
  if (!isEnabled(el)) on.push("disabled");
  for (const a of ["selected", "pressed", "current"]) if (attr(el, `aria-${a}`) === "true") on.push(a);
  return {
    role, name: nameOf(el), secret, value: secret ? digest([rawValue(el)]) : cut(flat(valueOf(el)), maxText),
    checked: checkedOf(el) ?? "", expanded: String(expandedOf(el) ?? ""), more: on.join(" "),
  };
}

class Watch {
  readonly before = picture();
  mutations = 0;
  last = performance.now();
  readonly scrolled = new Set<Element>();
  private readonly observer: MutationObserver;
  private readonly watchedRoots = new WeakSet<Node>();

  constructor() {
    this.observer = new MutationObserver((records) => { this.saw(records); });
    for (const s of scopes()) this.observe(s);
    onDocument("scroll", this.onScroll);
  }

  private observe(n: Node): void {
    if (this.watchedRoots.has(n)) return;
    this.watchedRoots.add(n);
    this.observer.observe(n, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  private saw(records: MutationRecord[]): void {
    this.mutations += records.length;
    for (const r of records) {
      for (const n of r.addedNodes) if (isElement(n)) {
        const root = shadowOf(n);
        if (root) this.observe(root);
      }
    }
    // Animations by style run on for ever; they are no reason to wait.
    if (records.some((r) => r.type !== "attributes" || r.attributeName !== "style")) this.last = performance.now();
  }

  private readonly onScroll = (e: Event): void => {
    const t = e.target;
    if (t instanceof Element) this.scrolled.add(t);
    this.last = performance.now();
  };

  flush(): void {
    const left = this.observer.takeRecords();
    if (left.length > 0) this.saw(left);
  }

  stop(): void {
    this.observer.disconnect();
    offDocument("scroll", this.onScroll);
  }
}

let current: Watch | null = null;

export function watch(): { ok: true } {
  current?.stop();
  current = new Watch();
  return { ok: true };
}

export async function effects(o: { quietMs: number; firstMs?: number; maxMs: number; stop: boolean }): Promise<Effects> {
  const w = current ?? (current = new Watch());
  const settled = await quiet(w, o.quietMs, o.firstMs ?? o.quietMs, o.maxMs);
  const after = picture();
  const changes = compare(w, after);
  const out: Effects = {
    url: location.href, changes: changes.slice(0, maxChanges), more: Math.max(0, changes.length - maxChanges),
    mutations: w.mutations, settled,
  };
  const f = after.focus;
  if (f && f !== doc.body && f !== doc.root) out.focus = { id: idOf(f), tag: localName(f), name: nameOf(f) };
  if (o.stop) {
    w.stop();
    if (current === w) current = null;
  }
  return out;
}

/** Waits until nothing changed for quietMs, counted from the call at the earliest; where nothing did yet, for firstMs. */
async function quiet(w: Watch, quietMs: number, firstMs: number, maxMs: number): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    w.flush();
    const now = performance.now();
    const left = (w.mutations > 0 || w.scrolled.size > 0 ? quietMs : firstMs) - (now - Math.max(w.last, start));
    if (left <= 0) return true;
    const most = maxMs - (now - start);
    if (most <= 0) return false;
    await new Promise((done) => setTimeout(done, Math.min(left, most)));
  }
}

function compare(w: Watch, after: Picture): Change[] {
  const out: Change[] = [];
  const said = new Set<string>();
  if (after.focus !== w.before.focus) {
    const f = after.focus;
    out.push(f && f !== doc.body ? { kind: "focus", id: idOf(f), name: nameOf(f), role: roleOf(f) } : { kind: "focus", to: "nothing" });
  }
  if (after.x !== w.before.x || after.y !== w.before.y) {
    out.push({ kind: "scroll", from: `${Math.round(w.before.x)},${Math.round(w.before.y)}`, to: `${Math.round(after.x)},${Math.round(after.y)}` });
  }
  for (const el of w.scrolled) out.push({ kind: "scroll", id: idOf(el), role: roleOf(el), name: nameOf(el) });
  for (const [el, now] of after.controls) {
    const was = w.before.controls.get(el);
    if (was) out.push(...changed(el, was, now, said));
    else {
      out.push({ kind: "added", id: idOf(el), role: now.role, name: now.name });
      said.add(now.name);
    }
  }
  for (const [el, was] of w.before.controls) {
    if (after.controls.has(el)) continue;
    out.push({ kind: "removed", id: idOf(el), role: was.role, name: was.name });
    said.add(was.name);
  }
  out.push(...textChanges(w.before.texts, after.texts, said));
  return out;
}

function changed(el: Element, was: State, now: State, said: Set<string>): Change[] {
  const out: Change[] = [];
  const base = { id: idOf(el), role: now.role, name: now.name };
  if (was.name !== now.name) {
    out.push({ kind: "text", ...base, from: cut(was.name, maxText), to: cut(now.name, maxText) });
    said.add(was.name).add(now.name);
  }
  if (was.value !== now.value) out.push(now.secret || was.secret ? { kind: "value", ...base } : { kind: "value", ...base, from: was.value, to: now.value });
  if (was.checked !== now.checked) out.push({ kind: "checked", ...base, from: was.checked, to: now.checked });
  if (was.expanded !== now.expanded) out.push({ kind: "expanded", ...base, from: was.expanded, to: now.expanded });
  if (was.more !== now.more) out.push({ kind: "attr", ...base, from: was.more, to: now.more });
  return out;
}

/** Text that came or went; text that only moved to another node is neither. */
function textChanges(before: Map<Element, string>, after: Map<Element, string>, said: Set<string>): Change[] {
  const out: Change[] = [];
  const had = tally(before);
  const has = tally(after);
  for (const [el, now] of after) {
    const was = before.get(el);
    if (was === now || said.has(now)) continue;
    if (was !== undefined && !said.has(was)) out.push({ kind: "text", from: cut(was, maxText), to: cut(now, maxText) });
    else if ((has.get(now) ?? 0) > (had.get(now) ?? 0)) out.push({ kind: "text", to: cut(now, maxText) });
  }
  for (const [el, was] of before) {
    if (after.has(el) || said.has(was)) continue;
    if ((had.get(was) ?? 0) > (has.get(was) ?? 0)) out.push({ kind: "text", from: cut(was, maxText) });
  }
  return out;
}

function tally(m: Map<Element, string>): Map<string, number> {
  const out = new Map<string, number>();
  for (const t of m.values()) out.set(t, (out.get(t) ?? 0) + 1);
  return out;
}
