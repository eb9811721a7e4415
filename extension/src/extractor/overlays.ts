// Dialogs and overlays that stand over the page.

import { attr, closest, deepAt, doc, all, hasAttr, localName, parentOf, scopes, type Scope } from "./dom";
import { nameOf, textOf } from "./name";
import { cut } from "./strings";
import type { Look } from "./visibility";

const dialogs = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true],:popover-open";

/** The roots of open overlays, outermost only. */
export function overlayRoots(look: Look, within: readonly Scope[] = scopes()): Element[] {
  const found: Element[] = [];
  for (const s of within) for (const el of all(s, dialogs)) if (look.shown(el) || hasShownChild(el, look)) found.push(el);
  const cover = centreCover(look);
  if (cover) found.push(cover);
  return found.filter((el, i) => found.indexOf(el) === i && !found.some((o) => o !== el && closest(parentOf(el), (e) => e === o) !== null));
}

/** A dialog's own box may be empty while its content is fixed elsewhere. */
function hasShownChild(el: Element, look: Look): boolean {
  for (const c of all(el, ":scope > *, :scope > * > *")) if (look.shown(c)) return true;
  return false;
}

/** A high fixed box over the middle of the view that isn't the page itself. */
function centreCover(look: Look): Element | null {
  const at = deepAt(innerWidth / 2, innerHeight / 2);
  const box = closest(at, (e) => {
    if (e === doc.body || e === doc.root) return false;
    const s = look.style(e);
    return (s.position === "fixed" || s.position === "absolute") && Number(s.zIndex) >= 10;
  });
  if (!box || !doc.body) return null;
  const inside = all(box, "*").length;
  const whole = all(doc.body, "*").length;
  // An application's own shell is often fixed, too: it holds most of the page.
  if (inside > whole / 2 && whole > 20) return null;
  const s = look.style(box);
  const b = look.box(box);
  const share = (b.right - b.left) * (b.bottom - b.top) / (innerWidth * innerHeight);
  return s.position === "fixed" || share > 0.15 ? box : null;
}

export function overlayName(el: Element): string {
  const own = nameOf(el);
  if (own && attr(el, "role") !== null || hasAttr(el, "aria-label")) return cut(own, 80);
  const heading = all(el, "h1,h2,h3,h4,h5,h6,[role=heading]")[0];
  const text = heading ? textOf(heading, 80) : "";
  return text || own || textOf(el, 60) || localName(el);
}
