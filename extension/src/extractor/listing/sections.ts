// Parts of a page that stand side by side and have a title without a heading's markup: the columns of a board, the groups of a page of settings.

import { acts, pressable } from "../a11y/interactive";
import { headingsAndLegends } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { attr, firstElement, firstIn, hasAny, hasAttr, localName, nextElement, textContent } from "../dom/dom";
import { hears } from "../dom/listeners";
import { likeOf, madeAlike } from "../dom/make";
import { flat } from "../dom/strings";
import { isLong, itemRole } from "./items";

const boxes = new Set(["div", "section", "li"]);
const longest = 60;
const mostParts = 5;
const mostBeside = 4;

/** The title in the first child of a section, without its buttons; "" if el is no such section: one of several alike, at least one with two items under its title. */
export function titleOf(el: Element, tag: string): string {
  if (!boxes.has(tag) || el.childElementCount < 2 || el.childElementCount > mostParts || itemRole(el) !== "" && tag !== "li") return "";
  const head = firstElement(el);
  if (!head || acts(head) || localName(head) === "a" || head.childElementCount > mostParts) return "";
  const beside = likeOf(el, mostBeside);
  if (beside.length < 2 || !beside.some(holdsItems)) return "";
  const said = textOf(head, longest + 1, undefined, { has: (e) => acts(e) });
  return said.length <= longest && !hasAny(head, headingsAndLegends) && !headed(head) ? said : "";
}

const headed = (e: Element): boolean => /^h[1-6]$/.test(localName(e)) || attr(e, "role") === "heading";

function holdsItems(section: Element): boolean {
  for (let part = nextElement(firstElement(section) ?? section); part; part = nextElement(part)) {
    const one = firstElement(part);
    const other = one && nextElement(one);
    if (one && other && localName(one) === localName(other) && saysMore(one) && saysMore(other) && madeAlike(one, other)) return true;
  }
  return false;
}

/** Whether it is an item with a control, and has other words too. */
function saysMore(item: Element): boolean {
  if (acts(item) || localName(item) === "a" || isLong(item)) return false;
  const control = firstIn(item, pressable);
  return control ? flat(textContent(control)) !== flat(textContent(item)) : hasAttr(item, "draggable") || hears(item) !== 0;
}
