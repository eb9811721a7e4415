// Dialogs and overlays over the page.

import { meet } from "../dom/box";
import { all, attr, childrenOf, closest, contains, deepAt, doc, firstIn, hasAny, hasAttr, hasAttrs, localName, matches } from "../dom/dom";
import { cut } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { acts } from "./interactive";
import { nameOf } from "./name";
import { headings } from "./role";
import { textOf } from "./visibletext";

/** Whether an element opens a layer over the page. */
export function isOverlay(el: Element, tag: string, look: LayoutCache): boolean {
  if (!hasAttrs(el)) return false;
  const role = attr(el, "role");
  const is = tag === "dialog" ? hasAttr(el, "open") : role === "dialog" || role === "alertdialog" || attr(el, "aria-modal") === "true" ||
    hasAttr(el, "popover") && matches(el, ":popover-open");
  return is && (look.shown(el) || hasShownChild(el, look));
}

/** Whether an open dialog lies over another of the overlays, which has controls of its own. */
export function isOver(el: Element, tag: string, overlays: readonly Element[]): boolean {
  if (tag !== "dialog" && !/^(?:alert)?dialog$/.test(attr(el, "role") ?? "")) return false;
  const outer = overlays.findLast((o) => o !== el && contains(o, el));
  return outer !== undefined && [...all(outer, controls)].some((c) => !contains(el, c));
}

/** A dialog's own box may be empty while its content is fixed elsewhere. */
function hasShownChild(el: Element, look: LayoutCache): boolean {
  for (const c of all(el, ":scope > *, :scope > * > *")) if (look.shown(c)) return true;
  return false;
}

/** A high fixed box over the middle of the view, or one over all of it with a control in it, that isn't the page itself. */
export function centreCover(look: LayoutCache): Element | null {
  const at = deepAt(innerWidth / 2, innerHeight / 2);
  const box = closest(at, (e) => {
    if (e === doc.body || e === doc.root) return false;
    const s = look.style(e);
    return (s.position === "fixed" || s.position === "absolute") && Number(s.zIndex) >= 10 ||
      s.position === "fixed" && fillsView(e, look) && hasAny(e, controls);
  });
  if (!box || !doc.body) return null;
  const before = hasAny(box, controls) || !fillsView(box, look) ? null : boxBefore(box, look);
  if (before) return before;
  // An application's own shell is often fixed, too: it holds most visible elements of the page.
  if (all(doc.body, "*").length > 20 && shownIn(box, null, look) > shownIn(doc.body, box, look)) return null;
  const s = look.style(box);
  const b = look.box(box);
  const share = (b.right - b.left) * (b.bottom - b.top) / (innerWidth * innerHeight);
  return s.position === "fixed" || share > 0.15 ? box : null;
}

const controls = "a[href],button,input,select,textarea,[role=button],[onclick]";

/** The box that lies before a backdrop without controls: the sibling whose control is not covered. */
function boxBefore(backdrop: Element, look: LayoutCache): Element | null {
  for (const s of backdrop.parentElement ? childrenOf(backdrop.parentElement) : []) {
    const box = look.box(s);
    if (s === backdrop || matches(s, "header,nav,main,footer") || box.left > innerWidth / 2 || box.right < innerWidth / 2) continue; // or a toast in a corner
    const c = [...all(s, controls)].find((e) => look.shown(e));
    const b = c && look.box(c);
    const at = b && deepAt((b.left + b.right) / 2, (b.top + b.bottom) / 2);
    if (at && closest(at, (e) => e === s)) return s;
  }
  return null;
}

/** How many of the first mostAsked elements of a part are shown, without those in `but`. */
function shownIn(part: Element, but: Element | null, look: LayoutCache): number {
  let shown = 0;
  const levels = [childrenOf(part).reverse()];
  for (let asked = 0, top = levels.at(-1); top && asked < mostAsked; top = levels.at(-1)) {
    const el = top.pop();
    if (!el) levels.pop();
    if (!el || el === but) continue;
    asked++;
    if (!look.boxed(el) && look.style(el).display !== "contents") continue;
    if (look.shown(el)) shown++;
    levels.push(childrenOf(el).reverse());
  }
  return shown;
}

const mostAsked = 2000;

/** Whether a box fills the view, except perhaps a scroll bar. */
export function fillsView(e: Element, look: LayoutCache): boolean {
  const { view } = look;
  const b = meet(look.box(e), view);
  return b.right - b.left >= most * view.right && b.bottom - b.top >= most * view.bottom;
}

const most = 0.95;

/** The name of an overlay: its own, its heading, or its first words without its buttons. */
export function overlayName(el: Element): string {
  const own = nameOf(el);
  if (own && attr(el, "role") !== null || hasAttr(el, "aria-label")) return cut(own, 80);
  const heading = firstIn(el, headings);
  const text = heading ? textOf(heading, 80) : "";
  return text || own || textOf(el, 60, undefined, { has: acts }) || textOf(el, 60) || localName(el);
}
