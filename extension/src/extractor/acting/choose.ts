// Choosing several options of a native select at once, by value, label or
// position.

import { isEnabled } from "../a11y/interactive";
import type { ExtractorError, Wish } from "../api";
import { localName } from "../dom/dom";
import { nodeOf } from "../dom/ids";
import { flat } from "../dom/strings";
import { subjectOf } from "../guard/facts";
import { failure } from "./resolve";

const labelOf = (x: HTMLOptionElement): string => flat(x.label || x.text);

export function choose(o: { id: number; wishes: Wish[]; look?: boolean; expect?: string[] }): { ok: true; labels: string[]; values: string[] } | { error: ExtractorError } {
  const node = nodeOf(o.id);
  if (!node) return failure("stale_ref", "The element is no longer in the page.");
  const el = subjectOf(node);
  if (!(el instanceof HTMLSelectElement)) return failure("unsupported", `A ${localName(el)} is no native select: click it and then the option.`);
  if (!isEnabled(el)) return failure("disabled", "The select is disabled.");
  if (o.wishes.length > 1 && !el.multiple) return failure("invalid_params", "This select takes one option only.");
  const chosen: HTMLOptionElement[] = [];
  for (const w of o.wishes) {
    const x = optionFor(el, w);
    if (!x) return failure("not_found", `There is no option ${said(w)}. There are: ${[...el.options].slice(0, 20).map((y) => `"${labelOf(y)}"`).join(", ")}.`);
    if (x.disabled || x.parentElement instanceof HTMLOptGroupElement && x.parentElement.disabled) return failure("disabled", `The option "${labelOf(x)}" is disabled.`);
    chosen.push(x);
  }
  const found = { ok: true as const, labels: chosen.map(labelOf), values: chosen.map((x) => x.value) };
  if (o.look) return found;
  if (o.expect && [...found.labels, ...found.values].join("\n") !== o.expect.join("\n")) return failure("stale_ref", "Its options have changed.");
  el.focus({ preventScroll: true });
  const same = el.selectedOptions.length === chosen.length && chosen.every((x) => x.selected);
  if (el.multiple) for (const x of el.options) x.selected = chosen.includes(x);
  else if (chosen[0]) el.selectedIndex = chosen[0].index;
  if (!same) {
    el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return found;
}

const said = (w: Wish): string => w.position !== undefined ? `number ${w.position}` : `"${w.label ?? w.value ?? ""}"`;

function optionFor(el: HTMLSelectElement, w: Wish): HTMLOptionElement | null {
  const all = [...el.options];
  if (w.position !== undefined) return all[w.position] ?? null;
  const want = flat(w.label ?? w.value);
  const low = want.toLowerCase();
  const byLabel = all.find((x) => labelOf(x) === want) ?? all.find((x) => labelOf(x).toLowerCase() === low);
  if (w.label !== undefined) return byLabel ?? null;
  return all.find((x) => x.value === w.value) ?? byLabel ?? all.find((x) => x.value.toLowerCase() === low) ?? (/^\d+$/.test(want) ? all[Number(want)] : undefined) ?? null;
}
