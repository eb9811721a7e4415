// Whether the end of a drag comes where it was judged to. Libraries carry what is
// dragged, or a picture of it, under the pointer, let the pointer through what it
// is dragged over, and have that make room: what the release itself hits is
// seldom the thing a user would say it was dropped on.

import { activates } from "../a11y/interactive";
import { closest, hasAny, holds, localName, parentOf, rectOf, stackAt, textContent } from "../dom/dom";
import { flat } from "../dom/strings";
import { reaches } from "../guard/facts";

/** How far above what was pressed the thing stands that is dragged by it: a card by its handle. */
const maxAbove = 4;

let over: Event | null = null; // the last dragover
const drags = (e: Event): void => { over = e; };

/** begin: listens from here on. Else: whether the page takes what was dragged over it since; only then is it told of a drop. */
export function takesDrop(o: { begin?: boolean }): { takes: boolean } {
  const e = over;
  over = null;
  window.removeEventListener("dragover", drags, true);
  if (o.begin) window.addEventListener("dragover", drags, { capture: true, passive: true });
  return { takes: e instanceof DragEvent && e.defaultPrevented && e.dataTransfer?.dropEffect !== "none" };
}

/** What came into the page since the press. */
export type Came = (x: Element) => boolean;

const none: Came = () => false;

/** node was pressed, target is where the drag was judged to end, deep what the event hit; anywhere: only a point was named. */
export function dropsOn(e: Event, node: Element, target: Element | null, deep: Element | null, anywhere = false, came = none): boolean {
  if (!target || !deep) return false;
  if (anywhere && holds(node, deep) && e.type !== "click") return true; // a handle that is under the mouse wherever it is drawn
  if (holds(target, deep)) return true;
  if (e.type === "click" && holds(deep, target)) return true; // the click goes to whatever holds both
  if (!(e instanceof MouseEvent)) return false;
  const under = stackAt(e.clientX, e.clientY);
  if (under.some((x) => holds(target, x))) return true;
  const item = itemOf(node, target);
  const list = parentOf(target);
  const sorts = parentOf(item) === list && (holds(item, deep) || deep === list);
  const carries = carrying(item, node, came);
  const first = sorts ? null : under.find((x) => !carries(x));
  // Nothing else lies there but what is around the target: it lets the pointer through, or has made room.
  if (sorts || first && holds(first, target)) return isWithinAPlace(e, item, target);
  if (!first) return false;
  const [place, beside] = placeIn(first, target, came);
  if (place && beside) return isWithinAPlace(e, place, beside);
  return holds(first, node) && isWithinAPlace(e, first, target); // what it is the handle of has grown
}

/**
 * The empty place for what is dragged that the target's list has put where the target was, and the target's item, which
 * it has moved away (GridStack, the columns of Tabulator).
 */
function placeIn(first: Element, target: Element, came: Came): [place: Element, beside: Element] | [null, null] {
  for (let t: Element | null = target, up = 0; t && up <= maxAbove; t = parentOf(t), up++) {
    const list = parentOf(t);
    const place = list && closest(first, (x) => parentOf(x) === list);
    if (!place) continue;
    const bare = flat(textContent(place)) === "" && !hasAny(place, "a,button,input,select,textarea,img,svg,iframe");
    return place !== t && bare && came(place) ? [place, t] : [null, null];
  }
  return [null, null];
}

/** Of a list that sorts itself, the target has made room by one place for what is dragged. */
function isWithinAPlace(e: MouseEvent, item: Element, target: Element): boolean {
  const room = atLeast(rectOf(item));
  const r = rectOf(target);
  return e.clientX >= r.left - room.width && e.clientX <= r.right + room.width && e.clientY >= r.top - room.height && e.clientY <= r.bottom + room.height;
}

/** A handle is a few pixels wide, and what it draws larger stops somewhere beside the mouse. */
const least = 24;
const atLeast = (r: DOMRect): { width: number; height: number } => ({ width: Math.max(r.width, least), height: Math.max(r.height, least) });

/** What is dragged by node: the item of the target's list that it is the handle of, or else all around it that says no more than it. */
function itemOf(node: Element, target: Element): Element {
  const list = parentOf(target);
  const item = closest(node, (x) => parentOf(x) === list);
  if (item) return item;
  const words = flat(textContent(node));
  let out = node;
  for (let at = parentOf(node), up = 0; words !== "" && at && up < maxAbove && !holds(at, target) && flat(textContent(at)) === words; at = parentOf(at), up++) out = at;
  return out;
}

/** Whether both are of about one size. */
function isAsLarge(a: Element, b: Element): boolean {
  const [x, y] = [rectOf(a), rectOf(b)];
  return [x.width / y.width, x.height / y.height].every((k) => k > 0.6 && k < 1.6);
}

/** Tells what is dragged, and a copy of it, from what lies beneath. */
function carrying(item: Element, node: Element, came: Came): (x: Element) => boolean {
  const alike = new Map<string, string>(); // by tag, of what was pressed and what is around it: the words of a copy
  for (let at: Element | null = node, up = 0; at && up <= maxAbove; at = parentOf(at), up++) {
    const words = flat(textContent(at));
    if (words !== "" && !alike.has(localName(at))) alike.set(localName(at), words);
  }
  const whole = ` ${flat(textContent(item))} `;
  // A picture of it that came with the press may leave its handle out (the overlay of dnd-kit).
  const pictures = (c: Element): boolean => came(c) && flat(textContent(c)) !== "" && whole.includes(` ${flat(textContent(c))} `) && isAsLarge(c, item);
  return (x) => holds(item, x) || closest(x, (c) => !holds(c, node) && (alike.get(localName(c)) === flat(textContent(c)) || pictures(c))) !== null;
}

/**
 * The button let go where it was pressed ends a drag that was stopped in the
 * middle, though what is dragged lets the pointer through then; the click that
 * may follow is none.
 */
export function isTakenBack(e: Event, node: Element, deep: Element | null, pressed: { x: number; y: number } | null): boolean {
  if (!pressed || !(e instanceof MouseEvent) || e.type === "click" || Math.hypot(e.clientX - pressed.x, e.clientY - pressed.y) >= 1) return false;
  if (reaches(node, deep)) return true;
  const other = deep && closest(deep, activates);
  return other === null || holds(other, node);
}
