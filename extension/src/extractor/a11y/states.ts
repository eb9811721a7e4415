// States that a page only draws: the current tab, page or step, whether
// a switch is on, which mail is unread. They are found by the words of classes and by
// computed styles, if one of several similar elements differs from the others;
// states in ARIA attributes take precedence.

import type { RawElement } from "../api";
import { type Box, isEmpty } from "../dom/box";
import { type Color, rgba } from "../dom/colour";
import {
  all, attr, childrenOf, closest, firstIn, hasAttr, hasSeveral, isText, localName, matches, nextSibling, parentOf, previousSibling, textContent,
  walker,
} from "../dom/dom";
import { classesOf, likeOf, madeAlike } from "../dom/make";
import { flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { ligatureOf } from "./ligature";
import { explicitRole } from "./role";
import { isOnWord, rowWord, stateOf } from "./stateclass";
import { textOf } from "./visibletext";

/** How many siblings on either side are compared, and how many elements by their styles in one pass. */
const mostBeside = 40;
const mostStyled = 600;
/** The most levels from a control to the item of its bar. */
const mostWrappers = 5;

const words = /[\p{L}\p{N}]/u;
const letters = /\p{L}/u;

const offWord = /(?:^|[-_])(?:is[-_]?)?(?:off|unchecked|inactive|unselected)$/;

/** Whether a class means on, current or chosen. */
const isOn = (c: string): boolean => isOnWord(stateOf(c));

/** Whether the value of aria-current or another such attribute says more than "false". */
export const isSet = (value: string | null): boolean => value !== null && value !== "" && value !== "false";

const stateAttributes = ["aria-current", "aria-selected", "aria-pressed", "aria-checked"];
/** Whether an attribute says whether e is on; an empty one says nothing. */
const tells = (e: Element): boolean => stateAttributes.some((a) => (attr(e, a) ?? "") !== "");

/** Classes that select an icon, such as a tick on an Apply button. */
const iconic = /^(?:icons?|ico|fa[brs]?|glyphicon|mdi|bi|ti|ri|octicon|codicon|lucide|svg|symbol)[-_]/i;

/** Roles of elements that may be the current one of several. */
const marked = new Set(["link", "generic", "tab", "button", "listitem", "gridcell", "cell", "img"]);
/** Roles of elements that may be a drawn switch. */
const switchRoles = new Set(["generic", "button", "img", "listitem"]);

/** Adds the states of a control that only its class or style shows. */
export function addDrawn(el: Element, out: RawElement, look: LayoutCache): void {
  if (!marked.has(out.role) || out.current || out.pressed !== undefined || out.selected !== undefined || out.checked !== undefined || out.haspopup !== undefined) return;
  const said = words.test(out.name) || words.test(out.text);
  const set = setOf(el, look);
  if (set && set.on.size > 0) {
    const on = [...set.on].some((e) => e === el || closest(el, (x) => x === e) !== null);
    if (said && set.on.size === 1) {
      if (on) out.current = true;
    } else if (on && out.role !== "link") out.pressed = true;
    return;
  }
  if (!switchRoles.has(out.role)) return;
  const state = said ? out.role === "button" && isToggledOn(el) || undefined : switchedBy(el, look);
  if (state !== undefined) out.pressed = state;
}

/** The list's word for a control that a class marks as on: "current", "pressed" or "". */
export function drawnWord(el: Element, role: string, name: string, look: LayoutCache): string {
  const out: Pick<RawElement, "role" | "name" | "text"> & Partial<RawElement> = { role, name, text: flat(textContent(el)) };
  if (!tells(el)) addDrawn(el, out as RawElement, look);
  return out.current ? "current" : out.pressed === undefined ? "" : "pressed";
}

/** Similar controls side by side; on: those drawn as chosen. */
interface Bar { on: ReadonlySet<Element> }

const sets = new WeakMap<LayoutCache, { of: Map<Element, Bar | null>; styled: number }>();

function kept(look: LayoutCache): { of: Map<Element, Bar | null>; styled: number } {
  let k = sets.get(look);
  if (!k) sets.set(look, k = { of: new Map(), styled: 0 });
  return k;
}

/** The bar that holds a control or its wrapper, beside similar ones; null if there is none. */
function setOf(el: Element, look: LayoutCache): Bar | null {
  const own = (textContent(el) ?? "").trim();
  for (let e: Element | null = el, up = 0; e && up < mostWrappers; e = parentOf(e), up++) {
    if (inProse(e)) return null;
    const more = e !== el && letters.test((textContent(e) ?? "").replace(own, ""));
    if (e !== el && hasSeveral(e, 3) && (more || localName(e) !== "li")) return null;
    // A tab may have a count beside it, and a closed menu.
    if (more && letters.test(textOf(e, own.length + 40).replace(flat(own), ""))) return null;
    const known = kept(look).of.get(e);
    if (known !== undefined) return known;
    const members = likeOf(e, mostBeside).filter((m) => words.test(own) === words.test(textContent(m) ?? "")); // a tab's cross is no tab
    if (members.length < 2) continue;
    const set = compared(members, e, el, look);
    for (const m of members) kept(look).of.set(m, set);
    return set;
  }
  return null;
}

/** Whether there are words right beside it: an element in running text is not in a bar. */
const inProse = (e: Element): boolean => [previousSibling(e), nextSibling(e)].some((n) => n !== null && isText(n) && letters.test(n.data));

/** Compares the members of a bar; el: a control in one of them, item. */
function compared(members: readonly Element[], item: Element, el: Element, look: LayoutCache): Bar | null {
  const tag = localName(el);
  const control = (m: Element): Element => [...all(m, tag)].find((x) => madeAlike(x, el)) ?? firstIn(m, tag) ?? m;
  const inner = members.map((m) => m === item ? el : item === el ? m : control(m));
  if (inner.some(tells)) return null;
  if (members.some(tells)) { // items that say which of their links is current
    const on = members.filter((m) => stateAttributes.some((a) => !["", "false"].includes(attr(m, a) ?? "")));
    return on.length < members.length ? { on: new Set(on) } : null;
  }
  const by = new Map<string, Element[]>();
  for (const [i, m] of members.entries()) {
    const c = inner[i] as Element;
    for (const t of new Set(c === m ? classesOf(m) : [...classesOf(m), ...classesOf(c)])) if (isOn(t) && !iconic.test(t)) by.set(t, [...by.get(t) ?? [], m]);
  }
  // The rarest class decides: a menu also marks the parents of the current page.
  let fewest: Element[] | null = null;
  for (const of of by.values()) if (of.length < members.length && of.length < (fewest?.length ?? Infinity)) fewest = of;
  if (fewest) return { on: new Set(fewest) };
  const odd = by.size === 0 ? differing(members, inner, look) : null;
  return odd ? { on: new Set([odd]) } : null;
}

const bars = /(?:^|[^a-z])(?:tab|nav|menu|step|stepper|page|pager|pagination|pages|crumbs?|breadcrumbs?|segment|segmented|filter|sidebar|pills?)s?(?:[^a-z]|$)/i;
const barTags = new Set(["nav", "header", "aside", "footer"]);
const barRoles = new Set(["navigation", "tablist", "menubar", "banner"]);

/** Whether e is in a bar of tabs, pages or steps. */
function inBar(e: Element): boolean {
  for (let p = parentOf(e), up = 0; p && up < 4; p = parentOf(p), up++) {
    if (barTags.has(localName(p)) || barRoles.has(explicitRole(p)) || bars.test(attr(p, "class") ?? "") || bars.test(attr(p, "id") ?? "")) return true;
  }
  return false;
}

/** The most characters of a tab's name. */
const longest = 30;

/** The only element of a bar that is drawn unlike all the others, and more strongly. */
function differing(members: readonly Element[], inner: readonly Element[], look: LayoutCache): Element | null {
  const k = kept(look);
  const first = members[0];
  if (!first || members.length < 3 || k.styled > mostStyled || !inBar(first)) return null;
  if (members.some((m) => (textContent(m) ?? "").trim().length > longest) || inner.some((c) => matches(c, ":hover,:focus,:disabled"))) return null;
  k.styled += members.length;
  const drawings = members.map((m, i) => drawnAs(m, inner[i] as Element, look));
  const keys = drawings.map((d) => JSON.stringify(d));
  const usual = keys[0] === keys[1] || keys[0] === keys[2] ? 0 : 1;
  const odd = keys.flatMap((key, i) => key === keys[usual] ? [] : [i]);
  const at = odd[0];
  if (odd.length !== 1 || at === undefined) return null;
  const one = drawings[at] as Drawing;
  const others = drawings[usual] as Drawing;
  return one.shape === others.shape && stronger(one, others) ? members[at] ?? null : null;
}

interface Drawing { paper: string; weight: number; edge: number; edgeColour: string; ink: string; shape: string }

function drawnAs(m: Element, c: Element, look: LayoutCache): Drawing {
  const s = look.style(c);
  const o = c === m ? s : look.style(m);
  const edge = (x: CSSStyleDeclaration): number => parseFloat(x.borderBottomWidth) || 0;
  const from = edge(s) >= edge(o) ? s : o;
  return {
    paper: clearly(s.backgroundColor) ? s.backgroundColor : o.backgroundColor, weight: Number(s.fontWeight), edge: edge(from), edgeColour: edge(from) > 0 ? from.borderBottomColor : "",
    ink: s.color, shape: `${s.paddingLeft} ${s.fontSize} ${s.borderTopLeftRadius} ${s.opacity}`,
  };
}

const opaque = (c: Color | null): boolean => c !== null && c[3] > 0.02;
const clearly = (colour: string): boolean => opaque(rgba(colour));

/** Whether a colour warns, as on a Delete button: it marks no current element. */
function warns(colour: string): boolean {
  const c = rgba(colour);
  return c !== null && c[0] > 150 && c[1] < 110 && c[2] < 110;
}

function stronger(a: Drawing, b: Drawing): boolean {
  if (warns(a.ink)) return false;
  const heavier = a.weight > b.weight;
  const painted = a.paper !== b.paper && clearly(a.paper) && !warns(a.paper);
  const edged = a.edge > b.edge || a.edge === b.edge && a.edge > 0 && a.edgeColour !== b.edgeColour && clearly(a.edgeColour);
  return (heavier || painted || edged) && a.weight >= b.weight && a.edge >= b.edge;
}

/** Whether a switch without words is on: by its class, the classes of similar ones, or the place of its knob. */
function switchedBy(el: Element, look: LayoutCache): boolean | undefined {
  const own = classesOf(el);
  for (const e of [el, ...childrenOf(el).slice(0, 2)]) {
    const classes = e === el ? own : classesOf(e);
    if (classes.some((c) => offWord.test(c))) return false;
    if (classes.some(isOn) && (e !== el || hasOff(own, look) || knob(el, look) !== undefined || switchWord.test(own.join(" ")))) return true;
  }
  const by = knob(el, look);
  if (by !== undefined) return by;
  return own.length > 0 && hasOn(own, look) ? false : undefined;
}

/** Whether a button with words is a toggle that is on, by its classes. */
function isToggledOn(el: Element): boolean {
  const classes = classesOf(el);
  const named = classes.join(" ").replace(/([a-z])([A-Z])/g, "$1-$2");
  return toggle.test(named) && !opener.test(named) && classes.some((c) => isOn(c) && !iconic.test(c));
}

const toggle = /(?:^|[^a-z])(?:toggle|switch)(?:[^a-z]|$)/i;
/** Buttons that are called toggles because they open and close something. */
const opener = /drop-?down|nav|menu|side-?bar|collaps|drawer|accordion/i;
const switchWord = /(?:^|[^a-z])(?:switch|toggle|check-?box|star|heart|like|fav(?:ou?rite)?|bookmark|flag|pin)(?:[^a-z]|$)/i;

const others = new WeakMap<LayoutCache, Map<string, { on: boolean; off: boolean }>>();
const mostOthers = 60;

/** Whether among elements without words that share the first class some have a class for on, and whether some have none. */
function twoOf(own: readonly string[], look: LayoutCache): { on: boolean; off: boolean } {
  const base = own.find((c) => !isOn(c) && /^[\w-]+$/.test(c));
  if (base === undefined) return { on: false, off: false };
  let known = others.get(look);
  if (!known) others.set(look, known = new Map());
  let two = known.get(base);
  if (!two) {
    known.set(base, two = { on: false, off: false });
    const found = all(document, `.${CSS.escape(base)}`);
    for (let i = 0; i < found.length && i < mostOthers && !(two.on && two.off); i++) {
      const e = found[i] as Element;
      if (words.test(textContent(e) ?? "")) continue;
      if (classesOf(e).some(isOn)) two.on = true;
      else two.off = true;
    }
  }
  return two;
}

const hasOn = (own: readonly string[], look: LayoutCache): boolean => twoOf(own, look).on;
const hasOff = (own: readonly string[], look: LayoutCache): boolean => twoOf(own, look).off;

/** Whether the round knob is at the end of its track, which means on; undefined for other drawings. */
function knob(el: Element, look: LayoutCache): boolean | undefined {
  const track = look.box(el);
  const w = track.right - track.left;
  const h = track.bottom - track.top;
  if (w < 20 || w > 100 || h < 10 || h > 50 || w < 1.4 * h) return undefined;
  const parts = [...all(el, "*")].slice(0, 4).map((e) => look.box(e)).filter((b) => isKnob(b, track));
  const b = parts[0];
  if (parts.length !== 1 || !b || parseFloat(look.style(el).borderTopLeftRadius) * 2 < h - 4) return undefined;
  const before = b.left - track.left;
  const after = track.right - b.right;
  if (Math.abs(before - after) < w / 5) return undefined;
  const rtl = look.style(el).direction === "rtl";
  return before > after !== rtl;
}

function isKnob(b: Box, track: Box): boolean {
  if (isEmpty(b)) return false;
  const w = b.right - b.left;
  const h = b.bottom - b.top;
  return w < 0.75 * (track.right - track.left) && Math.abs(w - h) <= 3 && h > 0.5 * (track.bottom - track.top) && b.left > track.left - 4 && b.right < track.right + 4;
}

/** Words in the classes of rows or in the names of their icons, and the marks that they mean. */
const marks: [RegExp, string][] = [
  [/(?:^|[^a-z])unread(?![a-z])/i, "unread"],
  [/(?:^|[^a-z])(?:starred)(?![a-z])/i, "starred"],
  [/(?:^|[^a-z])(?:flagged)(?![a-z])/i, "flagged"],
  [/(?:^|[^a-z])(?:pinned)(?![a-z])/i, "pinned"],
];
const signs: [RegExp, string][] = [...marks, [/(?:^|[^a-z])(?:attachments?|attach file|paper-?clip|has attach\w*)(?![a-z])/i, "attachment"], [/(?:^|[^a-z])important(?![a-z])/i, "important"]];
const unmarked = /(?:^|[^a-z])(?:not|no|un(?!read)|mark as|remove|add)(?:[^a-z]|$)/i;

const maxSigns = 12;

/** The states of a row, and the names of its other signs. */
export function statesOf(row: Element, text: string, found: Iterable<Element>, look: LayoutCache): { states: string[]; signs: string[] } {
  const states = new Set<string>();
  const named: string[] = [];
  const like = likeRows(row, look);
  const only = (of: (e: Element) => boolean): boolean => of(row) && (like.length === 1 || like.some((e) => !of(e)));
  const says = (e: Element, of: (word: string) => boolean): boolean => classesOf(e).some((c) => of(stateOf(c)));
  for (const [, state] of marks) if (only((e) => says(e, (w) => w === state))) states.add(state);
  const drawn = (state: string): boolean => only((e) => says(e, (w) => rowWord(w) === state)) && !like.some(tells);
  // If all rows are selected, none differs: a checked box confirms the class.
  const ticked = (): boolean => says(row, (w) => rowWord(w) === "selected") && [...all(row, "input[type=checkbox]")].some((e) => (e as HTMLInputElement).checked);
  if (attr(row, "aria-selected") === "true" || drawn("selected") || ticked() && !like.some(tells)) states.add("selected");
  else if (hasAttr(row, "aria-current") ? isSet(attr(row, "aria-current")) : drawn("current")) states.add("current");
  let asked = 0;
  for (const sign of found) {
    if (++asked > maxSigns) break;
    const title = localName(sign) === "svg" ? firstIn(sign, ":scope > title") : undefined;
    const name = flat(attr(sign, "aria-label") ?? (title ? textContent(title) : null) ?? attr(sign, "title") ?? attr(sign, "alt"));
    const drawn = ligatureOf(sign).replaceAll("_", " ");
    if (drawn === "" && !title && words.test(textContent(sign) ?? "") || !look.shown(sign)) continue; // its text is read
    if (name === "" && drawn !== "") {
      const state = signs.find(([word]) => word.test(drawn))?.[1];
      if (state !== undefined) states.add(state);
      continue;
    }
    if (name === "") {
      if (marks[0]?.[0].test(attr(sign, "class") ?? "")) states.add("unread");
      continue;
    }
    const state = unmarked.test(name) ? undefined : signs.find(([word]) => word.test(name))?.[1];
    const b = look.box(sign);
    if (state !== undefined) states.add(state);
    else if (words.test(name) && name.length <= 24 && b.right - b.left <= 40 && b.bottom - b.top <= 40 && !text.includes(name) && named.length < 3 && !named.includes(name)) named.push(name);
  }
  if (!states.has("unread") && isBold(row, text, look) && like.some((e) => e !== row && weightOf(e, look) < bold)) states.add("unread");
  return { states: [...states], signs: named };
}

const mostLike = 6;

const rows = new WeakMap<LayoutCache, Map<Element, Element[]>>();

/** The rows that a row is compared with: in a long list, those around the first row that was asked about. */
function likeRows(row: Element, look: LayoutCache): Element[] {
  let known = rows.get(look);
  if (!known) rows.set(look, known = new Map());
  let like = known.get(row);
  if (!like) {
    like = likeOf(row, mostLike);
    for (const e of like) if (!known.has(e)) known.set(e, like);
  }
  return like;
}

/** A time or a date, as messages have. */
const dated = /\d{1,2}[:.h]\d{2}|\b\d{1,2}\.? ?(?:jan|feb|mar|apr|mai|may|jun|jul|aug|sep|oct|okt|nov|dec|dez)|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}\b|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\b\d+ ?(?:s|m|min|h|d|w|mo|y)\b|\bago\b|yesterday|today|月|昨天|今天|分钟前|小时前/i;

const bold = 600;

/** Whether the words of a row with a date are bold, as in unread mail. */
export const isBold = (row: Element, text: string, look: LayoutCache): boolean => dated.test(text) && weightOf(row, look) >= bold;

const weights = new WeakMap<LayoutCache, Map<Element, number>>();

/** The weight of the first words of a row. */
function weightOf(row: Element, look: LayoutCache): number {
  let known = weights.get(look);
  if (!known) weights.set(look, known = new Map());
  let w = known.get(row);
  if (w === undefined) known.set(row, w = readWeight(row, look));
  return w;
}

function readWeight(row: Element, look: LayoutCache): number {
  const text = walker(row, NodeFilter.SHOW_TEXT);
  for (let n = text.nextNode(), i = 0; n && i < 40; n = text.nextNode(), i++) {
    const p = isText(n) && /\p{L}{2}/u.test(n.data) ? parentOf(n) : null;
    if (p && localName(p) !== "title" && look.shown(p)) return Number(look.style(p).fontWeight);
  }
  return 0;
}
