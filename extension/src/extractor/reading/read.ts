// Reading one element: text, attribute, HTML, state, options; and scrolling it
// into view.

import { isEditable, isEnabled } from "../a11y/interactive";
import { roleOf } from "../a11y/role";
import { hushed, secretOf } from "../a11y/secrets";
import { failure } from "../acting/resolve";
import type { ElementState, ExtractorError } from "../api";
import { toRect } from "../dom/box";
import {
  attr, attributes, deepActive, doc, firstChild, hasAttr, holds, isConnected, isElement, isText, localName, nextSibling, scrollIntoView, shadowOf,
} from "../dom/dom";
import { drawnText, editorOf, isConsole } from "../dom/editors";
import { nodeOf } from "../dom/ids";
import { cut } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { subjectOf } from "../guard/facts";
import { checkedOf, expandedOf, standIn } from "../listing/describe";
import { attributesOf } from "../listing/details";
import { masked, masker } from "./mask";
import { readable } from "./text";

type Failed = { error: ExtractorError };
const gone = (): Failed => failure("stale_ref", "The element is no longer in the page.");

/** Readable text of an element, or of the page, one block a line. */
export function text(o: { id?: number; max: number }): { text: string; more: boolean } | Failed {
  const el = o.id ? nodeOf(o.id) : null;
  if (o.id && !el) return gone();
  const look = new LayoutCache();
  const box = el && editorOf(el, look);
  const s = masker()(el && box ? drawnText(box, el, look) : readable(look, el, o.max + 1));
  return { text: s.slice(0, o.max), more: s.length > o.max };
}

/** An attribute as the page wrote it; null when there is none. Secrets are masked. */
export function attribute(o: { id: number; name: string }): { value: string | null; masked?: boolean } | Failed {
  const el = nodeOf(o.id);
  if (!el) return gone();
  if (!hasAttr(el, o.name)) return { value: null };
  const raw = attr(el, o.name) ?? "";
  if (attributesOf(el)[o.name.toLowerCase()] === masked || hiddenToken(el, o.name.toLowerCase())) return { value: masked, masked: true };
  const value = masker()(raw);
  return value === raw ? { value } : { value, masked: true };
}

/** Whether an attribute may hold a token (against forgery, of a session): these are keys, not content. */
function hiddenToken(el: Element, name: string): boolean {
  const tag = localName(el);
  if (name === "value" && tag === "input" && attr(el, "type")?.toLowerCase() === "hidden") {
    return /csrf|xsrf|token|nonce|session|auth|secret|apikey|api_key/i.test(`${attr(el, "name") ?? ""} ${attr(el, "id") ?? ""}`);
  }
  if (name === "content" && tag === "meta") return /csrf|xsrf|token|nonce|auth/i.test(attr(el, "name") ?? "");
  return name === "nonce";
}

const voidTags = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
const emptied = new Set(["script", "style", "noscript", "template"]);
const escapeText = (s: string): string => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const escapeAttr = (s: string): string => s.replace(/&/g, "&amp;").replace(/"/g, "&quot;");

/** Attributes that draw an element, and how many characters of each a reader of its HTML gets. */
const shape = /^(?:style|d|points)$/;
const mostShape = 60;

/**
 * The HTML of an element. Scripts and styles come without their content, and
 * comments not at all: nobody sees them, and pages hide instructions there.
 */
export function html(o: { id?: number; inner?: boolean; max: number }): { html: string; more: boolean } | Failed {
  const el = o.id ? nodeOf(o.id) : doc.root;
  if (!el) return gone();
  const mask = masker();
  let out = "";
  const put = (s: string): void => { if (out.length <= o.max) out += s; };
  const kids = (e: Element, depth: number): void => {
    if (depth > 500 || out.length > o.max || emptied.has(localName(e))) return;
    if (hushed(e) || e instanceof HTMLTextAreaElement && secretOf(e)) { put(masked); return; }
    const root = shadowOf(e);
    if (root) {
      put('<template shadowrootmode="open">');
      for (let n = firstChild(root); n; n = nextSibling(n)) one(n, depth + 1);
      put("</template>");
    }
    for (let n = firstChild(e); n; n = nextSibling(n)) one(n, depth + 1);
  };
  const one = (n: Node, depth: number): void => {
    if (out.length > o.max) return;
    if (isText(n)) put(escapeText(mask(n.data)));
    if (!isElement(n)) return;
    const tag = localName(n);
    let open = `<${tag}`;
    const shown = attributesOf(n);
    for (const a of attributes(n)) {
      const long = /^(?:data|blob|javascript):/i.test(a.value) ? a.value.slice(0, a.value.search(/[,;]|$/) + 1) + "…" : cut(shown[a.name] ?? "", shape.test(a.name) ? mostShape : Infinity);
      open += ` ${a.name}="${escapeAttr(hiddenToken(n, a.name) ? masked : mask(long))}"`;
    }
    put(open + ">");
    if (voidTags.has(tag)) return;
    kids(n, depth);
    put(`</${tag}>`);
  };
  if (o.inner) kids(el, 0);
  else one(el, 0);
  return { html: out.slice(0, o.max), more: out.length > o.max };
}

/** The state of an element: visible, in view, enabled, editable, focused, expanded, checked. */
export function state(o: { id: number }): ElementState | Failed {
  const el = nodeOf(o.id);
  if (!el) return gone();
  const look = new LayoutCache();
  const it = subjectOf(el);
  const where = standIn(it, look);
  const out: ElementState = {
    visible: look.shown(where), inView: look.shown(where) && look.inView(where), rect: toRect(look.box(where)),
    enabled: isEnabled(it) && !look.inert(it), editable: isEditable(it),
  };
  if (editorOf(it, look)) out.editor = true;
  if (out.editor && isConsole(it)) out.console = true;
  const active = deepActive();
  if (active === it) out.focused = true;
  else if (active && holds(it, active) && (isEditable(active) || active instanceof HTMLInputElement)) out.entered = true;
  if (expandedOf(it) === true) out.expanded = true;
  const checked = checkedOf(it) ?? pressedOf(it);
  if (checked) out.checked = checked;
  return out;
}

function pressedOf(el: Element): "true" | "false" | "mixed" | undefined {
  const role = roleOf(el);
  const v = attr(el, role === "option" || role === "tab" || role === "gridcell" || role === "row" ? "aria-selected" : "aria-pressed");
  return v === "true" || v === "false" || v === "mixed" ? v : undefined;
}

/** Scrolls an element to the middle of its viewport; one in view moves as little as possible unless o.always. */
export function intoView(o: { id: number; always?: boolean }): { ok: true; inView: boolean } | Failed {
  const el = nodeOf(o.id);
  if (!el) return gone();
  const where = standIn(el, new LayoutCache());
  if (o.always || !new LayoutCache().inView(where)) scrollIntoView(where, { block: "center", inline: "nearest", behavior: "instant" });
  else scrollIntoView(where, { block: "nearest", inline: "nearest", behavior: "instant" });
  return { ok: true, inView: isConnected(where) && new LayoutCache().inView(where) };
}

export const viewport = (): { width: number; height: number } => ({ width: innerWidth, height: innerHeight });
