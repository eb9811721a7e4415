// Records which boxes were ticked since the page was loaded: a button beside them saves their settings.

import { openDialog } from "../a11y/dialogs";
import { labelText, nameOf } from "../a11y/name";
import { all, holds, scopes } from "../dom/dom";
import { cut } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { formOf } from "./form";

const set = new WeakSet<EventTarget>();
const most = 5;
const max = 300;

/** Begins to listen; called once per document. */
export function listenToBoxes(): void {
  window.addEventListener("change", (e) => {
    const el = e.composedPath()[0];
    if (e.isTrusted && el instanceof HTMLInputElement && (el.type === "checkbox" || el.type === "radio")) set.add(el);
  }, { capture: true, passive: true });
}

/** The names of boxes ticked beside el, each with the words around it: boxes of its form, or else of its dialog or page. */
export function boxesSetBeside(el: Element, around: (box: Element) => string): string[] {
  const own = formOf(el);
  const out: string[] = [];
  let open: Element | null | undefined;
  for (const s of scopes()) {
    for (const box of all(s, "input[type=checkbox],input[type=radio]")) {
      if (!set.has(box) || !(box as HTMLInputElement).checked || box === el || own !== null && formOf(box) !== own) continue;
      open ??= openDialog(new LayoutCache())?.el ?? null;
      if (open && holds(open, el) && !holds(open, box)) continue;
      if (out.push(cut(`${labelText(box) || nameOf(box)} · ${around(box)}`, max)) >= most) return out;
    }
  }
  return out;
}
