// The facts by which the gate judges (safety.Target), and their fingerprint.

import type { Target } from "../../gen/safety";
import { openDialog } from "../a11y/dialogs";
import { activates, acts, handStarts, hasHandlerAttr, isEditable } from "../a11y/interactive";
import { labelText, nameOf } from "../a11y/name";
import { headingsAndLegends, roleOf } from "../a11y/role";
import { secretOf } from "../a11y/secrets";
import { textOf } from "../a11y/visibletext";
import {
  all, attr, byId, closest, doc, editableContent, firstIn, hasAttr, holds, isPainted, isSeam, localName, parentOf, rectOf, rootOf, scopes, textContent,
} from "../dom/dom";
import { editorOf, takesKeys } from "../dom/editors";
import { hears, Hears, unheard } from "../dom/listeners";
import { digest } from "../dom/sha256";
import { cut, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { boxOf, drawnBeside, hrefOf, thumbOf, valueOf, written } from "../listing/describe";
import { itemAround, itemWords } from "../listing/items";
import { nameKey } from "../listing/samename";
import { amountsNear, totals } from "../reading/amounts";
import { amountsIn } from "../reading/money";
import { boxesSetBeside } from "./boxesset";
import { controlsOf, defaultButton, destination, enterSubmits, factsOfForm, formOf, isSubmitter, rawValue } from "./form";
import { iconWords, seenText } from "./seen";

const max = 300;

/** The element that a press on el operates: for a label, its control. */
export function subjectOf(el: Element): Element {
  return el instanceof HTMLLabelElement && el.control ? el.control : el;
}

const link = (el: Element): Element | null => closest(el, (e) => hrefOf(e) !== "");

function hasHandler(el: Element): boolean {
  return closest(el, (e) => localName(e) !== "body" && localName(e) !== "html" &&
    (hasHandlerAttr(e) || !isBareLink(e) && (activates(e) || hasAttr(e, "tabindex") || handStarts(e)))) !== null || (link(el) === null ? isHeard(el) : isHeardLink(el));
}

/** Whether a link to a fragment hears presses itself, as a button by script does; true while its listeners are unknown. */
function isHeardLink(el: Element): boolean {
  const a = link(el);
  return a !== null && (attr(a, "href") ?? "").startsWith("#") && (unheard() || (hears(a) & Hears.Press) !== 0);
}

/** Whether el or an element around it hears presses. */
const isHeard = (el: Element): boolean => closest(el, (e) => (hears(e) & Hears.Press) !== 0) !== null;

/** Whether e is only a link, which the browser itself follows. */
const isBareLink = (e: Element): boolean => hrefOf(e) !== "" && roleOf(e) === "link";

const leaves = /submit|location|href|navigate|\.open|go\(|reload|fetch|send|post\(|\$\.|axios|save/i;
const changes = ["onchange", "oninput", "onblur"];

/** Whether a change of its value takes effect at once, without a button. */
function onChange(el: Element, form: HTMLFormElement | null): boolean {
  if (isSubmitter(el) || !isSetting(el) && (hears(el) & Hears.Change) === 0) return false;
  const code = changes.map((name) => `${attr(el, name) ?? ""} ${form ? attr(form, name) ?? "" : ""}`).join(" ");
  if (leaves.test(code)) return true;
  if (form === null) return false;
  // The only control of a form without a button takes effect by its change; in a text field, Enter may do it.
  const others = controlsOf(form).filter((e) => !(e instanceof HTMLInputElement && (e.type === "hidden" || e.type === "radio" && e.name === (el as HTMLInputElement).name)));
  if (others.some((e) => e !== el) || defaultButton(form) !== null) return false;
  return isChangeHeard(el) || !(el instanceof HTMLInputElement ? /^(?:text|search|email|url|tel|checkbox)$/.test(el.type) : isEditable(el));
}

/** Whether it, its form or a group around it hears that its value changed. */
const isChangeHeard = (el: Element): boolean => closest(el, (e) => (hears(e) & Hears.Change) !== 0) !== null;

const methods = ["data-method", "data-turbo-method", "data-http-method"];
const verbs = ["post", "put", "patch", "delete"];

/** The first result of read on el or its two nearest ancestors; "" if there is none. */
function onOrAround(el: Element, read: (e: Element) => string): string {
  for (let e: Element | null = el, up = 0; e && up < 3; e = parentOf(e), up++) {
    const found = read(e);
    if (found !== "") return found;
  }
  return "";
}

/** The HTTP method by which a script of the page sends a link or button; "" for one that only reads. */
const methodOf = (el: Element): string => onOrAround(el, (e) => {
  const named = methods.map((name) => (attr(e, name) ?? "").trim().toUpperCase()).find((m) => m !== "" && m !== "GET" && m !== "HEAD");
  return named !== undefined ? cut(named, 20) : (verbs.find((v) => hasAttr(e, `hx-${v}`) || hasAttr(e, `data-hx-${v}`)) ?? "").toUpperCase();
});

/** Whether the document's fields hold no written text, search fields aside. A preset number counts: it is an amount. */
function isBlank(): boolean {
  for (const s of scopes()) {
    for (const f of all(s, "input,textarea,[contenteditable]")) {
      if (f instanceof HTMLInputElement && f.value !== "" && (f.type === "number" || /^(?:numeric|decimal)$/.test(f.inputMode))) return false;
      if (f instanceof HTMLInputElement ? writes(f) && f.type !== "search" && f.value !== f.defaultValue : (rawValue(f) || (f instanceof HTMLTextAreaElement ? "" : written(f))) !== "") return false;
    }
  }
  return true;
}

const questions = ["data-confirm", "data-turbo-confirm", "hx-confirm", "data-hx-confirm", "data-confirm-message"];

/** The page's question for confirmation before it acts. */
const questionOf = (el: Element): string => onOrAround(el, (e) => cut(questions.map((name) => flat(attr(e, name))).find((q) => q !== "") ?? "", max));

const controls = "button,input:not([type=hidden]),select,textarea,a[href],[role=button],[role=menuitem]";

/** Attributes of ARIA and HTML that hold ids of parts of the page. */
const idAttributes = ["aria-controls", "popovertarget", "commandfor"];

/** Whether an attribute of a control, whatever its name, holds the id of a part of the page that is not shown and has several controls, such as a dialog that asks. */
function opensPart(el: Element): boolean {
  const ids = [...el.attributes].flatMap((a) => idAttributes.includes(a.name) ? a.value.split(/\s+/) : a.value.startsWith("#") ? [a.value.slice(1)] : []);
  return ids.some((id) => {
    const part = id === "" ? null : byId(rootOf(el), id);
    return part !== null && !isPainted(part) && [...all(part, controls)].length > 1;
  });
}

/** Whether a press opens the control's own popup or part, by its ARIA attributes. */
function opensOwn(el: Element): boolean {
  if (formOf(el) !== null && (isSubmitter(el) || localName(el) === "input" && !hasAttr(el, "aria-haspopup"))) return false;
  const popup = attr(el, "aria-haspopup");
  return popup !== null && popup !== "false" || attr(el, "aria-expanded") === "false";
}

/** The least side of a drawing surface, in pixels, and its least share of the element: excludes pictures on buttons. */
const surface = { side: 150, part: 0.8 };

/** Whether it is a drawing surface, or a part of one: the Delete key removes the selection there. */
function isDrawing(el: Element): boolean {
  const inside = closest(el, (e) => localName(e) === "svg" && localName(parentOf(e) ?? e) !== "svg" || localName(e) === "canvas");
  const at = rectOf(el);
  return [...inside ? [inside] : [], ...hasAttr(el, "tabindex") ? all(el, "svg,canvas") : []].some((e) => {
    const b = rectOf(e);
    const width = Math.min(b.right, at.right) - Math.max(b.left, at.left);
    const height = Math.min(b.bottom, at.bottom) - Math.max(b.top, at.top);
    return e === inside ? b.width >= surface.side && b.height >= surface.side :
      width >= surface.side && height >= surface.side && width * height >= surface.part * at.width * at.height;
  });
}

/** Heading and text of the group around el. */
export function contextOf(el: Element): string {
  const own = textOf(el, max);
  let heading = "";
  let text = "";
  for (let e = parentOf(el), up = 0; e && up < 8 && e !== doc.body && e !== doc.root; e = parentOf(e), up += e && isSeam(e) ? 0 : 1) {
    if (!text) {
      const t = textOf(e, max);
      if (t.length > own.length + 12) text = t;
    }
    if (!heading) {
      const h = firstIn(e, headingsAndLegends);
      if (h) heading = textOf(h, 100);
    }
    if (text && heading) break;
  }
  const rest = text.startsWith(heading) ? text.slice(heading.length).trim() : text;
  return cut(heading ? `${heading} · ${rest || own}` : text, max);
}

/** The words of an element that holds controls, without theirs; "" for a control, or an element without any. */
function ownWords(el: Element): string {
  if (/^(?:a|button|input|select|textarea|summary|label)$/.test(localName(el)) || /^(?:button|link|checkbox|radio|switch|menuitem|tab|combobox)/.test(attr(el, "role") ?? "")) return "";
  if (!all(el, "button,input,select,textarea,[role]").length) return "";
  return textOf(el, max, undefined, { has: (e) => e !== el && acts(e) });
}

const isNamed = (el: Element): boolean => hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby");

/** The words of a control's row, list item or card, which tell it from those in other rows. */
function rowOf(el: Element): string {
  const row = closest(parentOf(el) ?? el, (e) => /^(?:li|tr|article)$/.test(localName(e)) || /^(?:row|listitem|option|treeitem|article)$/.test(attr(e, "role") ?? ""));
  return row ? textOf(row, max) : "";
}

export function targetOf(el: Element): Target {
  const it = subjectOf(el);
  const form = formOf(it);
  const submitter = isSubmitter(it);
  const editable = isEditable(it);
  const secret = secretOf(it);
  const own = ownWords(it);
  const t: Target = {
    tag: localName(it), role: roleOf(it), name: own && !isNamed(it) ? own : cut(nameOf(it), max), text: own || textOf(it, max) || (it === el ? "" : textOf(el, max)),
    hasHandler: hasHandler(el), editable, submitsForm: form !== null && (submitter || enterSubmits(it, form)),
    frameUrl: location.href, fingerprint: printOf(el),
  };
  const title = flat(attr(it, "title"));
  if (title) t.title = cut(title, max);
  if (it instanceof HTMLInputElement || it instanceof HTMLButtonElement) t.type = it.type;
  const value = secret ? "" : cut(flat(valueOf(it)), max);
  if (value) t.value = value;
  const a = link(el);
  if (a) {
    t.href = hrefOf(a);
    t.linkText = textOf(a, max) || cut(nameOf(a), max);
  }
  const seen = editable ? "" : seenText(el);
  if (seen && seen !== t.text && seen !== t.name) t.seen = seen;
  const icon = iconOf(el, it);
  if (icon) t.icon = icon;
  const label = labelText(it);
  if (label) t.label = cut(label, max);
  const around = contextOf(it);
  if (around) t.context = around;
  const row = rowOf(it);
  if (row) t.row = row;
  const item = itemAround(it, parentOf);
  const words = item ? itemWords(item) : "";
  if (words && words !== t.name) t.item = words;
  if (secret) t.secret = secret;
  if (onChange(it, form)) t.onChange = true;
  if (opensOwn(it)) t.opens = true;
  if (!editable && isDrawing(it)) t.drawn = true;
  if (closest(it, (e) => localName(e) === "nav" || /^(?:navigation|tablist|menubar)$/.test(attr(e, "role") ?? ""))) t.nav = true;
  if (!editable) { // an editable field needs neither
    const open = openDialog(new LayoutCache());
    if (open && holds(open.el, it)) {
      t.dialog = cut(open.name, 80);
      if (figure.test(t.name)) t.answers = answersIn(open.el, it);
    } else {
      if (!open && isBlank()) t.blank = true;
      if (!isSetting(it) && (formOf(it) === null || !isSubmitter(it)) && opensPart(it)) t.opens = true; // in a dialog it may be the answer
    }
  }
  if (!editable && !isSetting(it)) {
    const ticked = boxesSetBeside(it, true, contextOf);
    if (ticked.length > 0) t.set = ticked;
    const cleared = boxesSetBeside(it, false, contextOf);
    if (cleared.length > 0) t.cleared = cleared;
  }
  const method = methodOf(it);
  if (method) t.method = method;
  const question = questionOf(it);
  if (question) t.asks = question;
  if (form) {
    t.form = factsOfForm(form, submitter ? it : defaultButton(form));
    const b = defaultButton(form);
    if (b) t.defaultButton = cut(nameOf(b), max);
  }
  if (!isPlainLink(el) || leadsNowhere(el)) {
    const beside = secretBeside(it, t.submitsForm ? form : null);
    if (beside) t.beside = beside;
  }
  return t;
}

/** A name without a word of its own, such as a sum. */
const figure = /^(?=.*\p{N})(?:\P{L}|\p{L}{1,4}(?!\p{L}))*$/u;

/** The names of the first other buttons of a dialog, without those that are named by a figure too. */
function answersIn(dialog: Element, el: Element): string[] {
  const out: string[] = [];
  for (const b of all(dialog, "button,[role=button],input[type=submit]")) {
    const name = b === el ? "" : cut(flat(nameOf(b)), 60);
    if (name !== "" && !figure.test(name)) out.push(name);
    if (out.length === mostAnswers) break;
  }
  return out;
}

const mostAnswers = 8;

/** Whether a link stays in its document: only scripts act on it. */
function leadsNowhere(el: Element): boolean {
  const a = link(el);
  return a !== null && hrefOf(a).split("#")[0] === location.href.split("#")[0];
}

/**
 * The kind of secret in a field beside a control that is not sent by the
 * control's own form: in its group, or for a card number anywhere in the document, as
 * only payment pages ask for one.
 */
function secretBeside(el: Element, own: HTMLFormElement | null): string {
  const filled = (f: Element): boolean => f !== el && writes(f) && rawValue(f) !== "" && (own === null || formOf(f) !== own);
  for (const s of scopes()) for (const f of all(s, "input")) if (filled(f) && secretOf(f) === "card") return "card";
  for (let e = parentOf(el), up = 0; e && up < 8; e = parentOf(e), up++) {
    const fields = [...all(e, "input,textarea")].filter((f) => f !== el && writes(f));
    if (fields.length > 0) return fields.slice(0, 60).filter(filled).map(secretOf).find((s) => s !== "") ?? "";
    if (e === doc.body || localName(e) === "main") break;
  }
  return "";
}

const writes = (f: Element): boolean =>
  !(f instanceof HTMLInputElement) || !/^(?:hidden|button|submit|reset|image|checkbox|radio|range|color|file)$/.test(f.type);

/** The words of the icon on a control without words. */
function iconOf(el: Element, it: Element): string {
  if (isEditable(it) || it instanceof HTMLSelectElement) return "";
  const words = /[\p{L}\p{N}]/u;
  return words.test(nameOf(it)) || words.test(textOf(el, 40)) ? "" : cut(iconWords(it), max);
}

// The fingerprint has four parts: the target's identity, the values it would take
// along (the form's other values, amounts), its own value, and the kind of
// field. Which of them must still hold depends on the event (see
// guard.ts): typing changes the own value, and may change the field's
// name, and a plain link takes nothing along.

/** Whether a press only navigates: no values of the page are taken along. */
function isPlainLink(el: Element): boolean {
  const a = link(el);
  return a !== null && /^(?:https?|mailto|tel|file):/.test(hrefOf(a)) && roleOf(el) === "link" && !hasHandlerAttr(el);
}

/** Whether a click only sets the control and does not send its form. */
const isSetting = (el: Element): boolean =>
  el instanceof HTMLInputElement && !isSubmitter(el) && el.type !== "button" && el.type !== "reset" ||
  el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement || isEditable(el);

/** Whether a click on el may take the form's values or an amount along. */
export const isWeighty = (el: Element): boolean => !isPlainLink(subjectOf(el)) && !isSetting(subjectOf(el));

/**
 * The last part of the fingerprint: the kind of field and where it is sent. Names are left out: a text that is written may
 * rename its field, and the button that sends it ("Close", "Close with comment").
 */
export const kindPrintOf = (el: Element): string => digestOf(kindOf(subjectOf(el)));

function kindOf(it: Element): string[] {
  const form = formOf(it);
  const where = form ? destination(form, senderOf(it)) : { action: "", method: "" };
  return [
    localName(it), fieldRole(it), it instanceof HTMLInputElement || it instanceof HTMLButtonElement ? it.type : "", secretOf(it), String(isEditable(it)),
    where.action, where.method,
  ];
}

/** The button by which Enter in it, or a press of it, sends its form. */
function senderOf(it: Element): Element | null {
  const form = formOf(it);
  return isSubmitter(it) ? it : form && defaultButton(form);
}

/** The first part of the fingerprint: the target's identity. */
export function basePrintOf(el: Element): string {
  const it = subjectOf(el);
  const a = link(el);
  const by = senderOf(it);
  const button = it instanceof HTMLInputElement && /^(?:submit|button|reset|image)$/.test(it.type);
  // Text that floats outside of the target's box (a tooltip shown on hover) isn't its label.
  // The text of an editor is its value, not its label.
  const text = isEditable(it) ? "" : textOf(el, 1000, el);
  return digestOf([
    ...kindOf(it), by && by !== it ? nameKey(nameOf(by)) : "", explicitName(it), nameKey(text), nameKey(attr(it, "title") ?? ""), button ? nameKey(valueOf(it)) : "", a ? hrefOf(a) : "", handlersOf(el),
    location.origin + location.pathname + location.search,
  ]);
}

const writing = new Set(["textbox", "searchbox", "combobox"]);

/** The role of a field; "textbox" for each text role: a field may become a combobox while it offers completions, as after an "@". */
function fieldRole(el: Element): string {
  const role = roleOf(el);
  return writing.has(role) && isEditable(el) ? "textbox" : role;
}

export function printOf(el: Element): string {
  const it = subjectOf(el);
  const base = basePrintOf(el);
  if (isPlainLink(it)) return `${base}.-.-.-`;
  return `${base}.${digestOf(valuesAndAmounts(it))}.${isSetting(it) ? digestOf([ownValue(it)]) : "-"}.${kindPrintOf(it)}`;
}

const ownValue = (it: Element): string => rawValue(it) || (textContent(it) ?? "");

/** All values that a press would take along, including its own. */
export const valuesTaken = (it: Element): string =>
  isPlainLink(it) ? "" : JSON.stringify([fieldsTaken(it), isSetting(it) ? ownValue(it) : ""]);

// The guard asks for the same facts at each event of an act.
const digests = new Map<string, string>();
const maxDigests = 32;

function digestOf(parts: string[]): string {
  const key = JSON.stringify(parts);
  let d = digests.get(key);
  if (d === undefined) {
    if (digests.size >= maxDigests) digests.clear();
    digests.set(key, (d = digest(parts)));
  }
  return d;
}

/** The handler attributes of el: their changes are detected; changes of listeners can't be. */
const handlersOf = (el: Element): string => ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "onkeydown", "onsubmit"].map((h) => attr(el, h) ?? "").join("\0");

/**
 * A name from an attribute or label; a name from content is part of the text already. Whether an editor is empty
 * makes no difference: that is its value.
 */
function explicitName(el: Element): string {
  const given = hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby") || labelText(el) !== "" || el instanceof HTMLInputElement || el instanceof HTMLSelectElement ||
    el instanceof HTMLTextAreaElement || !isEditable(el) && textOf(el, 10) === "";
  return nameKey(given ? nameOf(el) : promptOf(el));
}

const prompts = new WeakMap<Element, string>();

/** The placeholder of an editor; some lose it once text is written, so it is remembered. */
function promptOf(el: Element): string {
  const said = attr(el, "aria-placeholder");
  if (said !== null) prompts.set(el, said);
  return said ?? (written(el) === "" ? "" : prompts.get(el) ?? "");
}

const priced = new WeakSet<Element>();

/** Whether amounts of money were shown for it when its fingerprint was last taken. */
export const isPriced = (it: Element): boolean => priced.has(it);

/** The values around that a press would take along, and the amounts shown. */
function valuesAndAmounts(el: Element, without?: (c: Element) => boolean): string[] {
  const out = fieldsTaken(el, without);
  priced.delete(el);
  if (isSetting(el)) return out;
  const near = amountsNear(el);
  const lines = totals();
  if (near.length > 0 || lines.length > 0) priced.add(el);
  out.push("amounts", ...near);
  for (const t of lines) out.push("total", ...amountsIn(t));
  return out;
}

/** The checkboxes and radio buttons that a press would take along; takenButBoxes: a digest of everything else. */
export const boxesTaken = (el: Element): HTMLInputElement[] => controlsTaken(el).filter(isBox);
export const takenButBoxes = (el: Element): string => digestOf(valuesAndAmounts(el, isBox));

/** A digest of what a press would take along, but for hidden fields. */
export const takenButHidden = (el: Element): string => digestOf(valuesAndAmounts(el, (c) => c instanceof HTMLInputElement && c.type === "hidden"));

const isBox = (c: Element): c is HTMLInputElement => c instanceof HTMLInputElement && (c.type === "checkbox" || c.type === "radio");

function controlsTaken(el: Element): Element[] {
  const form = formOf(el);
  return form ? controlsOf(form) : controlsAround(el);
}

function fieldsTaken(el: Element, without?: (c: Element) => boolean): string[] {
  const form = formOf(el);
  const out: string[] = [];
  const type = el instanceof HTMLInputElement ? el.type : "";
  for (const c of controlsTaken(el)) {
    if (c === el || isSubmitter(c) || without?.(c)) continue;
    // A list that opens on the press may add an empty search field, which takes nothing along.
    if (!form && rawValue(c) === "") continue;
    // Choosing one radio button changes the others of its group.
    if (type === "radio" && c instanceof HTMLInputElement && c.type === "radio" && c.name === (el as HTMLInputElement).name) continue;
    const value = rawValue(c);
    out.push(attr(c, "name") ?? attr(c, "id") ?? "", form && type !== "submit" && isCopy(c, value, form) ? comparable(value.replace(formats, " ")) : comparable(value));
  }
  return out;
}

/** Whether a visible field around it has that name and value. */
export function isSeenAround(it: Element, name: string, value: string): boolean {
  const look = new LayoutCache();
  return controlsTaken(it).some((c) =>
    (attr(c, "name") ?? attr(c, "id") ?? "") === name && comparable(rawValue(c)) === value && look.shown(c));
}

const bare = (html: string): string => html.replace(/<[^>]*>|&#?\w+;/g, " ");

/** Tags without attributes that only format words. */
const formats = /<\/?(?:b|strong|i|em|u|s|strike|del|sub|sup|code|pre|p|div|span|br|h[1-6]|ul|ol|li|blockquote)\s*\/?>/gi;

/**
 * Whether a hidden field holds the text of an editor of its form as HTML. Its words and all attributes are taken
 * along; formatting, which buttons beside the editor set, was not judged and does not count.
 */
function isCopy(c: Element, value: string, form: HTMLFormElement): boolean {
  if (!(c instanceof HTMLInputElement) || c.type !== "hidden" || !value.startsWith("<")) return false;
  const words = comparable(bare(value));
  return words !== "" && [...all(form, "[contenteditable]")].some((e) => comparable(written(e)) === words);
}

/** The value without punctuation and space: pages group digits or trim a field when it is left. */
const comparable = (v: string): string => v.replace(/[^\p{L}\p{N}]+/gu, "") || v.trim();

/** The fields, without a form, of the nearest group that has any. */
function controlsAround(el: Element): Element[] {
  for (let e = parentOf(el), up = 0; e && up < 6; e = parentOf(e), up++) {
    const found = [...all(e, "input,select,textarea")];
    if (found.length > 0) return found.slice(0, 60).filter((f) => formOf(f) === null);
    if (e === doc.body || localName(e) === "main") break;
  }
  return [];
}

/** Whether el stands for judged: itself, its label or control, its editor, or an option of it. */
export function related(judged: Element, el: Element): boolean {
  if (el === judged) return true;
  if (el instanceof HTMLLabelElement && el.control === judged) return true;
  if (judged instanceof HTMLLabelElement && judged.control === el) return true;
  if (takesKeys(judged) && holds(el, judged) && editorOf(judged) === el) return true;
  return judged instanceof HTMLSelectElement && (el instanceof HTMLOptionElement || el instanceof HTMLOptGroupElement) && holds(judged, el);
}

/** Whether el is in the shadow tree of judged, at any depth. */
export function withinShadowOf(judged: Element, el: Element): boolean {
  for (let root = rootOf(el); root instanceof ShadowRoot; root = rootOf(root.host)) if (root.host === judged) return true;
  return false;
}

/** The component that takes the presses of its only control, which has pointer-events: none (ion-segment-button). */
export function pressedFor(judged: Element): Element | null {
  const root = rootOf(judged);
  if (!(root instanceof ShadowRoot) || getComputedStyle(judged).pointerEvents !== "none") return null;
  return all(root, "a,button,input,select,textarea,[tabindex]").length === 1 ? root.host : null;
}

/** The combobox around a field that has pointer-events: none (Arco). */
const leftTo = (el: Element, look: LayoutCache): Element | null =>
  el instanceof HTMLInputElement && look.style(el).pointerEvents === "none" ? closest(el, (e) => e !== el && attr(e, "role") === "combobox") : null;

/** Whether a press on deep operates judged, and no other active element between them. */
export function reaches(judged: Element, deep: Element | null): boolean {
  const editor = editableContent(judged);
  const look = new LayoutCache();
  const box = attr(judged, "role") === "combobox" ? boxOf(judged, look) : drawnBeside(judged, look) ?? thumbOf(judged, look); // the field may lie under it
  const bare = box !== null && look.shown(judged); // the choice, or a clear button, may lie over the field
  const host = pressedFor(judged);
  const around = leftTo(judged, look);
  for (let e = deep; e; e = parentOf(e)) {
    if (related(judged, e) || e === box || e === host || e === around) return true;
    if (activates(e) && !editor && !withinShadowOf(judged, e)) return false;
    if (bare && (hasAttr(e, "tabindex") || hasHandlerAttr(e) || handStarts(e))) return false;
  }
  return false;
}
