// The options of a select, a combobox or a list box, if they are in the page: all of
// them, the wanted one, and the chosen ones.

import { isEditable, isEnabled } from "../a11y/interactive";
import { innerCombobox, nameOf } from "../a11y/name";
import { drawnOptions, explicitRole, roleOf } from "../a11y/role";
import { stateIn } from "../a11y/stateclass";
import { textOf } from "../a11y/visibletext";
import type { Choice, ExtractorError, Picked, Wish } from "../api";
import {
  all, attr, byId, childrenOf, clientHeight, closest, deepActive, eachChild, firstIn, hasAny, hasAttr, holds, isElement, isText, localName, matches,
  parentOf, rectOf, rootOf, scopes, scrollElementBy, scrollHeight, scrollTop,
} from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { lastingClasses } from "../dom/make";
import { cut, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { subjectOf } from "../guard/facts";
import { boxOf, describe, saidBeside, valueOf } from "../listing/describe";
import { dropList, fieldOptions, isDrop } from "../listing/fieldlist";
import { currentLook, remember } from "../listing/identity";
import { sameName } from "../listing/samename";
import { failure } from "./resolve";

type Failed = { error: ExtractorError };

const gone = (): Failed => failure("stale_ref", "The element is no longer in the page.");
const optionRoles = "[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=treeitem],[role=radio]";
const listRoles = "[role=listbox],[role=tree],[role=menu],[role=grid]";

const isSelected = (x: Element): boolean =>
  attr(x, "aria-selected") === "true" || attr(x, "aria-checked") === "true" || explicitRole(x) === "" && /\b(?:selected|checked)\b/.test(stateIn(attr(x, "class")));
/** Whether several options may be chosen; in a component the list with that attribute may be inside the box that the control names. */
const isMultiple = (boxes: Element[], shown: Element[]): boolean => [...boxes, shown[0] ? closest(shown[0], (e) => matches(e, listRoles)) : null].some((b) => b !== null && attr(b, "aria-multiselectable") === "true");

/** The control of a node; for a box without a role around an invisible combobox, that combobox (PrimeVue, PrimeReact). */
function controlOf(node: Element): Element {
  const el = subjectOf(node);
  const inner = explicitRole(el) === "" && !isEditable(el) ? innerCombobox(el) : null;
  return inner && [...all(el, "input,select,textarea,a[href]")].length === 1 && rectOf(el).height <= boxHeight ? inner : el;
}

/** The options of a native select, of a field with a datalist, or of an ARIA list box or combobox that is open. */
export function options(o: { id: number; max: number }): { options: Choice[]; native: boolean; open: boolean; multiple: boolean; more: number; seen: number } | Failed {
  const node = nodeOf(o.id);
  if (!node) return gone();
  const el = controlOf(node);
  if (el instanceof HTMLSelectElement) {
    const list = [...el.options].map((x): Choice => ({
      value: cut(x.value, 200), label: cut(flat(x.label || x.text), 200), selected: x.selected,
      disabled: x.disabled || x.parentElement instanceof HTMLOptGroupElement && x.parentElement.disabled,
      ...(x.parentElement instanceof HTMLOptGroupElement ? { group: cut(flat(x.parentElement.label), 100) } : {}),
    }));
    return { options: list.slice(0, o.max), native: true, open: false, multiple: el.multiple, more: Math.max(0, list.length - o.max), seen: currentLook() };
  }
  if (el instanceof HTMLInputElement && el.list) {
    const list = [...el.list.options].map((x): Choice => ({ value: cut(x.value, 200), label: cut(flat(x.label || x.value), 200), selected: x.value === el.value, disabled: x.disabled }));
    return { options: list.slice(0, o.max), native: true, open: false, multiple: false, more: Math.max(0, list.length - o.max), seen: currentLook() };
  }
  const look = new LayoutCache();
  const boxes = listsOf(el, look);
  if (boxes.length === 0 && !opens(el) && !isDrop(el)) return failure("unsupported", "It has no options.");
  const shown = shownOptions(boxes, look);
  const found = shown.slice(0, o.max).map((x): Choice => {
    const name = nameOf(x);
    remember(x, name, look);
    return { id: idOf(x), role: roleOf(x), value: cut(attr(x, "data-value") ?? name, 200), label: cut(name, 200), selected: isSelected(x), disabled: !isEnabled(x), ...groupOf(x) };
  });
  // A list that draws only the options in view gives its length in aria-setsize.
  const size = Math.max(0, ...shown.map((x) => Number(attr(x, "aria-setsize")) || 0));
  return { options: found, native: false, open: shown.length > 0, multiple: isMultiple(boxes, shown), more: Math.max(shown.length, size) - found.length, seen: currentLook() };
}

function groupOf(x: Element): { group?: string } {
  const g = closest(x, (e) => attr(e, "role") === "group");
  const name = g ? nameOf(g) : "";
  return name ? { group: cut(name, 100) } : {};
}

/** A control that opens a list, or the field in it, whose name says more than that of the control around it (Arco, Choices.js, Select2). */
const opens = (el: Element): boolean => roleOf(el) === "combobox" || isEditable(el) && closest(el, (e) => explicitRole(e) === "combobox") !== null || /^(?:listbox|tree|grid|menu|true)$/.test(attr(el, "aria-haspopup") ?? "") || hasAttr(el, "aria-autocomplete");

/** Whether el is a field whose list follows the typed text. */
const suggests = (el: Element): boolean =>
  (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) && !el.readOnly && closest(el, (e) => /^(?:list|both)$/.test(attr(e, "aria-autocomplete") ?? "")) !== null;

function shownOptions(boxes: Element[], look: LayoutCache): Element[] {
  const out: Element[] = [];
  const add = (x: Element): void => {
    if (!out.includes(x) && look.shown(x)) out.push(x);
  };
  for (const box of boxes) {
    for (const x of all(box, optionRoles)) add(x);
    for (const s of all(box, "slot")) for (const given of (s as HTMLSlotElement).assignedElements({ flatten: true })) {
      if (matches(given, optionRoles)) add(given);
      for (const x of all(given, optionRoles)) add(x);
    }
  }
  for (const box of boxes) if (cascades.has(box)) for (const x of all(box, "[role=menuitem]")) add(x);
  if (out.length === 0) for (const box of boxes) inShadows(box, look, add);
  if (out.length === 0) for (const box of boxes) for (const x of drawnFor(box, look)) add(x);
  if (out.length === 0) for (const box of boxes) for (const x of all(box, "*")) if (drawnOptions.has(x)) add(x);
  if (out.length === 0) for (const box of boxes) for (const x of dropRows.get(box) ?? []) add(x);
  return out;
}

/** The rows of lists without roles. */
const dropRows = new WeakMap<Element, Element[]>();

const mostLooked = 5000;

/** The options of a list whose parts are components: each is in a shadow tree of its own, and what it is given comes by slots. */
function inShadows(box: Element, look: LayoutCache, add: (x: Element) => void): void {
  let looked = 0;
  const walk = (e: Element, name: string): void => {
    if (++looked > mostLooked || !look.boxed(e) && look.style(e).display !== "contents") return;
    if (matches(e, optionRoles)) return add(e);
    eachChild(e, (n) => { if (isElement(n)) walk(n, localName(n)); }, name);
  };
  walk(box, localName(box));
}

const kindOfItem = (x: Element): string => lastingClasses(x).join(" ");
/** By list, the parent of the options drawn for it, and their lasting classes. */
const drawnIn = new WeakMap<Element, { holder: Element; kind: string }>();

/**
 * The options drawn beside an invisible list that has only a few of them, for screen readers (antd): the first element with
 * the text of one of these, and its siblings with the same classes.
 */
function drawnFor(box: Element, look: LayoutCache): Element[] {
  if (look.style(box).visibility !== "visible") return []; // hidden from screen readers too, while it is placed
  const told = new Set([...all(box, "[role=option]")].map((x) => nameOf(x)).filter((n) => n !== ""));
  const around = told.size > 0 && look.boxed(box) ? parentOf(box) : null; // a closed one draws nothing
  for (const e of around ? all(around, "*") : []) {
    if (holds(box, e) || !told.has(textOf(e, 200)) || !look.shown(e)) continue;
    if (closest(e, (up) => matches(up, `${listRoles},[role=combobox]`)) !== null) continue; // another list, of the same words
    let item = e;
    for (let p = parentOf(e); p && p !== around && textOf(p, 200) === textOf(e, 200) && childrenOf(p).length < 3; p = parentOf(p)) item = p;
    // The only item has the same text as its list: go back down to an element with a title or class.
    while (item !== e && !hasAttr(item, "title") && !hasAttr(item, "class")) item = childrenOf(item)[0] ?? e;
    const holder = parentOf(item) ?? item;
    drawnIn.set(box, { holder, kind: kindOfItem(item) });
    return childrenOf(holder).filter((x) => kindOfItem(x) === kindOfItem(item));
  }
  // A list that draws only the options in view has scrolled past those of the invisible list.
  const was = drawnIn.get(box);
  return was && around && holds(around, was.holder) && look.shown(was.holder) ? childrenOf(was.holder).filter((x) => kindOfItem(x) === was.kind) : [];
}

/** The lists of a control. A combobox's are usually elsewhere in the page: its attributes name them, or it has just opened them. */
export function listsOf(el: Element, look: LayoutCache): Element[] {
  const role = roleOf(el);
  if (role === "listbox" || role === "tree" || role === "menu" || role === "radiogroup") return [el];
  const out: Element[] = [];
  const add = (box: Element | null): void => {
    if (box && !out.includes(box) && !out.some((b) => holds(b, box))) out.push(box);
  };
  const near = closest(el, (e) => hasAttr(e, "aria-controls") || hasAttr(e, "aria-owns")) ?? el;
  for (const e of [el, near]) {
    for (const id of `${attr(e, "aria-controls") ?? ""} ${attr(e, "aria-owns") ?? ""}`.split(/\s+/)) add(named(e, id));
  }
  const told = toldIn(el, look);
  for (const box of all(el, "[role=listbox]")) if (!told.includes(box)) add(box);
  const active = named(el, attr(el, "aria-activedescendant") ?? "");
  add(closest(active, (e) => roleOf(e) === "listbox" || roleOf(e) === "tree"));
  if (shownOptions(out, look).length === 0 && opens(el) && isOpen(el)) {
    add(beside(el, look));
    if (shownOptions(out, look).length === 0) for (const box of columnsOf(nearest(el, look), look)) add(box);
  }
  const [drawn] = out.length === 0 ? fieldOptions(el, look) : [];
  if (drawn) add(parentOf(drawn));
  const drop = out.length === 0 && isDrop(el) ? dropList(el, look) : null;
  if (drop) {
    dropRows.set(drop.list, drop.rows);
    add(drop.list);
  }
  return roleOf(el) === "combobox" ? out.flatMap((box) => menusIn(box, look)) : out;
}

/** The menus that are the columns of a cascader. */
const cascades = new WeakSet<Element>();

/** The menus in box if it is the popup of a cascader, whose columns are menus and whose options are menu items (Arco, Semi); else box. */
function menusIn(box: Element, look: LayoutCache): Element[] {
  const menus = hasAny(box, optionRoles) ? [] : [...all(box, "[role=menu]")].filter((m) => look.shown(m));
  for (const m of menus) cascades.add(m);
  return menus.length > 0 ? menus : [box];
}

/** The lists in a control that only show the chosen options, beside the list that opens over the page (Choices.js). */
function toldIn(el: Element, look: LayoutCache): Element[] {
  const inside = [...all(el, "[role=listbox]")];
  const over = inside.filter((box) => closest(box, (e) => e === el || /^(?:absolute|fixed)$/.test(look.style(e).position)) !== el);
  return over.length > 0 ? inside.filter((box) => !over.includes(box)) : [];
}

/** The element with an id, first within el: copies of a component may use the same id for their own parts. */
const named = (el: Element, id: string): Element | null =>
  id === "" ? null : firstIn(el, `[id="${CSS.escape(id)}"]`) ?? byId(rootOf(el), id) ?? byId(document, id);

/** Whether a control is open by aria-expanded; without that attribute, whether it has the keyboard. */
function isOpen(el: Element): boolean {
  const said = closest(el, (e) => hasAttr(e, "aria-expanded"));
  return said ? attr(said, "aria-expanded") === "true" : holds(el, deepActive());
}

/** Whether a control says that it is open. */
const isExpanded = (el: Element): boolean => {
  const said = closest(el, (e) => hasAttr(e, "aria-expanded"));
  return said !== null && attr(said, "aria-expanded") === "true";
};

/** The kind of a control's popup that isn't a list: a grid, such as a calendar, or a dialog, which may contain a list. */
function popupOf(el: Element, boxes: readonly Element[], look: LayoutCache): "" | "dialog" | "grid" {
  if (!opens(el) || boxes.some((b) => hasAny(b, optionRoles))) return "";
  const said = attr(el, "aria-haspopup");
  const isGrid = (b: Element): boolean => matches(b, "[role=grid]") || [...all(b, "[role=grid],table")].length > 0;
  if (said === "grid" || boxes.some((b) => isGrid(b) && (said === "dialog" || isExpanded(el) && look.shown(b)))) return "grid";
  return said === "dialog" ? "dialog" : "";
}

/**
 * Whether Escape only closes the list of a control: the control is expanded, it or its list has the keyboard, and nothing
 * else that Escape closes or empties is around.
 */
function isClosable(el: Element, boxes: readonly Element[]): boolean {
  const at = deepActive();
  if (!isExpanded(el) || at === null || closest(el, (e) => matches(e, "dialog,[role=dialog],[role=alertdialog],[popover],:fullscreen"))) return false;
  if (at instanceof HTMLInputElement && at.type === "search" && at.value !== "") return false;
  return holds(el, at) || boxes.some((b) => holds(b, at)) || searchIn(el, boxes) === at;
}

/** Whether a list lies over the page, in an absolutely positioned or fixed part. */
const floats = (box: Element, look: LayoutCache): boolean => closest(box, (e) => /^(?:absolute|fixed)$/.test(look.style(e).position)) !== null;

/**
 * A component's list, which stands beside the control in its shadow tree: the only one that lies over the rest, or the
 * only one of all, where no other control opens one and it has no other name. A whole page may be one shadow tree, with
 * lists that are always there.
 */
function beside(el: Element, look: LayoutCache): Element | null {
  const root = rootOf(el);
  if (!(root instanceof ShadowRoot)) return null;
  const boxes = [...all(root, listRoles)].filter((b) => !holds(b, el) && !ownedByOther(b, el));
  const over = boxes.filter((b) => look.shown(b) && isOver(b, el, look));
  if (over.length > 0) return over.length === 1 ? over[0] ?? null : null;
  const box = boxes.length === 1 ? boxes[0] : undefined;
  if (!box || !look.shown(box) || [...all(root, "*")].some((e) => opens(e) && !holds(e, el) && !holds(el, e) && !holds(box, e))) return null;
  const name = hasAttr(box, "aria-label") || hasAttr(box, "aria-labelledby") ? nameOf(box) : "";
  return name === "" || sameName(name, nameOf(el)) ? box : null;
}

/** Whether a list lies over the part of the page that contains the control. */
function isOver(box: Element, el: Element, look: LayoutCache): boolean {
  const at = closest(box, (e) => holds(e, el) || /^(?:absolute|fixed)$/.test(look.style(e).position));
  return at !== null && !holds(at, el);
}

/** The list of a combobox that names none: the nearest visible list that no other control owns. */
function nearest(el: Element, look: LayoutCache): Element | null {
  let best: Element | null = null;
  let least = 400;
  let far: Element | null | undefined; // the only one farther off; null if there are several
  const b = look.box(el);
  for (const scope of scopes()) {
    for (const box of all(scope, listRoles)) {
      if (!look.shown(box) || look.inert(box) || holds(box, el) || !floats(box, look) || ownedByOther(box, el)) continue;
      const c = look.box(box);
      const off = Math.max(0, c.top - b.bottom, b.top - c.bottom) + Math.max(0, c.left - b.right, b.left - c.right);
      if (off < least) {
        least = off;
        best = box;
      } else if (best === null) far = far === undefined ? box : null;
    }
  }
  return best ?? far ?? null;
}

/** box and the menus beside it in the same popup, each opened from the one before (a cascader). */
function columnsOf(box: Element | null, look: LayoutCache): Element[] {
  const holder = box && explicitRole(box) === "menu" ? parentOf(box) : null;
  return box === null ? [] : holder === null ? [box] : childrenOf(holder).filter((b) => b === box || explicitRole(b) === "menu" && look.shown(b));
}

/** The options of each column of such a popup; none if there is only one list. */
function columnsIn(boxes: readonly Element[], shown: readonly Element[]): Element[][] {
  const first = boxes[0];
  if (boxes.length < 2 || !first || boxes.some((b) => explicitRole(b) !== "menu" || parentOf(b) !== parentOf(first) && !cascades.has(b))) return [];
  return boxes.map((b) => shown.filter((x) => holds(b, x)));
}

/** Whether another control names the list, or an element around it, as its own. */
function ownedByOther(box: Element, el: Element): boolean {
  const root = rootOf(box);
  const owned = new Set<string>();
  for (const e of [...all(document, "[aria-controls],[aria-owns]"), ...root instanceof ShadowRoot ? all(root, "[aria-controls],[aria-owns]") : []]) {
    if (e === el || holds(e, el)) continue;
    for (const id of `${attr(e, "aria-controls") ?? ""} ${attr(e, "aria-owns") ?? ""}`.split(/\s+/)) if (id !== "") owned.add(id);
  }
  return owned.size > 0 && closest(box, (e) => owned.has(attr(e, "id") ?? "") && !holds(e, el)) !== null;
}

/** Finds the wanted option among the present ones. */
export function pick(o: { id: number; wish: Wish }): Picked | Failed {
  const node = nodeOf(o.id);
  if (!node) return gone();
  const el = controlOf(node);
  const look = new LayoutCache();
  const boxes = listsOf(el, look);
  if (boxes.length === 0 && !opens(el) && !isDrop(el)) return failure("unsupported", "It has no options.");
  const shown = shownOptions(boxes, look);
  const out: Picked = {
    multiple: isMultiple(boxes, shown), shown: shown.length, labels: shown.slice(0, 20).map((x) => cut(nameOf(x), 60)),
    more: scrollersOf(boxes, shown, look).length > 0, suggests: suggests(el), expanded: isExpanded(el), popup: popupOf(el, boxes, look), closable: isClosable(el, boxes),
  };
  // An option in an opened column comes before one of the same name in the columns before it.
  let x: Element | undefined;
  const label = o.wish.label ?? o.wish.value;
  if (label !== undefined) for (const column of columnsIn(boxes, shown).reverse()) x ??= wanted(column, { label }, true);
  x ??= wanted(shown, o.wish, out.more);
  // A list may leave out an option that is chosen already.
  if (!x && out.multiple && label !== undefined) x = wanted(shownOptions(toldIn(el, look), look).filter(isSelected), { label }, false);
  const search = x ? null : searchIn(el, boxes);
  if (search) {
    out.search = describe(search, look);
    remember(search, out.search.name, look);
  }
  if (!x) return out;
  const option = describe(x, look);
  remember(x, option.name, look);
  const selected = isSelected(x);
  if (explicitRole(x) === "menuitemcheckbox") out.multiple = true; // each is on or off by itself
  // Also if the list isn't marked as multiple: a list that marks its current option as selected may not be.
  if (!selected || !isCurrent(x, el, boxes)) return { ...out, option, selected };
  const listOf = (e: Element): Element | null => closest(e, (up) => matches(up, listRoles));
  const other = shown.find((e) => e !== x && isEnabled(e) && listOf(e) === listOf(x));
  return { ...out, option, selected, current: true, ...other ? { other: describe(other, look) } : {} };
}

/** The field that came with the list, to search in it: it has the keyboard, and says that it is the list's or stands right beside it. */
function searchIn(el: Element, boxes: readonly Element[]): Element | null {
  const f = deepActive();
  if (!(f instanceof HTMLInputElement) || isEditable(el) || !isEditable(f) || holds(el, f) || holds(f, el)) return null;
  const said = `${attr(f, "aria-controls") ?? ""} ${attr(f, "aria-owns") ?? ""}`.split(/\s+/);
  const near = (box: Element): boolean => {
    let up: Element | null = box;
    for (let i = 0; up && i < 4 && !holds(up, f); i++) up = parentOf(up);
    return up !== null && holds(up, f) && !holds(up, el);
  };
  return boxes.some((box) => said.includes(attr(box, "id") ?? "\0") || near(box)) ? f : null;
}

/**
 * Whether an option is the one that the pointer or the arrow keys are at. Some lists (Choices.js 11, cmdk 1) call that
 * one selected, which in ARIA 1.3 (6.6, aria-selected) is what is chosen.
 */
function isCurrent(x: Element, el: Element, boxes: readonly Element[]): boolean {
  const id = attr(x, "id");
  const owners = [el, deepActive(), ...boxes, ...all(el, "[aria-activedescendant]")];
  return matches(x, ":hover") || id !== null && id !== "" && owners.some((e) => e !== null && attr(e, "aria-activedescendant") === id);
}

function wanted(list: Element[], w: Wish, scrolls: boolean): Element | undefined {
  const at = (n: number): Element | undefined => list.find((x) => attr(x, "aria-posinset") === String(n + 1)) ??
    (scrolls && list.some((x) => hasAttr(x, "aria-posinset")) ? undefined : list[n]);
  if (w.position !== undefined) return at(w.position);
  const want = flat(w.label ?? w.value);
  const low = want.toLowerCase();
  const byLabel = list.find((x) => flat(nameOf(x)) === want) ?? list.find((x) => flat(nameOf(x)).toLowerCase() === low) ??
    list.find((x) => bare(nameOf(x)).toLowerCase() === low) ?? // a tick before the one that is chosen
    list.find((x) => flat(textOf(x, 200)).toLowerCase() === low); // a style may add words: "Press to select"
  if (w.label !== undefined) return byLabel ?? only(list, low);
  return list.find((x) => attr(x, "data-value") === w.value || attr(x, "value") === w.value) ?? byLabel ??
    list.find((x) => attr(x, "data-value")?.toLowerCase() === low) ?? only(list, low) ?? (/^\d+$/.test(want) ? at(Number(want)) : undefined);
}

const bare = (name: string): string => flat(name).replace(/^[^\p{L}\p{N}]+\s|\s[^\p{L}\p{N}]+$/gu, "");

/**
 * Options often say more than one asks for ("Oslo" of "Oslo, Norway", "Red" of "Selected, Red"): the one that begins so,
 * or ends so behind a comma, if it is the only one.
 */
function only(list: Element[], low: string): Element | undefined {
  if (low.length < 2) return undefined;
  const found = list.filter((x) => {
    const name = flat(nameOf(x)).toLowerCase();
    return name.startsWith(low) && !/[\p{L}\p{N}]/u.test(name.charAt(low.length)) || name.endsWith(`, ${low}`);
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The scroller of a list: the list, an element in it, or one around it. */
function scrollerOf(box: Element, look: LayoutCache): Element | null {
  const can = (e: Element): boolean => look.scrolls(e) && look.style(e).overflowY !== "hidden" && scrollHeight(e) > clientHeight(e) + 1;
  const inside = (e: Element, depth: number): Element | null => {
    if (can(e)) return e;
    if (depth === 0) return null;
    for (const c of childrenOf(e)) {
      const found = inside(c, depth - 1);
      if (found) return found;
    }
    return null;
  };
  const found = inside(box, 3);
  if (found) return found;
  const around = closest(box, (e) => can(e));
  return around && around.tagName !== "BODY" && around.tagName !== "HTML" && clientHeight(around) < 800 ? around : null;
}

/** The scrollers of the lists; for options drawn beside their list, the scroller around them, even if the page handles the wheel itself. */
function scrollersOf(boxes: Element[], shown: Element[], look: LayoutCache): Element[] {
  const out = boxes.map((b) => scrollerOf(b, look)).filter((s) => s !== null);
  const first = shown[0];
  if (out.length > 0 || !first || boxes.some((b) => holds(b, first))) return out;
  const s = closest(first, (e) => /^(?:auto|scroll|hidden)$/.test(look.style(e).overflowY) && scrollHeight(e) > clientHeight(e) + 1 && clientHeight(e) > 0);
  return s && s.tagName !== "BODY" && s.tagName !== "HTML" && clientHeight(s) < 800 ? [s] : [];
}

/** How far the options go on below what a scroller shows of them: those were looked through. Parked rows lie beyond a gap. */
function drawnBelow(s: Element, shown: readonly Element[]): number {
  const from = rectOf(s).top + clientHeight(s);
  let to = from;
  const rows = shown.filter((x) => holds(s, x)).map((x) => rectOf(x)).filter((r) => r.bottom > from).sort((a, b) => a.top - b.top);
  for (const r of rows) {
    if (r.top > to + clientHeight(s) / 2) break;
    to = Math.max(to, r.bottom);
  }
  return to - from;
}

export function scrollList(o: { id: number; start?: boolean }): { moved: boolean } {
  const node = nodeOf(o.id);
  if (!node) return { moved: false };
  const look = new LayoutCache();
  const boxes = listsOf(controlOf(node), look);
  const shown = shownOptions(boxes, look);
  for (const s of scrollersOf(boxes, shown, look)) {
    const before = scrollTop(s);
    scrollElementBy(s, { top: o.start ? -scrollHeight(s) : Math.max(clientHeight(s) * 0.8, drawnBelow(s, shown)), behavior: "instant" });
    if (scrollTop(s) !== before) return { moved: true };
  }
  return { moved: false };
}

/** The chosen options of a combobox or list box. The current option counts only if it is one of labels, which were pressed. */
export function chosen(o: { id: number; labels: string[] }): { value: string; selected: string[]; open: boolean; next: string[] } {
  const node = nodeOf(o.id);
  if (!node) return { value: "", selected: [], open: false, next: [] };
  const el = controlOf(node);
  const look = new LayoutCache();
  const boxes = listsOf(el, look);
  const shown = shownOptions(boxes, look);
  const selected = [...shownOptions(toldIn(el, look), look), ...shown].filter((x) => isSelected(x) && (o.labels.includes(nameOf(x)) || !isCurrent(x, el, boxes)));
  const value = flat(valueOf(el)) || (opens(el) || isDrop(el) ? (innerCombobox(el) ? saidBeside(el, nameOf(el)) : saidIn(el, look)) || around(el, look) : "");
  // The column that the last pressed option has opened.
  const columns = columnsIn(boxes, shown);
  const last = o.labels.at(-1) ?? "";
  const at = columns.findLastIndex((c) => c.some((x) => nameOf(x) === last));
  const next = at < 0 ? [] : columns[at + 1] ?? [];
  return { value: cut(value, 200), selected: [...new Set(selected.map((x) => cut(nameOf(x), 60)))], open: shown.length > 0, next: next.slice(0, 20).map((x) => cut(nameOf(x), 60)) };
}

/** The text of a control, without its list if that is a part of it (vue-multiselect). */
function saidIn(el: Element, look: LayoutCache): string {
  if (!hasAny(el, listRoles)) return textOf(el, 200);
  let out = "";
  const read = (n: Element): void => eachChild(n, (c) => {
    if (isText(c)) out += ` ${c.data}`;
    else if (isElement(c) && !matches(c, listRoles) && look.boxed(c)) {
      if (!hasAny(c, listRoles)) out += ` ${textOf(c, 200)}`;
      else read(c);
    }
  });
  read(el);
  return cut(flat(out), 200);
}

/** The most levels between a field and the words of its choice, and the greatest height of the box with both, in CSS pixels. */
const nearbyUp = 5;
const boxHeight = 300;

/** The words beside a tiny combobox field that show its choice, without the text around both. */
function around(el: Element, look: LayoutCache): string {
  const frame = boxOf(el, look);
  if (frame) return saidIn(frame, look);
  for (let p = parentOf(el), up = 0; p && up < nearbyUp; p = parentOf(p), up++) {
    const b = look.box(p);
    if (matches(p, "body,form,fieldset,dialog,[role=dialog]") || b.bottom - b.top > boxHeight) return "";
    if ([...all(p, "input:not([type=hidden]),select,textarea,a[href],[role=combobox],[role=button][tabindex='0']")].some((e) => e !== el && !holds(e, el) && !holds(el, e) && attr(e, "aria-hidden") !== "true")) return "";
    const said = saidIn(p, look);
    if (said !== "") return said;
  }
  return "";
}
