// The modal dialog over a document. Elements outside it take neither the pointer nor
// the keyboard (HTML, "blocked by a modal dialog"), and no attribute tells that.

import { all, closest, deepActive, deepAt, localName, matches } from "./dom";

const isModal = (el: Element): boolean => localName(el) === "dialog" && matches(el, ":modal");

/**
 * The top modal dialog, or null. If one has the keyboard, it is the top one. If none has it and several are open, a hit
 * test at any point finds the top one or its backdrop. (A hit test is slow on a large page, and so is a search of all
 * shadow trees: a dialog in one of these is found only by the keyboard.)
 */
export function modalDialog(): Element | null {
  const entered = closest(deepActive(), isModal);
  if (entered) return entered;
  const open = [...all(document, "dialog")].filter(isModal);
  return open.length < 2 ? open[0] ?? null : closest(deepAt(1, 1), isModal) ?? open.at(-1) ?? null;
}
