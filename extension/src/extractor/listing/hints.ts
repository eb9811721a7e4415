// Hints for a control without a name: its tooltip, the names that its authors gave its
// icon, and the words beside it. A hint is kept apart from the name, since nobody
// gave it as a name.

import { columnOf, labelBeside } from "../a11y/fieldlabel";
import { isFieldRole, isTicked } from "../a11y/fieldroles";
import { drawnAs, isAside, pressable } from "../a11y/interactive";
import { namedByValue } from "../a11y/name";
import { headings } from "../a11y/role";
import { controls, textOf } from "../a11y/visibletext";
import type { RawElement } from "../api";
import { hex } from "../dom/colour";
import { all, attr, attrNames, childElementCount, childrenOf, closest, doc, firstIn, hasAny, hasAttr, hasAttrs, localName, parentOf, textContent } from "../dom/dom";
import { editorOf, takesKeys } from "../dom/editors";
import { stateOf } from "../a11y/stateclass";
import { classesOf, likeOf, withoutHash } from "../dom/make";
import { cut, flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { lettering } from "../reading/text";
import { isCross, isInCorner } from "./cross";
import { firstPiece } from "./disambiguate";
import { alike } from "./identity";

const letters = /\p{L}/u;
const words = /[\p{L}\p{N}]/u;

export function addKnown(el: Element, out: RawElement, look: LayoutCache): void {
  if (out.role === "combobox" && (out.name === "" && out.text !== "" || out.name !== "" && out.name === out.value || namedByValue(el, out.role, out.name))) { // its only words are its choice
    const beside = labelBeside(el, false);
    if (beside) addLabel(out, beside);
    return;
  }
  if (words.test(out.name) || words.test(out.text)) {
    const label = isDropDown(out) ? labelBeside(el, false, true) || (out.expanded !== undefined ? columnOf(el) : "") : "";
    if (label && label !== out.name) addLabel(out, label);
    const icon = letters.test(out.name || out.text) ? undefined : firstIn(el, "svg,i,[data-icon]");
    const counted = icon ? iconOf(icon, out.role, true) : ""; // 3 beside a bell
    if (counted) out.hint = counted;
    return;
  }
  const field = isFieldRole(out.role) || out.tag === "input" && out.role !== "button";
  const ticked = isTicked(out.role);
  if (!out.name && !out.text && (!field || ticked)) {
    const icon = flat(`${iconOf(el, out.role, ticked)} ${colourOf(el) || swatchOf(el, look)}`);
    const closes = !field && !undoing.test(icon) && (isCross(el) || icon === "" && isInCorner(el, look));
    const hint = (live.has(out.role) ? cut(flat(textContent(el)), 60) : "") || dataOf(el) || letteringOf(el, look) || (closes ? "close" : icon) || (out.pressed === undefined ? "" : "switch");
    if (hint) out.hint = hint;
  } else if (!field) {
    const masks = masksIn(out.name || out.text);
    const title = masks === 0 ? flat(attr(el, "title")) : "";
    const hint = dataOf(el, masks) || letters.test(title) && cut(title, 60) || sign.test(out.name || out.text) && iconOf(el, out.role, true); // one star of five
    if (hint) out.hint = hint;
  }
}

function addLabel(out: RawElement, label: string): void {
  out.near = cut(label, 40);
  out.labelled = true;
}

/** Their words are what they are for, also while they fade in. */
const live = new Set(["status", "alert", "log"]);

/** Whether a script may have made it a drop-down list: its words are the choice, and a label names the list. */
const isDropDown = (out: RawElement): boolean => out.role === "generic" || out.role === "button" && (out.expanded !== undefined || out.haspopup !== undefined);

/** Adds the words beside a control without words; row: the words of its own row, if it has one. */
export function addBeside(el: Element, out: RawElement, look: LayoutCache, row?: string): void {
  if (out.near || out.placeholder || words.test(out.name) || words.test(out.text) || dated.test(out.hint ?? "")) return; // words beside a day belong to another control
  if (takesKeys(el) && editorOf(el, look)) return; // its words are the text of an editor
  // One of many takes the words of its row; for a single one its icon is enough.
  // The value of a combobox is no name, nor is then its label (fieldLabel): the label counts as words beside it.
  const beside = isFieldRole(out.role) && out.tag !== "input" && out.tag !== "select" ? labelBeside(el, isTicked(out.role)) : "";
  const near = beside ? cut(beside, 40) : row !== undefined ? cut(row, 40) : around(el, isFieldRole(out.role), out.hint !== undefined, look);
  if (near) out.near = near;
}

/** What addKnown adds to a control without name or text, as one string: its hint, or else the words beside it. */
export function hintOf(el: Element, role: string, tag: string, look: LayoutCache): string {
  const known: Pick<RawElement, "name" | "text" | "role" | "tag"> & Partial<RawElement> = { name: "", text: "", role, tag };
  addKnown(el, known as RawElement, look);
  if (known.hint === undefined) addBeside(el, known as RawElement, look);
  return known.hint ?? known.near ?? "";
}

const tips = ["data-tooltip", "data-original-title", "data-bs-original-title", "data-title", "data-tip", "data-hint", "data-title-no-tooltip", "data-content", "data-label"];

function tooltip(el: Element): string {
  for (const a of tips) {
    const v = flat(attr(el, a));
    if (v && letters.test(v)) return cut(v, 60);
  }
  return "";
}

// Attributes that hold the meaning of an element without words: a colour to choose, a seat, a day.
const things = ["data-color", "data-colour", "data-value", "data-option-value", "data-seat", "data-size", "data-date", "data-day", "data-time", "data-hour"];

const dated = /^\d{4}-\d\d-\d\d/;

const mask = /^(?:[•●⬤∙·‧∗*＊×#█▪■_-]\s*)+$/u;

/** The number of mask characters in a text (as in •••• for a secret); 0 if it has other characters. */
const masksIn = (text: string): number => mask.test(text) ? text.replace(/\s/g, "").length : 0;

/**
 * The hint from the data attributes of an element without words. Most elements have none: one check
 * saves twenty. masks: the number of mask characters; the value behind a mask is not told. Three
 * dots may instead open a menu and have a tooltip.
 */
function dataOf(el: Element, masks = 0): string {
  if (el instanceof HTMLVideoElement || el instanceof HTMLAudioElement) return localName(el);
  if (!hasAttrs(el) || !attrNames(el).some((n) => n.startsWith("data-"))) return "";
  const tip = masks > 3 ? "" : tooltip(el);
  if (tip || masks > 2) return tip;
  for (const a of things) {
    const v = flat(attr(el, a));
    if (v.length <= 40 && words.test(v)) return v;
  }
  return "";
}

/** The colour that distinguishes one of several, if it comes from the data offered and not from a style sheet. */
function colourOf(el: Element): string {
  for (const e of [el, ...childrenOf(el).slice(0, 1)]) {
    const m = /background(?:-color)?:\s*(#[\da-f]{3,8}|rgba?\([\d\s.,%/]+\)|[a-z]{3,20})\s*(?:;|!|$)/i.exec(attr(e, "style") ?? "");
    if (m?.[1] && !/^(?:none|transparent|inherit|initial|unset)$/i.test(m[1])) return m[1].toLowerCase();
  }
  return "";
}

const mostSwatches = 12;

/** The drawn colour of one of several similar elements that nothing else distinguishes. */
function swatchOf(el: Element, look: LayoutCache): string {
  for (let e: Element | null = el, up = 0; e && up < 3 && !words.test(textContent(e) ?? ""); e = parentOf(e), up++) {
    const like = likeOf(e, mostSwatches);
    if (like.length < 3) continue;
    const paper = (x: Element): string => look.style(x === e ? el : localName(x) === localName(el) ? x : firstIn(x, localName(el)) ?? x).backgroundColor;
    const colours = new Set(like.map(paper));
    return colours.size * 4 >= like.length * 3 ? hex(paper(e)) : "";
  }
  return "";
}

/** The words drawn in a part of a drawing, or closest to its middle. */
function letteringOf(el: Element, look: LayoutCache): string {
  const svg = el instanceof SVGElement && localName(el) !== "svg" ? closest(el, (e) => localName(e) === "svg") : null;
  if (!svg) return "";
  const b = look.box(el);
  let near = "";
  let least = Infinity;
  for (const t of lettering(svg, look)) {
    const at = look.box(t);
    const x = (at.left + at.right) / 2;
    const y = (at.top + at.bottom) / 2;
    const far = Math.hypot(x - (b.left + b.right) / 2, y - (b.top + b.bottom) / 2);
    if (x < b.left || x > b.right || y < b.top || y > b.bottom || far >= least) continue;
    least = far;
    near = flat(textContent(t));
  }
  return cut(near, 40);
}

// Words in names of classes and files that describe how a thing is drawn, not its action.
const noise = new Set(("icon icons ico svg img btn button buttons lucide feather material symbol symbols outlined rounded solid regular " +
  "duotone brands fas far fab fal glyph glyphicon bootstrap mui ant anticon root base css class wrap wrapper container " +
  "inner outer primary secondary default ghost outline sprite clickable pointer the data test testid hover active " +
  "ytp kind only closed state style styled component element elem grow shrink justify control controls bullet fit full shape native cursor items").split(" "));
// Ambiguous words: they count if there are no others.
const layout = new Set(("light small medium large image images item link nav header tool box cell col row flex grid inline block absolute relative " +
  "size color fill path stroke width height text font bold center left right top bottom card list bar danger warning success info " +
  "tab tabs tree header footer sidebar navigation panel panels tray toolbar body area section content label field group border").split(" "));

/** The least number of class names that share a first word, and their least share of all, for the word to be a library's prefix. */
const leastPrefixed = 12;
const prefixShare = 0.25;
/** The least share of the names with a prefix in which a second word follows, for it to belong to the prefix. */
const followShare = 0.8;
const mostClassed = 3000;
/** The least number of hashes that follow the same words: the words are then a tool's, as in svelte-1hguek3. */
const leastHashed = 3;
/** The least number of elements of as many tags that bear a class, for the class to be a framework's mark. */
const leastMarked = 12;
const leastTags = 3;
let prefixes: ReadonlySet<string> = new Set();
let prefixesAt = -Infinity; // when the prefixes were read
const prefixesLast = 1000;

/**
 * First words of so many class names that they carry no meaning, what stands before so many hashes, and classes of so
 * many elements of all kinds: they come from a library or a tool.
 */
function prefixWords(): ReadonlySet<string> {
  if (performance.now() - prefixesAt < prefixesLast) return prefixes;
  prefixesAt = performance.now();
  const names = new Set<string>();
  const hashed = new Map<string, Set<string>>();
  const borne = new Map<string, { tags: Set<string>; times: number }>();
  const classed = all(document, "[class]");
  for (let i = 0; i < classed.length && i < mostClassed; i++) for (const c of classesOf(classed[i] as Element)) {
    if (/^[a-z]+[-_]+[a-z]/.test(c)) names.add(c);
    const by = borne.get(c) ?? { tags: new Set(), times: 0 };
    borne.set(c, by);
    by.times++;
    by.tags.add(localName(classed[i] as Element));
    const bare = withoutHash(c);
    if (bare !== c) hashed.set(bare, (hashed.get(bare) ?? new Set()).add(c));
  }
  const common = shared([...names].map((n) => n.split(/[-_]+/)), names.size * prefixShare);
  const marks = [...borne].filter(([, { tags, times }]) => times >= leastMarked && tags.size >= leastTags).map(([c]) => c);
  return prefixes = new Set([...common, ...[...hashed].filter(([, of]) => of.size >= leastHashed).map(([w]) => w), ...marks]);
}

/** The first words that at least so many names share, and the words that follow them in nearly all of these: du-bois-. */
function shared(names: readonly string[][], least: number): string[] {
  const by = new Map<string, string[][]>();
  for (const [first = "", ...rest] of names) {
    const rests = by.get(first);
    if (rests) rests.push(rest);
    else by.set(first, [rest]);
  }
  return [...by].filter(([, rests]) => rests.length >= Math.max(leastPrefixed, least)).flatMap(([w, rests]) => [w, ...shared(rests, rests.length * followShare)]);
}

const pointing = /^(?:chevron|arrow|angle|caret)s?$/;
const ways = /^(?:prev(?:ious)?|next|down|back|forward)$/;

/** A sign that Unicode names. Its class names say more, such as the colour of a star. */
const sign = /^(?:(?![\u25a0-\u25ff])\p{So}|[\p{M}\p{Cf}\s])+$/u;

/** Classes that tell whether an element is to be seen. */
const seen = /^(?:hide|hidden|show|shown|visible|invisible|none)$/i;

/** Words for the parts of a control that its role says already. */
const partsOfRole: Record<string, RegExp> = { slider: /^(?:thumb|track|knob|handle)$/, switch: /^(?:thumb|track|toggle|input)$/, checkbox: /^input$/, radio: /^input$/, progressbar: /^progress$/ };

/** At most three words that name an icon: from its classes, its file, its place in a sprite, but not its role. plainly: without words of layout. */
function iconOf(el: Element, role: string, plainly = false): string {
  const out: string[] = [];
  const spare: string[] = [];
  const prefixed = prefixWords();
  const take = (s: string | null): void => {
    for (const w of (s ?? "").slice(0, 200).replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/)) {
      // Generated class names have few vowels.
      if (w.length <= 2 || w.length >= 16 || !/[aeiouy]/.test(w) || noise.has(w) || stateOf(w) !== "" || isCompound(w, out)) continue;
      if (prefixed.has(w) || w === role || partsOfRole[role]?.test(w)) continue;
      const to = layout.has(w) ? spare : out;
      if (!to.includes(w) && to.length < 3) to.push(w);
    }
  };
  const look = (e: Element): void => {
    const tag = localName(e);
    if (tag === "use") take((attr(e, "href") ?? attr(e, "xlink:href") ?? "").split("#").pop() ?? "");
    else if (tag === "img" || tag === "input") take(fileOf(attr(e, "src") ?? ""));
    for (const a of ["data-icon", "data-lucide", "data-feather", "data-testid", "icon"]) take(attr(e, a));
    const names = classesOf(e).filter((c) => !seen.test(c)).map(withoutHash);
    take(names.filter((c) => !prefixed.has(c) && !isModifier(c, names)).join(" "));
  };
  const parts = all(el, "svg,use,i,img,span,em,mat-icon,[data-icon]");
  for (let i = 0; i < parts.length && i < 12; i++) look(parts[i] as Element);
  for (const e of [el, ...childrenOf(el).slice(0, 3)]) {
    const m = /url\("?([^")]*)/.exec(getComputedStyle(e).backgroundImage);
    if (m) take(fileOf(m[1] ?? ""));
  }
  for (const a of ["data-action", "data-toggle"]) take(attr(el, a));
  look(el);
  const id = attr(el, "id") ?? "";
  if (out.length === 0 && !plainly && !/^[a-z]+\d+$/i.test(id)) take(id); // ember57 is made by a framework
  if (pointing.test(out[0] ?? "") && !out.some((w) => ways.test(w))) out.push(...spare.filter((w) => w === "left" || w === "right").slice(0, 1));
  return (out.length > 0 || plainly ? out : spare).join(" ");
}

/** Whether a class is a form of another class of the element, as in BEM: button_look_danger beside button. A form of an icon is its picture. */
const isModifier = (c: string, names: readonly string[]): boolean =>
  names.some((n) => !pictures.test(n) && c.length > n.length && c.startsWith(n) && /^(?:--|_)/.test(c.slice(n.length)));

const pictures = /ico|svg|sprite|glyph|symbol/i;

/** Whether a word is composed of a word of layout and another without meaning: colborder. */
const isCompound = (w: string, said: readonly string[]): boolean => {
  const rest = /^(?:col|row|cell|nav|tab|btn)(.{3,})$/.exec(w)?.[1];
  return rest !== undefined && (layout.has(rest) || noise.has(rest) || said.includes(rest));
};

function fileOf(src: string): string {
  if (/^(?:data|blob):/.test(src)) return "";
  return (src.split(/[?#]/)[0]?.split("/").pop() ?? "").replace(/\.\w+$/, "");
}

/** The heading, or else the first words, of the smallest part around el that has any. headed: for a field only a heading, since other words may label another field; row: only a small part that is one of several. */
function around(el: Element, headed: boolean, row: boolean, look: LayoutCache): string {
  const end = closest(el, (e) => localName(e) === "main" || localName(e) === "body");
  for (let e = parentOf(el), up = 0; e && e !== end && e !== doc.body && up < 6; e = parentOf(e), up++) {
    if (row && !alike(e)) continue;
    if (row && all(e, pressable).length > mostInRow) return "";
    const said = wordsIn(e, look);
    if (said !== null) return headed && !alike(e) && !hasAny(e, titles) ? "" : said;
  }
  return "";
}

/** A part with more controls is not one of several rows. */
const mostInRow = 6;
const titles = `${headings},th,[role=rowheader]`;

// The controls of one row read the same words.
const rows = new WeakMap<LayoutCache, Map<Element, string | null>>();

/** The words that identify a part of the page: null if it has none, "" if it has too many. */
function wordsIn(e: Element, look: LayoutCache): string | null {
  let known = rows.get(look);
  if (!known) rows.set(look, known = new Map());
  let said = known.get(e);
  if (said === undefined) {
    const raw = textContent(e) ?? "";
    if (!letters.test(raw)) said = null;
    else {
      const t = textOf(e, 160, undefined, controls);
      if (!letters.test(t)) said = null;
      else {
        const h = firstIn(e, titles);
        const title = h ? textOf(h, 60) : "";
        const first = letters.test(title) ? title : firstPiece(e, controls);
        said = t.length >= 159 && !alike(e) ? "" : cut(first || t, 40);
      }
    }
    known.set(e, said);
  }
  return said;
}

const undoing = /(?:^|[^a-z])(?:close|delete|remove|cancel|clear|dismiss|trash)(?:[^a-z]|$)/;

/**
 * Whether el is an icon with an action of its own inside a larger control:
 * the heart on a card, the cross on a chip. The pointer is the same over both,
 * so the name has to decide.
 */
export function isInnerIcon(el: Element, tag: string, outer: Element, look: LayoutCache): boolean {
  if (tag === "path" || tag === "g" || tag === "use") return false;
  const drawnOnly = tag === "svg" || tag === "i" || tag === "img";
  if (drawnOnly ? !undoing.test(drawnAs(el)) : !isAside(el)) return false;
  const b = look.box(el);
  const o = look.box(outer);
  const area = (b.right - b.left) * (b.bottom - b.top);
  if (area > 3000 || area === 0 || words.test(textOf(el, 10)) || !words.test(textOf(outer, 40))) return false;
  const apart = look.style(el).position === "absolute" || (o.right - o.left) * (o.bottom - o.top) > 20 * area;
  return drawnOnly || apart && !isOfEntry(el, outer);
}

/** Whether el is the icon of an entry of a menu: the entries beside it have an icon in the same place, and most of these are drawn differently. */
function isOfEntry(el: Element, entry: Element): boolean {
  if (parentOf(el) !== entry || childElementCount(entry) > mostInEntry) return false;
  const at = childrenOf(entry).indexOf(el);
  const icons = likeOf(entry, mostEntries).flatMap((e) => childrenOf(e)[at] ?? []).filter((e) => localName(e) === localName(el) && isAside(e) && !words.test(textContent(e) ?? ""));
  return icons.length > 2 && new Set(icons.map(drawing)).size * 3 > icons.length * 2;
}

const mostEntries = 8;
const mostInEntry = 12;

/** What is drawn: the attributes of its parts but for ids, or else its classes. */
const drawing = (icon: Element): string => [...all(icon, "*")].map((e) => attrNames(e).map((a) => drawn(e, a)).join(" ")).join("\n") || (attr(icon, "class") ?? "");
const drawn = (e: Element, a: string): string => {
  const value = attr(e, a) ?? "";
  return a === "id" || a.startsWith("aria-") || value.includes("#") && localName(e) !== "use" ? "" : value;
};

/** Whether el is a choice in a list made by hand: it carries its value in an attribute. */
export function isChoice(el: Element): boolean {
  const a = ["data-value", "data-option", "data-option-value"].find((x) => hasAttr(el, x));
  return a !== undefined && alike(el) && words.test(textOf(el, 10));
}
