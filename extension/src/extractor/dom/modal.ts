// The modal dialog that stands over a document. What is not in it takes neither
// the pointer nor the keyboard (HTML, "blocked by a modal dialog"), and no
// attribute says so.

import { all, closest, deepActive, deepAt, localName, matches } from "./dom";

const isModal = (el: Element): boolean => localName(el) === "dialog" && matches(el, ":modal");

/**
 * The one on top, if there is one: the keyboard can be in no other. Where it is in none, and several are open, a hit test
 * goes by what is blocked and meets the dialog, or its backdrop, anywhere. (A hit test is dear on a large page, and so is a
 * search of all shadow trees: a dialog in one of these is found by the keyboard alone.)
 */
export function modalDialog(): Element | null {
  const entered = closest(deepActive(), isModal);
  if (entered) return entered;
  const open = [...all(document, "dialog")].filter(isModal);
  return open.length < 2 ? open[0] ?? null : closest(deepAt(1, 1), isModal) ?? open.at(-1) ?? null;
}
