// The page as a tree of roles and names, as assistive technology has it.

import type { AriaNode, AriaTree } from "./api";
import {
  all, attr, attrNames, Children, closest, doc, firstChild, hasAttr, hasAttrs, holds, isElement, isText, localName, nextSibling, shadowOf,
} from "./dom";
import { hintOf } from "./known";
import { checkedOf, drawnHint, expandedOf, fields, hrefOf, saidBeside, saidBy, standIn, valueOf } from "./describe";
import { drawings, fills, isDrawing, isWrapperOf, letsThrough, ownAction } from "./distinct";
import { overPage } from "./covered";
import { takesKeys } from "./editors";
import { markFieldOptions } from "./fieldlist";
import { find } from "./locate";
import { idOf, nodeOf } from "./ids";
import { called, Kind, markedKind, tells } from "./interactive";
import { lately } from "./likeness";
import { show } from "./redraw";
import { contentRect } from "./list";
import { innerCombobox, nameOf, onlyText } from "./name";
import { hearsWithin, PressTargets } from "./presstargets";
import { isEditingHost, levelOf, namedByContent, roleOf } from "./role";
import { hushed, secretOf } from "./secrets";
import { type Pace, restAt, sliced, stride, type Work } from "./slices";
import { cut, flat, shortHref } from "./strings";
import { Look } from "./visibility";
import { marked, ownInside, unread } from "./walk";

const skipped = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "br", "wbr", "source",
  "track", "param", "datalist", "defs", "symbol"]);
const leaves = new Set(["select", "textarea", "canvas", "audio", "video", "img", "input", "svg", "iframe", "frame"]);
// Wrappers that say nothing by themselves.
const silent = new Set(["generic", "document", "rowgroup", "strong", "emphasis", "code", "presentation", "none", "subscript", "superscript", "insertion", "deletion", "time"]);

export interface TreeOptions { scopeId?: number; scope?: string; max: number }

/** A promise where the page is too large for one slice of its thread. */
export const tree = (o: TreeOptions): AriaTree | Promise<AriaTree> => sliced((pace) => growing(o, pace));

export function* growing(o: TreeOptions, pace: Pace): Work<AriaTree> {
  const look = new Look();
  const from = o.scopeId ? nodeOf(o.scopeId) : o.scope ? find(o.scope, look) : doc.body ?? doc.root;
  markFieldOptions(look);
  const g = new Grower(look, o.max, pace, from instanceof Element && !holds(from, look.modal));
  if (!o.scopeId && !o.scope && !look.modal) g.over = yield* overPage(look, pace);
  // A page that is written in as a whole is a field itself, as the frame of an editor is.
  const top = from instanceof Element ? yield* o.scopeId || o.scope || isEditingHost(from) ? g.one(from, null, 0) : g.kids(from, 0, null) : null;
  pace.at = null;
  const out: AriaTree = { nodes: top === null ? [] : Array.isArray(top) ? top : [top], truncated: g.truncated, nodeCount: g.count, seen: lately() };
  if (g.modal || g.over) out.modal = true;
  return out;
}

const none: readonly string[] = [];

/** What an element is in the tree: nothing, a node, or what stands in it. */
type Grown = AriaNode | AriaNode[] | null;

/** An element of which it is still to be seen what stands in it; a wrapper without a role has no node. */
class Open {
  constructor(readonly el: Element, readonly tag: string, readonly node: AriaNode | null, readonly name: string, readonly said: boolean,
    readonly control: Control | null = null) {}
}

/** A control that the walk is in, with how many are in it, and the last of those. */
interface Control { el: Element; kind: Kind; role: string; name: string; holds: number; last: Control | null; wraps: boolean }

class Grower {
  count = 0;
  truncated = false;
  private steps = 0;
  private readonly levels: Children[] = []; // those that the walk is in
  private readonly inside: Control[] = []; // the controls that it is in
  private readonly targets: PressTargets;
  private drawn: Map<Element, Element | null> | undefined; // where a drawing has its control lying over it

  /** whole: what is read may be behind a modal dialog, since it was asked for by itself. */
  constructor(private readonly look: Look, private readonly max: number, private readonly pace: Pace, private readonly whole: boolean) {
    this.targets = new PressTargets(look);
  }

  /** The modal dialog without which the rest of the page is not read. */
  get modal(): Element | null { return this.whole ? null : this.look.modal; }

  /** What lies over the page, whatever it is made of, and keeps all the rest from being pressed. */
  over: Element[] | null = null;

  /** Whether it is neither in nor around what lies over the page. */
  private isBehind(el: Element): boolean {
    return this.over !== null && !this.over.some((o) => holds(o, el) || holds(el, o));
  }

  /** What stands in el; text that runs on in one block is one node. parent: null where the walk begins, as for one. */
  *kids(el: Element, depth: number, parent: Element | null = el): Work<AriaNode[]> {
    const out: AriaNode[] = [];
    let text = "";
    const flush = (): void => {
      const t = flat(text);
      text = "";
      if (t) out.push({ role: "text", name: cut(t, 300) });
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
        // White space between elements is most of the text nodes, and seen or not it parts words alike.
        if (folded) continue;
        if (n.data.trim() === "") text += text && " ";
        else if (this.look.readable(el)) text += n.data;
        continue;
      }
      if (!isElement(n) || folded && localName(n) !== "summary") continue;
      if (++this.steps % stride === 0 && this.pace.due()) {
        this.pace.at = n;
        yield* restAt(this.levels, this.pace, this.look);
      }
      if (children.plain) this.look.within(n, el);
      const met = this.meet(n, parent, depth + 1);
      const made = met instanceof Open ? this.close(met, this.plain(n, depth + 1) ?? (yield* this.kids(n, depth + 1))) : met;
      if (made === null) continue;
      // A wrapper without a role: its text runs on in that of its parent, when inline.
      if (Array.isArray(made) && made.every((m) => m.role === "text") && runsOn(this.look.style(n).display)) for (const m of made) text += ` ${m.name ?? ""} `;
      else {
        flush();
        if (Array.isArray(made)) out.push(...made);
        else out.push(made);
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

  /** kids of an element that holds one text and nothing else, as most do: there is nothing to pause at. */
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

  /** What an element is. parent: whose pointer its own is another than, where that makes it a control; null where the walk begins. */
  private meet(el: Element, parent: Element | null, depth: number): Grown | Open {
    const { look } = this;
    const tag = localName(el);
    if (skipped.has(tag)) return null;
    const some = hasAttrs(el);
    const names = some ? attrNames(el) : none;
    if (names.includes("aria-hidden") && attr(el, "aria-hidden") === "true" || names.includes("inert")) return null;
    if (this.modal && look.behind(el) && !holds(el, this.modal) || this.isBehind(el)) return null;
    const told = tells(names);
    let kind = markedKind(el, tag, told);
    const boxed = look.boxed(el, kind !== Kind.None);
    const contents = !boxed && look.style(el).display === "contents";
    const label = (tag === "input" || tag === "textarea" || tag === "div" && some && takesKeys(el)) && !look.shown(el) ? standIn(el, look) : el;
    if (!boxed && !contents && !look.shown(label)) return null;
    this.count++;
    // The cursor costs more than most: it is asked only where nothing else tells.
    const behaves = kind === Kind.None && tag !== "body" && tag !== "html" && (look.handStarts(el, parent) || called(el, tag, told) || this.targets.is(el, tag) || ownInside(el, tag, this.inside.at(-1), look));
    if (behaves && tag === "label" && el instanceof HTMLLabelElement && el.control && usable(el.control, look)) return new Open(el, tag, null, nameOf(el.control), true);
    if (behaves && !this.partOfControl(el)) kind = Kind.Behaviour;
    const role = roleOf(el);
    if (kind === Kind.Frame) {
      if (!look.shown(el)) return null;
      return { id: idOf(el), role: "iframe", tag, name: cut(nameOf(el), 100), frameOf: true, rect: contentRect(el), children: [] };
    }
    const active = kind !== Kind.None && (look.shown(el) || look.shown(label));
    // A drawing is one thing, unless parts of it say what they are.
    const leaf = leaves.has(tag) && !(tag === "svg" && (marked(el) || hearsWithin(el)));
    if (!active && (silent.has(role) || role === "generic")) return leaf ? null : new Open(el, tag, null, "", false);
    if (!active && role === "img" && !look.shown(el)) return null;
    // What stands in it would be its name, though nobody can read that.
    if (active ? unread(el, kind, look, tag) : namedByContent.has(role) && look.faint(el)) return null;
    const node: AriaNode = { id: idOf(el), role, tag };
    const name = nameOf(el);
    if (name) node.name = cut(name, 200);
    let control: Control | null = null;
    if (active) {
      node.active = true;
      show(el, name, look, undefined, role);
      control = { el, kind, role, name, holds: 0, last: null, wraps: false };
      const outer = this.inside.at(-1);
      if (outer && isWrapperOf(outer, control)) {
        if (letsThrough(control, look)) return null;
        outer.wraps = true;
      }
      for (const c of this.inside) {
        c.holds++;
        c.last = control;
      }
    }
    facts(el, tag, role, names, node, look);
    const chosen = node.value ? "" : saidBy(label, el, role, name) || (role === "combobox" && innerCombobox(el) ? saidBeside(el, name) : "");
    if (chosen) node.value = chosen;
    if (role === "img" && !name && !active && leaf) return null;
    // What its name says already isn't said again.
    const said = namedByContent.has(role) || role === "generic";
    if (!leaf && !(some && hushed(el)) && !(said && this.count <= this.max && depth < deepest && saysAll(name, el))) {
      if (control) this.inside.push(control);
      return new Open(el, tag, node, name, said, control);
    }
    return this.ended(el, tag, node);
  }

  /** Whether what only behaves like a control is part of the one around it, with nothing of its own to say. */
  private partOfControl(el: Element): boolean {
    if (ownAction(el)) return false;
    this.drawn ??= drawings(all(document, "input"), this.look);
    if (this.drawn.size > 0 && isDrawing(el, this.drawn, this.look)) return true;
    const outer = this.inside.at(-1);
    if (outer && (outer.kind !== Kind.Behaviour || outer.name !== "" && nameOf(el) === outer.name)) return true;
    const label = closest(el, (e) => localName(e) === "label");
    return label instanceof HTMLLabelElement && label.control !== null && usable(label.control, this.look);
  }

  /** Whether a control is the wrapper of another one, which is what one means. */
  private wraps(c: Control): boolean {
    const only = c.holds === 1 ? c.last : null;
    return only !== null && only.kind !== Kind.Behaviour && (c.name !== "" && only.name === c.name || fills(only.el, c.el, this.look));
  }

  /** An element with what was found in it. */
  private close({ el, tag, node, name, said, control }: Open, below: AriaNode[]): Grown {
    if (control) this.inside.pop();
    const rest = said ? below.filter((c) => c.role !== "text" || !flat(name).includes(c.name ?? "")) : below;
    if (!node) return rest;
    if (control && (control.wraps || this.wraps(control))) {
      for (const c of this.inside) c.holds--;
      return rest;
    }
    if (rest.length > 0) node.children = rest;
    return this.ended(el, tag, node);
  }

  private ended(el: Element, tag: string, node: AriaNode): AriaNode | null {
    if (node.name || node.children) return node;
    if (!node.active) return node.role === "separator" ? node : null;
    const hint = hintOf(el, node.role, tag, this.look) || (node.role === "textbox" ? drawnHint(el, tag) : "");
    if (hint) node.hint = hint;
    return node;
  }
}

const deepest = 800;

/** Whether a label's control is one of the tree's. */
const usable = (control: Element, look: Look): boolean => look.shown(control) || look.shown(standIn(control, look));

const runsOn = (display: string): boolean => display.startsWith("inline") || display === "contents";

/** A name that holds all that stands in an element: one run of text. */
function saysAll(name: string, el: Element): boolean {
  const n = firstChild(el);
  return n !== null && isText(n) && nextSibling(n) === null && shadowOf(el) === null && flat(name).includes(cut(flat(n.data), 300));
}

function facts(el: Element, tag: string, role: string, names: readonly string[], node: AriaNode, look: Look): void {
  if (names.some((n) => n.startsWith("aria-")) || stateful.has(tag)) {
    const checked = checkedOf(el);
    if (checked) node.checked = checked;
    const expanded = expandedOf(el);
    if (expanded !== undefined) node.expanded = expanded;
    if (el instanceof HTMLOptionElement ? el.selected : attr(el, "aria-selected") === "true") node.selected = true;
    if (attr(el, "aria-pressed") === "true") node.pressed = true;
    if (attr(el, "aria-current") !== null && attr(el, "aria-current") !== "false") node.current = true;
  }
  if (!look.enabled(el)) node.disabled = true;
  if (role === "heading") node.level = levelOf(el) ?? 2;
  const secret = names.length > 0 || fields.has(tag) ? secretOf(el) : "";
  if (secret) node.secret = secret;
  else if (role === "textbox" || role === "searchbox" || role === "combobox" || role === "spinbutton" || role === "slider" || role === "listbox") {
    const value = cut(flat(valueOf(el, look)), 200);
    if (value) node.value = value;
  }
  let href = "";
  if (role === "link") closest(el, (e) => (href = hrefOf(e)) !== "");
  if (href) node.href = shortHref(href);
}

// Elements that have a state without any attribute of ARIA.
const stateful = new Set(["input", "summary", "option"]);
