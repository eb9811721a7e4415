// The page as a tree of roles and names, as assistive technology sees it, built around the list of controls.

import type { AriaNode, AriaTree, ListResult, RawElement } from "../api";
import {
  attr, attrNames, Children, doc, firstChild, hasAny, hasAttr, hasAttrs, holds, isElement, isText, localName, nextSibling, shadowOf,
} from "../dom/dom";
import { idIfAny, idOf, nodeOf } from "../dom/ids";
import { find } from "../dom/locate";
import { cut, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { coveredIn, overAll } from "../listing/covered";
import { checkedOf, expandedOf } from "../listing/describe";
import { currentLook } from "../listing/identity";
import { contentRect, emptyList, listed } from "../listing/list";
import { hearsWithin } from "../listing/presstargets";
import { marked, walking } from "../listing/walk";
import { type Pace, restAt, sliced, stride, type Work } from "../schedule/slices";
import { called, Kind, markedKind, tells } from "./interactive";
import { nameOf } from "./name";
import { isMereSign } from "./ligature";
import { isEditingHost, levelOf, namedByContent, roleOf } from "./role";
import { hushed } from "./secrets";
import { isSet } from "./states";
import { onlyText } from "./visibletext";

const skipped = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "br", "wbr", "source",
  "track", "param", "datalist", "defs", "symbol"]);
const leaves = new Set(["select", "textarea", "canvas", "audio", "video", "img", "input", "svg", "iframe", "frame"]);
// Wrappers that say nothing by themselves.
const silent = new Set(["generic", "document", "rowgroup", "strong", "emphasis", "code", "presentation", "none", "subscript", "superscript", "insertion", "deletion", "time"]);

export interface TreeOptions { scopeId?: number; scope?: string; max: number }

/** Returns a promise if the page is too large for one slice of the main thread. */
export const tree = (o: TreeOptions): AriaTree | Promise<AriaTree> => sliced((pace) => growing(o, pace));

export function* growing(o: TreeOptions, pace: Pace): Work<AriaTree> {
  const look = new LayoutCache();
  const from = o.scopeId ? nodeOf(o.scopeId) : o.scope ? find(o.scope, look) : doc.body ?? doc.root;
  const out: AriaTree = { nodes: [], list: emptyList(), truncated: false, nodeCount: 0, seen: currentLook() };
  if (!(from instanceof Element)) return out;
  const part = Boolean(o.scopeId) || Boolean(o.scope);
  const whole = !holds(from, look.modal); // a part behind a modal dialog is read if it was asked for itself
  const w = yield* walking(look, { from: part ? from : undefined, whole }, pace);
  const covered = yield* coveredIn(w.found, w.overlays, look, pace);
  out.list = yield* listed({ limit: o.max }, look, w, pace, covered);
  const over = part || look.modal ? null : overAll(w, covered);
  const g = new Grower(look, o.max, pace, out.list, whole ? null : look.modal, over);
  // A page that is written in as a whole is a field itself, as the frame of an editor is.
  const top = yield* part || isEditingHost(from) ? g.one(from, null, 0) : g.kids(from, 0, null);
  out.nodes = top === null ? [] : Array.isArray(top) ? top : [top];
  out.truncated = g.truncated || out.list.truncated;
  out.nodeCount = g.count;
  out.seen = currentLook();
  if (g.modal || over) out.modal = true;
  return out;
}

const none: readonly string[] = [];

/** The result for an element: nothing, a node, or the nodes of its children. */
type Grown = AriaNode | AriaNode[] | null;

/** An element whose content is still to be read; a wrapper without a role has no node. */
class Open {
  constructor(readonly el: Element, readonly node: AriaNode | null, readonly name: string, readonly said: boolean) {}
}

class Grower {
  count = 0;
  truncated = false;
  private steps = 0;
  private readonly levels: Children[] = []; // of the elements that the walk is in
  private readonly controls = new Map<number, RawElement>();

  /** modal: the dialog outside which nothing is read; over: the layers over the page that keep everything else from being pressed. */
  constructor(private readonly look: LayoutCache, private readonly max: number, private readonly pace: Pace, list: ListResult,
    readonly modal: Element | null, private readonly over: Element[] | null) {
    for (const e of list.elements) if (!e.frameOf) this.controls.set(e.id, e);
  }

  /** Whether el is neither inside nor around a layer over the page. */
  private isBehind(el: Element): boolean {
    return this.over !== null && !this.over.some((o) => holds(o, el) || holds(el, o));
  }

  /** The nodes of el's children; inline text of one block is one node. parent: null at the start of the walk, as in one. */
  *kids(el: Element, depth: number, parent: Element | null = el): Work<AriaNode[]> {
    const out: AriaNode[] = [];
    let text = "";
    const flush = (): void => {
      const t = flat(text);
      text = "";
      if (t) add({ role: "text", name: cut(t, 300) });
    };
    const add = (n: AriaNode): void => {
      const last = out.at(-1);
      if (last && this.isValueOf(n, last)) return;
      if (last && this.isValueOf(last, n)) out.pop();
      out.push(n);
    };
    const folded = localName(el) === "details" && !hasAttr(el, "open");
    const children = Children.all(el, localName(el));
    if (children.shadow) this.pace.roots.push(children.shadow);
    this.levels.push(children);
    for (let n = children.next(); n; n = children.next()) {
      if (this.count > this.max || depth > deepest) {
        this.truncated = true;
        break;
      }
      if (isText(n)) {
        if (this.over && !this.over.some((o) => holds(o, el))) continue;
        // White space between elements makes up most text nodes, and separates words whether visible or not.
        if (folded) continue;
        if (n.data.trim() === "") text += text && " ";
        else if (this.look.readable(el)) text += n.data;
        continue;
      }
      if (!isElement(n) || folded && localName(n) !== "summary") continue;
      if (++this.steps % stride === 0 && this.pace.due()) yield* restAt(this.levels, this.pace, this.look);
      if (children.plain) this.look.within(n, el);
      const met = this.meet(n, parent, depth + 1);
      const made = met instanceof Open ? this.close(met, this.plain(n, depth + 1) ?? (yield* this.kids(n, depth + 1))) : met;
      if (made === null) continue;
      // A wrapper without a role: its text runs on in that of its parent, when inline.
      if (Array.isArray(made) && made.every((m) => m.role === "text") && runsOn(this.look.style(n).display)) for (const m of made) text += ` ${m.name ?? ""} `;
      else {
        flush();
        if (Array.isArray(made)) made.forEach(add);
        else add(made);
      }
    }
    this.levels.pop();
    flush();
    return out;
  }

  *one(el: Element, parent: Element | null, depth: number): Work<Grown> {
    const met = this.meet(el, parent, depth);
    return met instanceof Open ? this.close(met, this.plain(el, depth) ?? (yield* this.kids(el, depth))) : met;
  }

  /** Whether a text only repeats the choice of the combobox beside it. */
  private isValueOf(text: AriaNode, box: AriaNode): boolean {
    return text.role === "text" && box.role === "combobox" && text.name !== undefined && text.name === this.controls.get(box.id ?? 0)?.value;
  }

  /** The same as kids for an element that holds only one text, as most do: without pauses. */
  private plain(el: Element, depth: number): AriaNode[] | null {
    const only = onlyText(el);
    if (!only) return null;
    if (this.count > this.max || depth > deepest) {
      this.truncated = true;
      return [];
    }
    const t = only.data.trim() !== "" && this.look.readable(el) ? flat(only.data) : "";
    return t ? [{ role: "text", name: cut(t, 300) }] : [];
  }

  /** The result for one element. parent: the element whose pointer is compared; null at the start of the walk. */
  private meet(el: Element, parent: Element | null, depth: number): Grown | Open {
    const { look } = this;
    const tag = localName(el);
    if (skipped.has(tag)) return null;
    const some = hasAttrs(el);
    const names = some ? attrNames(el) : none;
    if (names.includes("aria-hidden") && attr(el, "aria-hidden") === "true" || names.includes("inert")) return null;
    if (this.modal && look.behind(el) && !holds(el, this.modal) || this.isBehind(el)) return null;
    const control = this.controls.get(idIfAny(el));
    // Neither the element nor its content is drawn.
    if (!control && !look.boxed(el) && look.style(el).display !== "contents") return null;
    this.count++;
    // A drawing is one node, unless parts of it have a role.
    const leaf = leaves.has(tag) && !(tag === "svg" && (marked(el) || hearsWithin(el) || hasAny(el, "text")));
    if (control) {
      const { id, role, level } = control;
      return this.insideOf(el, level && role === "heading" ? { id, role, level } : { id, role }, control.name, leaf || some && hushed(el), depth);
    }
    const kind = markedKind(el, tag, tells(names));
    if (kind === Kind.Frame) {
      return look.shown(el) ? { id: idOf(el), role: "iframe", tag, name: cut(nameOf(el), 100), frameOf: true, rect: contentRect(el), children: [] } : null;
    }
    if (tag === "label" && el instanceof HTMLLabelElement && el.control && this.controls.has(idIfAny(el.control)) && (look.handStarts(el, parent) || called(el, tag, tells(names)))) return new Open(el, null, nameOf(el.control), true);
    const role = roleOf(el);
    // An element marked as a control but not listed forms one control with another element.
    if (kind > Kind.Frame || silent.has(role)) return leaf || isMereSign(el) ? null : new Open(el, null, "", false);
    if (role === "img" && !look.shown(el)) return null;
    // Its content would be its name, but is unreadable.
    if (namedByContent.has(role) && look.faint(el)) return null;
    const node: AriaNode = { id: idOf(el), role, tag };
    const name = nameOf(el);
    if (name) node.name = cut(name, 200);
    states(el, tag, role, names, node, look);
    if (role === "img" && !name && leaf) return null;
    return this.insideOf(el, node, name, leaf || some && hushed(el), depth);
  }

  /** Omits content that the name already says. */
  private insideOf(el: Element, node: AriaNode, name: string, leaf: boolean, depth: number): Grown | Open {
    const said = namedByContent.has(node.role) || node.role === "generic";
    return leaf || said && this.count <= this.max && depth < deepest && saysAll(name, el) ? this.ended(node) : new Open(el, node, name, said);
  }

  /** Completes an element with its children. */
  private close({ node, name, said }: Open, below: AriaNode[]): Grown {
    const rest = said ? below.filter((c) => c.role !== "text" || !flat(name).includes(c.name ?? "")) : below;
    if (!node) return rest;
    if (rest.length > 0) node.children = rest;
    return this.ended(node);
  }

  private ended(node: AriaNode): AriaNode | null {
    return node.name || node.children || this.controls.has(node.id ?? 0) || node.role === "separator" ? node : null;
  }
}

const deepest = 800;

const runsOn = (display: string): boolean => display.startsWith("inline") || display === "contents";

/** Whether the name contains all text of an element. */
function saysAll(name: string, el: Element): boolean {
  const n = firstChild(el);
  return n !== null && isText(n) && nextSibling(n) === null && shadowOf(el) === null && flat(name).includes(cut(flat(n.data), 300));
}

/** Adds states of elements that are no controls: a selected row, the head of a folded part. */
function states(el: Element, tag: string, role: string, names: readonly string[], node: AriaNode, look: LayoutCache): void {
  if (names.some((n) => n.startsWith("aria-")) || stateful.has(tag) || role === "switch") {
    const checked = checkedOf(el);
    if (checked) node.checked = checked;
    const expanded = expandedOf(el);
    if (expanded !== undefined) node.expanded = expanded;
    if (el instanceof HTMLOptionElement ? el.selected : attr(el, "aria-selected") === "true") node.selected = true;
    if (attr(el, "aria-pressed") === "true") node.pressed = true;
    if (isSet(attr(el, "aria-current"))) node.current = true;
  }
  if (!look.enabled(el)) node.disabled = true;
  if (role === "heading") node.level = levelOf(el) ?? 2;
}

// Elements with a state but without ARIA attributes.
const stateful = new Set(["input", "summary", "option"]);
