// Words that an icon font draws as one sign: attach_file shows a paper clip.

import { attr, firstChild, hasAttrs, isText, localName, nextSibling } from "../dom/dom";
import { flat } from "../dom/strings";
import { styleOf } from "../dom/styles";

const iconClass = /(?:^|[\s_-])(?:material-(?:icons|symbols)|mat-icon|icons?|symbols?|glyphs?)(?:[\s_-]|$)/i;
const iconFamily = /icons?\b|symbols?\b|glyph/i;
const tags = new Set(["i", "span", "em", "b", "div"]);
const ligature = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** The fewest letters that are never as narrow as one sign. */
const fewest = 5;

/** Whether a text may be a word that an icon font draws as one sign. */
export const mayBeLigature = (text: string): boolean => ligature.test(text);

/** The word in el that an icon font draws as one sign, by its class, font or width; else "". */
export function ligatureOf(el: Element): string {
  if (!hasAttrs(el)) return "";
  const only = firstChild(el);
  if (!isText(only) || nextSibling(only) !== null) return "";
  const text = flat(only.data);
  if (!ligature.test(text)) return "";
  if (iconClass.test(attr(el, "class") ?? "")) return text;
  if (!tags.has(localName(el)) || !(el instanceof HTMLElement)) return "";
  const s = styleOf(el);
  // The fonts behind the first one are substitutes: many sites name "Segoe UI Symbol" as the last.
  if (iconFamily.test(s.fontFamily.split(",", 1)[0] ?? "")) return text;
  return text.length >= fewest && el.offsetWidth > 0 && el.offsetWidth < 1.15 * parseFloat(s.fontSize) && s.overflowX === "visible" ? text : "";
}
