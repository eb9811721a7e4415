// A task's items as the chat draws them: runs of steps as lists of a bounded
// length. A block that has not changed is the same object as before, so that only
// new blocks are drawn.

import { type ConfirmItem, type Item, type StepItem, denials, lines } from "./reduce";

/** The most steps in one list: the browser skips lists that are out of sight, and draws a list that comes into sight whole, in one frame. */
export const MOST = 10;
/**
 * A list with at least so many items after it is far: the browser may skip it. A
 * nearer one may be in sight when the task is opened at its end, where the height
 * that is guessed for a list not drawn yet would have to be corrected.
 */
export const NEAR = 60;

export type Single = Exclude<Item, StepItem>;
export interface Run { readonly key: string; readonly steps: readonly StepItem[]; readonly lines: readonly string[]; readonly noes: readonly (ConfirmItem | undefined)[]; readonly more: boolean; readonly far: boolean }
export interface One { readonly key: string; readonly item: Single }
export type Block = Run | One;

export function blocks(all: readonly Item[], before: readonly Block[] = [], lang: "en" | "zh" = "en"): readonly Block[] {
  const known = new Map(before.map((b) => [b.key, b]));
  const said = lines(all, lang);
  const no = denials(all);
  const told = new Set<Item>(no.values()); // cards that are drawn in the line of their step
  const items = all.filter((i) => !told.has(i));
  const out: Block[] = [];
  for (let i = 0; i < items.length;) {
    const item = items[i] as Item;
    if (item.kind !== "step") {
      out.push(keep(known.get(`i${item.key}`), { key: `i${item.key}`, item }));
      i++;
      continue;
    }
    const steps: StepItem[] = [];
    for (let next = items[i]; next?.kind === "step" && steps.length < MOST; next = items[++i]) steps.push(next);
    const more = items[i]?.kind === "step"; // the list goes on in the next block
    const key = `s${item.key}`;
    out.push(keep(known.get(key), { key, steps, lines: steps.map((s) => said.get(s.key) ?? ""), noes: steps.map((s) => no.get(s.key)), more, far: items.length - i >= NEAR }));
  }
  return out;
}

function keep(old: Block | undefined, now: Block): Block {
  if (!old) return now;
  if ("item" in old) return "item" in now && old.item === now.item ? old : now;
  if ("item" in now || old.more !== now.more || old.far !== now.far || old.steps.length !== now.steps.length) return now;
  const same = now.steps.every((s, i) => s === old.steps[i] && now.lines[i] === old.lines[i] && now.noes[i] === old.noes[i]);
  return same ? old : now;
}
