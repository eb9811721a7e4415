// The page as a tree of roles and names, as assistive technology has it.

import type { AriaNode, AriaTree } from "./api";
import {
  attr, attrNames, Children, closest, doc, firstChild, hasAttr, hasAttrs, isElement, isText, localName, nextSibling, shadowOf,
} from "./dom";
import { hintOf } from "./known";
import { ariaIn, checkedOf, expandedOf, hrefOf, standIn, valueOf } from "./describe";
import { takesKeys } from "./editors";
import { find } from "./locate";
import { idOf, nodeOf } from "./ids";
import { acting, Kind, kindOf, tells } from "./interactive";
import { remember } from "./likeness";
import { contentRect } from "./list";
import { nameOf } from "./name";
import { levelOf, namedByContent, roleOf } from "./role";
import { hushed, secretOf } from "./secrets";
import { type Pace, restAt, sliced, stride, type Work } from "./slices";
import { cut, flat, shortHref } from "./strings";
import { Look } from "./visibility";
import { marked } from "./walk";

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
  const g = new Grower(look, o.max, pace);
  const top = from instanceof Element ? yield* o.scopeId || o.scope ? g.one(from, arrow, 0) : g.kids(from, arrow, 0) : null;
  pace.at = null;
  return { nodes: top === null ? [] : Array.isArray(top) ? top : [top], truncated: g.truncated, nodeCount: g.count };
}

/** The cursor over an element. It costs more than most: it is asked only where nothing else tells. */
type Hand = () => string;
const arrow: Hand = () => "auto";

class Grower {
  count = 0;
  truncated = false;
  private steps = 0;
  private readonly levels: Children[] = []; // those that the walk is in

  constructor(private readonly look: Look, private readonly max: number, private readonly pace: Pace) {}

  /** What stands in el; text that runs on in one block is one node. */
  *kids(el: Element, hand: Hand, depth: number): Work<AriaNode[]> {
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
        if (!folded && this.look.readable(el)) text += n.data;
        continue;
      }
      if (!isElement(n) || folded && localName(n) !== "summary") continue;
      if (++this.steps % stride === 0 && this.pace.due()) {
        this.pace.at = n;
        yield* restAt(this.levels, this.pace, this.look);
      }
      const made = yield* this.one(n, hand, depth + 1);
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

  *one(el: Element, hand: Hand, depth: number): Work<AriaNode | AriaNode[] | null> {
    const { look } = this;
    const tag = localName(el);
    const some = hasAttrs(el);
    if (skipped.has(tag) || some && (attr(el, "aria-hidden") === "true" || hasAttr(el, "inert"))) return null;
    const boxed = look.boxed(el);
    const contents = !boxed && look.style(el).display === "contents";
    const label = (tag === "input" || tag === "div" && some && takesKeys(el)) && !look.shown(el) ? standIn(el, look) : el;
    if (!boxed && !contents && !look.shown(label)) return null;
    this.count++;
    const own: Hand = () => look.style(el).cursor;
    const kind = kindOf(el, tag, () => acting(own()) && own() !== hand(), some && tells(attrNames(el)));
    const role = roleOf(el);
    if (kind === Kind.Frame) {
      if (!look.shown(el)) return null;
      return { id: idOf(el), role: "iframe", tag, name: cut(nameOf(el), 100), frameOf: true, rect: contentRect(el), children: [] };
    }
    const active = kind !== Kind.None && (look.shown(el) || look.shown(label));
    // A drawing is one thing, unless parts of it say what they are.
    const leaf = leaves.has(tag) && !(tag === "svg" && marked(el));
    if (!active && (silent.has(role) || role === "generic")) return leaf ? null : yield* this.kids(el, own, depth);
    if (!active && role === "img" && !look.shown(el)) return null;
    const node: AriaNode = { id: idOf(el), role, tag };
    const name = nameOf(el);
    if (name) node.name = cut(name, 200);
    if (active) {
      node.active = true;
      remember(el, name, look);
    }
    facts(el, tag, role, node, look);
    if (role === "img" && !name && !active && leaf) return null;
    // What its name says already isn't said again.
    const said = namedByContent.has(role) || role === "generic";
    if (!leaf && !hushed(el) && !(said && this.count <= this.max && depth < deepest && saysAll(name, el))) {
      const below = yield* this.kids(el, own, depth);
      const rest = said ? below.filter((c) => c.role !== "text" || !flat(name).includes(c.name ?? "")) : below;
      if (rest.length > 0) node.children = rest;
    }
    if (!active && !node.name && !node.children && role !== "separator") return null;
    if (active && !node.name && !node.children) {
      const hint = hintOf(el, role, tag, look);
      if (hint) node.hint = hint;
    }
    return node;
  }
}

const deepest = 800;

const runsOn = (display: string): boolean => display.startsWith("inline") || display === "contents";

/** A name that holds all that stands in an element: one run of text. */
function saysAll(name: string, el: Element): boolean {
  const n = firstChild(el);
  return n !== null && isText(n) && nextSibling(n) === null && shadowOf(el) === null && flat(name).includes(cut(flat(n.data), 300));
}

function facts(el: Element, tag: string, role: string, node: AriaNode, look: Look): void {
  if (ariaIn(el) || stateful.has(tag)) {
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
  const secret = secretOf(el);
  if (secret) node.secret = secret;
  else if (role === "textbox" || role === "searchbox" || role === "combobox" || role === "spinbutton" || role === "slider" || role === "listbox") {
    const value = cut(flat(valueOf(el)), 200);
    if (value) node.value = value;
  }
  let href = "";
  if (role === "link") closest(el, (e) => (href = hrefOf(e)) !== "");
  if (href) node.href = shortHref(href);
}

// Elements that have a state without any attribute of ARIA.
const stateful = new Set(["input", "summary", "option"]);
