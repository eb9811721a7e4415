// Waits until a page has settled after an act: its handlers, their tasks and the
// frame they asked for are done. Waits are not of a fixed time if the page's own
// activity tells enough.

import { isEmpty, meet } from "../dom/box";
import { animationsIn, closest, doc, holds, rectOf, textContent } from "../dom/dom";
import { LayoutCache } from "../dom/visibility";

// All worlds share the counters that number timers and frame requests: a gap in our
// numbers means that the page's own scripts asked for one in between.
let timers = 0;
let frames = 0;
let asked = false; // since beginAsking
let askedLately = false; // since the last scroll was drawn

function gap(is: boolean): void {
  asked ||= is;
  askedLately ||= is;
}

/** Like setTimeout, but not counted as the page's. */
export function later(fn: () => void, ms: number): ReturnType<typeof setTimeout> {
  const id = setTimeout(fn, ms);
  gap(Number(id) !== timers + 1);
  timers = Number(id);
  return id;
}

/** Like requestAnimationFrame, but not counted as the page's. */
export function ask(fn: () => void): number {
  const id = requestAnimationFrame(fn);
  gap(id !== frames + 1);
  frames = id;
  return id;
}

/** Whether the page asked for a timer or a frame since beginAsking. */
export function hasAsked(): boolean {
  clearTimeout(later(() => undefined, 1000));
  cancelAnimationFrame(ask(() => undefined));
  return asked;
}

export function beginAsking(): void {
  hasAsked();
  asked = false;
}

/** If no frame came for this long, the page is drawn seldom or not at all. */
export const undrawnMs = 50;

/** Resolves with true at the next frame, or with false after ms without one (background tabs). */
export function frame(ms = 60): Promise<boolean> {
  return new Promise((done) => {
    const timer = later(() => done(false), ms);
    ask(() => {
      clearTimeout(timer);
      done(true);
    });
  });
}

/** Resolves when the page has nothing more urgent to do, after 50 ms at the latest. */
export function idle(): Promise<void> {
  return new Promise((done) => {
    const timer = later(done, 50);
    const end = (): void => {
      clearTimeout(timer);
      done();
    };
    const s = (globalThis as unknown as { scheduler?: { postTask(fn: () => void, o: { priority: string }): Promise<void> } }).scheduler;
    if (s) s.postTask(end, { priority: "background" }).catch(end);
    else later(end, 0);
  });
}

/** A page that is drawn gets its next frame within this time, in ms, even on a busy machine. */
export const frameMs = 500;

let draws = true; // the frame that turn waited for last came

/** Waits for a frame and the tasks that were waiting. After a turn without a frame, the next one waits no longer than frame does. */
export async function turn(): Promise<void> {
  draws = await (draws ? frame(frameMs) : frame());
  await idle();
}

/**
 * Resolves after minMs and the next frame, with what the page's scroll handlers
 * asked for in it. frames: one came within maxMs; undrawn: it took more than
 * undrawnMs, as in a covered tab; asked: the page asked for a timer or frame since the last call.
 */
export async function drawn(o: { minMs: number; maxMs: number }): Promise<{ frames: boolean; undrawn: boolean; asked: boolean }> {
  const began = performance.now();
  const [[frames, ms]] = await Promise.all([frame(o.maxMs).then((came) => [came, performance.now() - began] as const), pause(o.minMs)]);
  await idle();
  hasAsked();
  const lately = askedLately;
  askedLately = false;
  return { frames, undrawn: ms > undrawnMs, asked: lately };
}

export const pause = (ms: number): Promise<void> => new Promise((done) => { later(done, ms); });

// Properties that decide whether an element is visible. Colours and shadows that
// fade under the mouse are no reason to wait.
const showing = /^(?:opacity|visibility|display|content-?visibility|(?:max-|max)?(?:height|width|block-?size|inline-?size)|maxHeight|maxWidth|grid-?template-?rows|gridTemplateRows|clip-?path|transform|translate|scale|left|right|top|bottom)$/;
const moving = /^(?:transform|translate|scale|left|right|top|bottom)$/;
const longest = 600;

/** The animations that run now. */
export const running = (): Animation[] => animationsIn(document).filter((a) => a.playState === "running");

/**
 * Resolves when the page has drawn the moves of a drag and the items it moves out of the way stand still, each within
 * maxMs: sortable lists ignore a drag over an item that still moves.
 */
export async function madeRoom(o: { maxMs: number }): Promise<{ undrawn: boolean }> {
  const { undrawn } = await drawn({ minMs: 0, maxMs: o.maxMs });
  const until = performance.now() + o.maxMs; // counted from here: the moves have only begun
  for (;;) {
    const left = until - performance.now();
    const ends = running().filter((a) => Number(a.effect?.getComputedTiming().endTime) <= longest).map((a) => a.finished.catch(() => undefined));
    if (left <= 0 || ends.length === 0) return { undrawn };
    await Promise.race([Promise.all(ends), pause(left)]);
    await frame();
  }
}

/** The box around a positioned element: that of its offsetParent, else the viewport. */
const placeOf = (el: Element): DOMRect =>
  el instanceof HTMLElement && el.offsetParent && el.offsetParent !== doc.body ? rectOf(el.offsetParent) : new DOMRect(0, 0, innerWidth, innerHeight);

/** Whether a part of el is outside that box, as of a drawer that slides in. */
function isCut(el: Element): boolean {
  const [r, within] = [rectOf(el), placeOf(el)];
  return r.left < within.left - 1 || r.right > within.right + 1 || r.top < within.top - 1 || r.bottom > within.bottom + 1;
}

/** Whether an animation makes el invisible or moves it out of the box around it, as when a popup or drawer closes. */
function leaves(e: KeyframeEffect, el: Element): boolean {
  const frames = e.getKeyframes();
  const [from, to] = [frames[0], frames.at(-1)];
  if (!from || !to || to.opacity === "0") return to?.opacity === "0";
  if (/translate[XY]?\(\s*(?:0(?:px)?,\s*)?-?\d{3,}(?:\.\d+)?%/.test(String(to.transform ?? ""))) return true;
  const left = 1 - (e.getComputedTiming().progress ?? 0);
  const way = (side: string): number => left * (parseFloat(String(to[side])) - parseFloat(String(from[side]))) || 0;
  const [x, y] = [way("left") - way("right"), way("top") - way("bottom")];
  if (x === 0 && y === 0) return false;
  const r = rectOf(el);
  const within = placeOf(el);
  return r.right + x <= within.left + 1 || r.left + x >= within.right - 1 || r.bottom + y <= within.top + 1 || r.top + y >= within.bottom - 1;
}

/**
 * The ends of the animations that the act began and that make something appear
 * or disappear. Animations in or around the target only respond to the mouse and are left out, unless
 * one makes a part around the target disappear. ran: the animations at the act's beginning; start times can't tell,
 * since the compositor dates them before the act if frames come late. dragged: moves count too, as the
 * dropped item goes to its place and others make room.
 */
export function fades(ran: ReadonlySet<Animation>, target: Element | null, dragged = false): Promise<unknown>[] {
  const out: Promise<unknown>[] = [];
  let look: LayoutCache | null = null;
  for (const a of running()) {
    if (ran.has(a) || !(a.effect instanceof KeyframeEffect)) continue;
    const el = a.effect.target;
    const end = Number(a.effect.getComputedTiming().endTime);
    if (!el || !(end <= longest)) continue;
    const goes = leaves(a.effect, el);
    if (!dragged && target && (holds(el, target) && !goes || holds(target, el)) || (textContent(el) ?? "").trim() === "") continue;
    const props = a instanceof CSSTransition ? [a.transitionProperty] : a.effect.getKeyframes().flatMap((k) => Object.keys(k));
    look ??= new LayoutCache();
    const l = look;
    if (!goes && !props.some((p) => showing.test(p) && (dragged || !moving.test(p) || !l.shown(el) || isCut(el)))) continue;
    const r = rectOf(el);
    if (!isEmpty(l.box(el)) && isEmpty(meet({ left: r.left, top: r.top, right: r.right, bottom: r.bottom }, l.view)) && l.shown(el)) continue;
    if (closest(el, (e) => l.inert(e))) continue;
    out.push(a.finished.catch(() => undefined)); // a cancelled one has ended as well
  }
  return out;
}
