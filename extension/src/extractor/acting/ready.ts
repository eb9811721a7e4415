// Waiting until an element can take an action, and finding the point where it
// does: in view, still, enabled, and not covered by something else.

import { openDialog } from "../a11y/dialogs";
import { activates, actorOf, isEditable, isEnabled } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import type { ClickKind, ExtractorError, Point, RawElement, Rect, Resolved } from "../api";
import { scrolledFor } from "../dom/area";
import { type Box, hitRects, isEmpty, meet, points, toRect } from "../dom/box";
import { all, animationsIn, attr, closest, deepAt, doc, holds, isConnected, isElement, localName, rectOf, rootOf, scrollIntoView } from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { cut } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { reaches, subjectOf } from "../guard/facts";
import { describe, standIn } from "../listing/describe";
import { HoverParts } from "../listing/hoverparts";
import { liveNode } from "../listing/redraw";
import { frame } from "../schedule/settle";
import { has } from "./act";
import { failure } from "./resolve";

type Outcome = { point: Point; rect: Rect; moving?: boolean } | { error: ExtractorError };

/** How long, in ms, a state that prevents the action must last before it is reported, well before the time-out. */
const patience = 1000;

/** How long, in ms, an element may move before it is taken to move forever and is aimed at in motion. */
const restless = 1500;

/** The most frames that the browser takes to release a locked pointer. */
const unlockFrames = 20;

const aligns: ScrollLogicalPosition[] = ["center", "end", "start", "center"];

/**
 * Waits until an element can take an action and returns the point for it. moving: the element never stands still; returns
 * its present point, as the guard checks what the input reaches. over: the id of the element that the mouse was moved over.
 */
export async function ready(o: { id: number; part?: number; kind: ClickKind; timeoutMs: number; moving?: boolean; over?: number }): Promise<Outcome> {
  const began = performance.now();
  const until = began + Math.max(o.timeoutMs, 50);
  let problem: { error: ExtractorError } | null = null;
  let since = 0;
  let tries = 0;
  for (;;) {
    const el = liveNode(o.id);
    if (!el) return failure("stale_ref", "The element is no longer in the page.");
    const follows = o.kind === "click" && (o.moving === true || problem?.error.code === "timeout" && performance.now() - since >= restless);
    const found = await attempt(el, partOf(el, o.part), o.kind, tries++, performance.now() - began, follows);
    if (!("error" in found)) return found;
    const now = performance.now();
    // The first cover is reported: later tries scroll, and may meet a sticky header.
    if (!problem || problem.error.code !== found.error.code) {
      since = now;
      problem = found;
    }
    if (found.error.over !== undefined && o.over !== found.error.over) return found; // the caller must move the mouse there first
    if (found.error.code === "not_editable" || found.error.code === "stale_ref") return found;
    if (now >= until || now - since >= patience && found.error.code !== "timeout") return problem;
    await frame();
    await frame();
  }
}

const places = new WeakMap<Element, { body: Element; rect: DOMRect }>();

/**
 * Adds to the result of resolve or check the point where the element can take the
 * act now, if nothing prevents it. It waits for no frames: isStill checks again when
 * the guard is armed, and the guard checks the input's target.
 */
export function placed(r: Resolved | { error: ExtractorError }, kind: ClickKind | undefined): Resolved | { error: ExtractorError } {
  if ("error" in r || kind === undefined || doc.readyState !== "complete") return r;
  const el = nodeOf(r.id);
  if (!el) return r;
  const look = new LayoutCache();
  const body = partOf(el, r.part) ?? standIn(el, look);
  if (refused(el, body, kind, look) || !look.inView(body) || isMoving(body)) return r;
  const at = point(el, body, kind, look);
  if ("error" in at) return r;
  places.set(el, { body, rect: rectOf(body) });
  return { ...r, at };
}

/** Whether an element is where it took an act at the last look. */
export function isStill(el: Element): boolean {
  const was = places.get(el);
  return !was || !moved(was.rect, rectOf(was.body)) && !isMoving(was.body);
}

/** The failure that prevents the action in the element's present state, or null. */
function refused(el: Element, body: Element, kind: ClickKind, look: LayoutCache): { error: ExtractorError } | null {
  const it = subjectOf(el);
  if (kind === "type" && !takesText(it)) return failure("not_editable", `${what(el)} doesn't take text.`);
  if (kind === "file") return isEnabled(it) ? null : failure("disabled", `${what(el)} is disabled.`);
  if (!look.shown(body)) {
    const over = new HoverParts(look).overAround(body);
    return failure("not_visible", `${what(el)} is not visible.`, over ? { over: idOf(over) } : {});
  }
  if (kind !== "hover" && kind !== "scroll" && (!isEnabled(it) || look.inert(el))) return failure("disabled", `${what(el)} is disabled.`);
  return null;
}

/**
 * What a selector matched in something that only hears what is pressed in it (a header with a sort on each column): it is
 * pressed there, and not in the middle of what hears it, where another part may be.
 */
function partOf(el: Element, id: number | undefined): Element | null {
  const part = id ? nodeOf(id) : null;
  return part && isElement(part) && part !== el && !activates(el) && holds(el, part) && new LayoutCache().shown(part) ? part : null;
}

async function attempt(el: Element, part: Element | null, kind: ClickKind, tries: number, waited: number, follows: boolean): Promise<Outcome> {
  let look = new LayoutCache();
  const body = part ?? standIn(el, look);
  if (kind === "type" && hearsUnseen(el, body, look)) return { point: { x: 0, y: 0 }, rect: toRect(look.box(body)) };
  const no = refused(el, body, kind, look);
  if (no) return no;
  if (kind === "file") return { point: { x: 0, y: 0 }, rect: toRect(look.box(body)) };
  if (!look.inView(body) || tries > 2) {
    // At the edge it may lie under columns that stay, or a scroll bar of the page's own.
    scrollIntoView(scrolledFor(body), { block: aligns[tries % aligns.length] ?? "center", inline: tries > 2 ? "center" : "nearest", behavior: "instant" });
  }
  if (follows && look.inView(body)) {
    const at = point(el, body, kind, look);
    return "error" in at ? at : { ...at, moving: true };
  }
  let before = rectOf(body);
  const clock = clockOf(body);
  for (let frames = 0; frames < 2; frames++) {
    await frame();
    const after = rectOf(body);
    if (moved(before, after)) {
      // A map is not scrolled: it puts itself back with the next frame.
      const back = tries > 0 && mover(body) === null && !new LayoutCache().inView(body);
      return back ? failure("not_visible", `${what(el)} is out of view, and the page scrolls back from it.`) : failure("timeout", `${what(el)} keeps moving.`);
    }
    before = after;
  }
  // On a busy machine no frame comes for a while: what an animation moves stands where it was, and is on its way.
  if (clock !== null && clock === clockOf(body) && waited < restless) return failure("timeout", `${what(el)} keeps moving.`);
  if (!isConnected(el)) return failure("stale_ref", "The element left the page.");
  look = new LayoutCache();
  return point(el, body, kind, look);
}

function point(el: Element, body: Element, kind: ClickKind, look: LayoutCache): Outcome {
  if (kind !== "select" && kind !== "scroll") return aim(el, body, look);
  const b = look.box(body);
  return { point: middle(meet(b, look.view)), rect: toRect(b) };
}

/** Whether a style sheet moves it: an animation or transition runs on it or around it. */
const isMoving = (el: Element): boolean => mover(el) !== null;

/** The time of the animation that moves el, which advances with each frame; null if none does. */
function clockOf(el: Element): number | null {
  const now = mover(el)?.timeline?.currentTime;
  return typeof now === "number" ? now : null;
}

function mover(el: Element): Animation | null {
  for (let at: Element | null = el; at;) {
    const root = rootOf(at);
    const here: Element = at;
    for (const a of animationsIn(root)) {
      if (a.playState !== "running") continue;
      const on = a.effect instanceof KeyframeEffect ? a.effect.target : null;
      if (!on || closest(here, (e) => e === on)) return a;
    }
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return null;
}

const moved = (a: DOMRect, b: DOMRect): boolean =>
  Math.abs(a.left - b.left) > 0.5 || Math.abs(a.top - b.top) > 0.5 || Math.abs(a.width - b.width) > 0.5 || Math.abs(a.height - b.height) > 0.5;

const middle = (b: Box): Point => ({ x: (b.left + b.right) / 2, y: (b.top + b.bottom) / 2 });

function what(el: Element): string {
  const name = nameOf(el);
  return name ? `The ${roleOf(el)} "${name}"` : `The ${localName(el)}`;
}

/**
 * A field that nobody sees and that has the keyboard takes what is written all the same: so pages read keys that draw
 * their text themselves (a sheet on a canvas). In a frame the keyboard may be elsewhere.
 */
function hearsUnseen(el: Element, body: Element, look: LayoutCache): boolean {
  const it = subjectOf(el);
  if (window.parent !== window || !has(it) || !isEditable(it) || !isEnabled(it)) return false;
  return !look.shown(body) || isEmpty(meet(look.clip(body), look.box(body)));
}

function takesText(el: Element): boolean {
  // A disabled field is reported as disabled, not as one that takes no text.
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return isEditable(el) || !isEnabled(el) && !el.readOnly;
  if (isEditable(el)) return true;
  const r = roleOf(el);
  return (r === "textbox" || r === "searchbox" || r === "combobox" || r === "spinbutton") && !(el instanceof HTMLSelectElement);
}

/** Describes a cover: its role, or its tag if it has no role, and its name or the beginning of its text. */
function said(c: RawElement): string {
  const name = cut(c.name || c.text, 80);
  return (c.role === "" || c.role === "generic" ? c.tag : c.role) + (name ? ` "${name}"` : "");
}

/** A point of the element that nothing covers. */
function aim(el: Element, body: Element, look: LayoutCache): Outcome {
  const clip = meet(look.clip(body), look.view);
  const boxes = hitBoxes(el, body, look).map((r) => meet(r, clip)).filter((r) => !isEmpty(r));
  if (boxes.length === 0) return failure("not_visible", `${what(el)} can't be scrolled into view.`);
  let cover: Element | null = null;
  for (const places of [points, sparse]) {
    for (const b of boxes) {
      for (const p of places(b, body)) {
        const deep = deepAt(p.x, p.y);
        if (deep && reaches(el, deep)) return { point: p, rect: toRect(look.box(body)) };
        cover ??= deep;
      }
    }
  }
  const dialog = cover && openDialog(look);
  if (cover && dialog && holds(dialog.el, cover)) {
    return failure("covered", `${what(el)} is covered by the dialog "${cut(dialog.name, 80)}".`, { cover: { ...describe(dialog.el, look), role: "dialog", name: dialog.name }, candidates: closers(dialog.el, look) });
  }
  const c = cover ? coverOf(cover, look) : undefined;
  return failure("covered", `${what(el)} is covered by ${c ? said(c) : "something else"}.`, c ? { cover: c } : {});
}

/** The first buttons of a dialog by which it is closed, as far as their names, signs and classes say so. */
function closers(dialog: Element, look: LayoutCache): RawElement[] {
  const out: RawElement[] = [];
  for (const b of all(dialog, "button,a,[role=button],[onclick],input[type=button]")) {
    if (!look.shown(b) || !closing.test([nameOf(b), attr(b, "class"), attr(b, "title"), attr(b, "data-action"), attr(b, "data-dismiss")].join(" "))) continue;
    out.push(describe(b, look));
    if (out.length === mostClosers) break;
  }
  return out;
}

const mostClosers = 2;
const closing = /(?:^|[^a-z])(?:close|cancel|dismiss)(?:[^a-z]|$)|[×✕✖✗⨯]|关闭|取消/i;

/** Where an element takes its presses; the field of a combobox does itself, however narrow it is in the box that is drawn for it. */
export function hitBoxes(el: Element, body: Element, look: LayoutCache): Box[] {
  const rects = hitRects(body);
  return [...(el !== body && attr(el, "role") === "combobox" ? [look.box(el)] : []), ...(rects.length > 0 ? rects : [look.box(body)])];
}

/** The number of points along an outline, and along each side of the grid over a box. */
const along = 24;
const meshes = 15;

/**
 * More points for a press on an element that has a hole, is a line, or is covered except for an edge: along the outline
 * of a drawing, then in a grid over its box.
 */
function* sparse(b: Box, body: Element): Generator<Point> {
  if (body instanceof SVGGeometryElement) {
    const m = body.getScreenCTM();
    const length = body.getTotalLength();
    for (let i = 0; m && i < along; i++) {
      const p = body.getPointAtLength(length * (i + 0.5) / along).matrixTransform(m);
      if (p.x >= b.left && p.x < b.right && p.y >= b.top && p.y < b.bottom) yield { x: p.x, y: p.y };
    }
  }
  // From a pixel within one edge to a pixel within the other: what has a hole may be no more than a frame.
  const at = (from: number, to: number, i: number): number => to - from > 4 ? from + 1 + (to - from - 2) * i / (meshes - 1) : (from + to) / 2;
  for (let i = 0; i < meshes; i++) for (let k = 0; k < meshes; k++) yield { x: at(b.left, b.right, i), y: at(b.top, b.bottom, k) };
}

function coverOf(el: Element, look: LayoutCache): RawElement {
  const over = el === doc.root || el === doc.body ? modal(look) : null;
  return describe(over ?? actorOf(el), look);
}

/** The open part of a page that takes no presses itself (`pointer-events: none`): the last visible one that takes them. */
function modal(look: LayoutCache): Element | null {
  const open = [...all(doc.body ?? document, "dialog,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[aria-modal=true]")];
  return open.filter((e) => look.shown(e) && look.style(e).pointerEvents !== "none").at(-1) ?? null;
}

/** Tells just before the input whether the point still hits the element. beside: nothing covers it, but it has moved. */
export async function hits(o: { id: number; x: number; y: number }): Promise<{ ok: boolean; beside?: boolean; cover?: RawElement }> {
  await unlock(o.id);
  const el = liveNode(o.id);
  const deep = deepAt(o.x, o.y);
  if (!el || !deep) return { ok: false };
  // A frame's element is hit as a whole: its content is another document.
  if (reaches(el, deep) || localName(el) === "iframe" && holds(el, deep)) return { ok: true };
  const look = new LayoutCache();
  const body = standIn(el, look);
  const rect = rectOf(body);
  const shown = rect.width > 0 && rect.height > 0 && look.shown(body); // a hidden element has no place
  if (holds(deep, el) && shown && !within(rect, o)) return { ok: false, beside: true };
  return { ok: false, cover: coverOf(deep, look) };
}

/** Releases a pointer locked to another element, as Escape does: that element would take each press. */
async function unlock(id: number): Promise<void> {
  const to = nodeOf(id);
  const locked = (): boolean => doc.pointerLock !== null && doc.pointerLock !== to;
  if (!locked()) return;
  doc.unlockPointer();
  for (let frames = 0; frames < unlockFrames && locked(); frames++) await frame();
}

const within = (r: DOMRect, p: Point): boolean => p.x >= r.left && p.x < r.right && p.y >= r.top && p.y < r.bottom;
