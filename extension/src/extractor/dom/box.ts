// Boxes: where things are in the viewport.

import type { Point } from "../api";
import { clientRects, rectOf } from "./dom";

export interface Box { left: number; top: number; right: number; bottom: number }

export const toRect = (b: Box): { x: number; y: number; width: number; height: number } => ({
  x: Math.round(b.left * 10) / 10, y: Math.round(b.top * 10) / 10,
  width: Math.round((b.right - b.left) * 10) / 10, height: Math.round((b.bottom - b.top) * 10) / 10,
});
export const meet = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
});
/** Whether the two share more than an edge: a faster !isEmpty(meet(a, b)), as it is called thousands of times. */
export const touch = (a: Box, b: Box): boolean =>
  Math.min(a.right, b.right) - Math.max(a.left, b.left) >= 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) >= 1;
export const isEmpty = (b: Box): boolean => b.right - b.left < 1 || b.bottom - b.top < 1;
export const isDot = (b: Box): boolean => b.right - b.left <= 1 && b.bottom - b.top <= 1;

export const boxOf = (el: Element): Box => {
  const { left, top, right, bottom } = rectOf(el);
  return { left, top, right, bottom };
};

/** The rects a user can hit, line by line for wrapped inline elements. */
export function hitRects(el: Element): Box[] {
  return [...clientRects(el)].filter((r) => r.width >= 1 && r.height >= 1)
    .map((r) => ({ left: r.left, top: r.top, right: r.right, bottom: r.bottom }));
}

/** Where a press on a box may go: its middle, then towards its edges. */
export function points(b: Box): Point[] {
  const at = (fx: number, fy: number): Point => ({ x: b.left + (b.right - b.left) * fx, y: b.top + (b.bottom - b.top) * fy });
  return [at(0.5, 0.5), at(0.25, 0.5), at(0.75, 0.5), at(0.5, 0.25), at(0.5, 0.75), at(0.1, 0.1), at(0.9, 0.1), at(0.1, 0.9), at(0.9, 0.9)];
}

/** A pixel within each corner: another box that lies over them all lies over the whole. */
export function corners(b: Box): Point[] {
  const x = Math.min(1, (b.right - b.left) / 2);
  const y = Math.min(1, (b.bottom - b.top) / 2);
  return [b.left + x, b.right - x].flatMap((left) => [b.top + y, b.bottom - y].map((top) => ({ x: left, y: top })));
}
