// Tells whether a drag ends on its judged target. Libraries move the dragged item or a
// copy of it under the pointer, let the pointer through, and make the items under it
// make room: the release seldom hits the element that the user would name.

import { activates } from "../a11y/interactive";
import { closest, hasAny, holds, localName, parentOf, rectOf, stackAt, textContent } from "../dom/dom";
import { flat } from "../dom/strings";
import { reaches } from "../guard/facts";

/** The most levels from the pressed element up to the dragged item, as from a handle to its card. */
const maxAbove = 4;

let over: Event | null = null; // the last dragover
const drags = (e: Event): void => { over = e; };

/** begin: starts to listen. Else returns whether the page accepted the last dragover since then; only then does it get a drop event. */
export function takesDrop(o: { begin?: boolean }): { takes: boolean } {
  const e = over;
  over = null;
  window.removeEventListener("dragover", drags, true);
  if (o.begin) window.addEventListener("dragover", drags, { capture: true, passive: true });
  return { takes: e instanceof DragEvent && e.defaultPrevented && e.dataTransfer?.dropEffect !== "none" };
}

/** Whether an element was added to the page since the press. */
export type Came = (x: Element) => boolean;

const none: Came = () => false;

/** Whether an event of the release is a drop on the target. node: the pressed element; target: the judged end; deep: the event's target; anywhere: the end was only a point. */
export function dropsOn(e: Event, node: Element, target: Element | null, deep: Element | null, anywhere = false, came = none): boolean {
  if (!target || !deep) return false;
  if (anywhere && holds(node, deep) && e.type !== "click") return true; // a handle stays under the mouse wherever it is drawn
  if (holds(target, deep)) return true;
  if (e.type === "click" && holds(deep, target)) return true; // the click goes to the common ancestor
  if (!(e instanceof MouseEvent)) return false;
  const under = stackAt(e.clientX, e.clientY);
  if (under.some((x) => holds(target, x))) return true;
  const item = itemOf(node, target);
  const list = parentOf(target);
  const sorts = parentOf(item) === list && (holds(item, deep) || deep === list);
  const carries = carrying(item, node, came);
  const first = sorts ? null : under.find((x) => !carries(x));
  // Only an ancestor of the target is there: the target lets the pointer through, or has made room.
  if (sorts || first && holds(first, target)) return isWithinAPlace(e, item, target);
  if (!first) return false;
  const [place, beside] = placeIn(first, target, came);
  if (place && beside) return isWithinAPlace(e, place, beside);
  return holds(first, node) && isWithinAPlace(e, first, target); // the item of the handle has grown
}

/**
 * The empty placeholder that the target's list has put in the target's place, and the item of the target, which the list
 * has moved away (GridStack, the columns of Tabulator).
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

/** Whether the event is at most one place of the dragged item away from the target, as in a sortable list that made room. */
function isWithinAPlace(e: MouseEvent, item: Element, target: Element): boolean {
  const room = atLeast(rectOf(item));
  const r = rectOf(target);
  return e.clientX >= r.left - room.width && e.clientX <= r.right + room.width && e.clientY >= r.top - room.height && e.clientY <= r.bottom + room.height;
}

/** The least room in CSS pixels: a handle is narrow, and the part that it resizes stops somewhere beside the mouse. */
const least = 24;
const atLeast = (r: DOMRect): { width: number; height: number } => ({ width: Math.max(r.width, least), height: Math.max(r.height, least) });

/** The item dragged by node: the item of the target's list around it, else its outermost ancestor with the same text. */
function itemOf(node: Element, target: Element): Element {
  const list = parentOf(target);
  const item = closest(node, (x) => parentOf(x) === list);
  if (item) return item;
  const words = flat(textContent(node));
  let out = node;
  for (let at = parentOf(node), up = 0; words !== "" && at && up < maxAbove && !holds(at, target) && flat(textContent(at)) === words; at = parentOf(at), up++) out = at;
  return out;
}

/** Whether both are about the same size. */
function isAsLarge(a: Element, b: Element): boolean {
  const [x, y] = [rectOf(a), rectOf(b)];
  return [x.width / y.width, x.height / y.height].every((k) => k > 0.6 && k < 1.6);
}

/** Returns a function that tells whether an element belongs to the dragged item or a copy of it. */
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
 * Whether an event releases the button where it was pressed, to end an interrupted
 * drag; the dragged item may let the pointer through. A click that follows doesn't count.
 */
export function isTakenBack(e: Event, node: Element, deep: Element | null, pressed: { x: number; y: number } | null): boolean {
  if (!pressed || !(e instanceof MouseEvent) || e.type === "click" || Math.hypot(e.clientX - pressed.x, e.clientY - pressed.y) >= 1) return false;
  if (reaches(node, deep)) return true;
  const other = deep && closest(deep, activates);
  return other === null || holds(other, node);
}
