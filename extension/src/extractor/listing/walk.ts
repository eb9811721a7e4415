// The walk for controls: one pass over the rendered tree. distinct.ts then drops
// wrappers, and list.ts describes the controls.

import { Group } from "../a11y/group";
import { called, Kind, markedKind, tells } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import { centreCover, isOver, isOverlay, overlayName } from "../a11y/overlays";
import { explicitRole, roleOf } from "../a11y/role";
import { all, attr, attrNames, Children, doc, hasAny, hasAttr, hasAttrs, localName, maxDepth, parentOf } from "../dom/dom";
import { takesKeys } from "../dom/editors";
import { hears } from "../dom/listeners";
import { cut } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { drain, type Pace, restAt, stride, type Work } from "../schedule/slices";
import { standIn } from "./describe";
import { distinct } from "./distinct";
import { markFieldOptions } from "./fieldlist";
import { isChoice, isInnerIcon } from "./hints";
import { Headings, type Heads, headingTags, isHeading, isOfCard } from "./headings";
import { HoverParts, isOrnament } from "./hoverparts";
import { isLine, PressTargets } from "./presstargets";
import { Alike, type Side } from "./representative";
import { titleOf } from "./sections";

/** A control that the walk found. */
export interface Found {
  el: Element;
  kind: Kind;
  role: string;
  group: Group;
  overlay: boolean;
  inside: Found | null; // the control around it
  holds: number; // controls in it
  own?: boolean; // it has an action of its own inside a larger control, though both have the same pointer
  /** The side of the viewport where it lies, if it was taken for a control because similar ones are; isConfirmed verifies that. */
  assumedSide?: Side;
  epoch?: number; // the epoch of the look that assumed it
  /** The element to hover so that it shows. */
  over?: Element;
}

interface Place {
  group: Group; // by its name, or the last heading that stands over what is visited
  overlay: boolean;
  heads: Heads;
}

interface Context {
  place: Place;
  inside: Found | null;
  over?: Element | undefined; // as Found.over, for all descendants
}

const framing = new Set(["navigation", "banner", "contentinfo", "complementary", "search"]);

const skipped = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "br", "wbr", "source",
  "track", "param", "datalist", "defs", "symbol"]);

const landmarks: Record<string, string> = {
  main: "main", navigation: "navigation", banner: "banner", contentinfo: "contentinfo", complementary: "complementary",
  search: "search", form: "form", region: "region",
};

export interface Walked { found: Found[]; nodes: number; images: Element[]; overlays: Element[]; truncated: boolean }

/** A hostile page may grow without end; a user could not use more. */
const maxNodes = 200000;

export interface WalkOptions { from?: Element | undefined; parent?: Element | null; inView?: boolean; images?: boolean; exactly?: number | undefined; whole?: boolean }

/**
 * Walks the page (or one part of it) and finds its controls. With inView only
 * those in the viewport are examined. parent: the element around the part, whose
 * hand cursor is not the part's own. exactly: after so many controls,
 * one stands for all similar ones out of the view (Found.assumedSide). whole: also behind a modal dialog.
 */
export const walk = (look: LayoutCache, o: WalkOptions = {}): Walked => drain((pace) => walking(look, o, pace));

/** The same in slices. */
export function* walking(look: LayoutCache, o: WalkOptions, pace: Pace): Work<Walked> {
  markFieldOptions(look);
  const w = new Walk(look, o);
  const root = o.from ?? doc.body ?? doc.root;
  const levels: Level[] = [];
  // rests: the walk pauses here, and el may get children meanwhile.
  const enter = (el: Element, outer: Context, parent: Element | null, rests: boolean): void => {
    const tag = localName(el);
    const ctx = w.visit(el, tag, outer, parent, levels.length);
    if (!ctx || !rests && Children.none(el, tag)) return;
    const children = Children.elements(el, tag);
    if (children.shadow) pace.roots.push(children.shadow);
    if (rests || children.more()) levels.push({ el, ctx, children });
  };
  if (root) enter(root, { place: startPlace(o.from), inside: null }, o.parent ?? null, false);
  let steps = 0;
  for (let top = levels.at(-1); top; top = levels.at(-1)) {
    const n = top.children.next();
    if (!n) {
      levels.pop();
      continue;
    }
    const rests = ++steps % stride === 0 && pace.due();
    if (top.children.plain) look.within(n, top.el);
    enter(n, top.ctx, top.el, rests);
    if (!rests) continue;
    pace.at = n;
    yield* restAt(levels.map((l) => l.children), pace, look);
  }
  pace.at = null;
  w.out.found = yield* distinct(w.out.found, look, pace);
  return w.out;
}

interface Level { el: Element; ctx: Context; children: Children<Element> }

class Walk {
  readonly out: Walked = { found: [], nodes: 0, images: [], overlays: [], truncated: false };
  private readonly cover: Element | null;
  private alike: Alike | null = null; // set once enough controls are found
  private readonly targets: PressTargets;
  private readonly hoverParts: HoverParts;
  private readonly headings: Headings;

  constructor(private readonly look: LayoutCache, private readonly o: WalkOptions) {
    this.cover = centreCover(look);
    this.targets = new PressTargets(look);
    this.hoverParts = new HoverParts(look);
    this.headings = new Headings(look);
  }

  /** Records el; returns the context of its children, or null if they are not visited. */
  visit(el: Element, tag: string, outer: Context, parent: Element | null, depth: number): Context | null {
    const { look, out } = this;
    if (skipped.has(tag)) return null;
    if (depth > maxDepth || out.nodes >= maxNodes) {
      out.truncated = true;
      return null;
    }
    out.nodes++;
    const names = hasAttrs(el) ? attrNames(el) : none;
    const told = tells(names);
    let kind = markedKind(el, tag, told);
    const within = outer.inside;
    // A hidden subtree ends here. An element with display: contents has no box but shows its children.
    let { over } = outer;
    if (!look.boxed(el, !this.alike && (kind !== Kind.None || within !== null)) && look.style(el).display !== "contents" && tag !== "area" && !(tag === "input" && standsIn(el, look))) {
      if (over ? look.style(el).display === "none" : tag === "iframe" || !(over = this.hoverParts.over(el) ?? undefined)) return null;
    }
    let ctx = this.placed(el, tag, told, outer, depth);
    if (ctx.over !== over) ctx = { ...ctx, over };
    if (this.o.images && (tag === "img" || tag === "svg" || tag === "canvas" || told && explicitRole(el) === "img")) out.images.push(el);
    let own = false;
    if (kind === Kind.None && tag !== "body" && tag !== "html" &&
      (this.becomesHand(el, parent) || (own = ownInside(el, tag, within, look)) || called(el, tag, told) || this.targets.is(el, tag))) kind = Kind.Behaviour;
    let below = ctx;
    let taken = kind === Kind.None || over ? null : this.use(el, tag, kind, names, parent);
    if (taken === null && kind > Kind.Frame && !isOrnament(el, tag) && (over ??= this.hoverParts.overAround(el) ?? undefined) && (!this.o.inView || look.inView(over))) taken = 0;
    if (taken !== null) {
      const f: Found = { el, kind, role: roleOf(el), group: ctx.place.group, overlay: ctx.place.overlay, inside: ctx.inside, holds: 0, own, assumedSide: taken, epoch: look.epoch };
      if (over) f.over = over;
      for (let i = f.inside; i; i = i.inside) i.holds++;
      out.found.push(f);
      if (!this.alike && out.found.length === this.o.exactly) this.alike = new Alike(look);
      below = { place: ctx.place, inside: f, over: ctx.over };
    }
    return closed.has(tag) || tag === "svg" && !worked(el, look) ? null : below;
  }

  /** Whether a user could use it: null if not, else where it lies (Found.assumedSide). */
  private use(el: Element, tag: string, kind: Kind, names: readonly string[], parent: Element | null): Side | null {
    const { look } = this;
    if (look.behind(el) && this.o.whole !== true) return null;
    if (this.alike && this.alike.epoch !== look.epoch) this.alike = new Alike(look);
    const { alike } = this;
    const at = alike && parent && kind !== Kind.Frame && !elsewhere.has(tag) && !takesKeys(el) ? alike.place(el, tag, names, parent) : null;
    if (at && at.side !== 0 && at.like.usable) return at.side;
    if (!usable(el, kind, look, this.o.inView === true)) return null;
    if (at) at.like.usable = true;
    return 0;
  }

  /** The context of el and its descendants. */
  private placed(el: Element, tag: string, told: boolean, outer: Context, depth: number): Context {
    if (outer.place.heads.length > 0) outer.place.group = this.headings.leave(el, outer.place.heads, depth, this.out.found.length) ?? outer.place.group;
    let place: Place | null = null;
    const within = outer.place.overlay;
    if (!within && el === this.cover || (told || tag === "dialog") && (!within || isOver(el, tag, this.out.overlays)) && isOverlay(el, tag, this.look)) {
      place = { group: new Group("overlay", overlayName(el)), overlay: true, heads: [] };
      this.out.overlays.push(el);
    } else if (told || places.has(tag)) place = placeOf(el, tag, outer.place);
    if (place) return { place, inside: outer.inside, over: outer.over };
    if ((told || headingTags.has(tag)) && isHeading(el, tag) && outer.place.group.kind !== "overlay" && !isOfCard(el, outer.inside?.el ?? null)) {
      this.headings.add(el, outer.place.heads, depth, this.out.found.length, outer.place.group);
      outer.place.group = new Group(outer.place.group.kind, el, outer.place.heads.at(-1)?.before);
    }
    const title = outer.place.group.kind === "overlay" ? "" : titleOf(el, tag);
    if (title) return { ...outer, place: { ...outer.place, group: new Group(outer.place.group.kind, title, outer.place.group), heads: [] } };
    return outer;
  }

  /** Reads the cursor only if nothing else decides, and the box, which costs more, only for a hand cursor. */
  private becomesHand(el: Element, parent: Element | null): boolean {
    return this.look.handStarts(el, parent) && (!this.o.inView || this.look.near(el));
  }
}

/** Elements whose children are not elements of the page. */
const closed = new Set(["select", "textarea", "iframe", "frame", "canvas", "audio", "video", "img", "input"]);

const page = (): Place => ({ group: new Group("page", ""), overlay: false, heads: [] });

function startPlace(from: Element | null | undefined): Place {
  for (let e = from ?? null; e; e = parentOf(e)) {
    const p = placeOf(e, localName(e), page());
    if (p && p.group.kind !== "page") return p.group.frames ? placeOf(e, localName(e), startPlace(parentOf(e))) ?? p : p;
  }
  return page();
}

function placeOf(el: Element, tag: string, outer: Place): Place | null {
  const sectioning = tag === "section" || tag === "article" || tag === "fieldset" || tag === "form";
  if (!sectioning && !hasAttr(el, "role") && !landmarkTags.has(tag)) return null;
  const kind = landmarks[roleOf(el)];
  if (kind && outer.group.kind === "overlay") return { ...outer, heads: [] }; // the overlay's name says more than its parts'
  if (kind) return { group: new Group(kind, hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby") ? cut(nameOf(el), 60) : "", null, framing.has(kind) && (outer.group.kind === "page" || outer.group.frames)), overlay: outer.overlay, heads: [] };
  // An unnamed section keeps the landmark around it, but its headings are its own.
  if (sectioning) return { ...outer, heads: [], group: tag === "fieldset" ? new Group(outer.group.kind, cut(nameOf(el), 60), outer.group) : outer.group };
  return null;
}
const landmarkTags = new Set(["main", "nav", "header", "footer", "aside", "search"]);
const places = new Set([...landmarkTags, "section", "article", "fieldset", "form"]);

/** Elements that may be visible in another place than their own. */
const elsewhere = new Set(["input", "textarea", "select", "area"]);

const none: readonly string[] = [];

/** Where f lies out of the view, if a similar one decided that in this look; else 0: it is to be asked. */
export const knownSide = (f: Found, look: LayoutCache): Side => f.epoch === look.epoch ? f.assumedSide ?? 0 : 0;

/** Whether an assumed control (Found.assumedSide) is one. */
export const isConfirmed = (f: Found, look: LayoutCache): boolean => !f.assumedSide || usable(f.el, f.kind, look, false);

/** Something a user could use: shown, or worked through a shown label; not inert. */
function usable(el: Element, kind: Kind, look: LayoutCache, inView: boolean): boolean {
  // Frames are always kept: their content may be in view.
  if (inView && kind !== Kind.Frame && !look.inView(el)) {
    const other = standIn(el, look);
    if (other === el || !look.inView(other)) return false;
  }
  // A frame of a few pixels is a visit counter and has nothing to use.
  if (kind === Kind.Frame) {
    const b = look.box(el);
    if (b.right - b.left < 12 || b.bottom - b.top < 12) return false;
  }
  if (look.inert(el)) return false;
  // Neither a mouse nor a screen reader can use it: it is the drawing in another control.
  if (attr(el, "aria-hidden") === "true" && (look.style(el).pointerEvents === "none" || isHelper(el))) return false;
  if (!look.shown(el)) return standsIn(el, look);
  // A separator has the pointer of the elements that it separates.
  if (kind === Kind.Behaviour && isLine(el, look) && hears(el) === 0 && look.hand(el) === "pointer") return false;
  return !unread(el, kind, look);
}

/** Whether the visible form of a control is unreadable: of a field its frame or value, of others their content. */
export function unread(el: Element, kind: Kind, look: LayoutCache, tag = localName(el)): boolean {
  return (kind !== Kind.Native || tag === "a" || tag === "button") && look.faint(el);
}

/** Whether el is an empty field without keyboard and text input: a script's helper, as beside the text of an editor. */
const isHelper = (el: Element): boolean =>
  attr(el, "tabindex") === "-1" && (el instanceof HTMLTextAreaElement || el instanceof HTMLInputElement) && el.readOnly && el.value === "" && !hasAttr(el, "placeholder");

/** Whether el is an icon or a choice inside a larger control. */
export const ownInside = (el: Element, tag: string, outer: Pick<Found, "el" | "kind"> | null | undefined, look: LayoutCache): boolean =>
  outer !== null && outer !== undefined && outer.kind > Kind.Native && look.hand(el) === "pointer" && (isInnerIcon(el, tag, outer.el, look) || isChoice(el));

/** Whether parts of a drawing are marked as controls. */
export const marked = (svg: Element): boolean => hasAny(svg, "a,[role],[tabindex],[onclick]");

/** Whether parts of a drawing may be controls: marked ones, or those of a chart. An icon is pressed as a whole. */
function worked(svg: Element, look: LayoutCache): boolean {
  if (marked(svg) || hears(svg) !== 0) return true;
  const b = look.box(svg);
  return b.right - b.left > 48 && b.bottom - b.top > 16 && all(svg, "*").length <= 500;
}

function standsIn(el: Element, look: LayoutCache): boolean {
  const other = standIn(el, look);
  return other !== el && look.shown(other);
}
