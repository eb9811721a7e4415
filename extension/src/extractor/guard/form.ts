// The form a control belongs to, and what pressing Enter in it would do.

import type { Field, Form } from "../../gen/safety";
import { labelText, nameOf } from "../a11y/name";
import { secretOf } from "../a11y/secrets";
import { all, attr, closest, comesBefore, formAction, formElements, formMethod, hasAttr, localName, matches, rootOf, type Scope } from "../dom/dom";
import { cut, flat } from "../dom/strings";
import { isSetByInput } from "./setbyinput";

export function formOf(el: Element): HTMLFormElement | null {
  const owner = (el as Partial<HTMLInputElement>).form;
  if (owner instanceof HTMLFormElement) return owner;
  return closest(el, (e) => e instanceof HTMLFormElement) as HTMLFormElement | null;
}

export const isSubmitter = (el: Element): boolean =>
  el instanceof HTMLButtonElement && el.type === "submit" || el instanceof HTMLInputElement && (el.type === "submit" || el.type === "image");

const isButton = (el: Element): boolean =>
  el instanceof HTMLButtonElement || el instanceof HTMLInputElement && /^(?:submit|button|reset|image)$/.test(el.type);

/** The controls of a form in tree order, image buttons included. */
export function controlsOf(form: HTMLFormElement): Element[] {
  const out = [...formElements(form)];
  // form.elements leaves image buttons out, for reasons of 1995.
  for (const el of all(rootOf(form) as Scope, "input[type=image]")) if (formOf(el) === form) out.push(el);
  return out;
}

/** The button Enter presses: the first one that submits. */
export function defaultButton(form: HTMLFormElement): Element | null {
  const found = controlsOf(form).filter(isSubmitter);
  return found.sort((a, b) => comesBefore(a, b) ? -1 : 1)[0] ?? null;
}

const blocking = /^(?:text|search|tel|url|email|password|date|month|week|time|datetime-local|number)$/;

/** Whether Enter in this field submits its form (HTML, implicit submission). */
export function enterSubmits(el: Element, form: HTMLFormElement): boolean {
  if (!(el instanceof HTMLInputElement) || isButton(el) || el.type === "file" || el.type === "hidden") return false;
  const button = defaultButton(form);
  if (button) return !matches(button, ":disabled");
  return controlsOf(form).filter((e) => e instanceof HTMLInputElement && blocking.test(e.type)).length <= 1;
}

/** Where a form goes when this control submits it. */
export function destination(form: HTMLFormElement, by: Element | null): { action: string; method: string } {
  let action = formAction(form);
  let method = formMethod(form);
  if (by instanceof HTMLButtonElement || by instanceof HTMLInputElement) {
    if (hasAttr(by, "formaction")) action = by.formAction;
    if (hasAttr(by, "formmethod")) method = by.formMethod;
  }
  return { action, method };
}

// Hidden tokens belong to the page's session: the gate does not judge by them.
const token = /token|csrf|xsrf|nonce|session|secret|auth|__viewstate|__event|signature|captcha/i;

/** The value that a control would send, secrets included: for digests only. */
export function rawValue(el: Element): string {
  if (el instanceof HTMLInputElement) {
    if (el.type === "checkbox" || el.type === "radio") return el.checked ? `on:${el.value}` : "";
    if (el.type === "file") return [...el.files ?? []].map((f) => `${f.name}:${f.size}`).join("|");
    return el.value;
  }
  if (el instanceof HTMLTextAreaElement) return el.value;
  if (el instanceof HTMLSelectElement) return [...el.selectedOptions].map((o) => o.value).join("|");
  return "";
}

/** The name of an option's group: "Assign to: " before "tom". */
const groupOf = (o: HTMLOptionElement): string => o.parentElement instanceof HTMLOptGroupElement && o.parentElement.label !== "" ? `${flat(o.parentElement.label)}: ` : "";

/** What fields held when their form was first told in this document, or by their markup. */
const heldFirst = new WeakMap<Element, string>();

/** What a field held before, if that is something else than value: by its markup, or when it was first told and not yet changed by input, as scripts fill forms too; "" for hidden fields, radio buttons and files. */
function heldBefore(el: Element, value: string): string {
  if (el instanceof HTMLInputElement && /^(?:hidden|radio|file)$/.test(el.type)) return "";
  if (!heldFirst.get(el)) {
    const first = cut(flat(inMarkup(el)), 300) || value;
    heldFirst.set(el, first === value && isSetByInput(el) ? "" : first); // frameworks keep the markup equal to what is typed
  }
  const was = heldFirst.get(el) ?? "";
  return was === value ? "" : was;
}

/** What a ticked box says, also by an empty value. */
const ticked = (box: HTMLInputElement): string => flat(box.value) || "on";

/** What a box would send, as the gate is told it. */
const toldOfBox = (box: HTMLInputElement): string => box.checked ? cut(ticked(box), 300) : "";

function inMarkup(el: Element): string {
  if (isCheckbox(el)) return el.defaultChecked ? ticked(el) : "";
  return el instanceof HTMLInputElement ? el.defaultValue : "";
}

function fieldOf(el: Element): Field | null {
  if (isButton(el) || localName(el) === "fieldset" || localName(el) === "output" || localName(el) === "object") return null;
  const type = el instanceof HTMLInputElement ? el.type : localName(el);
  const f: Field = { name: cut(flat(attr(el, "name") ?? attr(el, "id")), 100), type };
  const label = labelText(el) || flat(attr(el, "aria-label")) || flat(attr(el, "placeholder"));
  if (label) f.label = cut(label, 300);
  const secret = secretOf(el);
  if (secret) {
    if (secret !== "government" || rawValue(el) !== "") f.secret = secret; // a browser fills in the other kinds unseen, after the first press
    return f;
  }
  let value = rawValue(el);
  if (isCheckbox(el)) value = toldOfBox(el);
  if (type === "radio") value = value.slice("on:".length);
  if (el instanceof HTMLSelectElement) value = [...el.selectedOptions].map((o) => `${groupOf(o)}${flat(o.text)}`).join(", ");
  if (type === "file") value = value.replace(/:\d+(?=\||$)/g, "");
  value = cut(flat(value), 300);
  if (value && !(type === "hidden" && (token.test(f.name) || value.length > 80))) f.value = value;
  const was = heldBefore(el, value);
  if (was) f.was = was;
  return f;
}

/** How many boxes of a form are ticked that stand for lines of a list. */
function rowsTicked(controls: Element[]): number {
  const boxes = controls.filter(isCheckbox).filter((b) => b.name !== "");
  const named = new Map<string, number>();
  for (const b of boxes) named.set(b.name, (named.get(b.name) ?? 0) + 1);
  return boxes.filter((b) => b.checked && (b.name.endsWith("[]") || (named.get(b.name) ?? 0) > 1)).length;
}

const isCheckbox = (el: Element): el is HTMLInputElement => el instanceof HTMLInputElement && el.type === "checkbox";

/** The most fields of a form that are told, and the most boxes among them: a long list leaves room for the menu behind it. */
const most = { fields: 80, boxes: 40 };

/** The form as the gate judges it. by is the control that would submit it. */
export function factsOfForm(form: HTMLFormElement, by: Element | null): Form {
  const controls = controlsOf(form);
  const fields: Field[] = [];
  let boxes = 0;
  for (const el of controls) {
    if (fields.length >= most.fields) break;
    if (el instanceof HTMLInputElement && el.type === "radio" && !el.checked) continue;
    if (isCheckbox(el) && heldBefore(el, toldOfBox(el)) === "" && boxes++ >= most.boxes) continue;
    const f = fieldOf(el);
    if (f) fields.push(f);
  }
  const buttons = controls.filter((e) => isButton(e)).slice(0, 20).map((e) => cut(nameOf(e), 300));
  const where = destination(form, by);
  const rows = rowsTicked(controls);
  return { ...where, fields, buttons, search: isSearch(form, where.method, fields), ...rows > 0 ? { rows } : {} };
}

function isSearch(form: HTMLFormElement, method: string, fields: Field[]): boolean {
  if (closest(form, (e) => attr(e, "role") === "search" || localName(e) === "search")) return true;
  const shown = fields.filter((f) => f.type !== "hidden");
  const only = shown[0];
  if (method !== "get" || shown.length !== 1 || !only || only.secret) return false;
  return only.type === "search" || /^(?:q|query|search|s|keyword|keywords|term|wd|text)$/i.test(only.name) || /search|suche|buscar|recherche|搜索|検索|поиск/i.test(only.label ?? "");
}
