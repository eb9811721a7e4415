// The text that the user sees on the page, in its order there, without the words that an icon font draws as signs.

import { isMereSign } from "../a11y/ligature";
import { hushed } from "../a11y/secrets";
import {
  all, attr, Children, closest, doc, firstElement, hasAttr, holds, localName, maxDepth, nextElement, nodeType, speaks, textContent,
} from "../dom/dom";
import { flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { drain, type Pace, restAt, stride, type Work } from "../schedule/slices";
import { between, spaceBetween } from "./figures";

const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "rp", "select", "textarea", "iframe",
  "svg", "datalist", "object", "audio", "video", "canvas", "meter", "progress"]);

/** A run of text within one block. */
export interface Piece { text: string; el: Element }

type Each = (p: Piece) => boolean;

/**
 * Calls fn for each block of readable text until it returns false. Elements for
 * which skips returns true are passed over with their content.
 */
export const eachPiece = (look: LayoutCache, from: Element | null, fn: Each, skips?: (el: Element) => boolean): void => {
  drain((pace) => pieces(look, from, fn, skips, pace));
};

// The gap on both sides of an element: nothing, a space, or the end of a block.
const enum Gap { None, Space, Block }

interface Level { el: Element; children: Children; gap: Gap; folded: boolean }

/** The most texts of a drawing that are read. */
const mostLettered = 100;

/** The visible text elements of a drawing, in document order. */
export function lettering(svg: Element, look: LayoutCache): Element[] {
  const out: Element[] = [];
  for (const t of all(svg, "text")) if (out.length < mostLettered && flat(textContent(t)) !== "" && look.shown(t)) out.push(t);
  return out;
}

function* pieces(look: LayoutCache, from: Element | null, fn: Each, skips: ((el: Element) => boolean) | undefined, pace: Pace): Work<void> {
  let text = "";
  let at: Element | null = null;
  let last: Text | null = null;
  let go = true;
  const split = (gap: Gap): void => {
    if (gap === Gap.Space) text += " ";
    if (gap !== Gap.Block) return;
    const t = flat(text);
    text = "";
    if (t && at && go) go = fn({ text: t, el: at });
    at = null;
  };
  const levels: Level[] = [];
  const enter = (el: Element, tag: string, gap: Gap): void => {
    levels.push({ el, children: Children.all(el, tag), gap, folded: tag === "details" && !hasAttr(el, "open") });
  };
  const root = from ?? doc.body;
  if (root) enter(root, localName(root), Gap.None);
  let steps = 0;
  for (let top = levels.at(-1); top && go; top = levels.at(-1)) {
    const n = top.children.next();
    if (!n) {
      levels.pop();
      split(top.gap);
      continue;
    }
    const type = nodeType(n);
    if (type === Node.TEXT_NODE) {
      if (top.folded) continue;
      const { data } = n as Text;
      if (data.trim() === "") text += " ";
      else if (look.readable(top.el)) {
        at ??= top.el;
        text += (between(text, last, n as Text) || spaceBetween(text, last, n as Text)) + data;
        last = n as Text;
      }
      continue;
    }
    if (type !== Node.ELEMENT_NODE) continue;
    const el = n as Element;
    const tag = localName(el);
    if (top.folded && tag !== "summary") continue;
    if (tag === "br") {
      split(Gap.Block);
      continue;
    }
    if (tag === "svg" && look.shown(el)) {
      split(Gap.Block);
      for (const t of lettering(el, look)) if (go) go = fn({ text: flat(textContent(t)), el: t });
      continue;
    }
    if (skip.has(tag) || speaks(el) && hushed(el)) continue;
    if (!look.boxed(el) && look.style(el).display !== "contents") continue;
    if (isMereSign(el)) {
      text += " ";
      continue;
    }
    if (++steps % stride === 0 && pace.due()) {
      yield* restAt(levels.map((l) => l.children), pace, look);
    }
    if (skips?.(el)) {
      split(Gap.Block);
      continue;
    }
    const d = look.style(el).display;
    // A button is a block even if it is in a line with other text.
    const block = tag === "button" || d !== "inline" && d !== "contents" && !d.startsWith("ruby") && d !== "inline-block" && d !== "inline-flex";
    const gap = block ? Gap.Block : d !== "inline" && d !== "ruby" ? Gap.Space : Gap.None;
    split(gap);
    if (levels.length <= maxDepth) enter(el, tag, gap);
  }
  split(Gap.Block);
}

/** Readable text, one block a line, at most max characters. */
export function readable(look: LayoutCache, from: Element | null, max: number): string {
  const lines: string[] = [];
  let n = 0;
  eachPiece(look, from, (p) => {
    lines.push(p.text);
    n += p.text.length + 1;
    return n < max;
  });
  return lines.join("\n").slice(0, max);
}

/** Live regions: passing messages to the user. */
const live = "[role=status],[role=alert],[aria-live=polite],[aria-live=assertive]";
/** Classes of passing messages; pages add these close to the root. */
const toast = /toast|snackbar/i;
const toastDepth = 4;
const mostAsked = 300;
const mostLive = 40;
const liveRoom = 200;

/** The toasts and live regions of a page, without live regions inside others. */
function liveParts(): Element[] {
  const out: Element[] = [];
  let level = doc.body ? [doc.body as Element] : [];
  for (let depth = 0, asked = 0; depth < toastDepth && asked < mostAsked; depth++) {
    const below: Element[] = [];
    for (const e of level) {
      for (let c = firstElement(e); c && asked < mostAsked; c = nextElement(c), asked++) {
        if (toast.test(attr(c, "class") ?? "")) out.push(c);
        else below.push(c);
      }
    }
    level = below;
  }
  const found = all(document, live);
  for (let i = 0; i < found.length && i < mostLive; i++) {
    const el = found[i] as Element;
    if (!out.some((o) => holds(o, el))) out.push(el);
  }
  return out;
}

/** The texts of live regions and toasts in view, and the elements that have one. */
function liveText(look: LayoutCache): { said: string[]; parts: Element[] } {
  const said: string[] = [];
  const parts: Element[] = [];
  for (const el of liveParts()) {
    if (said.join(" ").length >= liveRoom) break;
    if (!look.shown(el) || !look.inView(el)) continue;
    const t = readable(look, el, liveRoom).replaceAll("\n", " ");
    if (t === "") continue;
    parts.push(el);
    if (!said.includes(t)) said.push(t);
  }
  return { said, parts };
}

const asides = new Set(["nav", "header", "footer", "aside"]);
const asideRoles = new Set(["navigation", "banner", "contentinfo", "complementary"]);
/** The header and footer of these are part of their content. */
const sections = new Set(["article", "main", "section", "dialog"]);

/** Whether el is beside the page's main content. */
function isAside(el: Element): boolean {
  if (hasAttr(el, "role")) return asideRoles.has(attr(el, "role") ?? "");
  const tag = localName(el);
  return asides.has(tag) && !((tag === "header" || tag === "footer") && closest(el, (e) => sections.has(localName(e))));
}

/** At most max characters of text: first messages in view, then main text in view, then text beside it, then text below the viewport. */
export function* viewportText(look: LayoutCache, max: number, pace: Pace, over: readonly Element[] | null = null): Work<string> {
  const { said: now, parts } = liveText(look);
  const seen: string[] = [];
  const below: string[] = [];
  const beside: Element[] = [];
  let a = now.join(" ").length;
  let b = 0;
  const each = (p: Piece): boolean => {
    if (over && !over.some((o) => holds(o, p.el))) return true;
    if (look.inView(p.el)) {
      if (!parts.some((e) => holds(e, p.el))) {
        seen.push(p.text);
        a += p.text.length + 1;
      }
    } else if (b < max && look.box(p.el).top >= 0) {
      below.push(p.text);
      b += p.text.length + 1;
    }
    return a < max;
  };
  // With enough text from below, boxes further down needn't be read.
  const enough = (el: Element): boolean => b >= max && !look.near(el);
  yield* pieces(look, null, each, (el) => {
    const aside = isAside(el);
    if (aside) beside.push(el);
    return aside || enough(el);
  }, pace);
  for (const el of beside) if (a < max) yield* pieces(look, el, each, enough, pace);
  return [...now, ...seen, ...below].join(" ").slice(0, max + 1); // one more, so that the host sees that it is cut
}
