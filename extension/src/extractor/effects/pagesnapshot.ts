// A quick sketch of the whole page: its painted elements, its text node by node,
// and the values of its fields. It is taken before and after each act, so it asks
// per element only the necessary (is it painted, how big); changes.ts examines
// the differences of two sketches.

import { isEnabled } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import { isDrawnSwitch } from "../a11y/switches";
import {
  attr, Children, childrenOf, doc, eachChild, hasAttr, hasAttrs, hasBox, isElement, isPainted, isText, localName, maxDepth, mayHost, rectOf,
  shadowOf,
} from "../dom/dom";
import { drawnText, editorOf, takesKeys } from "../dom/editors";
import { formatOf, linesOf } from "../dom/format";
import { flatLines } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { rawValue } from "../guard/form";
import { checkedOf, standIn, valueOf, written } from "../listing/describe";
import { drain, type Pace, stride, type Work } from "../schedule/slices";
import { type Drawings, drawn, redrawn, shapesLeft } from "./drawings";

/** The state of a field; it never leaves this world, so the value may be a secret. */
export interface Held { value: string; lines: number; format: Map<string, number> | null; checked: string; enabled: boolean; role: string; name: string }

export interface Sketch {
  seen: Set<Element>; // painted and not tiny, in document order
  texts: Map<Element, Map<Text, string>>; // the texts of seen elements, by their parent
  fields: Map<Element, Held>;
  editors: Map<Element, Element>; // boxes that draw their text themselves, and the key input of each
  sized: Element[]; // measured, not tiny, and in reach
  unpainted: Element[]; // found not painted
  tucked: Element[]; // painted, but too small or out of reach
  bare: Set<Element>; // seen elements without a box: display: contents
  hosts: Element[]; // seen elements that may hold a shadow tree
  drawings: Drawings; // the seen ones
  along?: Element; // the field added by takeAlong, which is not visible yet
  roots: number; // the number of shadow trees: one can be attached without a trace
  truncated: boolean;
}

const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "datalist", "object"]);
/** Elements whose content is not read. */
const closed = new Set(["select", "textarea", "iframe", "frame", "svg", "canvas", "audio", "video", "img", "input", "br", "wbr"]);
const maxNodes = 60000;
// Names are kept for the first fields only: most pages have few, and only
// removed fields need theirs.
const maxNamed = 100;

// Measuring elements costs most of a sketch, and long lists hold thousands
// that are alike: after trustFrom rows, an element of a kind of which all were
// not tiny and in reach is not measured.
const learnFrom = 10;
const trustFrom = 60;
/** How many levels below a tiny element positioned elements are searched: it may be the root of an app. */
const maxShut = 3;
const enum Row { Single, Learning, Trusted }

export const emptySketch = (): Sketch =>
  ({ seen: new Set(), texts: new Map(), fields: new Map(), editors: new Map(), sized: [], unpainted: [], tucked: [], bare: new Set(), hosts: [], drawings: new Map(), roots: 0, truncated: false });

export const sketch = (look: LayoutCache): Sketch => drain((pace) => sketching(look, pace));

/** The same in slices. The result is valid only if the page did not change between them. */
export function* sketching(look: LayoutCache, pace: Pace): Work<Sketch> {
  const s = new Sketcher(look);
  const levels: Level[] = [];
  const enter = (el: Element, row: Row, within: string, shut = 0): void => {
    const level = s.visit(el, levels.length, row, within, shut);
    if (level) levels.push(level);
  };
  if (doc.body) enter(doc.body, Row.Single, "");
  let steps = 0;
  for (let top = levels.at(-1); top; top = levels.at(-1)) {
    const n = top.children.next();
    if (!n) levels.pop();
    else if (isElement(n)) {
      enter(n, rowOf(n, top), top.kind, top.shut);
      if (++steps % stride === 0 && pace.due()) yield* pace.rest(look);
    } else if (top.seen && isText(n) && !blank.test(n.data)) {
      if (!top.texts) s.out.texts.set(top.el, (top.texts = new Map()));
      top.texts.set(n, n.data);
    }
  }
  return s.out;
}

interface Level {
  el: Element;
  children: Children;
  seen: boolean;
  texts: Map<Text, string> | null;
  row: Row;
  kind: string;
  last: string; // the name of the child before
  alike: number; // how many of that name came in succession
  shut: number; // levels left in which positioned elements are searched; 0: all elements are read
}

function rowOf(el: Element, top: Level): Row {
  if (top.row !== Row.Single) return top.row;
  const like = localName(el);
  top.alike = like === top.last ? top.alike + 1 : 0;
  top.last = like;
  return top.alike >= trustFrom ? Row.Trusted : top.alike >= learnFrom ? Row.Learning : Row.Single;
}

class Sketcher {
  readonly out = emptySketch();
  private readonly scrollX = window.scrollX;
  private readonly scrollY = window.scrollY;
  private readonly plain = new Map<string, boolean>(); // kinds in rows: whether all were not tiny and in reach
  private nodes = 0;

  constructor(private readonly look: LayoutCache) {}

  /** Records el; returns the level of its children, or null if they are not read. */
  visit(el: Element, depth: number, row: Row, within: string, shut: number): Level | null {
    const { out } = this;
    const tag = localName(el);
    if (skip.has(tag)) return null;
    if (depth > maxDepth || ++this.nodes > maxNodes) {
      out.truncated = true;
      return null;
    }
    let seen = isPainted(el);
    if (shut > 0 && this.look.flows(el)) return seen && shut > 1 && !closed.has(tag) ? this.level(el, Children.all(el, tag), false, row, within, shut - 1) : null;
    let stood = false;
    if (!seen) {
      out.unpainted.push(el);
      const s = getComputedStyle(el);
      if (!hasBox(el)) {
        if (s.display !== "contents") return null;
        seen = s.visibility === "visible";
        if (seen) out.bare.add(el);
      } else {
        // An invisible field may be used through its label.
        if (isField(el, tag)) this.holds(el, tag);
        seen = stood = attr(el, "role") === "combobox" && standIn(el, this.look) !== el;
        if (s.visibility === "visible" && !seen) return null; // opacity 0 applies to the content, too
      }
    } else if (isField(el, tag)) this.holds(el, tag);
    const kind = row === Row.Single ? "" : `${within}>${tag}.${hasAttr(el, "style") ? "*" : attr(el, "class") ?? ""}`;
    if (seen && !stood && !(row === Row.Trusted && this.plain.get(kind) === true && !kind.endsWith("*"))) {
      const size = this.measure(el, kind);
      if (size === null) {
        // An editor's key input is invisible and still counts.
        const inner = childrenOf(el)[0];
        if (inner && takesKeys(inner)) this.holds(inner, localName(inner));
        return this.look.clipsAll(el) || closed.has(tag) ? null : this.level(el, Children.all(el, tag), false, row, kind, maxShut);
      }
      seen = size;
    }
    const children = Children.all(el, tag);
    if (seen) {
      out.seen.add(el);
      if (children.shadow) out.roots++;
      if (mayHost(tag)) out.hosts.push(el);
      if (tag === "svg") {
        const shapes = drawn(el, shapesLeft(out.drawings));
        if (shapes) out.drawings.set(el, shapes);
      }
    }
    return closed.has(tag) ? null : this.level(el, children, seen, row, kind, 0);
  }

  private level(el: Element, children: Children, seen: boolean, row: Row, kind: string, shut: number): Level {
    return { el, children, seen, texts: null, row, kind, last: "", alike: 0, shut };
  }

  private holds(el: Element, tag: string): void { keep(this.out, el, tag, this.look); }

  /** Whether el is not tiny and in reach; null if its content is not visible either. */
  private measure(el: Element, kind: string): boolean | null {
    const { look, out } = this;
    const r = rectOf(el);
    const small = r.width <= 1 || r.height <= 1;
    const away = r.right + this.scrollX <= 0 || r.bottom + this.scrollY <= 0 || r.left + this.scrollX >= look.farRight;
    if (kind !== "") this.plain.set(kind, !small && !away && this.plain.get(kind) !== false);
    (small || away ? out.tucked : out.sized).push(el);
    if (small) {
      if (look.clips(el)) return null;
      return look.shown(el) || look.style(el).display === "contents";
    }
    return !away || look.shown(el);
  }
}

/**
 * The sketch now, if only words changed since was, in these
 * elements: the former sketch with the new words; null if more may look different.
 * Style sheets show and hide without a change of the page's nodes, when the
 * mouse comes or a field has the focus, so elements are asked again whether they are painted.
 */
export function reworded(was: Sketch, words: Set<Element>, look: LayoutCache): Sketch | null {
  const { scrollX, scrollY } = window;
  const size = (el: Element): boolean => {
    const r = rectOf(el);
    return r.width > 1 && r.height > 1 && r.right + scrollX > 0 && r.bottom + scrollY > 0 && r.left + scrollX < look.farRight;
  };
  let roots = 0;
  for (const el of was.hosts) if (shadowOf(el)) roots++;
  if (roots !== was.roots) return null;
  for (const el of was.seen) if (!isPainted(el) && !(was.bare.has(el) && isBare(el))) return null;
  for (const el of was.unpainted) if (isPainted(el)) return null;
  for (const el of was.tucked) if (size(el)) return null;
  for (const el of was.sized) if (!size(el)) return null;
  const texts = new Map(was.texts);
  for (const el of words) {
    if (!was.seen.has(el) || closed.has(localName(el))) continue;
    if (!size(el)) return null; // an element without words collapses
    const now = new Map<Text, string>();
    eachChild(el, (n) => { if (isText(n) && !blank.test(n.data)) now.set(n, n.data); });
    if (now.size > 0) texts.set(el, now);
    else texts.delete(el);
  }
  return { ...was, texts, fields: heldNow(was, look), drawings: redrawn(was.drawings) };
}

function isBare(el: Element): boolean {
  const s = getComputedStyle(el);
  return s.display === "contents" && s.visibility === "visible";
}

function keep(out: Sketch, el: Element, tag: string, look: LayoutCache): void {
  const box = takesKeys(el) ? editorOf(el, look) : null;
  if (box) out.editors.set(box, el);
  out.fields.set(el, held(el, tag, out.fields.size < maxNamed, look, box));
}

/**
 * Adds a field that is not visible yet: the target of an act may be drawn only
 * when it has a value (the text fields of Material Web).
 */
export function takeAlong(el: Element, of: Sketch): void {
  const tag = localName(el);
  if (of.fields.has(el) || !isField(el, tag)) return;
  keep(of, el, tag, new LayoutCache());
  of.along = el;
}

/** The current states of a sketch's fields: scripts set values without a trace. */
export function heldNow(was: Sketch, look: LayoutCache): Map<Element, Held> {
  const boxes = new Map([...was.editors].map(([box, el]) => [el, box]));
  const out = new Map<Element, Held>();
  for (const [el, h] of was.fields) out.set(el, { ...held(el, localName(el), false, look, boxes.get(el) ?? null), role: h.role, name: h.name });
  return out;
}

const blank = /^\s*$/;

function isField(el: Element, tag: string): boolean {
  if (tag === "input" || tag === "select" || tag === "textarea") return true;
  return hasAttrs(el) && (hasAttr(el, "contenteditable") || attr(el, "role") === "textbox" || isDrawnSwitch(el, tag));
}

function held(el: Element, tag: string, named: boolean, look: LayoutCache, box: Element | null): Held {
  const checked = checkedOf(el) ?? "";
  const asShown = tag === "select" || el instanceof HTMLInputElement && el.type === "file";
  const typed = tag === "input" || tag === "textarea";
  const value = checked !== "" ? "" : box ? drawnText(box, el, look) : asShown ? valueOf(el) : typed ? rawValue(el) : flatLines(written(el));
  const rich = !typed && !asShown && !box;
  return {
    value, lines: rich ? linesOf(el).length : value.split("\n").length, format: rich ? formatOf(el) : null,
    checked, enabled: isEnabled(el), role: named ? roleOf(el) : "", name: named ? nameOf(el) : "",
  };
}
