// The cross that closes something and has no name: two strokes that cross, or a control
// alone in the upper outer corner of a dialog.

import { isOverlay } from "../a11y/overlays";
import { all, attr, firstElement, localName, parentOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";

const largest = 64;
/** The greatest distance from the corner, in pixels. */
const farthest = 48;
const maxUp = 7;

/** Whether el is drawn with exactly two strokes that cross diagonally. */
export function isCross(el: Element): boolean {
  if (!firstElement(el)) return false;
  const shapes = all(el, "line,path,polyline,polygon,circle,rect,ellipse,text,use");
  const strokes: number[][] = [];
  for (let i = 0; i < shapes.length; i++) {
    const s = shapes[i] as Element;
    if (localName(s) === "line") strokes.push(["x1", "y1", "x2", "y2"].map((a) => Number(attr(s, a) ?? 0)));
    else if (localName(s) === "path") strokes.push(...strokesOf(attr(s, "d") ?? ""));
    else return false;
  }
  const [a, b] = strokes.map((s) => s as [number, number, number, number]);
  if (strokes.length !== 2 || !a || !b) return false;
  const [dx, dy, ex, ey] = [a[2] - a[0], a[3] - a[1], b[2] - b[0], b[3] - b[1]];
  const aslant = (x: number, y: number): boolean => x !== 0 && y !== 0 && Math.abs(Math.abs(x) - Math.abs(y)) < 0.2 * Math.abs(x);
  const middle = Math.abs(a[0] + a[2] - b[0] - b[2]) + Math.abs(a[1] + a[3] - b[1] - b[3]);
  return aslant(dx, dy) && aslant(ex, ey) && dx * ex + dy * ey < 0.2 * Math.abs(dx * ex) && middle < Math.abs(dx);
}

/** The straight strokes of a path; an impossible number of strokes if it has curves. */
function strokesOf(d: string): number[][] {
  const out: number[][] = [];
  let at: [number, number] = [0, 0];
  for (const [, letter = "", rest = ""] of d.matchAll(/([a-z])([^a-z]*)/gi)) {
    const n = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const to = letter.toUpperCase();
    if (to === "Z") continue;
    if (to !== "M" && to !== "L" || n.length < 2 || n.length > 4) return [[], [], []];
    for (let i = 0; i + 1 < n.length; i += 2) {
      const own = letter === to || out.length === 0 && to === "M" && i === 0 && at[0] === 0 && at[1] === 0;
      const next: [number, number] = own ? [n[i] ?? 0, n[i + 1] ?? 0] : [at[0] + (n[i] ?? 0), at[1] + (n[i + 1] ?? 0)];
      if (to === "L" || i > 0) out.push([...at, ...next]);
      at = next;
    }
  }
  return out;
}

/** Whether el is in the upper outer corner of a dialog or of a floating box. */
export function isInCorner(el: Element, look: LayoutCache): boolean {
  const b = look.box(el);
  if (b.right - b.left > largest || b.bottom - b.top > largest) return false;
  for (let p = parentOf(el), up = 0; p && up < maxUp; p = parentOf(p), up++) {
    const { position, direction } = look.style(p);
    if (!isOverlay(p, localName(p), look) && position !== "fixed") continue;
    const o = look.box(p);
    if (o.right - o.left < 4 * largest || o.right - o.left > 0.95 * innerWidth) continue; // a larger box is the backdrop
    return b.top - o.top < farthest && (direction === "rtl" ? b.left - o.left : o.right - b.right) < farthest;
  }
  return false;
}
