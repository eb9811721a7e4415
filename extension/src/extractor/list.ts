// The list of controls: one walk over the tree as it is rendered, then one
// description for each that counts.

import type { ListOptions, ListResult, RawElement } from "./api";
import { all, attr, closest, doc, eachChild, hasAttr, hasAttrs, hasBox, isElement, localName, parentOf, rectOf } from "./dom";
import { describe, standIn } from "./describe";
import { drawing, familyOf, Kind, kindOf, type Family } from "./interactive";
import { idOf, nodeOf } from "./ids";
import { nameOf, textOf } from "./name";
import { centreCover, isOverlay, overlayName } from "./overlays";
import { firstOf } from "./first";
import { addKnown, isChoice, isInnerIcon } from "./known";
import { remember } from "./likeness";
import { find } from "./locate";
import { explicitRole, roleOf } from "./role";
import { flat, cut } from "./strings";
import { Look, toRect } from "./visibility";

/** A control met on the walk. */
export interface Found {
  el: Element;
  kind: Kind;
  role: string;
  group: string;
  overlay: boolean;
  inside: Found | null; // the control around it
  holds: number; // controls in it
  own?: boolean; // an action of its own in a larger control, though the pointer is the same over both
}

interface Place {
  kind: string;
  label: string; // its name, or the last heading in it
  overlay: boolean;
}

interface Context {
  place: Place;
  inside: Found | null;
}

const skipped = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "br", "wbr", "source",
  "track", "param", "datalist", "defs", "symbol"]);

const landmarks: Record<string, string> = {
  main: "main", navigation: "navigation", banner: "banner", contentinfo: "contentinfo", complementary: "complementary",
  search: "search", form: "form", region: "region",
};

export interface Walked { found: Found[]; nodes: number; images: Element[]; overlays: Element[]; truncated: boolean }

export const maxDepth = 1000;
const maxNodes = 200000;

/**
 * Walks the page (or one part of it) and finds its controls. With inView only
 * those in the viewport are looked at more closely. parent: what stands around
 * the part, where its hand is the part's no more.
 */
export function walk(look: Look, o: { from?: Element | undefined; parent?: Element | null; inView?: boolean; images?: boolean } = {}): Walked {
  const out: Walked = { found: [], nodes: 0, images: [], overlays: [], truncated: false };
  const cover = centreCover(look);
  // The cursor is asked only where nothing else tells; the box, which costs more still, only where it is a hand.
  const becomesHand = (el: Element, parent: Element | null): boolean =>
    look.handStarts(el, parent) && (!o.inView || look.near(el));
  const visit = (el: Element, outer: Context, parent: Element | null, depth: number): void => {
    const tag = localName(el);
    if (skipped.has(tag)) return;
    // A hostile page may nest or multiply without end; a person could use neither.
    if (depth > maxDepth || out.nodes >= maxNodes) {
      out.truncated = true;
      return;
    }
    out.nodes++;
    // A hidden subtree ends here; display: contents has no box but shows its children.
    if (!hasBox(el) && !boxless(el) && tag !== "area" && !(tag === "input" && standsIn(el, look))) return;
    let ctx = outer;
    const bare = !hasAttrs(el);
    let place: Place | null = null;
    if (!outer.place.overlay && (el === cover || !bare && isOverlay(el, tag, look))) {
      place = { kind: "overlay", label: overlayName(el), overlay: true };
      out.overlays.push(el);
    } else if (!bare || places.has(tag)) place = placeOf(el, tag, ctx.place);
    if (place) ctx = { place, inside: ctx.inside };
    else if (!bare || headings.has(tag)) heading(el, tag, ctx.place);
    if (o.images && (tag === "img" || tag === "svg" || tag === "canvas" || !bare && explicitRole(el) === "img")) out.images.push(el);
    let own = false;
    const kind = kindOf(el, tag, () => becomesHand(el, parent) || (own = ownInside(el, tag, ctx.inside, look)));
    if (kind !== Kind.None && usable(el, kind, look, o.inView === true)) {
      const f: Found = { el, kind, role: roleOf(el), group: groupOf(ctx.place), overlay: ctx.place.overlay, inside: ctx.inside, holds: 0, own };
      for (let i = f.inside; i; i = i.inside) i.holds++;
      out.found.push(f);
      ctx = { place: ctx.place, inside: f };
    }
    if (closed.has(tag) || tag === "svg" && !worked(el, look)) return;
    eachChild(el, (n) => { if (isElement(n)) visit(n, ctx, el, depth + 1); });
  };
  const root = o.from ?? doc.body ?? doc.root;
  if (root) visit(root, { place: startPlace(o.from), inside: null }, o.parent ?? null, 0);
  out.found = distinct(out.found, look);
  return out;
}

/** Elements whose children are no elements of the page of their own. */
const closed = new Set(["select", "textarea", "iframe", "frame", "canvas", "audio", "video", "img", "input"]);

const boxless = (el: Element): boolean => getComputedStyle(el).display === "contents";

function startPlace(from: Element | undefined): Place {
  for (let e = from ?? null; e; e = parentOf(e)) {
    const p = placeOf(e, localName(e), { kind: "page", label: "", overlay: false });
    if (p && p.kind !== "page") return p;
  }
  return { kind: "page", label: "", overlay: false };
}

function placeOf(el: Element, tag: string, outer: Place): Place | null {
  const sectioning = tag === "section" || tag === "article" || tag === "fieldset" || tag === "form";
  if (!sectioning && !hasAttr(el, "role") && !landmarkTags.has(tag)) return null;
  const kind = landmarks[roleOf(el)];
  if (kind) return { kind, label: hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby") ? cut(nameOf(el), 60) : "", overlay: outer.overlay };
  // An unnamed section keeps the landmark it is in, but its headings are its own.
  if (sectioning) return { ...outer, label: tag === "fieldset" ? cut(nameOf(el), 60) || outer.label : outer.label };
  return null;
}
const landmarkTags = new Set(["main", "nav", "header", "footer", "aside", "search"]);
const places = new Set([...landmarkTags, "section", "article", "fieldset", "form"]);

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

function heading(el: Element, tag: string, place: Place): void {
  if (!headings.has(tag) && attr(el, "role") !== "heading") return;
  const t = textOf(el, 60);
  if (t && place.kind !== "overlay") place.label = t;
}

const groupOf = (p: Place): string => p.label ? `${p.kind}: ${p.label}` : p.kind;

/** Something a person could use: shown, or worked through a shown label; not inert. */
function usable(el: Element, kind: Kind, look: Look, inView: boolean): boolean {
  // Frames are kept in any case: their own content may be in view.
  if (inView && kind !== Kind.Frame && !look.inView(el)) {
    const other = standIn(el, look);
    if (other === el || !look.inView(other)) return false;
  }
  // A frame of a few pixels counts visitors; there is nothing in it to use.
  if (kind === Kind.Frame) {
    const b = look.box(el);
    if (b.right - b.left < 12 || b.bottom - b.top < 12) return false;
  }
  if (look.inert(el)) return false;
  // Neither a pointer nor a reader can use it: it is the drawing in another control.
  if (attr(el, "aria-hidden") === "true" && look.style(el).pointerEvents === "none") return false;
  if (!look.shown(el)) return standsIn(el, look);
  return kind !== Kind.Behaviour && localName(el) !== "a" || !look.faint(el);
}

/** An icon or a choice in something larger that can be pressed as well. */
const ownInside = (el: Element, tag: string, outer: Found | null, look: Look): boolean =>
  outer !== null && outer.kind > Kind.Native && look.hand(el) === "pointer" && (isInnerIcon(el, tag, outer.el, look) || isChoice(el));

/** Whether parts of a drawing may be controls: marked ones, or those of a chart. An icon is pressed as a whole. */
function worked(svg: Element, look: Look): boolean {
  if (all(svg, "a,[role],[tabindex],[onclick]").length > 0) return true;
  const b = look.box(svg);
  return b.right - b.left > 48 && b.bottom - b.top > 16 && all(svg, "*").length <= 500;
}

function standsIn(el: Element, look: Look): boolean {
  const other = standIn(el, look);
  return other !== el && look.shown(other);
}

/** Leaves one of several elements that are one control. */
function distinct(found: Found[], look: Look): Found[] {
  const gone = new Set<Found>();
  const shown = new Set(found.map((f) => f.el));
  const drop = (f: Found): void => {
    if (gone.has(f)) return;
    gone.add(f);
    for (let i = f.inside; i; i = i.inside) i.holds--;
  };
  for (const f of found) {
    if (f.kind === Kind.Behaviour && !f.own) {
      if (labelOfListed(f.el, shown) || !ownAction(f.el) && partOfLabel(f.el, shown)) drop(f);
      // An inner part of a control, with nothing of its own to say.
      else if (f.inside && f.inside.kind !== Kind.Behaviour && !ownAction(f.el)) drop(f);
      else if (f.inside && f.inside.kind === Kind.Behaviour && !ownAction(f.el) && same(f, f.inside, look)) drop(f);
    }
    let o = f.inside;
    while (o && gone.has(o)) o = o.inside;
    if (!o || gone.has(f) || o.holds !== 1) continue;
    // A wrapper round one control: the control is what one means.
    if (o.kind === Kind.Behaviour && f.kind !== Kind.Behaviour && same(f, o, look)) drop(o);
    else if (o.kind !== Kind.Behaviour && f.kind !== Kind.Behaviour && f.kind !== Kind.Frame && same(f, o, look)) drop(o);
  }
  return found.filter((f) => !gone.has(f));
}

function labelOfListed(el: Element, listed: Set<Element>): boolean {
  if (!(el instanceof HTMLLabelElement)) return false;
  return el.control !== null && listed.has(el.control);
}

/** The switch drawn in a label presses what the label is of. */
function partOfLabel(el: Element, listed: Set<Element>): boolean {
  const label = closest(el, (e) => localName(e) === "label");
  return label !== null && label !== el && labelOfListed(label, listed);
}

const ownAction = (el: Element): boolean => hasAttr(el, "onclick") || hasAttr(el, "tabindex") || attr(el, "draggable") === "true";

const same = (a: Found, b: Found, look: Look): boolean =>
  fills(a, b, look) || (textOf(a.el, 80) !== "" || b.role === "gridcell") && textOf(a.el, 80) === textOf(b.el, 80);

function fills(inner: Found, outer: Found, look: Look): boolean {
  const a = look.box(inner.el);
  const b = look.box(outer.el);
  return (a.right - a.left) * (a.bottom - a.top) > 0.7 * (b.right - b.left) * (b.bottom - b.top);
}

export function rawOf(f: Found, look: Look): RawElement {
  if (f.kind === Kind.Frame) {
    return {
      id: idOf(f.el), tag: localName(f.el), role: "iframe", name: nameOf(f.el), text: "", visible: look.inView(f.el), enabled: true,
      rect: contentRect(f.el), group: f.group, frameOf: true, ...(f.overlay ? { overlay: true } : {}),
    };
  }
  const e = describe(f.el, look);
  remember(f.el, e.name, look);
  e.group = f.group;
  if (f.overlay) e.overlay = true;
  addKnown(f.el, e, look);
  if (f.kind === Kind.Behaviour) {
    e.behaves = true;
    const hand = look.hand(f.el);
    if (attr(f.el, "draggable") === "true" || drawing(hand)) e.draggable = true;
    if (!e.name && !e.text && !e.hint && hand.endsWith("resize")) e.hint = "resize";
  }
  return e;
}

/** Where a frame's own viewport is: inside its border and padding. */
export function contentRect(el: Element): { x: number; y: number; width: number; height: number } {
  const r = rectOf(el);
  const s = getComputedStyle(el);
  const n = (v: string): number => parseFloat(v) || 0;
  const left = r.left + n(s.borderLeftWidth) + n(s.paddingLeft);
  const top = r.top + n(s.borderTopWidth) + n(s.paddingTop);
  return toRect({ left, top, right: r.right - n(s.borderRightWidth) - n(s.paddingRight), bottom: r.bottom - n(s.borderBottomWidth) - n(s.paddingBottom) });
}

function inQuery(e: RawElement, words: string[]): boolean {
  const hay = `${e.name} ${e.text} ${e.href ?? ""} ${e.placeholder ?? ""} ${e.value ?? ""} ${e.role}`.toLowerCase();
  return words.every((w) => hay.includes(w));
}

export function list(o: ListOptions): ListResult {
  const look = new Look();
  const viewport = { width: innerWidth, height: innerHeight };
  const none = { elements: [], truncated: false, nodes: 0, viewport };
  let from: Element | undefined;
  if (o.scopeId !== undefined || o.scope !== undefined && o.scope !== "") {
    const el = o.scopeId !== undefined && o.scopeId > 0 ? nodeOf(o.scopeId) : find(o.scope ?? "", look);
    if (!(el instanceof Element)) return none;
    from = el;
  }
  return listed(o, look, walk(look, { from, inView: o.visible === true, images: o.type === "image" }));
}

/** The list of what a walk found. */
export function listed(o: ListOptions, look: Look, w: Walked): ListResult {
  const viewport = { width: innerWidth, height: innerHeight };
  if (o.first !== undefined && o.first > 0) {
    const { taken, left } = firstOf(w.found, look, o.first);
    return { elements: taken.map((f) => rawOf(f, look)), truncated: w.truncated, nodes: w.nodes, viewport, left };
  }
  const want = o.type && o.type !== "all" ? o.type : null;
  const words = flat(o.query).toLowerCase().split(" ").filter((x) => x !== "");
  const limit = o.limit && o.limit > 0 ? o.limit : 5000;
  const elements: RawElement[] = [];
  let truncated = w.truncated;
  const take = (f: Found): void => {
    if (f.kind !== Kind.Frame) {
      if (want && familyOf(f.el, f.role) !== (want as Family)) return;
      if (o.visible && !look.inView(standIn(f.el, look))) return;
    }
    if (elements.length >= limit) {
      truncated = true;
      return;
    }
    const raw = rawOf(f, look);
    if (words.length > 0 && f.kind !== Kind.Frame && !inQuery(raw, words)) return;
    elements.push(raw);
  };
  if (want === "image") {
    for (const el of w.images) {
      if (look.shown(el)) take({ el, kind: Kind.Native, role: "img", group: "", overlay: false, inside: null, holds: 0 });
    }
    for (const f of w.found) if (f.kind === Kind.Frame) take(f);
  } else {
    for (const f of w.found) take(f);
  }
  return { elements, truncated, nodes: w.nodes, viewport };
}

/** Numbers per family, for the summary. */
export function counts(w: Walked, look: Look): { buttons: number; inputs: number; links: number; selects: number; images: number; forms: number } {
  const c = { buttons: 0, inputs: 0, links: 0, selects: 0, images: 0, forms: doc.forms };
  for (const f of w.found) {
    if (f.kind === Kind.Frame) continue;
    switch (familyOf(f.el, f.role)) {
      case "button": c.buttons++; break;
      case "input": c.inputs++; break;
      case "link": c.links++; break;
      case "select": c.selects++; break;
    }
  }
  for (const el of w.images) if (look.shown(el)) c.images++;
  return c;
}

