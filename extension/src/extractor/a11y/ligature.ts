// Words that an icon font draws as one sign: attach_file shows a paper clip.

import { attr, closest, firstChild, hasAttrs, isText, localName, nextSibling, textContent } from "../dom/dom";
import { flat } from "../dom/strings";
import { styleOf } from "../dom/styles";

const fontClass = /(?:^|[\s_-])(?:material-(?:icons|symbols)|mat-icon)(?:[\s_-]|$)/i;
/** Classes of icons, and of words beside icons. */
const iconClass = /(?:^|[\s_-])(?:icons?|glyphs?)(?:[\s_-]|$)/i;
const iconFamily = /icons?\b|symbols?\b|glyph/i;
const tags = new Set(["i", "span", "em", "b", "div"]);
const ligature = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
/** The fewest letters of a word that is never as narrow as one sign, and of one whose class says that it is an icon. */
const fewest = 5;
const fewestOfIcon = 3;

/** Whether a text may be a word that an icon font draws as one sign. */
export const mayBeLigature = (text: string): boolean => ligature.test(text);

/** The word in el that an icon font draws as one sign, by its class, font or width; else "". */
export function ligatureOf(el: Element): string {
  if (!hasAttrs(el)) return "";
  const only = firstChild(el);
  if (!isText(only) || nextSibling(only) !== null) return "";
  const text = flat(only.data);
  if (!ligature.test(text)) return "";
  const classes = attr(el, "class") ?? "";
  if (fontClass.test(classes)) return text;
  const isIcon = iconClass.test(classes);
  if (!isIcon && !tags.has(localName(el)) || !(el instanceof HTMLElement)) return "";
  const s = styleOf(el);
  // The fonts behind the first one are substitutes: many sites name "Segoe UI Symbol" as the last.
  if (iconFamily.test(s.fontFamily.split(",", 1)[0] ?? "")) return text;
  if (text.length < (isIcon ? fewestOfIcon : fewest)) return "";
  const isNarrow = el.offsetWidth > 0 && el.offsetWidth < 1.15 * parseFloat(s.fontSize);
  return isNarrow && (isIcon || s.overflowX === "visible") ? text : "";
}

/** Whether el is a sign that says nothing to a reader: not one that alone fills a cell of a table, as a tick does. */
export function isMereSign(el: Element): boolean {
  const word = ligatureOf(el);
  if (word === "") return false;
  const around = closest(el, (e) => /^(?:td|a|button)$/.test(localName(e)));
  return !(around && localName(around) === "td" && flat(textContent(around)) === word);
}
