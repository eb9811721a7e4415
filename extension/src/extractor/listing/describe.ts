// Describes one element for the host: its role, name, states and place.

import { foldedBy, opensMenu } from "../a11y/folding";
import { labelsOf } from "../a11y/labels";
import { innerCombobox, namedByValue, nameOf } from "../a11y/name";
import { headingsAndLegends, inputType, levelOf, roleOf } from "../a11y/role";
import { secretOf } from "../a11y/secrets";
import { addDrawn, isSet } from "../a11y/states";
import { isDrawnSwitch, isSwitchedOn } from "../a11y/switches";
import { ownTextOf, textOf } from "../a11y/visibletext";
import type { RawElement } from "../api";
import { isEmpty, meet, toRect } from "../dom/box";
import { cutsItself } from "../dom/clipped";
import {
  all, attr, attrNames, baseOf, byId, childrenOf, closest, eachChild, firstIn, hasAny, hasAttr, hasAttrs, hasBox, holds, isConnected, isElement,
  isText, localName, matches, nextElement, parentOf, rectOf, rootOf, textContent,
} from "../dom/dom";
import { clear, drawnText, editorOf, takesKeys } from "../dom/editors";
import { linesOf } from "../dom/format";
import { idOf } from "../dom/ids";
import { cut, flat, flatLines, shortHref } from "../dom/strings";
import { styleAfter, styleBefore } from "../dom/styles";
import { LayoutCache } from "../dom/visibility";

const valueTypes = new Set(["text", "search", "url", "tel", "email", "number", "date", "month", "week", "time",
  "datetime-local", "color", "range", "button", "submit", "reset", ""]);

export function describe(el: Element, look: LayoutCache): RawElement {
  const role = roleOf(el);
  const where = standIn(el, look);
  const out: RawElement = {
    id: idOf(el), tag: localName(el), role, name: role === "generic" && localName(el) === "form" ? titleOfForm(el) : nameOf(el, role), text: ownTextOf(el, role, 50),
    visible: look.shown(where) && look.inView(where), enabled: look.enabled(el) && !look.inert(el),
    rect: toRect(look.box(where)),
  };
  const says = ariaIn(el);
  addValue(el, says, out, look);
  const chosen = out.value ? "" : saidBy(where, el, role, out.name) || saidIn(el, role, out.name);
  if (chosen) out.value = chosen;
  addStates(el, out.tag, role, says, out);
  addDrawn(el, out, look);
  if (out.expanded === undefined && !out.haspopup) {
    const open = foldedBy(el, role);
    if (open !== undefined) out.expanded = open;
    else if (opensMenu(el, role)) out.haspopup = "menu";
  }
  const href = hrefOf(el, out.tag);
  if (href) out.href = shortHref(href);
  const hint = flat(attr(el, "placeholder") ?? (says ? attr(el, "aria-placeholder") : null)) || (out.role === "textbox" ? drawnHint(el, out.tag) : "");
  if (hint) out.placeholder = cut(hint, 80);
  const told = says ? describedBy(el, look) : "";
  if (told && told !== out.name && told !== out.placeholder) out.description = told;
  if (look.ariaHidden(el)) out.ariaHidden = true;
  return out;
}

/** The heading or legend of a form without a name: its content is no name. */
function titleOfForm(form: Element): string {
  const title = firstIn(form, headingsAndLegends);
  return title ? textOf(title, 80) : "";
}

/** The words in the box drawn for a combobox with a transparent field: its current choice. */
export function saidBy(where: Element, el: Element, role: string, name: string): string {
  if (role !== "combobox") return "";
  if (where !== el) return saidBeside(where, name);
  return el instanceof HTMLInputElement && el.value === "" && !hasAttr(el, "placeholder") && getComputedStyle(el).borderTopWidth === "0px" ? before(el, name) : "";
}

/**
 * The words of a combobox without a field that tell its choice, without its name, which may precede the choice; "" if they are its name.
 * A button with a label that opens something, such as a date field, says its choice in the same way.
 */
function saidIn(el: Element, role: string, name: string): string {
  if (role !== "combobox" && !(role === "button" && hasAttr(el, "aria-haspopup") && (labelsOf(el)?.length || hasAttr(el, "aria-labelledby"))) || name === "" || fields.has(localName(el))) return "";
  if (innerCombobox(el)) return saidBeside(el, name);
  if (firstIn(el, "input,select,textarea") || namedByValue(el, role, name)) return "";
  const text = textOf(el, 200);
  return text === name || role === "button" && name.includes(text) ? "" : text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}

/** The words in the box of a combobox. They may include its label, in the place of a choice or above it. */
export function saidBeside(box: Element, name: string): string {
  let out = "";
  const read = (n: Element): void => {
    eachChild(n, (c) => {
      if (isText(c)) out += ` ${c.data}`;
      else if (isElement(c) && flat(textContent(c)) !== name) read(c);
    });
  };
  read(box);
  return cut(flat(out), 200);
}

/** The words before a borderless field, inside the border drawn around both: the choice, without the placeholder. */
function before(el: Element, name: string): string {
  let frame: Element | null = el;
  for (let up = 0; frame && getComputedStyle(frame).borderTopWidth === "0px"; up++) frame = up < 5 ? parentOf(frame) : null;
  if (!frame || all(frame, "input:not([type=hidden]),select,textarea").length > 1) return "";
  const told = (attr(el, "aria-describedby") ?? "").split(/\s+/);
  let out = "";
  const read = (n: Element): boolean => {
    let on = true;
    eachChild(n, (c) => {
      if (!on || c === el) on = false;
      else if (isText(c)) out += ` ${c.data}`;
      else if (isElement(c) && !told.includes(attr(c, "id") ?? "\0") && flat(textContent(c)) !== name) on = read(c);
    });
    return on;
  };
  const found = !read(frame);
  return found && /[\p{L}\p{N}]/u.test(out) ? cut(flat(out), 200) : "";
}

/** The prompt that an empty editor shows by its style sheet, on itself or on its first line. */
export function drawnHint(el: Element, tag: string): string {
  if (fields.has(tag) || (textContent(el) ?? "").trim() !== "") return "";
  for (const e of [el, ...childrenOf(el).slice(0, 1)]) {
    const hint = flat(attr(e, "data-placeholder"));
    if (hint) return [styleBefore(e), styleAfter(e)].some((s) => draws(s, hint)) ? hint : "";
  }
  return "";
}

function draws(s: CSSStyleDeclaration, text: string): boolean {
  return s.display !== "none" && s.visibility === "visible" && s.opacity !== "0" && flat(s.content.replaceAll("\\", "")).includes(text);
}

/** The visible description of an element: the rule of a field, or its error message. */
function describedBy(el: Element, look: LayoutCache): string {
  const ids = `${attr(el, "aria-errormessage") ?? ""} ${attr(el, "aria-describedby") ?? ""}`;
  if (ids === " ") return "";
  const said = new Set<string>();
  for (const id of ids.split(/\s+/)) {
    const by = id === "" ? null : byId(rootOf(el), id);
    if (by && by !== el && look.shown(by)) said.add(textOf(by, 80));
  }
  return cut(flat([...said].join(" ")), 80);
}

/**
 * The visible element in the place of a hidden control: the label of a checkbox, radio,
 * file field or button, or the box drawn where a transparent control lies. For a text
 * field it is only a box that contains the field's name.
 */
export function standIn(el: Element, look: LayoutCache, tag = localName(el)): Element {
  if (tag !== "input" && tag !== "textarea" && tag !== "select" && tag !== "div" && tag !== "button") return el;
  const editor = takesKeys(el) ? editorOf(el, look) : null;
  if (editor) return editor;
  const input = el instanceof HTMLInputElement;
  const button = el instanceof HTMLButtonElement;
  if (!input && !button && !(el instanceof HTMLSelectElement) && !(el instanceof HTMLTextAreaElement) || look.shown(el)) return el;
  const ticked = input && /^(?:checkbox|radio|file)$/.test(el.type);
  if (ticked || button) for (const l of labelsOf(el) ?? []) if (look.shown(l)) return l;
  if (button) return el;
  const words = ticked ? wordsUnder(el, look) : null;
  if (words) return words;
  const box = drawnFor(el, look);
  if (box === null || ticked || el instanceof HTMLSelectElement || attr(el, "role") === "combobox" || input && (el.readOnly || el.type === "range")) return box ?? el;
  const name = nameOf(el);
  return name !== "" && textOf(box, 200).includes(name) ? box : el;
}

/** The words under a transparent checkbox that name it: menus that open without a script are built this way. */
function wordsUnder(el: Element, look: LayoutCache): Element | null {
  const id = attr(el, "aria-labelledby")?.trim();
  const words = id && !/\s/.test(id) ? byId(rootOf(el), id) : null;
  return words && look.shown(words) && clear(el, 0) && !isEmpty(meet(look.box(words), look.box(el))) ? words : null;
}

/**
 * A small box around a transparent control that takes the control's presses: something is
 * drawn in it, and it holds no other control. The field of a combobox is as wide as its
 * text and transparent (or a wrapper of it is) while the box shows the choice; the field
 * may then lie outside the box, or have no size.
 * covered: the field is not transparent, and the choice is drawn over it.
 */
function drawnFor(el: Element, look: LayoutCache, covered = false): Element | null {
  if (!hasBox(el) || attr(el, "aria-hidden") === "true") return null;
  const s = look.style(el);
  const combobox = attr(el, "role") === "combobox";
  const written = combobox || localName(el) === "textarea" || el instanceof HTMLInputElement && !/^(?:checkbox|radio|file|range)$/.test(el.type);
  if (!covered && !isCutSlider(el, look) && !clear(el, combobox ? 2 : written ? 3 : 0) || s.pointerEvents === "none" && inputType(el) !== "range" && !(combobox && attr(el, "tabindex") !== "-1") || s.visibility !== "visible") return null;
  const own = look.box(el);
  const area = (own.right - own.left) * (own.bottom - own.top);
  if (area < 50 && !combobox) return drawnBeside(el, look);
  // An element that the keyboard skips is part of the combobox: the cross that empties it, a field for the form.
  const others = `a,select,textarea,${combobox ? `button:not([tabindex="-1"]),` : "button,"}input:not([type=hidden])` + (combobox ? `:not([aria-hidden=true][tabindex="-1"])` : inputType(el) === "range" ? ":not([type=range])" : "");
  const most = inputType(el) === "range" ? 0 : 1;
  for (let p = parentOf(el), up = 0; p && up < (written ? 5 : 3); p = parentOf(p), up++) {
    if (!look.shown(p) || rectOf(p).height < 8) continue; // its content may be absolutely positioned
    if (!combobox && isEmpty(meet(look.box(p), own)) || all(p, others).length > most) return null;
    const b = look.box(p);
    if ((b.right - b.left) * (b.bottom - b.top) > Math.max(area * 4, 4000) && !(combobox && b.bottom - b.top <= 80)) return null;
    if (hasDrawing(p, el, look)) return p;
  }
  return null;
}

/** MUI clips the slider to nothing inside the thumb that it draws, with the thumb's size; React Aria clips a wrapper of it. */
const isCutSlider = (el: Element, look: LayoutCache): boolean =>
  inputType(el) === "range" && [el, parentOf(el)].some((e) => e !== null && cutsItself(look.style(e), look.style(e).position));

/** The thumb that the mouse drags in the place of a clipped slider. */
export function thumbOf(el: Element, look: LayoutCache): Element | null {
  return isCutSlider(el, look) ? drawnFor(el, look) : null;
}

/** The switch drawn right behind a checkbox without size (Element Plus). */
export function drawnBeside(el: Element, look: LayoutCache): Element | null {
  if (!(el instanceof HTMLInputElement) || !/^(?:checkbox|radio)$/.test(el.type) || rectOf(el).width > 0 || !clear(el, 0)) return null;
  const next = nextElement(el);
  if (!next || !look.shown(next) || hasAny(next, "a,button,input,select,textarea") || !hasDrawing(next, el, look)) return null;
  const b = look.box(next);
  const near = Math.abs(b.left - look.box(el).left) < 24;
  return near && (b.right - b.left) * (b.bottom - b.top) <= 4000 ? next : null;
}

const boxes = new WeakMap<Element, Element>();

/**
 * The box drawn for a combobox, even while its focused field is visible; null if
 * there is none.
 */
export function boxOf(el: Element, look: LayoutCache): Element | null {
  if (attr(el, "role") !== "combobox") return null;
  const box = standIn(el, look);
  if (box !== el) boxes.set(el, box);
  // An empty field under the words of the choice (a searchable antd Select): the box draws the words.
  else if (el instanceof HTMLInputElement && el.value === "") {
    const drawn = drawnFor(el, look, true);
    if (drawn) boxes.set(el, drawn);
  }
  const was = boxes.get(el);
  return was && isConnected(was) && holds(was, el) ? was : null;
}

function hasDrawing(p: Element, but: Element, look: LayoutCache): boolean {
  const s = look.style(p);
  if (s.borderTopWidth !== "0px" || s.backgroundImage !== "none" || !/^(?:transparent|rgba\(.*, 0\))$/.test(s.backgroundColor)) return true;
  let found = false;
  eachChild(p, (n) => {
    if (found || n === but) return;
    if (isText(n)) found = n.data.trim() !== "";
    else if (isElement(n)) found = look.shown(n) && (!hasAny(n, "*") || hasDrawing(n, but, look));
  });
  return found;
}

export function hrefOf(el: Element, tag = localName(el)): string {
  if (tag !== "a" && tag !== "area") return "";
  if (el instanceof HTMLAnchorElement || el instanceof HTMLAreaElement) return hasAttr(el, "href") ? el.href : "";
  if (el instanceof SVGAElement) {
    const raw = el.href.baseVal;
    try {
      return raw ? new URL(raw, baseOf(document)).href : "";
    } catch {
      return raw;
    }
  }
  return "";
}

/** The value of a field as it may be shown; empty for secrets. */
export function valueOf(el: Element, look?: LayoutCache): string {
  if (secretOf(el)) return "";
  const box = takesKeys(el) ? editorOf(el, look) : null;
  if (box) return drawnText(box, el, look ?? new LayoutCache());
  if (el instanceof HTMLInputElement) return valueTypes.has(el.type) ? el.value : el.type === "file" ? [...el.files ?? []].map((f) => f.name).join(", ") : "";
  if (el instanceof HTMLTextAreaElement) return el.value;
  if (el instanceof HTMLSelectElement) return [...el.selectedOptions].map((o) => flat(o.label || o.text)).join(", ");
  const now = attr(el, "aria-valuetext") ?? attr(el, "aria-valuenow");
  if (now !== null) return now;
  return roleOf(el) === "textbox" ? written(el) : "";
}

/** The text in an editable element, line by line. */
export function written(el: Element): string {
  if (childrenOf(el).length === 0) return textContent(el) ?? "";
  return linesOf(el).join("\n").replace(/\n+$/, "");
}

/** Elements that hold a value without any attribute. */
export const fields = new Set(["input", "textarea", "select"]);

function addValue(el: Element, says: boolean, out: RawElement, look: LayoutCache): void {
  const { tag } = out;
  const type = (tag === "input" || tag === "button") && (el instanceof HTMLInputElement || el instanceof HTMLButtonElement) ? el.type : "";
  if (type) out.type = type;
  // The others have no state: most controls are links and buttons.
  if (!says && !fields.has(tag) && out.role !== "textbox" && !hasAttr(el, "contenteditable")) return;
  const secret = secretOf(el);
  if (secret) out.secret = secret;
  const held = valueOf(el, look);
  const value = cut(el instanceof HTMLTextAreaElement ? flatLines(held.trim()) : flat(held), 200);
  if (value) out.value = value;
  if (el instanceof HTMLSelectElement) {
    out.options = [...el.options].slice(0, 12).map((o) => cut(flat(o.label || o.text), 50));
  }
}

/** Whether the element has any ARIA attribute. Most have none, which saves a dozen queries. */
export const ariaIn = (el: Element): boolean => hasAttrs(el) && attrNames(el).some((n) => n.startsWith("aria-"));

const aria = (el: Element, name: string): boolean | undefined => {
  const v = attr(el, `aria-${name}`);
  return v === "true" ? true : v === "false" ? false : undefined;
};

export function checkedOf(el: Element): "true" | "false" | "mixed" | undefined {
  const type = inputType(el);
  if (type === "checkbox" || type === "radio") {
    const box = el as HTMLInputElement;
    // An invisible box says nothing of what the page draws: some libraries leave the box itself behind (the switch of Element Plus).
    const said = attr(el, "aria-checked");
    if ((said === "true" || said === "false") && clear(el, 0)) return said;
    return box.indeterminate ? "mixed" : box.checked ? "true" : "false";
  }
  const v = attr(el, "aria-checked");
  if (v === "true" || v === "false" || v === "mixed") return v;
  return isDrawnSwitch(el) ? isSwitchedOn(el) ? "true" : "false" : undefined;
}

export function expandedOf(el: Element): boolean | undefined {
  if (localName(el) === "summary") {
    const d = closest(el, (e) => localName(e) === "details");
    if (d) return hasAttr(d, "open");
  }
  return aria(el, "expanded");
}

function addStates(el: Element, tag: string, role: string, says: boolean, out: RawElement): void {
  if (says || tag === "input" || role === "switch") {
    const checked = checkedOf(el);
    if (checked) out.checked = checked;
  }
  if (says || tag === "summary") {
    const expanded = expandedOf(el);
    if (expanded !== undefined) out.expanded = expanded;
  }
  if (tag === "option" && el instanceof HTMLOptionElement) out.selected = el.selected;
  if (hasAttr(el, "required")) out.required = true;
  // :user-invalid holds only once the user (or we) touched the field, as the page shows it.
  if (validated(tag) && matches(el, ":user-invalid")) out.invalid = true;
  if (says) addSaid(el, tag, out);
  const level = role === "heading" || role === "treeitem" ? levelOf(el) : undefined;
  if (level !== undefined) out.level = level;
}

/** Elements whose values a browser validates: fields, and custom elements that may be fields. */
const validated = (tag: string): boolean => tag === "input" || tag === "textarea" || tag === "select" || tag === "button" || tag === "fieldset" || tag.includes("-");

/** Adds the states that ARIA attributes tell. */
function addSaid(el: Element, tag: string, out: RawElement): void {
  const selected = tag === "option" ? undefined : aria(el, "selected");
  if (selected !== undefined) out.selected = selected;
  const pressed = attr(el, "aria-pressed");
  if (pressed !== null) out.pressed = pressed === "true" || pressed === "mixed";
  if (aria(el, "required")) out.required = true;
  if (isSet(attr(el, "aria-invalid"))) out.invalid = true;
  if (isSet(attr(el, "aria-current"))) out.current = true;
  const popup = attr(el, "aria-haspopup");
  if (popup !== null && popup !== "false") out.haspopup = popup === "" ? "true" : popup;
}
