// What an act changed that a person can see: two quick looks at the page, before
// and after, compared once the DOM has been quiet for a moment.

import type { Change, Effects } from "./api";
import { compare, type Notes } from "./changes";
import { deepActive, doc, isElement, localName, offDocument, onDocument, scopes, shadowOf } from "./dom";
import { idOf } from "./ids";
import { nameOf } from "./name";
import { roleOf } from "./role";
import { sketch } from "./sketch";
import { Look } from "./visibility";

const maxChanges = 60;
const maxNotes = 5000;

class Watch {
  readonly before = sketch(new Look());
  readonly focus = deepActive();
  readonly x = window.scrollX;
  readonly y = window.scrollY;
  readonly notes: Notes = { attrs: new Map(), from: new Map() };
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
    this.observer.observe(n, { subtree: true, childList: true, characterData: true, attributes: true, attributeOldValue: true });
  }

  private saw(records: MutationRecord[]): void {
    this.mutations += records.length;
    for (const r of records) {
      this.note(r);
      for (const n of r.addedNodes) if (isElement(n)) {
        const root = shadowOf(n);
        if (root) this.observe(root);
      }
    }
    // Animations by style run on for ever; they are no reason to wait.
    if (records.some((r) => r.type !== "attributes" || r.attributeName !== "style")) this.last = performance.now();
  }

  /** The first of several is what was before all of them. */
  private note(r: MutationRecord): void {
    if (r.type === "attributes" && r.attributeName !== null && r.attributeName !== "style" && r.attributeName !== "class" && isElement(r.target)) {
      let old = this.notes.attrs.get(r.target);
      if (!old) {
        if (this.notes.attrs.size >= maxNotes) return;
        this.notes.attrs.set(r.target, (old = new Map<string, string | null>()));
      }
      if (!old.has(r.attributeName)) old.set(r.attributeName, r.oldValue);
    }
    const target = isElement(r.target) ? r.target : r.target instanceof ShadowRoot ? r.target.host : null;
    if (!target || this.notes.from.size >= maxNotes) return;
    for (const n of r.removedNodes) if (!this.notes.from.has(n)) this.notes.from.set(n, target);
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
  const look = new Look();
  const c = compare(w.before, sketch(look), w.notes, look);
  const f = deepActive();
  const changes = [...moves(w, f), ...c.changes];
  const out: Effects = {
    url: location.href, changes: changes.slice(0, maxChanges), more: Math.max(0, changes.length - maxChanges) + c.more,
    mutations: w.mutations, settled,
  };
  if (f && f !== doc.body && f !== doc.root) out.focus = { id: idOf(f), tag: localName(f), name: nameOf(f) };
  if (o.stop) {
    w.stop();
    if (current === w) current = null;
  }
  return out;
}

/** Waits until nothing changed for quietMs; where nothing did yet, for firstMs from the call. */
async function quiet(w: Watch, quietMs: number, firstMs: number, maxMs: number): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    w.flush();
    const now = performance.now();
    const left = w.mutations > 0 || w.scrolled.size > 0 ? quietMs - (now - w.last) : firstMs - (now - start);
    if (left <= 0) return true;
    const most = maxMs - (now - start);
    if (most <= 0) return false;
    await new Promise((done) => setTimeout(done, Math.min(left, most)));
  }
}

/** Where the keyboard and the view went. */
function moves(w: Watch, focus: Element | null): Change[] {
  const out: Change[] = [];
  if (focus !== w.focus) {
    out.push(focus && focus !== doc.body ? { kind: "focus", id: idOf(focus), name: nameOf(focus), role: roleOf(focus) } : { kind: "focus", to: "nothing" });
  }
  if (window.scrollX !== w.x || window.scrollY !== w.y) {
    out.push({ kind: "scroll", from: `${Math.round(w.x)},${Math.round(w.y)}`, to: `${Math.round(window.scrollX)},${Math.round(window.scrollY)}` });
  }
  for (const el of w.scrolled) out.push({ kind: "scroll", id: idOf(el), role: roleOf(el), name: nameOf(el) });
  return out;
}
