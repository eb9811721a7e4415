// The list of controls: one walk over the rendered tree, then a description of
// each control that counts.

import { Group } from "../a11y/group";
import { drawing, type Family, familyOf, Kind, resizes } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import type { ListOptions, ListResult, RawElement, RawRow } from "../api";
import { toRect } from "../dom/box";
import { attr, doc, isConnected, localName, rectOf } from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { Hears, hears } from "../dom/listeners";
import { find } from "../dom/locate";
import { LayoutCache } from "../dom/visibility";
import { numberLost, wasDrawn } from "../effects/effects";
import { type Pace, sliced, stride, type Work } from "../schedule/slices";
import { askedFor, wantedOf } from "./query";
import { coveredIn } from "./covered";
import { describe, standIn } from "./describe";
import { type Listed, tellApart } from "./disambiguate";
import { firstOf } from "./first";
import { addBeside, addKnown } from "./hints";
import { showOver } from "./hoverparts";
import { currentLook, toldBy } from "./identity";
import { pagingOf } from "./paging";
import { rebind, show } from "./redraw";
import { findRows } from "./rows";
import { type Found, type Walked, walking } from "./walk";

export function rawOf(f: Found, look: LayoutCache): RawElement {
  if (f.kind === Kind.Frame) {
    return {
      id: idOf(f.el), tag: localName(f.el), role: "iframe", name: nameOf(f.el), text: "", visible: look.inView(f.el), enabled: true,
      rect: contentRect(f.el), group: f.group.text, frameOf: true, ...(f.overlay ? { overlay: true } : {}),
    };
  }
  const e = describe(f.el, look);
  show(f.el, e.name, look, f.group.text, e.role);
  e.group = f.group.text;
  if (f.group.frames) e.frames = true;
  if (f.overlay) e.overlay = true;
  if (f.over) showOver(e, f.over, look);
  addKnown(f.el, e, look);
  if (f.kind === Kind.Behaviour) {
    e.behaves = true;
    const hand = look.hand(f.el);
    if (attr(f.el, "draggable") === "true" || drawing(hand) || (hears(f.el) & Hears.Drag) !== 0) e.draggable = true;
    if (!e.name && !e.text && resizes(hand)) e.hint = "resize"; // whatever its class name says
  }
  return e;
}

/** The viewport of a frame: inside its border and padding. */
export function contentRect(el: Element): { x: number; y: number; width: number; height: number } {
  const r = rectOf(el);
  const s = getComputedStyle(el);
  const n = (v: string): number => parseFloat(v) || 0;
  const left = r.left + n(s.borderLeftWidth) + n(s.paddingLeft);
  const top = r.top + n(s.borderTopWidth) + n(s.paddingTop);
  return toRect({ left, top, right: r.right - n(s.borderRightWidth) - n(s.paddingRight), bottom: r.bottom - n(s.borderBottomWidth) - n(s.paddingBottom) });
}

/** The rows that the elements are in, renumbered. */
function rowsOf(elements: readonly RawElement[], rows: readonly RawRow[]): RawRow[] {
  const out: RawRow[] = [];
  const anew = new Map<number, number>();
  for (const e of elements) {
    const row = e.row ? rows[e.row - 1] : undefined;
    if (!e.row || !row) continue;
    let n = anew.get(e.row);
    if (n === undefined) anew.set(e.row, n = out.push(row));
    e.row = n;
  }
  return out;
}

/** Returns a promise if the page is too large for one slice of the main thread. */
export const list = (o: ListOptions): ListResult | Promise<ListResult> => sliced((pace) => listing(o, pace));

export function* listing(o: ListOptions, pace: Pace): Work<ListResult> {
  const look = new LayoutCache();
  let from: Element | undefined;
  if (o.scopeId !== undefined || o.scope !== undefined && o.scope !== "") {
    const el = o.scopeId !== undefined && o.scopeId > 0 ? nodeOf(o.scopeId) : find(o.scope ?? "", look);
    if (!(el instanceof Element)) return emptyList();
    from = el;
  }
  return yield* listed(o, look, yield* walking(look, { from, inView: o.visible === true, images: o.type === "image" }, pace), pace);
}

/** The list of an absent part. */
export const emptyList = (): ListResult => ({ elements: [], truncated: false, nodes: 0, viewport: { width: innerWidth, height: innerHeight }, seen: currentLook() });

/** The list from the result of a walk; known: its covered controls. */
export function* listed(o: ListOptions, look: LayoutCache, w: Walked, pace: Pace, known?: ReadonlySet<Found>): Work<ListResult> {
  const out: ListResult = { ...emptyList(), truncated: w.truncated, nodes: w.nodes };
  if (look.modal) out.modal = true;
  rebind(w.found, look);
  const covered = known ?? (yield* coveredIn(w.found, w.overlays, look, pace));
  let found = w.found;
  if (o.first !== undefined && o.first > 0) {
    const first = yield* firstOf(o.fresh ? w.found.filter((f) => !wasDrawn(f.el) || numberLost(f.el) > 0) : w.found, covered, look, o.first, pace, o.lead);
    found = first.taken;
    if (o.fresh) { // older controls are all counted, each in its part
      const taken = new Set(found);
      found = w.found.filter((f) => taken.has(f) || wasDrawn(f.el));
    }
    out.left = first.left;
  } else if (o.type === "image") found = yield* pictures(w, look, pace);
  const want = o.type && o.type !== "all" ? o.type : null;
  const wanted = wantedOf(o.query, o.signs);
  const limit = o.limit && o.limit > 0 ? o.limit : 5000;
  const all: Listed[] = [];
  for (const f of found) {
    if (pace.due()) yield* pace.rest(look);
    if (!isConnected(f.el)) continue; // removed while the page was read
    if (f.kind !== Kind.Frame) {
      if (want && familyOf(f.el, f.role) !== (want as Family)) continue;
      if (o.visible && !look.inView(f.over ?? standIn(f.el, look))) continue;
    }
    if (wanted.length === 0 && all.length >= limit) {
      out.truncated = true;
      break;
    }
    const raw = rawOf(f, look);
    if (covered.has(f)) raw.covered = true;
    if (o.fresh && wasDrawn(f.el)) {
      raw.stood = true;
      const lost = numberLost(f.el);
      if (lost > 0) raw.lost = lost;
    }
    all.push({ el: f.el, raw });
  }
  const rows = yield* findRows(all, look, pace, new Set(found === w.found ? [] : w.found.map((f) => f.el)), want !== null);
  for (const [i, m] of all.entries()) {
    if (pace.dueAmong(i)) yield* pace.rest(look);
    if (!m.raw.frameOf && isConnected(m.el)) addBeside(m.el, m.raw, look, m.raw.row ? rows[m.raw.row - 1]?.text : undefined);
  }
  yield* tellApart(all, look, pace, rows);
  const asked = askedFor(all, rows, wanted);
  const paging = wanted.length > 0 ? pagingOf(look) : "";
  if (paging !== "") out.paging = paging;
  if (asked.length > limit) out.truncated = true;
  for (const [i, m] of asked.slice(0, limit).entries()) {
    if (i % stride === 0 && pace.due()) yield* pace.rest(look);
    if (m.raw.near) toldBy(m.el, m.raw.near);
    out.elements.push(m.raw);
  }
  if (rows.length > 0) out.rows = asked.length === all.length ? rows : rowsOf(out.elements, rows);
  out.seen = currentLook();
  return out;
}

const nowhere = new Group("", "");

/** The pictures and the frames, which may contain more pictures. */
function* pictures(w: Walked, look: LayoutCache, pace: Pace): Work<Found[]> {
  const out: Found[] = [];
  for (const el of w.images) {
    if (pace.due()) yield* pace.rest(look);
    if (look.shown(el)) out.push({ el, kind: Kind.Native, role: "img", group: nowhere, overlay: false, inside: null, holds: 0 });
  }
  return out.concat(w.found.filter((f) => f.kind === Kind.Frame));
}

/** The number of controls per family, for the summary. */
export function* counts(w: Walked, look: LayoutCache, pace: Pace): Work<{ buttons: number; inputs: number; links: number; selects: number; images: number; forms: number }> {
  const c = { buttons: 0, inputs: 0, links: 0, selects: 0, images: 0, forms: doc.forms };
  for (const [at, f] of w.found.entries()) {
    if (pace.dueAmong(at)) yield* pace.rest(look);
    if (f.kind === Kind.Frame) continue;
    switch (familyOf(f.el, f.role)) {
      case "button": c.buttons++; break;
      case "input": c.inputs++; break;
      case "link": c.links++; break;
      case "select": c.selects++; break;
    }
  }
  for (const el of w.images) {
    if (pace.due()) yield* pace.rest(look);
    if (look.shown(el)) c.images++;
  }
  return c;
}
