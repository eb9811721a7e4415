// Accessible names, by the steps of accname: labelledby, label, native
// names, content, title.

import {
  all, attr, byId, firstIn, firstWithin, hasAttr, hasAttrs, hasBox, isElement, isHTML, isPainted, localName, nextSibling, nodeType, rootOf, slotted,
  speaks, textContent,
} from "../dom/dom";
import { cut, cutWithin, flat } from "../dom/strings";
import { styleAfter, styleBefore, styleOf } from "../dom/styles";
import { isNextFigure, touch } from "../reading/figures";
import { fieldLabel } from "./fieldlabel";
import { isEditable } from "./interactive";
import { hostLabels, labelsOf } from "./labels";
import { ligatureOf, mayBeLigature } from "./ligature";
import { inputType, namedByContent, roleOf } from "./role";
import { hushed, secretOf } from "./secrets";
import { isDrawnSwitch, wordsBeside } from "./switches";
import { beside, drawings, eachVisible, isControl, isInline, isSign, rowRoles, skip, standsApart, textOf, word } from "./visibletext";

/** Which hidden content a name includes: none, content that only aria-hidden hides, or all (in a hidden label). */
const enum Hidden { Out, Aria, In }

interface Run {
  own: Element;
  visited: Set<Element>;
  hidden: Hidden;
  depth: number;
  left?: boolean; // content with aria-hidden was left out
  drawn?: boolean; // icons of a font were left out
  signs?: boolean; // icons of a font are included
  row?: boolean; // the words of controls in it are left out
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
    const text = once(el, wordsOf(el, run));
    const title = some ? flat(attr(el, "title")) : "";
    if (text && !(isSignOnly(el, text) && letters.test(title))) return text;
    if (title) return title;
    // The user can read content that is hidden only from screen readers.
    const shown = run.left ? flat(contentOf(el, { ...run, visited: new Set(), hidden: Hidden.Aria })) : "";
    if (shown) return shown;
  }
  const title = some ? flat(attr(el, "title")) : "";
  if (letters.test(title)) return title;
  const rest = title || (some ? flat(attr(el, "placeholder")) || flat(attr(el, "aria-placeholder")) : "");
  if (letters.test(rest)) return fieldLabel(el, role, true) || rest; // a placeholder such as 0.00 is no name
  return fieldLabel(el, role) || rest || (role === "switch" && isDrawnSwitch(el) ? wordsBeside(el) : "");
}

/** The text, without a repetition that is not visible: an icon may be named like the words beside it. */
function once(el: Element, text: string): string {
  const half = text.slice(0, (text.length - 1) / 2);
  return text.length > 4 && text === `${half} ${half}` && textOf(el, text.length) === half ? half : text;
}

const letters = /\p{L}/u;
const mask = /^[•●∙·*＊]{4,}$/u;
/** Whether a name is a sign, or a word that an icon font draws as one: a title says more. */
function isSignOnly(el: Element, text: string): boolean {
  if (!word.test(text)) return !mask.test(text);
  return mayBeLigature(text) && [el, ...all(el, "[class]")].some((e) => ligatureOf(e) === text);
}

/** The labelled field in a combobox's box, if both have that role. */
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
    if (t && !out.includes(t)) out.push(t);
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
  const child = firstIn(el, `:scope > ${tag}`);
  if (!child) return "";
  const sub: Run = { ...run, visited: new Set() };
  const text = flat(contentOf(child, sub));
  if (sub.left) run.left = true;
  return text;
}

function svgTitle(el: Element): string {
  const t = firstIn(el, ":scope > title");
  return t ? flat(textContent(t)) : "";
}

/** The text that an element adds to the name it is part of. */
function alternative(el: Element, run: Run, named: boolean, tag = localName(el), some = speaks(el)): string {
  if (run.visited.has(el) || run.depth > 40) return "";
  run.visited.add(el);
  // Within another name a control stands for its value, not its own name.
  const valued = el !== run.own && (some || values.has(tag)); // may have a value
  const value = valued && !named ? valueIn(el, named, run) : null;
  if (value) return value;
  const label = some ? flat(attr(el, "aria-label")) : "";
  if (label) return ` ${label} `; // invisible words are separated from the text around them
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

/** The value that a control adds to the name of another one (step 2C); null for an element without a value. */
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

/** The words of an element, without icons of a font if it has other words. */
function wordsOf(el: Element, run: Run): string {
  const text = flat(contentOf(el, run));
  return text === "" && run.drawn ? flat(contentOf(el, { ...run, visited: new Set(), signs: true })) : text;
}

function contentOf(el: Element, run: Run, name = localName(el)): string {
  const drawn = drawings.has(name); // style sheets add no text to drawings
  let out = drawn ? "" : beside(styleBefore(el));
  run.depth++;
  const given = slotted(el, name);
  let last: Element | null = null; // the element right before
  const add = (n: Node): void => {
    const part = partOf(n, run);
    const el = isElement(n) ? n : null;
    const apart = el && localName(el) === "a" && isNextFigure(out, part) || touch(out, part) && [last, el].some((e) => e !== null && standsApart(e));
    out += apart ? ` ${part}` : part;
    if (part !== "") last = el;
  };
  if (given) for (const n of given) add(n);
  else for (let n = firstWithin(el, name); n; n = nextSibling(n)) add(n);
  run.depth--;
  return drawn ? out : out + beside(styleAfter(el));
}

/** The text that a child adds. */
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
    // A popup that a field opens within its own label (react-datepicker) is no part of its name.
    if (run.own !== el && isEditable(run.own) && /^(?:dialog|listbox|menu|grid|tree)$/.test(attr(el, "role") ?? "")) return "";
  }
  if (run.hidden !== Hidden.In && hiddenBox(el)) {
    // An unpainted element may hold painted ones: visibility can be set again inside.
    let out = "";
    if (hasBox(el)) eachVisible(el, (v) => { out += alternative(v, run, false); });
    return out;
  }
  const t = alternative(el, run, false, tag, says);
  return t === "" || isInline(el, tag) ? t : ` ${t} `;
}

function hiddenBox(el: Element): boolean {
  if (isPainted(el)) return false; // known for most elements by now
  if (hasBox(el)) return isHTML(el) && !visible(el);
  const s = styleOf(el);
  return s.display === "none" || s.visibility === "hidden";
}
const visible = (el: Element): boolean => el.checkVisibility({ visibilityProperty: true });

/** Whether a combobox is named only by its choice. */
export const namedByValue = (el: Element, role: string, name: string): boolean =>
  role === "combobox" && name !== "" && !(el instanceof HTMLInputElement) && !(el instanceof HTMLSelectElement) && !hasAttr(el, "aria-label") && !innerCombobox(el) && name === textOf(el, name.length + 40);
