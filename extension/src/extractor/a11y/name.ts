// Accessible names, by the steps of accname: labelledby, label, the native
// ways, content, title. And the visible text of an element.

import {
  all, attr, byId, eachChild, firstChild, firstWithin, hasAttr, hasAttrs, hasBox, isElement, isHTML, isPainted, isText, localName, nextSibling,
  nodeType, rectOf, rootOf, shadowOf, slotted, speaks, textContent,
} from "../dom/dom";
import { fieldLabel } from "./fieldlabel";
import { between, isNextFigure } from "../reading/figures";
import { activates, hasHandlerAttr, isAside, isEditable } from "./interactive";
import { hostLabels, labelsOf } from "./labels";
import { ligatureOf } from "./ligature";
import { inputType, namedByContent, roleOf } from "./role";
import { hushed, secretOf } from "./secrets";
import { cut, cutWithin, flat } from "../dom/strings";
import { styleAfter, styleBefore, styleOf } from "../dom/styles";
import { isDrawnSwitch, wordsBeside } from "./switches";

const skip = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title"]);
/** What stands in the line of what is around it, where no style says so. */
export const inline = new Set(("a abbr b bdi bdo cite code data dfn em font i ins kbd label mark q s samp small span strong sub " +
  "sup time tt u var wbr ruby slot svg img path use g").split(" "));

/** How much of what is hidden a name takes in: nothing, what only aria hides, or all (a hidden label referred to). */
const enum Hidden { Out, Aria, In }

interface Run {
  own: Element;
  visited: Set<Element>;
  hidden: Hidden;
  depth: number;
  left?: boolean; // something that aria hides was left out
  drawn?: boolean; // what an icon font draws was left out
  signs?: boolean; // it is taken in
  row?: boolean; // what the controls in it say is left out
}

/** The accessible name, flattened, at most 200 characters. */
export function nameOf(el: Element, role?: string): string {
  const name = flat(compute(el, role));
  return name.length > 200 && rowRoles.has(role ?? roleOf(el)) ? cutWithin(name, 200) : cut(name, 200);
}

function compute(el: Element, known: string | undefined): string {
  const run: Run = { own: el, visited: new Set(), hidden: Hidden.Out, depth: 0 };
  const some = hasAttrs(el);
  const said = some ? labelledBy(el) || flat(attr(el, "aria-label")) : "";
  if (said) return said;
  const own = nativeName(el, run);
  if (own) return own;
  const role = known ?? roleOf(el);
  const inner = role === "combobox" && !hasAttr(el, "tabindex") ? innerCombobox(el) : null;
  const called = inner && compute(inner, role);
  if (called) return called;
  if (namedByContent.has(role) && !(el instanceof HTMLInputElement) && !(el instanceof HTMLSelectElement)) {
    const row = rowRoles.has(role) ? flat(contentOf(el, { ...run, visited: new Set(), row: true })) : "";
    if (word.test(row)) return row;
    run.left = false;
    const text = wordsOf(el, run);
    const title = some ? flat(attr(el, "title")) : "";
    if (text && !(isSignOnly(el, text) && letters.test(title))) return text;
    if (title) return title;
    // A user reads what is hidden from readers only.
    const shown = run.left ? flat(contentOf(el, { ...run, visited: new Set(), hidden: Hidden.Aria })) : "";
    if (shown) return shown;
  }
  const title = some ? flat(attr(el, "title")) : "";
  if (letters.test(title)) return title;
  const rest = title || (some ? flat(attr(el, "placeholder")) || flat(attr(el, "aria-placeholder")) : "");
  if (letters.test(rest)) return fieldLabel(el, role, true) || rest; // 0.00 says nothing of what is asked for
  return fieldLabel(el, role) || rest || (role === "switch" && isDrawnSwitch(el) ? wordsBeside(el) : "");
}

const letters = /\p{L}/u;
const mask = /^[•●∙·*＊]{4,}$/u;
/** Whether a name is a sign, or what an icon font makes one of: a title says more. */
function isSignOnly(el: Element, text: string): boolean {
  if (!word.test(text)) return !mask.test(text);
  return [el, ...all(el, "[class]")].some((e) => ligatureOf(e) === text);
}

/** Roles that ARIA gives no name, or one that repeats the controls in it: their elements are named by the other words in them. */
const rowRoles = new Set(["generic", "listitem", "row"]);
const word = /[\p{L}\p{N}]/u;
const cells = new Set(["td", "th"]);

/**
 * Whether an element is a control of its own in a row that can be pressed as well: what it says is its own name, and no part of
 * the row's. A link says what the row is about.
 */
function isControl(e: Element): boolean {
  const tag = localName(e);
  if (tag === "label") return e instanceof HTMLLabelElement && e.control !== null;
  if (cells.has(tag) || !hasAttrs(e) && !activates(e)) return false;
  const role = roleOf(e);
  if (role === "link" || role === "gridcell") return false;
  return activates(e) || hasHandlerAttr(e) || Number(attr(e, "tabindex") ?? -1) >= 0 || isAside(e) && (tag === "svg" || !word.test(textContent(e) ?? ""));
}

/** Whether it is a sign of which something is said: an action, or a state, as a rating. */
function isSign(e: Element): boolean {
  const text = hasAttr(e, "title") || hasAttr(e, "aria-label") ? textContent(e) ?? "" : "";
  return text.trim() !== "" && !word.test(text);
}

/** What is left out of the text of a row. */
export const controls = { has: (e: Element): boolean => isControl(e) || isSign(e) };

/** The visible text of an element of that role; of a row without that of its controls, where there is any other. */
export function ownTextOf(el: Element, role: string, max: number): string {
  const text = rowRoles.has(role) ? textOf(el, max, undefined, controls) : "";
  return word.test(text) ? text : textOf(el, max);
}

/** The field of a combobox whose box is called one as well, and which has its label. */
export function innerCombobox(el: Element): Element | null {
  if (localName(el) === "input") return null;
  const found = all(el, "input[role=combobox]");
  return found.length === 1 ? found[0] ?? null : null;
}

function labelledBy(el: Element): string {
  const ids = attr(el, "aria-labelledby");
  if (!ids) return "";
  const scope = rootOf(el);
  const parts: string[] = [];
  for (const id of ids.split(/\s+/)) {
    const ref = id === "" ? null : byId(scope, id);
    if (!ref) continue;
    const sub: Run = { own: el, visited: new Set(), hidden: hasBox(ref) ? Hidden.Out : Hidden.In, depth: 0 };
    const t = ref === el ? flat(attr(el, "aria-label")) || valueIn(el, false, sub) || contentOf(el, sub) : alternative(ref, sub, true);
    if (t) parts.push(flat(t));
  }
  return parts.join(" ");
}

/** The labels of a control as text. */
export function labelText(el: Element): string {
  const out: string[] = [];
  const own = labelsOf(el) ?? [];
  for (const l of own.length > 0 ? own : hostLabels(el)) {
    const t = flat(attr(l, "aria-label")) || wordsOf(l, { own: el, visited: new Set(), hidden: Hidden.Out, depth: 0 }) || flat(attr(l, "title"));
    if (t) out.push(t);
  }
  return out.join(" ");
}

function nativeName(el: Element, run: Run): string {
  const tag = localName(el);
  switch (tag) {
    case "input": {
      const type = inputType(el);
      const field = el as HTMLInputElement;
      if (type === "button" || type === "submit" || type === "reset") {
        return labelText(el) || flat(field.value) || flat(attr(el, "title")) || (type === "submit" ? "Submit" : type === "reset" ? "Reset" : "");
      }
      if (type === "image") return labelText(el) || flat(attr(el, "alt")) || flat(attr(el, "value")) || flat(attr(el, "title")) || "Submit";
      return labelText(el);
    }
    case "select": case "textarea": case "meter": case "progress": case "output": return labelText(el);
    case "button": return labelText(el);
    case "img": case "area": return flat(attr(el, "alt"));
    case "fieldset": return firstOf(el, "legend", run);
    case "table": return firstOf(el, "caption", run);
    case "figure": return firstOf(el, "figcaption", run);
    case "details": return firstOf(el, "summary", run);
    case "optgroup": case "option": return flat(attr(el, "label"));
    case "iframe": return flat(attr(el, "title"));
  }
  return drawings.has(tag) ? svgTitle(el) : "";
}

function firstOf(el: Element, tag: string, run: Run): string {
  const child = all(el, `:scope > ${tag}`)[0];
  if (!child) return "";
  const sub: Run = { ...run, visited: new Set() };
  const text = flat(contentOf(child, sub));
  if (sub.left) run.left = true;
  return text;
}

function svgTitle(el: Element): string {
  const t = all(el, ":scope > title")[0];
  return t ? flat(textContent(t)) : "";
}

/** What an element adds to a name it is part of. */
function alternative(el: Element, run: Run, named: boolean, tag = localName(el), some = speaks(el)): string {
  if (run.visited.has(el) || run.depth > 40) return "";
  run.visited.add(el);
  // Within another name a control is what it is set to, whatever it is called.
  const valued = el !== run.own && (some || values.has(tag)); // what may be set to something
  const value = valued && !named ? valueIn(el, named, run) : null;
  if (value) return value;
  const label = some ? flat(attr(el, "aria-label")) : "";
  if (label) return ` ${label} `; // what nobody sees as text stands apart from the text around it
  if (value !== null) return value;
  if (valued && named) {
    const own = valueIn(el, named, run);
    if (own !== null) return own;
  }
  if (tag === "img" || tag === "area" || tag === "svg" || tag === "fieldset" || tag === "table" || tag === "figure") {
    const own = nativeName(el, run);
    if (own) return ` ${own} `;
  }
  return contentOf(el, run, tag) || (some ? flat(attr(el, "title")) : "");
}

const values = new Set(["input", "textarea", "select", "meter", "progress"]);

/** What a control adds to the name of another one: what it is set to (step 2C); null for what is none. */
function valueIn(el: Element, named: boolean, run: Run): string | null {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return controlValue(el, named, run);
  if (el instanceof HTMLSelectElement) return named ? labelText(el) : [...el.selectedOptions].map((o) => o.text).join(" ");
  if (el instanceof HTMLMeterElement || el instanceof HTMLProgressElement) return named ? labelText(el) : String(el.value);
  const role = named ? null : attr(el, "role");
  switch (role) {
    case "listbox": case "combobox": {
      const chosen = [...all(el, "[role=option][aria-selected=true]")];
      if (chosen.length > 0) return chosen.map((o) => contentOf(o, run)).join(" ");
      return role === "listbox" ? "" : null;
    }
    case "textbox": case "searchbox": return hushed(el) ? "" : contentOf(el, run);
    case "slider": case "spinbutton": case "scrollbar": case "progressbar": case "meter":
      return flat(attr(el, "aria-valuetext")) || flat(attr(el, "aria-valuenow")) || null;
  }
  return null;
}

function controlValue(el: HTMLInputElement | HTMLTextAreaElement, named: boolean, run: Run): string {
  const type = inputType(el);
  if (type === "hidden" || type === "password" || type === "checkbox" || type === "radio" || type === "file") return named ? labelText(el) : "";
  if (named && el !== run.own && (labelsOf(el) ?? []).length > 0) return labelText(el);
  return secretOf(el) ? "" : el.value;
}

/** What an element says, but for what an icon font draws in it, where it says anything else. */
function wordsOf(el: Element, run: Run): string {
  const text = flat(contentOf(el, run));
  return text === "" && run.drawn ? flat(contentOf(el, { ...run, visited: new Set(), signs: true })) : text;
}

function contentOf(el: Element, run: Run, name = localName(el)): string {
  const drawn = drawings.has(name); // style sheets put no text into those
  let out = drawn ? "" : beside(styleBefore(el));
  run.depth++;
  const given = slotted(el, name);
  const add = (n: Node): void => {
    const part = partOf(n, run);
    out += isElement(n) && localName(n) === "a" && isNextFigure(out, part) ? ` ${part}` : part;
  };
  if (given) for (const n of given) add(n);
  else for (let n = firstWithin(el, name); n; n = nextSibling(n)) add(n);
  run.depth--;
  return drawn ? out : out + beside(styleAfter(el));
}

/** What a child adds. */
function partOf(n: Node, run: Run): string {
  const type = nodeType(n);
  if (type === Node.TEXT_NODE) return (n as Text).data;
  if (type !== Node.ELEMENT_NODE) return "";
  const el = n as Element;
  const tag = localName(el);
  if (tag === "br" || tag === "wbr") return " ";
  if (skip.has(tag) || tag === "rt" || tag === "rp" || el === run.own) return "";
  if (run.row && (isControl(el) || isSign(el) && !hasAttr(el, "aria-label"))) return " ";
  const says = speaks(el);
  if (!run.signs && ligatureOf(el) !== "" && !hasAttr(el, "aria-label")) {
    run.drawn = true;
    return " ";
  }
  if (says) {
    if (hushed(el)) return "";
    if (run.hidden === Hidden.Out && attr(el, "aria-hidden") === "true") {
      run.left = true;
      return "";
    }
    // The branches of a tree's item have names of their own.
    if (attr(el, "role") === "group" && roleOf(run.own) === "treeitem") return "";
    // What a field opens within its own label (react-datepicker) is no part of what it is called.
    if (run.own !== el && isEditable(run.own) && /^(?:dialog|listbox|menu|grid|tree)$/.test(attr(el, "role") ?? "")) return "";
  }
  if (run.hidden !== Hidden.In && hiddenBox(el)) {
    // What is not painted may hold what is: visibility can be set again within.
    let out = "";
    if (hasBox(el)) eachVisible(el, (v) => { out += alternative(v, run, false); });
    return out;
  }
  const t = alternative(el, run, false, tag, says);
  return t === "" || isInline(el, tag) ? t : ` ${t} `;
}

const drawings = new Set(["svg", "path", "use", "g", "circle", "rect", "line", "polyline", "polygon", "ellipse", "image"]);

function hiddenBox(el: Element): boolean {
  if (isPainted(el)) return false; // which is known of most by now
  if (hasBox(el)) return isHTML(el) && !visible(el);
  const s = styleOf(el);
  return s.display === "none" || s.visibility === "hidden";
}
const visible = (el: Element): boolean => el.checkVisibility({ visibilityProperty: true });

/** Whether it stands in the line of the text around it. */
export const isInline = (el: Element, tag = localName(el)): boolean => inline.has(tag) && !blocky(el, tag);

/** A span laid out as a block, as all are in a flex box or a grid, separates words as a div does. */
function blocky(el: Element, tag: string): boolean {
  if (drawings.has(tag) || tag === "br" || tag === "wbr") return false;
  const d = styleOf(el).display;
  return d !== "inline" && d !== "contents" && d !== "ruby";
}

/** What is put before or after as a block of its own, as all that is positioned is, separates words. */
function beside(s: CSSStyleDeclaration): string {
  const t = pseudo(s);
  return t === "" || s.display === "inline" ? t : ` ${t} `;
}

/** Text that style sheets put before or after; what stands behind a slash is said in its place. */
export function pseudo(s: CSSStyleDeclaration): string {
  const c = s.content;
  if (c === "none" || c === "normal" || c === "" || c === '""') return "";
  let out = "";
  let instead = false;
  // Strings, pictures (whose addresses may hold quotes), the slash, and the rest.
  for (const [part] of c.matchAll(/"(?:[^"\\]|\\.)*"|[\w-]+\((?:"(?:[^"\\]|\\.)*"|[^)"])*\)|\/|[^\s"]+/g)) {
    if (part === "/") {
      out = "";
      instead = true;
    } else if (part === "open-quote") out += "“";
    else if (part === "close-quote") out += "”";
    else if (part.startsWith('"')) out += part.slice(1, -1).replace(/\\(.)/g, "$1");
  }
  return instead ? ` ${out} ` : out;
}

/**
 * What a user reads in an element: painted text, picture alternatives left
 * out. With within, text that floats outside of that element's box is left out;
 * so is that of elements in without.
 */
export function textOf(el: Element, max: number, within?: Element, without?: Without): string {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement || hushed(el)) return "";
  const only = onlyText(el);
  if (only) return isPainted(el) || styleOf(el).display === "contents" ? cut(flat(only.data), max) : "";
  if (!isPainted(el) && styleOf(el).display !== "contents") return "";
  const reading: Reading = { out: "", last: null, room: max + 1, within, without };
  readIn(el, localName(el), reading, 0);
  if (reading.drawn && reading.out.trim() === "") {
    reading.signs = true;
    readIn(el, localName(el), reading, 0);
  }
  return cut(flat(reading.out), max);
}

export type Without = Pick<ReadonlySet<Element>, "has">;

interface Reading {
  out: string;
  last: Text | null;
  room: number; // characters that are left, whatever white space is between them
  within: Element | undefined;
  without: Without | undefined;
  drawn?: boolean; // what an icon font draws was left out
  signs?: boolean; // it is read
}

function readIn(el: Element, name: string, r: Reading, depth: number): void {
  if (depth > 60) return;
  const folded = name === "details" && !hasAttr(el, "open");
  const given = slotted(el, name);
  if (given) for (const n of given) readPart(n, folded, r, depth);
  else for (let n = firstWithin(el, name); n && r.room > 0; n = nextSibling(n)) readPart(n, folded, r, depth);
}

/** What shows something else than the text in it. */
const unread = new Set(["select", "textarea", "iframe", "rp", "meter", "progress", "audio", "video", "canvas", "object"]);

function readPart(n: Node, folded: boolean, r: Reading, depth: number): void {
  const type = nodeType(n);
  if (r.room <= 0) return;
  if (type === Node.TEXT_NODE) {
    if (folded) return;
    r.out += between(r.out, r.last, n as Text) + (n as Text).data;
    r.last = n as Text;
    r.room -= flat((n as Text).data).length;
    return;
  }
  if (type !== Node.ELEMENT_NODE) return;
  const el = n as Element;
  if (r.without?.has(el)) {
    r.out += " ";
    return;
  }
  const tag = localName(el);
  if (folded && tag !== "summary") return;
  if (!r.signs && ligatureOf(el) !== "") {
    r.drawn = true;
    r.out += " ";
    return;
  }
  if (skip.has(tag) || unread.has(tag) || speaks(el) && hushed(el)) return;
  if (tag === "br") {
    r.out += " ";
    return;
  }
  if (!isPainted(el) && styleOf(el).display !== "contents") {
    // visibility: hidden may have a visible child; display: none may not.
    if (!hasBox(el)) return;
    if (styleOf(el).visibility === "visible") return; // opacity 0
    eachVisible(el, (c) => { r.out += " "; readIn(c, localName(c), r, depth + 1); });
    return;
  }
  if (r.within && floatsOff(el, r.within)) return;
  const gap = !isInline(el, tag);
  if (gap) r.out += " ";
  readIn(el, tag, r, depth + 1);
  if (gap) r.out += " ";
}

/** The text in an element that holds nothing else, and is neither folded nor laid out in its parent's place. */
export function onlyText(el: Element): Text | null {
  const n = firstChild(el);
  if (!isText(n) || nextSibling(n) !== null) return null;
  const tag = localName(el);
  return tag === "details" || tag === "slot" || shadowOf(el, tag) !== null ? null : n;
}

function eachVisible(el: Element, fn: (e: Element) => void): void {
  eachChild(el, (n) => {
    if (!isElement(n)) return;
    if (isPainted(n)) fn(n);
    else eachVisible(n, fn);
  });
}

function floatsOff(el: Element, from: Element): boolean {
  const p = styleOf(el).position;
  if (p !== "absolute" && p !== "fixed") return false;
  const a = rectOf(el);
  const b = rectOf(from);
  return a.left >= b.right || a.right <= b.left || a.top >= b.bottom || a.bottom <= b.top;
}

/** Whether a combobox is called by nothing but what is chosen in it. */
export const namedByValue = (el: Element, role: string, name: string): boolean =>
  role === "combobox" && name !== "" && !(el instanceof HTMLInputElement) && !(el instanceof HTMLSelectElement) && !hasAttr(el, "aria-label") && !innerCombobox(el) && name === textOf(el, name.length + 40);
