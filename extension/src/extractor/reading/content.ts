// The content of a page as Markdown: its main part, without menus, forms and
// hidden text.

import { isMereSign } from "../a11y/ligature";
import { explicitRole, roleOf } from "../a11y/role";
import { hushed } from "../a11y/secrets";
import { pseudo } from "../a11y/visibletext";
import { failure } from "../acting/resolve";
import type { Content, ExtractorError } from "../api";
import {
  all, attr, childrenOf, closest, comesBefore, doc, hasAny, hasAttr, hasBox, holds, isElement, isText, localName, maxDepth, parentOf, textContent,
} from "../dom/dom";
import { nodeOf } from "../dom/ids";
import { flat, loose } from "../dom/strings";
import { styleBefore } from "../dom/styles";
import { LayoutCache } from "../dom/visibility";
import { hrefOf } from "../listing/describe";
import { type Pace, scopesIn, sliced, type Work } from "../schedule/slices";
import { furniture, mainOf, sumsBeside } from "./beside";
import { between } from "./figures";
import { formulaOf } from "./formula";
import { besides, fillsLine, inlined, inLink, isPower, languageOf, ownPart, pictured, remark, ticked, titled, together } from "./kinds";
import { masker } from "./mask";
import { Progress } from "./progress";
import { type Cell, cellsOf, codeCells, grid, gutter, isTable, joined, laysOut, type Row, rowsOf } from "./tables";
import { eachPiece, readable } from "./text";

const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title", "rp", "select", "textarea",
  "input", "button", "iframe", "frame", "datalist", "object", "audio", "video", "canvas", "svg", "meter", "progress"]);

/** Tags that keep their form (a list, code) if the element itself is asked for. */
const kinds = new Set(["ul", "ol", "dl", "pre"]);

/** The most rows read of one table, and the most items of one list. */
const rowsMost = 3000;

type Read = Content | { error: ExtractorError; changed?: boolean };
interface ContentOptions { id?: number; max: number; links: boolean }

/** Reads the page or one element as Markdown; returns a promise if one slice of the page's thread is too short for it. */
export const content = (o: ContentOptions): Read | Promise<Read> => sliced((pace) => reading(o, pace));

function* reading(o: ContentOptions, pace: Pace): Work<Read> {
  const look = new LayoutCache();
  const given = o.id ? nodeOf(o.id) : null;
  if (o.id && !given) return failure("stale_ref", "The element is no longer in the page.");
  const root = given ?? mainOf(look);
  if (!root) return { markdown: "", more: false, title: doc.title };
  const sums = given ? [] : sumsBeside(root, look);
  if (pace.due()) {
    pace.at = doc.root; // nothing was read yet
    yield* pace.rest(look);
  }
  const progress = new Progress(look, pace);
  const w = new Writer(look, o.links, new Set([root, ...sums]), o.max * 2, progress);
  for (const part of [root, ...sums]) if (part === root || !holds(root, part)) yield* w.part(part, part === given);
  pace.at = null;
  const text = masker(yield* scopesIn(pace, look))(w.done());
  return { markdown: text.slice(0, o.max).trimEnd(), more: progress.cut || text.length > o.max, title: doc.title };
}

class Writer {
  private readonly blocks: string[] = [];
  private size = 0;
  private pressed = false; // whether the words on buttons are read
  private line = ""; // the last characters read of the current line
  private last: Text | null = null;

  constructor(
    private readonly look: LayoutCache, private readonly links: boolean, private readonly roots: Set<Element>, private readonly max: number,
    private readonly progress: Progress,
  ) {}

  done(): string {
    return this.blocks.join("\n\n");
  }

  /** Writes one part. If it was asked for itself (given) and is a table, a list or code, it keeps that form. */
  part(el: Element, given: boolean): Work<void> {
    const tag = localName(el);
    return given && (isTable(el, tag) || kinds.has(tag)) ? this.one(el, tag, "", 0) : this.block(el, "", 0);
  }

  private put(s: string): void {
    if (s.trim() === "") return;
    this.blocks.push(s);
    this.size += s.length + 2;
  }

  private hidden(el: Element): boolean {
    const tag = localName(el);
    if (skip.has(tag) && !(tag === "button" && (this.pressed || titled(el))) && !ticked(el, tag) && !(tag === "svg" && pictured(el, tag))) return true;
    if (attr(el, "class") === "mw-editsection") return true; // the edit links beside a wiki's headings
    if (hushed(el) || attr(el, "aria-hidden") === "true" && (this.icon(el) || this.copied(el))) return true;
    if (!hasBox(el) && this.look.style(el).display !== "contents" || isMereSign(el)) return true;
    return !this.roots.has(el) && furniture.has(roleOf(el)) && !remark(el, tag) && !ownPart(el, tag);
  }

  /** Whether the text of el is the name of an icon, which its font draws as a picture. */
  private icon(el: Element): boolean {
    const [font = ""] = this.look.style(el).fontFamily.split(","); // the others are fallbacks
    return /icon|symbol|glyph|awesome/i.test(font) || /icon|symbol/i.test(attr(el, "class") ?? "");
  }

  /** Whether el repeats the text of a sibling, as in a marquee or an endless carousel. */
  private copied(el: Element): boolean {
    const own = textContent(el) ?? "";
    if (own.length < 8 || own.length > 5000 || !/\p{L}{2}/u.test(own)) return false;
    let before = true;
    for (const other of besides(el)) {
      if (other === el) before = false;
      else if ((before || attr(other, "aria-hidden") !== "true") && textContent(other) === own && this.reads(other, own)) return true;
    }
    return false;
  }

  private reads(el: Element, words: string): boolean {
    return flat(readable(this.look, el, words.length)) === flat(words);
  }

  /** The text of n with its spaces collapsed, after the separator that between gives. */
  private said(n: Text): string {
    const t = n.data.replace(/\s+/g, " ");
    const gap = between(this.line, this.last, n);
    this.last = n;
    this.line = (this.line + gap + t).slice(-24);
    return gap + t;
  }

  /** Writes an element's blocks; text between them gathers into paragraphs. */
  *block(el: Element, indent: string, depth: number): Work<void> {
    if (depth > maxDepth || this.size > this.max) return;
    let run = "";
    const flush = (): void => {
      const text = run.replace(/ {2,}/g, " ").trim();
      if (text !== "") this.put(indent + text);
      run = "";
      this.line = "";
    };
    const folded = localName(el) === "details" && !hasAttr(el, "open");
    const children = this.progress.enter(el);
    for (let n = children.next(); n && this.size <= this.max; n = children.next()) {
      if (isText(n)) {
        if (!folded && this.look.readable(el)) run += this.said(n);
        continue;
      }
      if (!isElement(n) || this.hidden(n) || folded && localName(n) !== "summary") continue;
      if (this.progress.due()) yield* this.progress.rest(n);
      const d = this.look.style(n).display;
      const tag = localName(n);
      const instead = this.drawn(n, tag);
      if (tag === "br") flush();
      else if (instead !== "") run += instead;
      else if (tag === "img" || (inlined.test(d) || ticked(n, tag)) && !this.holdsBlock(n)) {
        const apart = !together.test(d);
        if (apart) this.line = "";
        const text = yield* this.inline(n, depth + 1);
        if (apart) this.line = "";
        run += apart ? ` ${text} ` : text;
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
      const said = yield* this.words(n, depth + 1);
      if (said !== "") this.put(`${indent}${"#".repeat(Math.min(6, Math.max(1, Number(level) || 2)))} ${said}`);
    } else if (tag === "ul" || tag === "ol" || tag === "menu") yield* this.list(n, tag === "ol", indent, depth);
    else if (tag === "dl") yield* this.terms(n, indent, depth);
    else if (isTable(n, tag)) yield* this.table(n, indent, depth);
    else if (tag === "pre") this.fence(indent, languageOf(n), yield* this.code(n, depth));
    else if (tag === "hr") this.put(`${indent}---`);
    else if (tag === "blockquote") yield* this.block(n, `${indent}> `, depth + 1);
    else yield* this.block(n, indent, depth + 1);
  }

  /** The words of an element in one line; the words on its buttons if it has no others. */
  private *words(el: Element, depth: number): Work<string> {
    const said = yield* this.oneLine(el, depth);
    if (said !== "" || this.pressed || !hasAny(el, "button")) return said;
    this.pressed = true;
    const pressed = yield* this.oneLine(el, depth);
    this.pressed = false;
    return pressed;
  }

  /** The words of an element in one line, read apart from the text around it. */
  private *oneLine(el: Element, depth: number): Work<string> {
    this.line = "";
    const said = flat(yield* this.inline(el, depth));
    this.line = "";
    return said;
  }

  private fence(indent: string, language: string, code: string): void {
    if (code.trim() !== "") this.put(`${indent}\`\`\`${language}\n${code.replace(/\n+$/, "")}\n${indent}\`\`\``);
  }

  /** Code line by line, whether line breaks or elements make its lines; without buttons, line numbers and prompts. */
  private *code(el: Element, depth: number): Work<string> {
    let out = "";
    if (depth > maxDepth) return out;
    const children = this.progress.enter(el);
    for (let n = children.next(); n && out.length <= this.max; n = children.next()) {
      if (isText(n)) {
        if (this.look.readable(el)) out += n.data.replace(/[\p{Cf}\p{Co}]/gu, "").replace(/\r/g, "").replaceAll("```", "'''");
      } else if (isElement(n)) {
        if (localName(n) === "br") out += "\n";
        else if (!this.hidden(n) && !gutter(n) && !this.prompts(n, el)) {
          if (this.progress.due()) yield* this.progress.rest(n);
          const text = yield* this.code(n, depth + 1);
          if (inlined.test(this.look.style(n).display) && !fillsLine(n, this.look)) out += text;
          else if (text !== "") out += `${out === "" || out.endsWith("\n") ? "" : "\n"}${text}${text.endsWith("\n") ? "" : "\n"}`;
        }
      }
    }
    this.progress.leave();
    return out;
  }

  /** Whether el is a number or a prompt in front of a line of code that the user can't select. */
  private prompts(el: Element, around: Element): boolean {
    return this.look.style(el).userSelect === "none" && this.look.style(around).userSelect !== "none" && /^[\s\d$#%>❯]*$/.test(textContent(el) ?? "");
  }

  /** Writes one item a line; further lines of an item are indented. */
  private *list(el: Element, numbered: boolean, indent: string, depth: number): Work<void> {
    const lines: string[] = [];
    let i = Number(attr(el, "start") ?? "1") || 1;
    const items = childrenOf(el).filter((li) => !this.hidden(li));
    for (const [k, li] of items.entries()) {
      if (lines.length >= rowsMost) {
        this.progress.cut = true;
        lines.push(`${indent}… ${items.length - k} more items`);
        break;
      }
      if (this.progress.due()) yield* this.progress.rest(li);
      const sub = new Writer(this.look, this.links, this.roots, this.max - this.size, this.progress);
      yield* sub.block(li, "", depth + 2);
      const text = sub.blocks.join("\n");
      if (text.trim() === "") continue;
      const mark = numbered ? `${i++}. ` : "- ";
      lines.push(indent + mark + text.split("\n").join(`\n${indent}${" ".repeat(mark.length)}`));
    }
    this.put(lines.join("\n"));
  }

  /** Writes each term of a definition list and its definitions on one line. */
  private *terms(el: Element, indent: string, depth: number): Work<void> {
    const lines: string[] = [];
    let said = false;
    for (const n of all(el, "dt,dd")) {
      if (this.hidden(n) || closest(n, (x) => localName(x) === "dl") !== el) continue;
      if (this.progress.due()) yield* this.progress.rest(n);
      const text = yield* this.words(n, depth + 1);
      if (text === "") continue;
      const term = localName(n) === "dt";
      if (term || lines.length === 0) lines.push(`${indent}- ${text}`);
      else lines[lines.length - 1] += `${said ? "; " : ": "}${text}`;
      said = !term;
    }
    this.put(lines.join("\n"));
  }

  private *table(el: Element, indent: string, depth: number): Work<void> {
    const rows = yield* this.rows(el);
    if (yield* this.codeTable(el, rows, indent, depth)) return;
    const lines = grid(rows);
    if (laysOut(el, lines)) {
      yield* this.block(el, indent, depth + 1);
      return;
    }
    const caption = childrenOf(el).find((c) => localName(c) === "caption");
    if (caption && !this.hidden(caption)) this.put(indent + (yield* this.oneLine(caption, depth + 1)));
    this.besideRows(el, indent, false);
    yield* this.lines(lines, indent, depth);
    const left = rows.length < rowsMost ? 0 : rowsOf(el).length - rows.length;
    if (left > 0) this.put(`${indent}… ${left} more rows`);
    this.besideRows(el, indent, true);
  }

  private *rows(el: Element): Work<Row[]> {
    const out: Row[] = [];
    for (const parts of joined(rowsOf(el))) {
      const shown = parts.filter((r) => !this.hidden(r));
      const [first] = shown;
      if (!first) continue;
      if (this.progress.due()) yield* this.progress.rest(first);
      if (out.length >= rowsMost) {
        this.progress.cut = true;
        break;
      }
      out.push({ group: parentOf(first), cells: shown.flatMap((r) => cellsOf(r).filter((c) => !this.hidden(c))) });
    }
    return out;
  }

  private *lines(lines: (Cell | undefined)[][], indent: string, depth: number): Work<void> {
    const read: (Cell | undefined)[][] = [];
    const pressed = new Map<string, number>();
    for (let i = 0, length = this.size; i < lines.length && length <= this.max; i++) {
      const line = lines[i] ?? [];
      for (const c of line) {
        if (c?.text === undefined) yield* this.cell(c, depth, pressed);
        length += (c?.text?.length ?? 0) + 3;
      }
      read.push(line);
    }
    // Words that the buttons of several rows share name an action; they say nothing about a row.
    const out = read.map((l) => `${indent}| ${l.map((c) => c?.pressed && (pressed.get(c.text ?? "") ?? 0) > 1 ? "" : c?.text ?? "").join(" | ")} |`);
    out.splice(1, 0, `${indent}|${" --- |".repeat(lines[0]?.length ?? 0)}`);
    this.put(out.join("\n"));
  }

  /** Sets the words of a cell. If it has only a button, sets the button's words and counts them in pressed. */
  private *cell(c: Cell | undefined, depth: number, pressed: Map<string, number>): Work<void> {
    if (!c) return;
    if (this.progress.due()) yield* this.progress.rest(c.el);
    const head = localName(c.el) === "th" || explicitRole(c.el) === "columnheader";
    const said = head ? yield* this.words(c.el, depth + 1) : yield* this.oneLine(c.el, depth + 1);
    c.text = said.replace(/\|/g, "\\|");
    if (said !== "" || all(c.el, "button").length !== 1) return;
    c.text = (yield* this.words(c.el, depth + 1)).replace(/\|/g, "\\|");
    c.pressed = true;
    pressed.set(c.text, (pressed.get(c.text) ?? 0) + 1);
  }

  /** Writes the text outside the rows of a table made by roles: before its first row, or (behind) after it. */
  private besideRows(el: Element, indent: string, behind: boolean): void {
    const [first] = rowsOf(el);
    if (!first || localName(el) === "table") return;
    eachPiece(this.look, el, ({ text, el: at }) => {
      if (comesBefore(first, at) === behind) this.put(indent + text);
      return this.size <= this.max;
    }, (e) => explicitRole(e) === "row" || this.hidden(e));
  }

  /** Writes a table as code if it shows code beside line numbers; else returns false. */
  private *codeTable(el: Element, rows: readonly Row[], indent: string, depth: number): Work<boolean> {
    const code = codeCells(el, rows);
    if (!code) return false;
    let text = "";
    for (const line of code) {
      if (text.length > this.max) break;
      const one: string[] = [];
      for (const c of line) one.push(pseudo(styleBefore(c)) + (yield* this.code(c, depth + 1)));
      text += one.join(" ").replace(/\n$/, "") + "\n";
    }
    this.fence(indent, languageOf(el), text);
    return true;
  }

  private holdsBlock(el: Element): boolean {
    return hasAny(el, "p,div,ul,ol,table,h1,h2,h3,h4,h5,h6,pre,blockquote,section,article");
  }

  /** The words of a picture or a formula; "" for other elements. */
  private drawn(el: Element, tag: string): string {
    const picture = tag === "img" ? flat(attr(el, "alt")) : pictured(el, tag);
    if (picture) return this.look.shown(el) && !this.saidBeside(el, picture) ? ` [image: ${picture}] ` : "";
    return formulaOf(el, tag, this.look);
  }

  /** Whether a picture's name repeats the words beside it, as an icon's does. */
  private saidBeside(el: Element, picture: string): boolean {
    for (let p = parentOf(el), up = 0; p && up < 2; p = parentOf(p), up++) {
      const words = flat(textContent(p));
      if (words !== "") return loose(words) === loose(picture);
    }
    return false;
  }

  private *inline(el: Element, depth: number): Work<string> {
    const tag = localName(el);
    if (depth > maxDepth) return "";
    if (ticked(el, tag)) return this.look.shown(el) ? (el as HTMLInputElement).checked ? "[x] " : "[ ] " : "";
    let out = "";
    const front = this.line;
    const children = this.progress.enter(el);
    for (let n = children.next(); n; n = children.next()) {
      if (isText(n)) {
        if (this.look.readable(el)) out += this.said(n);
      } else if (isElement(n)) {
        const inner = localName(n);
        if (inner === "br") out += " ";
        else if (!this.hidden(n)) {
          if (this.progress.due()) yield* this.progress.rest(n);
          const d = this.look.style(n).display;
          const apart = !together.test(d);
          if (apart) this.line = "";
          const text = this.drawn(n, inner) || (yield* this.inline(n, depth + 1));
          if (apart) this.line = "";
          out += apart ? ` ${text} ` : text;
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
    if (tag === "del" || tag === "s" || tag === "strike") return `${lead}~~${text}~~${tail}`;
    if (tag === "rt") return `(${text})`;
    if (tag === "sup" && isPower(front, text, el)) return `^${text}${tail}`;
    if (tag === "sup" && /^\p{Nd}{1,3}$/u.test(text) && inLink(el)) return `${lead}[${text}]${tail}`;
    return lead + text + tail;
  }
}
