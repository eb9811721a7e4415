// Which elements of a page are controls: by native meaning, by role, by being editable,
// or by their behaviour.

import {
  attr, childrenOf, closest, editableContent, editsByContext, hasAny, hasAttr, hasAttrs, isElement, localName, matches, nextSibling, parentOf,
  previousSibling, textContent,
} from "../dom/dom";
import { explicitRole, inputType, isEditingHost, roleOf, widgetRoles } from "./role";
import { isDrawnSwitch } from "./switches";

export const enum Kind { None, Frame, Native, Role, Behaviour }

const handlers = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ontouchstart", "ontouchend", "ondblclick", "onkeydown", "onkeypress", "oncontextmenu"];

const nativeTags = new Set(["a", "area", "button", "input", "select", "textarea", "summary", "iframe", "frame", "audio", "video", "object"]);

export function hasHandlerAttr(el: Element): boolean {
  for (const h of handlers) if (hasAttr(el, h)) return true;
  return false;
}

function nativeKind(el: Element, tag: string): Kind {
  switch (tag) {
    case "iframe": case "frame": return Kind.Frame;
    case "a": case "area": return hasAttr(el, "href") || hasAttr(el, "xlink:href") ? Kind.Native : Kind.None;
    case "input": return inputType(el) === "hidden" ? Kind.None : Kind.Native;
    case "summary": {
      const p = parentOf(el);
      return p !== null && (localName(p) === "details" || closest(el, (e) => localName(e) === "details") !== null) ? Kind.Native : Kind.None;
    }
    case "audio": case "video": return hasAttr(el, "controls") ? Kind.Native : Kind.None;
    case "object": return Kind.None;
    default: return Kind.Native;
  }
}

// Attributes by which libraries tie an action to an element.
const ties = ["data-action", "data-toggle", "data-bs-toggle", "data-dismiss", "data-bs-dismiss", "data-click", "jsaction", "ng-click", "data-ng-click",
  "v-on:click", "@click", "x-on:click", "wire:click", "hx-get", "hx-post", "phx-click", "(click)"];
// Attributes for the address that a press leads to; they count only with a hand cursor.
const routes = ["data-route", "data-href", "data-link", "data-nav", "data-navigate", "data-to"];
const having = (names: string[]): string => names.map((t) => `[${CSS.escape(t)}]`).join();
const tied = having(ties);

const hints = /^(?:tooltip|popover|submit|scroll|resize|load)\b/;

// Class names of controls that keep the arrow pointer.
const buttonWord = /(?:^|[\s_-])(?:btn|button|clickable|plus|minus|increment|decrement|stepper|thumb|knob|grip|drag-?handle)(?:[\s_-]|$)/i;
const aroundThem = /group|wrap|container|row|bar|list|box|img|image|nail|label|toolbar/i;

// Class names of choices in a list over the page, which may keep the arrow pointer as in a menu.
const offered = /(?:^|[\s_-])(?:item|option|choice)(?:\s|$)/i;
const comesUp = /popover|popup|dropdown|suggest|autocomplete|typeahead/i;

/** Whether el is one of several such choices. */
function isOffered(el: Element, name: string): boolean {
  if (!offered.test(name) || !small(el) || (textContent(el) ?? "").trim() === "") return false;
  const list = parentOf(el);
  const outer = list && parentOf(list);
  if (![list, outer].some((e) => e && comesUp.test(attr(e, "class") ?? ""))) return false;
  return childrenOf(list as Element).filter((e) => offered.test(attr(e, "class") ?? "")).length > 1;
}

/** Whether attributes mark a control, if neither markup nor pointer does. */
function tiedOrCalled(el: Element, tag: string, told: boolean): boolean {
  // A link whose presses are handled by an ancestor or by the whole page.
  if (tag === "a") return (textContent(el) ?? "").trim() !== "" && pointer(el);
  if (tag !== "span" && tag !== "div" && tag !== "i" && tag !== "li" && tag !== "td" && tag !== "b" && tag !== "p" && !tag.includes("-")) return false;
  if (told && matches(el, tied)) for (const t of ties) if (hasAttr(el, t) && !hints.test(attr(el, t) ?? "")) return small(el);
  if (told && routes.some((r) => hasAttr(el, r)) && small(el) && pointer(el)) return true;
  const name = attr(el, "class");
  if (name && buttonWord.test(name) && !aroundThem.test(name)) return small(el);
  if (name && isOffered(el, name)) return true;
  return told && slot(el, tag);
}

/** Whether el has few words and no control in it. */
function small(el: Element): boolean {
  return (textContent(el) ?? "").trim().length <= 30 && !hasAny(el, "a,button,input,select,textarea,[role],[tabindex]");
}

const slots = ["data-date", "data-day", "data-time", "data-hour"];

/** Whether el is one of a run of days or hours: calendars take presses anywhere in an empty one. */
function slot(el: Element, tag: string): boolean {
  if (tag !== "td" && tag !== "div") return false;
  const a = slots.find((s) => hasAttr(el, s));
  if (a === undefined || tag === "div" && !small(el)) return false;
  let near = 0;
  for (const next of [nextSibling, previousSibling]) {
    let n = next(el);
    while (n && !isElement(n)) n = next(n);
    if (n && hasAttr(n, a)) near++;
  }
  return near > 0;
}

/** Without any of these attributes an element is neither control nor place nor layer: one check saves thirty. */
const telling = new Set(["role", "contenteditable", "tabindex", "draggable", "aria-modal", "popover", "aria-sort", ...handlers, ...ties, ...routes, ...slots]);

/** Whether an element has one of these attributes. */
export const tells = (names: readonly string[]): boolean => {
  for (const n of names) if (telling.has(n)) return true;
  return false;
};

/** Whether el only shows the value of a combobox: it has a field's role, but takes neither text nor the keyboard (Select2). */
const sayOnly = (el: Element, role: string): boolean =>
  role === "textbox" && attr(el, "aria-readonly") === "true" && !hasAttr(el, "tabindex") && !editableContent(el) &&
  closest(parentOf(el), (e) => explicitRole(e) === "combobox") !== null;

/** The kind that the markup gives an element. told: whether it has telling attributes. */
export function markedKind(el: Element, tag: string, told: boolean): Kind {
  if (nativeTags.has(tag)) {
    const k = nativeKind(el, tag);
    if (k !== Kind.None) return k;
  }
  if (told) {
    const role = explicitRole(el);
    if (role && widgetRoles.has(role)) {
      // A cell is a control only if it can take focus; an option of a native select belongs to the select.
      if (role !== "gridcell" ? !sayOnly(el, role) : hasAttr(el, "tabindex")) return Kind.Role;
    }
    if (hasAttr(el, "contenteditable") && isEditingHost(el)) return Kind.Native;
    if (tag !== "body" && tag !== "html") {
      const tab = attr(el, "tabindex");
      if (tab !== null && Number(tab) >= 0 && !isPlace(el, tag, role)) return Kind.Behaviour;
      if (hasHandlerAttr(el) || attr(el, "draggable") === "true" && tag !== "img") return Kind.Behaviour;
      // The head of a sortable column is pressed, unless it contains a button.
      if (hasAttr(el, "aria-sort") && !hasAny(el, "a[href],button,[role=button],[tabindex='0']")) return Kind.Behaviour;
    }
  }
  if (isDrawnSwitch(el, tag)) return Kind.Role;
  if (tag === "body" && isEditingHost(el)) return Kind.Native; // the whole page by designMode
  return Kind.None;
}

/** Whether el is a part of the page: it takes the focus so that keys scroll it, or a skip link leads there. */
const isPlace = (el: Element, tag: string, role: string): boolean => parts.test(role || tag) && hasAny(el, pressable);

const parts = /^(?:main|nav|header|footer|aside|search|navigation|banner|contentinfo|complementary|region|tabpanel)$/;

/** Whether attributes or names make an element a control where its markup does not. */
export const called = (el: Element, tag: string, told: boolean): boolean => hasAttrs(el) && tiedOrCalled(el, tag, told);

/** cursor: whether the pointer changes at el; called only if nothing else decides. */
export function kindOf(el: Element, tag: string, cursor: () => boolean, told = hasAttrs(el)): Kind {
  const kind = markedKind(el, tag, told);
  if (kind !== Kind.None || tag === "body" || tag === "html") return kind;
  return cursor() || called(el, tag, told) ? Kind.Behaviour : Kind.None;
}

const pointer = (el: Element): boolean => getComputedStyle(el).cursor === "pointer";

/** Whether a cursor shows that something can be pressed or dragged. */
export const acting = (cursor: string): boolean =>
  cursor === "pointer" || cursor === "grab" || cursor === "grabbing" || cursor === "move" || resizes(cursor) || cursor.startsWith("zoom-");

/** Whether a cursor shows that an edge or corner makes a part larger. */
export const resizes = (cursor: string): boolean => cursor.endsWith("-resize");

/** Whether a cursor shows that something can be dragged. */
export const drawing = (cursor: string): boolean => cursor !== "pointer" && !cursor.startsWith("zoom-") && acting(cursor);

/** Whether el has a hand cursor and its parent has none. */
export function handStarts(el: Element): boolean {
  if (!pointer(el)) return false;
  const p = parentOf(el);
  return p === null || !pointer(p);
}

/** Whether el acts when pressed, so that a press on it does not count for its ancestors. */
export function activates(el: Element): boolean {
  const tag = localName(el);
  if (nativeTags.has(tag) && nativeKind(el, tag) !== Kind.None) return true;
  if (tag === "label") return true;
  const role = explicitRole(el);
  if (role !== "" && widgetRoles.has(role) && (role !== "gridcell" ? !sayOnly(el, role) : hasAttr(el, "tabindex"))) return true;
  return tag === "option" || isEditingHost(el);
}

/** Whether e is a button or box in a row: its words are not the row's. */
export const acts = (e: Element): boolean =>
  /^(?:button|input|select|textarea)$/.test(localName(e)) || /^(?:button|checkbox|switch|menuitem|combobox)$/.test(attr(e, "role") ?? "");

/** Selects the controls in a row or part that can be pressed by themselves. */
export const pressable = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=checkbox],[role=switch],[tabindex],[onclick]";

/** The element that acts when el is pressed: itself or the nearest ancestor. */
export function actorOf(el: Element): Element {
  const found = closest(el, (e) => activates(e) || isDrawnSwitch(e));
  if (found) return found;
  return closest(el, (e) => localName(e) !== "body" && localName(e) !== "html" && (hasHandlerAttr(e) || hasAttr(e, "tabindex") && Number(attr(e, "tabindex")) >= 0 || handStarts(e) || called(e, localName(e), true))) ?? el;
}

/** The names that its authors gave it. */
export const drawnAs = (el: Element): string => `${attr(el, "class") ?? ""} ${attr(el, "data-testid") ?? ""}`.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const asides = /(?:^|[^a-z])(?:close|delete|remove|cancel|clear|dismiss|trash|heart|fav(?:ou?rite)?|wish(?:list)?|star|bookmark|more|menu|kebab|ellipsis|edit|pencil)(?:[^a-z]|$)/;

/** Whether its name is that of a secondary action: the heart on a card, the cross on a chip. */
export const isAside = (el: Element): boolean => asides.test(drawnAs(el));

export type Family = "button" | "input" | "link" | "select" | "image" | "other";

const buttonRoles = new Set(["button", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "generic", "treeitem", "gridcell"]);
const inputRoles = new Set(["textbox", "searchbox", "checkbox", "radio", "switch", "slider", "spinbutton"]);

/** The family getElements filters by. */
export function familyOf(el: Element, role = roleOf(el)): Family {
  const tag = localName(el);
  if (tag === "input") {
    const t = inputType(el);
    return t === "submit" || t === "button" || t === "reset" || t === "image" ? "button" : "input";
  }
  if (tag === "textarea") return "input";
  if (tag === "select") return "select";
  if (role === "link") return "link";
  if (role === "img") return "image";
  if (role === "listbox" || role === "option" || role === "combobox") return "select";
  if (inputRoles.has(role)) return "input";
  if (buttonRoles.has(role)) return "button";
  return "other";
}

// Elements that HTML can disable, beside custom elements.
const disabling = new Set(["button", "input", "select", "textarea", "optgroup", "option", "fieldset"]);

/** Whether el is disabled by itself or by its fieldset; null if unknown. */
export function disabled(el: Element): boolean | null {
  const tag = localName(el);
  if (!disabling.has(tag) && !tag.includes("-")) return false;
  try {
    return matches(el, ":disabled");
  } catch {
    return null;
  }
}

/** Whether el is not disabled by itself, by its fieldset, or by aria-disabled. */
export function isEnabled(el: Element): boolean {
  const own = disabled(el);
  if (own !== false) return own === null;
  const said = closest(el, (e) => hasAttr(e, "aria-disabled"));
  return said === null || attr(said, "aria-disabled") !== "true";
}

// Roles that take text, and roles of cells that take text only with contenteditable of their own.
const texts = new Set(["textbox", "searchbox", "combobox", "spinbutton"]);
const cells = new Set(["gridcell", "treeitem"]);

/** Whether a press has an effect of its own, even in editable content: a button, a link, a box. */
function worked(el: Element): boolean {
  const tag = localName(el);
  if (nativeTags.has(tag) && nativeKind(el, tag) !== Kind.None) return true;
  const role = explicitRole(el);
  return widgetRoles.has(role) && !texts.has(role) && !(cells.has(role) && hasAttr(el, "contenteditable"));
}

/** Whether el is text of an editable region: a button in an editor is not. */
function isWritten(el: Element): boolean {
  for (let e: Element | null = el; e && editableContent(e); e = parentOf(e)) {
    if (worked(e)) return false;
    if (isEditingHost(e)) return true;
    if (hasHandlerAttr(e)) return false;
  }
  return editableContent(el);
}

/** Whether it takes text. */
export function isEditable(el: Element): boolean {
  if (el instanceof HTMLInputElement) return !el.readOnly && /^(?:text|search|url|tel|email|password|number|date|month|week|time|datetime-local)$/.test(el.type) && isEnabled(el);
  if (el instanceof HTMLTextAreaElement) return !el.readOnly && isEnabled(el);
  return isWritten(el) || editsByContext(el) && !worked(el) && isEnabled(el);
}
