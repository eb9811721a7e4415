// The format of the text in an edited element: its lines and its marks. A new line or
// bold letters don't change the words, but the user sees them.

import { attr, eachChild, hasAttrs, isElement, isText, localName } from "./dom";

const lining = new Set(["p", "div", "li", "ul", "ol", "blockquote", "pre", "tr", "table", "tbody", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "section"]);
const plain = new Set(["div", "span", "br", "tbody", "tr", "section", "p"]);
const styled = /(?:^|;)\s*(font-weight|font-style|font-size|font-family|text-decoration|text-decoration-line|text-align|color|background-color|vertical-align)\s*:\s*([^;]+)/g;
const called = /\b(?:ql-)?(?:align|indent|size|font|color|bg)-[\w-]+/g;
const maxParts = 3000;

/** The text of an edited element, line by line, with empty lines; without overlays such as a placeholder. */
export function linesOf(root: Element): string[] {
  const lines: string[] = [];
  let line = "";
  let open = false;
  const end = (): void => {
    if (open) lines.push(line);
    line = "";
    open = false;
  };
  const visit = (el: Element, depth: number): void => {
    eachChild(el, (c) => {
      if (isText(c)) {
        if (!open && c.data.trim() === "" && c.data.includes("\n")) return; // between two blocks
        line += c.data;
        open ||= c.data !== "";
      } else if (isElement(c) && depth < 200 && !isOver(c)) {
        const tag = localName(c);
        if (tag === "br") open = true;
        if (tag === "br" || lining.has(tag)) end();
        visit(c, depth + 1);
        if (lining.has(tag)) end();
      }
    });
  };
  visit(root, 0);
  end();
  return lines;
}

/** Whether el is an overlay over the text, not a part of it. */
function isOver(el: Element): boolean {
  if (attr(el, "contenteditable") !== "false") return false;
  const s = getComputedStyle(el);
  return s.pointerEvents === "none" && s.position === "absolute";
}

/** How many letters carry each mark. */
export function formatOf(root: Element): Map<string, number> {
  const out = new Map<string, number>();
  let parts = 0;
  const visit = (el: Element, marks: readonly string[], depth: number): void => {
    eachChild(el, (c) => {
      if (++parts > maxParts || depth > 100) return;
      if (isText(c)) for (const m of marks) out.set(m, (out.get(m) ?? 0) + c.data.trim().length);
      else if (isElement(c) && !isOver(c)) {
        const own = marksOf(c);
        visit(c, own.length > 0 ? [...new Set([...marks, ...own])] : marks, depth + 1);
      }
    });
  };
  visit(root, [], 0);
  return out;
}

function marksOf(el: Element): string[] {
  const tag = localName(el);
  const out = plain.has(tag) ? [] : [tag];
  if (!hasAttrs(el)) return out;
  for (const m of (attr(el, "style") ?? "").matchAll(styled)) out.push(`${m[1] ?? ""}: ${(m[2] ?? "").trim()}`);
  for (const m of (attr(el, "class") ?? "").matchAll(called)) out.push(m[0]);
  const list = attr(el, "data-list");
  if (list) out.push(`${list} list`);
  return out;
}

/** Compares the marks of the same words: from are the marks on fewer letters now, to those on more. */
export function reset(was: Map<string, number>, now: Map<string, number>): { from: string; to: string } {
  const more = (a: Map<string, number>, b: Map<string, number>): string => [...a].filter(([m, n]) => n > (b.get(m) ?? 0)).map(([m]) => m).join(" ");
  return { from: more(was, now), to: more(now, was) };
}
