// Where a screenshot of this frame gets its marks, and which parts of it are painted
// over. A mark lies where a click reaches the element, so its middle is a good
// point to click.

import { secretOf } from "../a11y/secrets";
import type { Point, Rect } from "../api";
import { type Box, hitRects, isEmpty, meet, toRect } from "../dom/box";
import { all, deepAt, localName, rectOf, scopes } from "../dom/dom";
import { nodeOf } from "../dom/ids";
import { LayoutCache } from "../dom/visibility";
import { reaches } from "../guard/facts";
import { standIn } from "./describe";

export interface Spots { spots: { id: number; rect: Rect }[]; secrets: Rect[]; scroll: Point }

/** The boxes of the elements that a click can reach now, and of all secret fields. */
export function spots(o: { ids: number[] }): Spots {
  const look = new LayoutCache();
  const out: Spots = { spots: [], secrets: [], scroll: { x: window.scrollX, y: window.scrollY } };
  for (const id of o.ids) {
    const el = nodeOf(id);
    const box = el ? spotOf(el, look) : null;
    if (box) out.spots.push({ id, rect: toRect(box) });
  }
  for (const scope of scopes()) for (const el of all(scope, secretive)) {
    if (secretOf(el) === "" || !look.shown(el)) continue;
    out.secrets.push(toRect(look.box(el)));
  }
  return out;
}

const secretive = "input,textarea,[contenteditable],[role=textbox]";

/** The largest part of an element whose middle point a click reaches. */
function spotOf(el: Element, look: LayoutCache): Box | null {
  const body = standIn(el, look);
  if (!look.shown(body)) return null;
  const clip = meet(look.clip(body), look.view);
  const rects = hitRects(body);
  const boxes = (rects.length > 0 ? rects : [look.box(body)]).map((r) => meet(r, clip)).filter((r) => !isEmpty(r));
  boxes.sort((a, b) => size(b) - size(a));
  for (const b of boxes) if (hit(el, b)) return b;
  // The element is partly covered: find an uncovered part.
  for (const b of boxes) for (const part of parts(b)) if (!isEmpty(part) && hit(el, part)) return part;
  return null;
}

const size = (b: Box): number => (b.right - b.left) * (b.bottom - b.top);

const hit = (el: Element, b: Box): boolean => reaches(el, deepAt((b.left + b.right) / 2, (b.top + b.bottom) / 2));

/** The halves and quarters of a box. */
function parts(b: Box): Box[] {
  const x = (b.left + b.right) / 2;
  const y = (b.top + b.bottom) / 2;
  return [
    { ...b, right: x }, { ...b, left: x }, { ...b, bottom: y }, { ...b, top: y },
    { ...b, right: x, bottom: y }, { ...b, left: x, bottom: y }, { ...b, right: x, top: y }, { ...b, left: x, top: y },
  ];
}

/** For each point the box of the <iframe> that a click there would enter, or null. */
export function iframesAt(o: { points: Point[] }): { rects: (Rect | null)[] } {
  return {
    rects: o.points.map((p) => {
      const el = deepAt(p.x, p.y);
      if (!el || !/^(?:i?frame|object|embed)$/.test(localName(el))) return null;
      const r = rectOf(el);
      return toRect({ left: r.left, top: r.top, right: r.right, bottom: r.bottom });
    }),
  };
}
