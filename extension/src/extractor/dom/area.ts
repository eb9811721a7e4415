// Image maps: an <area> has no box of its own and is seen as a part of the
// picture that uses its map.

import { all, attr, closest, localName, rectOf, rootOf, type Scope } from "./dom";

/** The picture an area is a part of. */
export function pictureOf(area: Element): Element | null {
  const map = closest(area, (e) => localName(e) === "map");
  const name = map ? attr(map, "name") ?? attr(map, "id") : null;
  if (!name) return null;
  for (const el of all(rootOf(area) as Scope, "img[usemap],object[usemap]")) {
    if (attr(el, "usemap")?.replace(/^#/, "") === name) return el;
  }
  return null;
}

/** The element to scroll into view for el: for an area, which has no box, its picture. */
export const scrolledFor = (el: Element): Element => localName(el) === "area" ? pictureOf(el) ?? el : el;

/** Where an area lies in the viewport: the box round its shape. */
export function areaBox(area: Element): { left: number; top: number; right: number; bottom: number } | null {
  const img = pictureOf(area);
  if (!img) return null;
  const r = rectOf(img);
  const s = getComputedStyle(img);
  // Coordinates are CSS pixels of the picture's content box; a transform scales them with it.
  const k = r.width / ((img as HTMLElement).offsetWidth || r.width || 1);
  const x0 = r.left + (img.clientLeft + parseFloat(s.paddingLeft)) * k;
  const y0 = r.top + (img.clientTop + parseFloat(s.paddingTop)) * k;
  const c = (attr(area, "coords") ?? "").split(/[\s,;]+/).map(Number).filter((n) => Number.isFinite(n));
  const [a = 0, b = 0, w = 0, h = 0] = c;
  let xs = [a, w];
  let ys = [b, h];
  const shape = (attr(area, "shape") ?? "rect").toLowerCase();
  if (shape === "default") return { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
  if (shape.startsWith("circ")) {
    xs = [a - w, a + w];
    ys = [b - w, b + w];
  } else if (shape.startsWith("poly")) {
    xs = c.filter((_, i) => i % 2 === 0);
    ys = c.filter((_, i) => i % 2 === 1);
  }
  return { left: x0 + Math.min(...xs) * k, top: y0 + Math.min(...ys) * k, right: x0 + Math.max(...xs) * k, bottom: y0 + Math.max(...ys) * k };
}
