// The modal dialog that stands over a document. What is not in it takes neither
// the pointer nor the keyboard (HTML, "blocked by a modal dialog"), and no
// attribute says so.

import { all, closest, deepAt, localName, matches } from "./dom";

const isModal = (el: Element): boolean => localName(el) === "dialog" && matches(el, ":modal");

/**
 * The one on top, if there is one. A hit test goes by what is blocked and meets the dialog, or its backdrop, anywhere;
 * where a page takes the backdrop away, the last one in the document is taken.
 */
export function modalDialog(): Element | null {
  return closest(deepAt(1, 1), isModal) ?? [...all(document, "dialog[open]")].filter(isModal).at(-1) ?? null;
}
