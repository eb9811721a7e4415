// What there is to read on a page, as Markdown: the main part, without menus,
// forms and what a person does not see.

import type { Content, ExtractorError } from "./api";
import {
  all, attr, Children, childrenOf, closest, doc, hasAttr, hasBox, holds, isElement, isText, localName, textContent,
} from "./dom";
import { furniture, sumsBeside } from "./beside";
import { hrefOf } from "./describe";
import { nodeOf } from "./ids";
import { maxDepth } from "./walk";
import { masker } from "./mask";
import { textOf } from "./name";
import { failure } from "./resolve";
import { roleOf } from "./role";
import { hushed } from "./secrets";
import { type Pace, restAt, scopesIn, sliced, stride, type Work } from "./slices";
import { flat } from "./strings";
import { Look } from "./visibility";

const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "select", "textarea",
  "input", "button", "iframe", "frame", "datalist", "object", "audio", "video", "canvas", "svg"]);

type Read = Content | { error: ExtractorError; changed?: boolean };
interface ContentOptions { id?: number; max: number; links: boolean }

/** A promise where the page is too large for one slice of its thread. */
export const content = (o: ContentOptions): Read | Promise<Read> => sliced((pace) => reading(o, pace));

function* reading(o: ContentOptions, pace: Pace): Work<Read> {
  const look = new Look();
  const given = o.id ? nodeOf(o.id) : null;
  if (o.id && !given) return failure("stale_ref", "The element is no longer in the page.");
  const root = given ?? mainOf(look);
  if (!root) return { markdown: "", more: false, title: doc.title };
  const sums = given ? [] : sumsBeside(root, look);
  if (pace.due()) {
    pace.at = doc.root; // nothing was read yet
    yield* pace.rest(look);
  }
  const w = new Writer(look, o.links, new Set([root, ...sums]), o.max * 2, new Progress(look, pace));
  for (const part of [root, ...sums]) if (part === root || !holds(root, part)) yield* w.block(part, "", 0);
  pace.at = null;
  const text = masker(yield* scopesIn(pace, look))(w.done());
  return { markdown: text.slice(0, o.max).trimEnd(), more: text.length > o.max, title: doc.title };
}

/** How far nested walks have come, all parts of one work. */
class Progress {
  private steps = 0;
  private readonly levels: Children[] = [];

  constructor(private readonly look: Look, private readonly pace: Pace) {}

  enter(el: Element): Children {
    const children = Children.all(el, localName(el));
    if (children.shadow) this.pace.roots.push(children.shadow);
    this.levels.push(children);
    return children;
  }

  leave(): void { this.levels.pop(); }

  /** Whether the work is to be put down at this element. */
  due(): boolean { return ++this.steps % stride === 0 && this.pace.due(); }

  *rest(at: Element): Work<void> {
    this.pace.at = at;
    yield* restAt(this.levels, this.pace, this.look);
  }
}

/** The part of a page that it is about. */
function mainOf(look: Look): Element | null {
  const mains = [...all(document, "main,[role=main]")].filter((e) => look.shown(e) && textOf(e, 200).length > 50);
  if (mains.length === 1 && mains[0]) return mains[0];
  const articles = [...all(document, "article,[role=article]")].filter((e) => look.shown(e) && closest(e, (x) => x !== e && roleOf(x) === "article") === null);
  const long = articles.filter((e) => (textContent(e) ?? "").length > 400);
  if (long.length === 1 && long[0]) return long[0];
  return doc.body ?? doc.root;
}

class Writer {
  private readonly blocks: string[] = [];
  private size = 0;

  constructor(
    private readonly look: Look, private readonly links: boolean, private readonly roots: Set<Element>, private readonly max: number,
    private readonly progress: Progress,
  ) {}

  done(): string {
    return this.blocks.join("\n\n");
  }

  private put(s: string): void {
    if (s.trim() === "") return;
    this.blocks.push(s);
    this.size += s.length + 2;
  }

  private hidden(el: Element): boolean {
    const tag = localName(el);
    if (skip.has(tag) || hushed(el) || attr(el, "aria-hidden") === "true") return true;
    if (!hasBox(el) && this.look.style(el).display !== "contents") return true;
    return !this.roots.has(el) && furniture.has(roleOf(el));
  }

  /** Writes an element's blocks; text between them gathers into paragraphs. */
  *block(el: Element, indent: string, depth: number): Work<void> {
    if (depth > maxDepth || this.size > this.max) return;
    let run = "";
    const flush = (): void => {
      const text = run.replace(/ {2,}/g, " ").trim();
      if (text !== "") this.put(indent + text);
      run = "";
    };
    const folded = localName(el) === "details" && !hasAttr(el, "open");
    const children = this.progress.enter(el);
    for (let n = children.next(); n && this.size <= this.max; n = children.next()) {
      if (isText(n)) {
        if (!folded && this.look.readable(el)) run += n.data.replace(/\s+/g, " ");
        continue;
      }
      if (!isElement(n) || this.hidden(n) || folded && localName(n) !== "summary") continue;
      if (this.progress.due()) yield* this.progress.rest(n);
      const d = this.look.style(n).display;
      const tag = localName(n);
      if (tag === "br") flush();
      else if (tag === "img" || (d === "inline" || d === "inline-block" || d === "inline-flex" || d === "contents") && !this.holdsBlock(n)) {
        run += yield* this.inline(n, depth + 1);
      } else {
        flush();
        yield* this.one(n, tag, indent, depth);
      }
    }
    this.progress.leave();
    flush();
  }

  private *one(n: Element, tag: string, indent: string, depth: number): Work<void> {
    const level = /^h([1-6])$/.exec(tag)?.[1] ?? (roleOf(n) === "heading" ? attr(n, "aria-level") ?? "2" : "");
    if (level) {
      this.put(`${indent}${"#".repeat(Math.min(6, Math.max(1, Number(level) || 2)))} ${flat(yield* this.inline(n, depth + 1))}`);
    } else if (tag === "ul" || tag === "ol" || tag === "menu") yield* this.list(n, tag === "ol", indent, depth);
    else if (tag === "dl") yield* this.terms(n, indent, depth);
    else if (tag === "table") yield* this.table(n, indent, depth);
    else if (tag === "pre") this.put(`${indent}\`\`\`${languageOf(n)}\n${this.code(n)}\n${indent}\`\`\``);
    else if (tag === "hr") this.put(`${indent}---`);
    else if (tag === "blockquote") yield* this.block(n, `${indent}> `, depth + 1);
    else yield* this.block(n, indent, depth + 1);
  }

  private code(n: Element): string {
    return (textContent(n) ?? "").replace(/[\p{Cf}\p{Co}]/gu, "").replace(/\r/g, "").replace(/\n+$/, "").replaceAll("```", "'''");
  }

  /** Items stand line by line; what stands below the first line of one is indented. */
  private *list(el: Element, numbered: boolean, indent: string, depth: number): Work<void> {
    const lines: string[] = [];
    let i = Number(attr(el, "start") ?? "1") || 1;
    for (const li of childrenOf(el)) {
      if (this.hidden(li)) continue;
      if (this.progress.due()) yield* this.progress.rest(li);
      const sub = new Writer(this.look, this.links, this.roots, this.max - this.size, this.progress);
      yield* sub.block(li, "", depth + 2);
      const text = sub.blocks.join("\n");
      if (text.trim() === "") continue;
      const mark = numbered ? `${i++}. ` : "- ";
      lines.push(indent + mark + text.split("\n").join(`\n${indent}${" ".repeat(mark.length)}`));
      if (lines.length > 500) break;
    }
    this.put(lines.join("\n"));
  }

  /** What is explained and what is said of it stand on one line. */
  private *terms(el: Element, indent: string, depth: number): Work<void> {
    const lines: string[] = [];
    let said = false;
    for (const n of all(el, "dt,dd")) {
      if (this.hidden(n) || closest(n, (x) => localName(x) === "dl") !== el) continue;
      if (this.progress.due()) yield* this.progress.rest(n);
      const text = flat(yield* this.inline(n, depth + 1));
      if (text === "") continue;
      const term = localName(n) === "dt";
      if (term || lines.length === 0) lines.push(`${indent}- ${text}`);
      else lines[lines.length - 1] += `${said ? "; " : ": "}${text}`;
      said = !term;
    }
    this.put(lines.join("\n"));
  }

  private *table(el: Element, indent: string, depth: number): Work<void> {
    const rows = [...all(el, "tr")].filter((r) => closest(r, (x) => localName(x) === "table") === el && !this.hidden(r));
    const cells = rows.slice(0, 300).map((r) => childrenOf(r).filter((c) => (localName(c) === "td" || localName(c) === "th") && !this.hidden(c)));
    const width = Math.max(0, ...cells.map((r) => r.reduce((n, c) => n + spanOf(c), 0)));
    // Tables of one column, or with blocks of pages in them, only lay things out.
    if (width < 2 || all(el, "table,h1,h2,p + p").length > 0) {
      yield* this.block(el, indent, depth + 1);
      return;
    }
    const caption = childrenOf(el).find((c) => localName(c) === "caption");
    if (caption && !this.hidden(caption)) this.put(indent + flat(yield* this.inline(caption, depth + 1)));
    const lines: string[] = [];
    for (const row of cells) {
      if (row.length === 0) continue;
      const texts: string[] = [];
      for (const c of row) {
        if (this.progress.due()) yield* this.progress.rest(c);
        texts.push(flat(yield* this.inline(c, depth + 1)).replace(/\|/g, "\\|"), ...Array<string>(spanOf(c) - 1).fill(""));
      }
      lines.push(`${indent}| ${[...texts, ...Array<string>(width - texts.length).fill("")].join(" | ")} |`);
      if (lines.length === 1) lines.push(`${indent}|${" --- |".repeat(width)}`);
    }
    this.put(lines.join("\n"));
  }

  private holdsBlock(el: Element): boolean {
    return all(el, "p,div,ul,ol,table,h1,h2,h3,h4,h5,h6,pre,blockquote,section,article").length > 0;
  }

  private *inline(el: Element, depth: number): Work<string> {
    const tag = localName(el);
    if (depth > maxDepth) return "";
    if (tag === "img") {
      const alt = flat(attr(el, "alt"));
      return alt && this.look.shown(el) ? ` [image: ${alt}] ` : "";
    }
    let out = "";
    const children = this.progress.enter(el);
    for (let n = children.next(); n; n = children.next()) {
      if (isText(n)) {
        if (this.look.readable(el)) out += n.data.replace(/\s+/g, " ");
      } else if (isElement(n)) {
        if (localName(n) === "br") out += " ";
        else if (!this.hidden(n)) {
          if (this.progress.due()) yield* this.progress.rest(n);
          const d = this.look.style(n).display;
          const text = yield* this.inline(n, depth + 1);
          out += d === "inline" || d === "contents" ? text : ` ${text} `;
        }
      }
    }
    this.progress.leave();
    const text = flat(out);
    if (text === "") return out === "" ? "" : " ";
    const lead = /^\s/.test(out) ? " " : "";
    const tail = /\s$/.test(out) ? " " : "";
    if (tag === "a" && this.links) {
      const href = hrefOf(el);
      if (/^https?:/.test(href) && href.length < 300) return `${lead}[${text}](${href})${tail}`;
    }
    if (tag === "code" || tag === "kbd" || tag === "samp") return `${lead}\`${text.replaceAll("`", "'")}\`${tail}`;
    return lead + text + tail;
  }
}

/** How many columns a cell takes, within reason. */
const spanOf = (cell: Element): number => Math.min(20, Math.max(1, Number(attr(cell, "colspan") ?? "1") || 1));

/** The language that a block of code is marked with, as highlighters do. */
function languageOf(pre: Element): string {
  for (const el of [pre, ...childrenOf(pre)]) {
    const m = /(?:^|\s)(?:language|lang)-([a-z0-9+#-]{1,20})(?:\s|$)/i.exec(attr(el, "class") ?? "");
    if (m?.[1]) return m[1].toLowerCase();
  }
  return "";
}
