// Drawings (SVG) with content: a chart, a diagram, a map. Changes in them
// are told by their shapes: those that came, went or moved.

import { nameOf } from "../a11y/name";
import type { Change } from "../api";
import { all, attr, closest, isPainted, localName, parentOf, rectOf, textContent } from "../dom/dom";
import { cut, flat } from "../dom/strings";

/** A shape: its box within the drawing, and its text. */
interface Shape { at: string; text: string }

export type Drawings = Map<Element, Map<Element, Shape>>;

const shapes = "path,line,rect,circle,ellipse,polyline,polygon,image,use,text,foreignObject";
/** Drawings up to this size are icons. */
const least = { width: 48, height: 16 };
const mostShapes = 1500; // of all drawings of a page
const maxTold = 3;

/** The shapes of a drawing; null for an icon, or a drawing with more shapes than left. */
export function drawn(svg: Element, left: number): Map<Element, Shape> | null {
  const box = rectOf(svg);
  if (box.width <= least.width || box.height <= least.height || closest(parentOf(svg), isPressed) !== null) return null;
  const found = all(svg, shapes);
  if (found.length > left) return null;
  const out = new Map<Element, Shape>();
  for (const el of found) {
    if (closest(parentOf(el), (e) => unseen.has(localName(e))) || !isPainted(el)) continue;
    const r = rectOf(el);
    if (r.width <= 1 && r.height <= 1) continue; // a line has one side only
    const at = [r.left - box.left, r.top - box.top, r.width, r.height].map(Math.round).join();
    out.set(el, { at, text: localName(el) === "text" ? flat(textContent(el)) : "" });
  }
  return out;
}

/** How many more shapes may be read. */
export const shapesLeft = (of: Drawings): number => {
  let n = mostShapes;
  for (const d of of.values()) n -= d.size;
  return n;
};

/** The same drawings, read anew. */
export function redrawn(was: Drawings): Drawings {
  const out: Drawings = new Map();
  for (const svg of was.keys()) {
    const now = drawn(svg, shapesLeft(out));
    if (now) out.set(svg, now);
  }
  return out;
}

const unseen = new Set(["defs", "symbol", "clippath", "mask", "pattern", "marker", "clipPath"]);

const isPressed = (e: Element): boolean => localName(e) === "button" || localName(e) === "a" || attr(e, "role") === "button";

/** The differences between two states of a drawing, without the shapes in told. */
export function redrawnIn(svg: Element, was: Map<Element, Shape>, now: Map<Element, Shape>, told: ReadonlySet<Element>): Change[] {
  const out: Change[] = [];
  const came: string[] = [];
  const went: string[] = [];
  const moved: Element[] = [];
  for (const [el, s] of now) {
    if (told.has(el)) continue;
    const old = was.get(el);
    if (!old) {
      if (s.text) out.push({ kind: "text", to: s.text });
      else came.push(localName(el));
    } else if (old.text !== s.text) out.push({ kind: "text", from: old.text, to: s.text });
    else if (old.at !== s.at) moved.push(el);
  }
  for (const [el, s] of was) {
    if (now.has(el)) continue;
    if (s.text) out.push({ kind: "text", from: s.text });
    else went.push(localName(el));
  }
  const name = cut(nameOf(svg), 60);
  const tell = (role: string, to: string): void => { if (to) out.push({ kind: "drawn", role, name, to }); };
  tell("new", counted(came));
  tell("gone", counted(went));
  tell("moved", namesOf(moved, now));
  return out;
}

/** path, 2 rect */
function counted(tags: string[]): string {
  const n = new Map<string, number>();
  for (const t of tags) n.set(t, (n.get(t) ?? 0) + 1);
  return [...n].map(([t, k]) => k > 1 ? `${k} ${t}` : t).join(", ");
}

/** The moved shapes by their words, or else by their tags. */
function namesOf(moved: Element[], now: Map<Element, Shape>): string {
  const words = moved.map((el) => now.get(el)?.text ?? "").filter((t) => t !== "");
  const said = words.slice(0, maxTold).map((t) => `"${cut(t, 40)}"`);
  if (words.length > maxTold) said.push(`${words.length - maxTold} more texts`);
  return said.length > 0 ? said.join(", ") : counted(moved.map(localName));
}
