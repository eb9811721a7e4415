// Controls that open and close a part of the page without an ARIA attribute: with a sign, such as an arrow,
// right above a part that is hidden, or is shown as wide as the control.

import {
  all, attr, childElementCount, childrenOf, firstElement, hasAny, hasAttrs, hasBox, isElement, localName, nextElement, parentOf, previousSibling, rectOf, textContent,
} from "../dom/dom";
import { flat } from "../dom/strings";
import { styleOf } from "../dom/styles";
import { pressable } from "./interactive";
import { ligatureOf } from "./ligature";

const roles = new Set(["button", "generic", "link", "listitem", "heading"]);
const word = /(?:^|[^a-z])(?:chevron|caret|arrow|expand(?:er)?|collaps(?:e|ed|ible)|accordion|disclosure|twisty?|foldout|unfold)(?:[^a-z]|$)/i;
const glyph = /[▸▹▾▿▼▽⌄⌃˅˄]/;
/** Elements that appear beside a control for other reasons. */
const passing = /(?:^|[^a-z])(?:tooltip|tip|hint|error|invalid|feedback|spinner|loading|loader|badge|toast|ripple|sr-only|visually-hidden)(?:[^a-z]|$)/i;
const mostParts = 12;
const maxUp = 2;

const called = (e: Element): string => `${attr(e, "class") ?? ""} ${attr(e, "data-icon") ?? ""} ${attr(e, "data-lucide") ?? ""}`.replace(/([a-z])([A-Z])/g, "$1-$2");

/** Whether el has a sign of opening and closing something. */
function hasSign(el: Element): boolean {
  if (hasAttrs(el) && word.test(called(el)) || glyph.test((textContent(el) ?? "").slice(0, 200))) return true;
  if (!firstElement(el)) return false;
  const parts = all(el, "svg,use,i,span,img,mat-icon,[data-icon]");
  for (let i = 0; i < parts.length && i < mostParts; i++) {
    const e = parts[i] as Element;
    if (word.test(called(e)) || /^(?:expand|arrow_drop|keyboard_arrow|unfold)_/.test(ligatureOf(e)) || localName(e) === "use" && word.test(attr(e, "href") ?? "")) return true;
  }
  return false;
}

/** Whether the part that el opens and closes is shown; undefined if el is no such control. */
export function foldedBy(el: Element, role: string): boolean | undefined {
  if (!roles.has(role) || !hasSign(el) || isOneOfPair(el)) return undefined;
  for (let e: Element | null = el, up = 0; e && up <= maxUp; e = parentOf(e), up++) {
    if (up > 0 && all(e, pressable).length > (el.matches(pressable) ? 1 : 0)) return undefined; // it shares its line with others
    const part = nextElement(e);
    if (!part) continue;
    if (part.matches(pressable) || passing.test(called(part)) || childElementCount(part) === 0 && flat(textContent(part)) === "") return undefined;
    if (!hasBox(part) || styleOf(part).visibility === "hidden" || rectOf(part).height < 2) return isRest(e, part) ? false : undefined;
    const [r, p] = [rectOf(e), rectOf(part)];
    const under = p.top >= r.bottom - 2 && p.top - r.bottom < 24 && Math.abs(p.left - r.left) < 40 && p.width > 0.6 * r.width;
    return under && isRest(e, part) ? true : undefined;
  }
  return undefined;
}

const menus = new Set(["ul", "ol", "menu"]);
const menuRole = /^(?:menu|listbox)$/;
const menuClass = /(?:^|[\s_-])(?:menu|dropdown|popup|popover)s?(?:[\s_-]|$)/i;

/** Whether a control opens a menu that is hidden now: a list or menu of choices right after it, or in it. */
export function opensMenu(el: Element, role: string): boolean {
  if (!roles.has(role)) return false;
  const next = nextElement(el);
  if (next !== null && isHiddenMenu(next)) return true;
  const inner = childElementCount(el) > 1 ? childrenOf(el).at(-1) ?? null : null;
  return inner !== null && isHiddenMenu(inner);
}

const isHiddenMenu = (e: Element): boolean =>
  (menus.has(localName(e)) || menuRole.test(attr(e, "role") ?? "") || menuClass.test(attr(e, "class") ?? "")) && !hasBox(e) && hasAny(e, choices);
const choices = "a[href],button,[role=menuitem],[role=option],[onclick]";

/** Whether another control of its kind stands in its line, as the arrows of a calendar do. */
function isOneOfPair(el: Element): boolean {
  const parent = parentOf(el);
  return parent !== null && childrenOf(parent).slice(0, mostParts).some((e) => e !== el && localName(e) === localName(el) && attr(e, "class") === attr(el, "class") && hasSign(e) && Math.abs(rectOf(e).top - rectOf(el).top) < 2);
}

/** Whether a head and its part fill their container. */
function isRest(head: Element, part: Element): boolean {
  if (nextElement(part)) return false;
  for (let n = previousSibling(head); n; n = previousSibling(n)) if (isElement(n)) return false;
  return true;
}
