// The open dialog over the page, by its role or by its look: a box over the middle of the view with a backdrop.

import { closest, deepAt, doc, localName } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { centreCover, fillsView, isOverlay, overlayName } from "./overlays";

export interface OpenDialog { el: Element; name: string }

export function openDialog(look: LayoutCache): OpenDialog | null {
  const at = deepAt(innerWidth / 2, innerHeight / 2);
  if (!at || at === doc.body || at === doc.root) return null;
  const el = closest(at, (e) => isOverlay(e, localName(e), look)) ?? (isVeiled(look) ? centreCover(look) : null);
  return el && { el, name: overlayName(el) };
}

/** Whether a layer covers a left corner of the view, too. */
function isVeiled(look: LayoutCache): boolean {
  const inset = 4;
  const covers = (at: Element | null): boolean => closest(at, (e) => e !== doc.body && e !== doc.root && !look.flows(e) && fillsView(e, look)) !== null;
  return covers(deepAt(inset, inset)) || covers(deepAt(inset, innerHeight - inset)); // the dialog's own box may span the top
}
