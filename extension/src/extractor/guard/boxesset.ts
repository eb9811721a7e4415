// Which boxes were ticked or cleared since the page was loaded: a button beside them saves their settings.

import { openDialog } from "../a11y/dialogs";
import { labelText, nameOf } from "../a11y/name";
import { all, holds, scopes } from "../dom/dom";
import { cut } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { formOf } from "./form";
import { isSetByInput, wasTicked } from "./setbyinput";

const most = 5;
const max = 300;

/** The names of boxes ticked beside el, or else cleared, each with the words around it: boxes of its form, or else of its dialog or page. */
export function boxesSetBeside(el: Element, ticked: boolean, around: (box: Element) => string): string[] {
  const own = formOf(el);
  const out: string[] = [];
  let open: Element | null | undefined;
  for (const s of scopes()) {
    for (const box of all(s, "input[type=checkbox],input[type=radio]")) {
      if (!isSetByInput(box) || (box as HTMLInputElement).checked !== ticked || wasTicked(box) === ticked || box === el || own !== null && formOf(box) !== own) continue;
      open ??= openDialog(new LayoutCache())?.el ?? null;
      if (open && holds(open, el) && !holds(open, box)) continue;
      if (out.push(cut(`${labelText(box) || nameOf(box)} · ${around(box)}`, max)) >= most) return out;
    }
  }
  return out;
}
