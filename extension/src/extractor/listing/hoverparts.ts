// Controls drawn only while the mouse is over an ancestor: the actions of a row, the
// cross on a card. Style sheets do so in :hover rules; if a script does it, the
// ancestor listens for the mouse.

import type { RawElement } from "../api";
import { toRect } from "../dom/box";
import { all, attr, childElementCount, closest, hasAny, localName, matches, parentOf, rootOf } from "../dom/dom";
import { Hears, hears } from "../dom/listeners";
import type { LayoutCache } from "../dom/visibility";

/** A selector that shows or hides an element, with and without its :hover, and the selector that is hovered. */
interface Reveal { selector: string; target: string; over: string; by: Set<string>; hides: boolean }

/** The number of rules read in one look, which takes a few milliseconds; the rest follow with the next look. */
const mostRules = 3000;
/** More controls than this belong to a menu, which is opened and is no part of a row. */
const mostOnHover = 8;
const mostAround = 200;

/** What was read of a sheet of this size, up to one of its rules. */
const known = new WeakMap<CSSStyleSheet, { size: number; at: number; reveals: Reveal[] }>();

export class HoverParts {
  private left = mostRules;
  private readonly of = new Map<Node, { any: string; reveals: Reveal[] }>();

  constructor(private readonly look: LayoutCache) {}

  /** The element to hover so that el shows; el is hidden by itself and not by an ancestor. null if no rule tells. */
  over(el: Element): Element | null {
    const by = this.hiddenBy(el);
    if (by.length === 0) return null;
    const row = this.byRule(el, by) ?? this.byListener(el);
    return row && localName(row) !== "body" && localName(row) !== "html" && (row === el || this.look.shown(row)) && !isMenu(el, this.look) ? row : null;
  }

  /** The same for an element that is hidden by itself or by an ancestor. */
  overAround(el: Element): Element | null {
    for (let e: Element | null = el, up = 0; e && up < 6; e = parentOf(e), up++) {
      const p = parentOf(e);
      if (p && this.look.shown(p)) return this.over(e);
    }
    return null;
  }

  /** Whether only the place of the mouse decides if el is visible. A menu does not count: the mouse opens it. */
  isDrawnByMouse(el: Element, seen: boolean): boolean {
    const { any, reveals } = this.revealsIn(rootOf(el));
    return any !== "" && safely(el, any) && reveals.some((r) => safely(el, r.target) && safely(el, r.selector) === (seen !== r.hides)) && !isMenu(el, this.look);
  }

  private hiddenBy(el: Element): string[] {
    const s = this.look.style(el);
    const out: string[] = [];
    if (s.display === "none") out.push("display");
    if (s.visibility === "hidden") out.push("visibility");
    if (s.opacity === "0") out.push("opacity");
    return out;
  }

  private byRule(el: Element, by: readonly string[]): Element | null {
    const { any, reveals } = this.revealsIn(rootOf(el));
    if (any === "" || !safely(el, any)) return null;
    for (const r of reveals) {
      if (r.hides || !by.some((p) => r.by.has(p)) || !safely(el, r.target)) continue;
      const row = r.over === "" ? parentOf(el) : closest(el, (e) => safely(e, r.over));
      if (row) return row;
    }
    return null;
  }

  private byListener(el: Element): Element | null {
    if (attr(el, "aria-hidden") === "true") return null;
    const row = closest(parentOf(el), (e) => (hears(e) & Hears.Hover) !== 0);
    return row && all(row, "*").length <= mostAround ? row : null;
  }

  private revealsIn(root: Node): { any: string; reveals: Reveal[] } {
    let found = this.of.get(root);
    if (found) return found;
    const reveals: Reveal[] = [];
    if (root instanceof Document || root instanceof ShadowRoot) {
      for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) reveals.push(...this.revealsOf(sheet));
    }
    found = { any: reveals.map((r) => r.target).join(), reveals };
    this.of.set(root, found);
    return found;
  }

  private revealsOf(sheet: CSSStyleSheet): Reveal[] {
    let rules: CSSRuleList;
    try {
      if (sheet.disabled || sheet.media.length > 0 && !matchMedia(sheet.media.mediaText).matches) return [];
      rules = sheet.cssRules;
    } catch {
      return []; // from another site
    }
    let of = known.get(sheet);
    if (of?.size !== rules.length) known.set(sheet, of = { size: rules.length, at: 0, reveals: [] });
    for (; of.at < rules.length && this.left > 0; of.at++) this.read(rules[of.at] as AnyRule, "", of.reveals);
    return of.reveals;
  }

  /** Reads a rule and the rules nested in it; outer: the selector around them. */
  private read(rule: AnyRule, outer: string, out: Reveal[]): void {
    this.left--;
    let selector = outer;
    if (rule.selectorText !== undefined) {
      const own = rule.selectorText;
      selector = outer === "" ? own : own.includes("&") ? own.replaceAll("&", `:is(${outer})`) : `:is(${outer}) ${own}`;
    }
    if (rule.style && selector.includes(":hover")) add(selector, rule.style, out);
    const inner = rule.cssRules;
    if (!inner || inner.length === 0 || rule.media !== undefined && !matchMedia(rule.media.mediaText).matches) return;
    for (const r of inner) if (this.left > 0) this.read(r as AnyRule, selector, out);
  }
}

/** The properties read from rules of all kinds. */
type AnyRule = CSSRule & { selectorText?: string; style?: CSSStyleDeclaration; cssRules?: CSSRuleList; media?: MediaList };

function add(selector: string, style: CSSStyleDeclaration, out: Reveal[]): void {
  const by = new Set<string>();
  if (style.display !== "" && style.display !== "none") by.add("display");
  if (style.visibility === "visible" || style.visibility === "inherit") by.add("visibility");
  if (style.opacity !== "" && parseFloat(style.opacity) > 0) by.add("opacity");
  const hides = style.display === "none" || style.visibility === "hidden" || style.opacity === "0";
  if (by.size === 0 && !hides) return;
  for (const one of parted(selector)) {
    const at = one.indexOf(":hover");
    if (at < 0 || one.includes("::") || one.includes(":not(:hover")) continue;
    // Where :hover stands alone, another selector must replace it.
    out.push({ selector: one, target: one.replace(/(^|[\s>+~(,]):hover/g, "$1*").replaceAll(":hover", ""), over: compoundBefore(one, at), by, hides: by.size === 0 });
  }
}

/** The compound selector that the :hover at a given place belongs to. */
function compoundBefore(s: string, at: number): string {
  let depth = 0;
  let from = at;
  while (from > 0) {
    const c = s[from - 1] as string;
    if (c === ")" || c === "]") depth++;
    else if (c === "(" || c === "[") {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && /[\s>+~,]/.test(c)) break;
    from--;
  }
  // A selector in parentheses belongs to the compound before them.
  const pseudo = from === at ? /:(?:is|where)\([^()]*$/.exec(s.slice(0, at)) : null;
  return pseudo ? compoundBefore(s, pseudo.index) : s.slice(from, at);
}

/** Splits a selector list into its selectors. */
function parted(s: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    if (c === "(" || c === "[") depth++;
    else if (c === ")" || c === "]") depth--;
    else if (c === "," && depth === 0) {
      out.push(s.slice(from, i));
      from = i + 1;
    }
  }
  out.push(s.slice(from));
  return out;
}

function safely(el: Element, selector: string): boolean {
  try {
    return matches(el, selector);
  } catch {
    return false; // without :hover the rest is no valid selector
  }
}

/** Whether el is a menu that appears under the mouse, or a part of the page itself; its controls are no actions of a row. */
function isMenu(el: Element, look: LayoutCache): boolean {
  if (childElementCount(el) === 0) return false;
  const lists = "ul,ol,nav,[role=menu],[role=listbox]";
  const links = all(el, "a[href],[role=link]").length;
  const buttons = all(el, "button,[role=button]").length;
  return matches(el, lists) || hasAny(el, `${lists},input,textarea,select`) || links + buttons > mostOnHover ||
    links > 0 && buttons === 0 && /^(?:absolute|fixed)$/.test(look.style(el).position);
}

/** Whether el is decoration: a link to its own heading, or a control hidden from screen readers as well. */
export const isOrnament = (el: Element, tag: string): boolean =>
  attr(el, "aria-hidden") === "true" || tag === "a" && (attr(el, "href") ?? "").startsWith("#");

/** Gives a control that shows only on hover the place of the element to hover, if it has no place of its own. */
export function showOver(e: RawElement, over: Element, look: LayoutCache): void {
  e.onHover = true;
  e.visible = look.inView(over);
  if (e.rect.width === 0 || e.rect.height === 0) e.rect = toRect(look.box(over));
}
