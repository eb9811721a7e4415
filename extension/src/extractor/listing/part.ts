// Finds a part of the page by its line in the list: `## main: Mugs`, `- row "Ida Lind"`, `heading "Mugs"`, `navigation`.

import { nameOf } from "../a11y/name";
import { centreCover, isOverlay, overlayName } from "../a11y/overlays";
import { headings, levelOf, roleOf } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { all, closest, doc, hasAny, holds, localName, matches, parentOf, scopes, textContent } from "../dom/dom";
import { loose } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { alike, tokens } from "./identity";
import { titleOf } from "./sections";

const line = /^[#\s-]*([a-z]+)(?:\s*:\s*"?(.*?)"?|\s+"((?:[^"\\]|\\.)*)".*)?[\s:-]*$/s;
/** Removes the escapes of printed words. */
const unquoted = (text: string): string => text.replace(/\\(["\\])/g, "$1");
const landmarks = new Set(["main", "navigation", "banner", "contentinfo", "complementary", "search", "form", "region"]);
const rows = new Set(["row", "listitem", "article", "option", "group", "treeitem", "card"]);

const everywhere = (selector: string): Element[] => scopes().flatMap((s) => [...all(s, selector)]);

/** The overlays, or else the parts, with exactly this heading; if there are none, the rows with these quoted words. */
export function headedBy(text: string, look: LayoutCache): Element[] {
  const quoted = /^(["'])(.*)\1$/s.exec(text.trim())?.[2];
  const label = loose(unquoted(quoted ?? text.trim()).replace(/…$/, ""));
  if (label === "") return [];
  const cover = centreCover(look);
  const over = [...everywhere("dialog,[role],[aria-modal],[popover]").filter((e) => isOverlay(e, localName(e), look)), ...cover ? [cover] : []].filter((e) => loose(overlayName(e)) === label);
  if (over.length > 0) return over.slice(0, 1);
  const headed = sectionsOf(label, () => true, look);
  return headed.length > 0 || quoted === undefined ? headed : rowsOf("row", label, look) ?? [];
}

/** The parts that a line may mean; null if the text is no such line. */
export function partsOf(text: string, look: LayoutCache): Element[] | null {
  const m = line.exec(text.trim());
  const kind = m?.[1] ?? "";
  const said = unquoted(m?.[2] ?? m?.[3] ?? "");
  const label = loose(said.replace(/…$/, ""));
  if (rows.has(kind)) return label ? rowsOf(kind, loose(said.replace(/[^\s…]*…/g, " ")) || label, look) : null;
  if (!landmarks.has(kind) && kind !== "page" && kind !== "overlay" && kind !== "heading") return null;
  const marks = everywhere("main,nav,header,footer,aside,search,form,section,dialog,[role],[aria-modal],[popover]").filter((e) => look.shown(e));
  const named = kind === "overlay"
    ? marks.filter((e) => isOverlay(e, localName(e), look) && (!label || loose(overlayName(e)) === label))
    : marks.filter((e) => landmarks.has(kind) && roleOf(e) === kind && (!label || loose(nameOf(e)) === label));
  if (named.length > 0 || !label) return named.length > 0 ? named : null;
  const of = (h: Element): string => {
    const mark = closest(h, (e) => landmarks.has(roleOf(e)));
    return mark ? roleOf(mark) : "page";
  };
  const there = sectionsOf(label, (h) => kind === "heading" || of(h) === kind, look);
  return there.length > 0 ? there : null;
}

/** The parts under the headings with these words, or else under the titles of similar parts. */
function sectionsOf(label: string, is: (head: Element) => boolean, look: LayoutCache): Element[] {
  const headed = new Set(everywhere(headings).filter((h) => look.shown(h) && loose(textOf(h, 60)) === label && is(h)).map((h) => sectionOf(h)));
  return headed.size > 0 ? [...headed] : everywhere("div,section,li").filter((e) => loose(titleOf(e, localName(e))) === label && look.shown(e) && is(e));
}

/** The part under a heading: the largest ancestor without another heading of its level. */
function sectionOf(head: Element): Element {
  const level = levelOf(head) ?? 2;
  let e = head;
  for (let p = parentOf(e); p && p !== doc.body && p !== doc.root; p = parentOf(p)) {
    const inner = e;
    if ([...all(p, headings)].some((h) => h !== head && !holds(inner, h) && (levelOf(h) ?? 2) <= level)) break;
    e = p;
    if (landmarks.has(roleOf(p))) break;
  }
  // If the heading is in a bar or stands alone, its part is the next sibling, provided that one has more controls.
  const parts: Element[] = [];
  for (let n = e.nextElementSibling; n && !matches(n, headings) && !hasAny(n, headings); n = n.nextElementSibling) if (operated(n) > 0) parts.push(n);
  const [one] = parts;
  if (one && parts.length === 1 && operated(one) > operated(e)) return one;
  return e !== head ? e : parentOf(head) ?? head;
}

/** The number of controls in e. */
const operated = (e: Element): number => all(e, "a,button,input,select,textarea,[role],[tabindex],[onclick]").length;

/** The rows with these words. */
function rowsOf(kind: string, label: string, look: LayoutCache): Element[] | null {
  const want = [...tokens(label)];
  const has = (e: Element): boolean => {
    const said = loose(textContent(e)); // words of two elements may be joined here
    return want.every((w) => said.includes(w));
  };
  const isRow = (e: Element): boolean => /^(?:tr|li|article|fieldset)$/.test(localName(e)) || alike(e);
  const out = new Set<Element>();
  let at = everywhere("body").filter(has);
  while (at.length > 0) {
    const next: Element[] = [];
    for (const e of at) {
      const inner = [...e.children].filter((c) => look.shown(c) && has(c));
      if (inner.length > 0) next.push(...inner);
      else out.add(closest(e, (x) => roleOf(x) === kind) ?? closest(e, isRow) ?? e);
    }
    at = next;
  }
  return out.size > 0 ? [...out] : null;
}
