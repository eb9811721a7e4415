// Waiting until an element can take an action, and finding the point where it
// does: in view, still, enabled, and not covered by something else.

import type { ClickKind, ExtractorError, Point, RawElement, Rect } from "./api";
import { deepAt, holds, isConnected, localName, rectOf, scrollIntoView } from "./dom";
import { describe, standIn } from "./describe";
import { reaches, subjectOf } from "./facts";
import { nodeOf } from "./ids";
import { actorOf, isEditable, isEnabled } from "./interactive";
import { nameOf } from "./name";
import { roleOf } from "./role";
import { failure } from "./resolve";
import { type Box, hitRects, isEmpty, Look, meet, toRect } from "./visibility";

type Outcome = { point: Point; rect: Rect } | { error: ExtractorError };

/** How long a state that forbids the action must last before it is reported, well before the time-out. */
const patience = 1000;

/** The next frame, or a timer where frames stand still (background tabs). */
export function frame(): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, 60);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done();
    });
  });
}

const aligns: ScrollLogicalPosition[] = ["center", "end", "start", "center"];

export async function ready(o: { id: number; kind: ClickKind; timeoutMs: number }): Promise<Outcome> {
  const until = performance.now() + Math.max(o.timeoutMs, 50);
  let problem: { error: ExtractorError } | null = null;
  let since = 0;
  let tries = 0;
  for (;;) {
    const el = nodeOf(o.id);
    if (!el) return failure("stale_ref", "The element is no longer in the page.");
    const found = await attempt(el, o.kind, tries++);
    if (!("error" in found)) return found;
    const now = performance.now();
    if (!problem || problem.error.code !== found.error.code) since = now;
    problem = found;
    if (found.error.code === "not_editable" || found.error.code === "stale_ref") return found;
    if (now >= until || now - since >= patience && found.error.code !== "timeout") return problem;
    await frame();
    await frame();
  }
}

async function attempt(el: Element, kind: ClickKind, tries: number): Promise<Outcome> {
  let look = new Look();
  const it = subjectOf(el);
  const body = standIn(el, look);
  if (kind === "type" && !takesText(it)) return failure("not_editable", `${what(el)} doesn't take text.`);
  if (kind === "file") {
    if (!isEnabled(it)) return failure("disabled", `${what(el)} is disabled.`);
    return { point: { x: 0, y: 0 }, rect: toRect(look.box(body)) };
  }
  if (!look.shown(body)) return failure("not_visible", `${what(el)} is not visible.`);
  if (kind !== "hover" && kind !== "scroll" && (!isEnabled(it) || look.inert(el))) return failure("disabled", `${what(el)} is disabled.`);
  if (!look.inView(body) || tries > 0) {
    const block = aligns[tries % aligns.length] ?? "center";
    if (!look.inView(body) || tries > 2) scrollIntoView(body, { block, inline: "nearest", behavior: "instant" });
  }
  const before = rectOf(body);
  await frame();
  const between = rectOf(body);
  await frame();
  if (!isConnected(el)) return failure("stale_ref", "The element left the page.");
  const after = rectOf(body);
  if (moved(before, between) || moved(between, after)) return failure("timeout", `${what(el)} keeps moving.`);
  look = new Look();
  if (kind === "select" || kind === "scroll") {
    const b = look.box(body);
    return { point: middle(meet(b, look.view)), rect: toRect(b) };
  }
  return aim(el, body, look);
}

const moved = (a: DOMRect, b: DOMRect): boolean =>
  Math.abs(a.left - b.left) > 0.5 || Math.abs(a.top - b.top) > 0.5 || Math.abs(a.width - b.width) > 0.5 || Math.abs(a.height - b.height) > 0.5;

const middle = (b: Box): Point => ({ x: (b.left + b.right) / 2, y: (b.top + b.bottom) / 2 });

function what(el: Element): string {
  const name = nameOf(el);
  return name ? `The ${roleOf(el)} "${name}"` : `The ${localName(el)}`;
}

function takesText(el: Element): boolean {
  // A disabled field is reported as disabled, not as one that takes no text.
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return isEditable(el) || !isEnabled(el) && !el.readOnly;
  if (isEditable(el)) return true;
  const r = roleOf(el);
  return (r === "textbox" || r === "searchbox" || r === "combobox" || r === "spinbutton") && !(el instanceof HTMLSelectElement);
}

/** A point of the element that nothing else covers. */
function aim(el: Element, body: Element, look: Look): Outcome {
  const clip = meet(look.clip(body), look.view);
  const rects = hitRects(body);
  const boxes = (rects.length > 0 ? rects : [look.box(body)]).map((r) => meet(r, clip)).filter((r) => !isEmpty(r));
  if (boxes.length === 0) return failure("not_visible", `${what(el)} can't be scrolled into view.`);
  let cover: Element | null = null;
  for (const b of boxes) {
    for (const p of points(b)) {
      const deep = deepAt(p.x, p.y);
      if (deep && reaches(el, deep)) return { point: p, rect: toRect(look.box(body)) };
      cover ??= deep;
    }
  }
  const c = cover ? coverOf(cover, look) : undefined;
  return failure("covered", `${what(el)} is covered by ${c ? `${c.role} "${c.name || c.text}"` : "something else"}.`, c ? { cover: c } : {});
}

function points(b: Box): Point[] {
  const at = (fx: number, fy: number): Point => ({ x: b.left + (b.right - b.left) * fx, y: b.top + (b.bottom - b.top) * fy });
  return [at(0.5, 0.5), at(0.25, 0.5), at(0.75, 0.5), at(0.5, 0.25), at(0.5, 0.75), at(0.1, 0.1), at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)];
}

function coverOf(el: Element, look: Look): RawElement {
  return describe(actorOf(el), look);
}

/** Just before the input: whether the point still hits the element. */
export function hits(o: { id: number; x: number; y: number }): { ok: boolean; cover?: RawElement } {
  const el = nodeOf(o.id);
  const deep = deepAt(o.x, o.y);
  if (!el || !deep) return { ok: false };
  // A frame's owner is hit as a whole: what is in it is another document's matter.
  if (reaches(el, deep) || localName(el) === "iframe" && holds(el, deep)) return { ok: true };
  return { ok: false, cover: coverOf(deep, new Look()) };
}
