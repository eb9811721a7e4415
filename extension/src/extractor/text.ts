// The text a person reads on the page, in the order it stands there.

import { eachChild, hasAttr, hasBox, isElement, isText, localName, doc } from "./dom";
import { hushed } from "./secrets";
import { flat } from "./strings";
import { maxDepth } from "./list";
import type { Look } from "./visibility";

const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "select", "textarea", "iframe",
  "svg", "datalist", "object", "audio", "video", "canvas"]);

/** A run of text within one block. */
export interface Piece { text: string; el: Element }

/**
 * Calls fn for each block of readable text; a false answer ends the walk. Where
 * skips gives true, what stands in an element is passed over.
 */
export function eachPiece(look: Look, from: Element | null, fn: (p: Piece) => boolean, skips?: (el: Element) => boolean): void {
  let text = "";
  let at: Element | null = null;
  let go = true;
  const flush = (): void => {
    const t = flat(text);
    text = "";
    if (t && at && go) go = fn({ text: t, el: at });
    at = null;
  };
  const walk = (el: Element, depth: number): void => {
    if (depth > maxDepth) return;
    const folded = localName(el) === "details" && !hasAttr(el, "open");
    eachChild(el, (n) => {
      if (!go || folded && !(isElement(n) && localName(n) === "summary")) return;
      if (isText(n)) {
        if (n.data.trim() === "") { text += " "; return; }
        if (!look.readable(el)) return;
        at ??= el;
        text += n.data;
        return;
      }
      if (!isElement(n)) return;
      const tag = localName(n);
      if (tag === "br") { flush(); return; }
      if (skip.has(tag) || hushed(n)) return;
      if (!hasBox(n) && look.style(n).display !== "contents") return;
      if (skips?.(n)) { flush(); return; }
      const d = look.style(n).display;
      // A button's words are its own, even in one line with others.
      const block = tag === "button" || d !== "inline" && d !== "contents" && d !== "inline-block" && d !== "inline-flex";
      if (block) flush(); else if (d !== "inline") text += " ";
      walk(n, depth + 1);
      if (block) flush(); else if (d !== "inline") text += " ";
    });
  };
  const root = from ?? doc.body;
  if (root) walk(root, 0);
  flush();
}

/** Readable text, one block a line, at most max characters. */
export function readable(look: Look, from: Element | null, max: number): string {
  const lines: string[] = [];
  let n = 0;
  eachPiece(look, from, (p) => {
    lines.push(p.text);
    n += p.text.length + 1;
    return n < max;
  });
  return lines.join("\n").slice(0, max);
}

/** What stands in the viewport first, then what is below it. */
export function viewportText(look: Look, max: number): string {
  const seen: string[] = [];
  const below: string[] = [];
  let a = 0;
  let b = 0;
  eachPiece(look, null, (p) => {
    if (look.inView(p.el)) {
      seen.push(p.text);
      a += p.text.length + 1;
    } else if (b < max && look.box(p.el).top >= 0) {
      below.push(p.text);
      b += p.text.length + 1;
    }
    return a < max;
    // Enough of what is below: the many boxes further down needn't be read.
  }, (el) => b >= max && !look.near(el));
  return [...seen, ...below].join(" ").slice(0, max);
}
