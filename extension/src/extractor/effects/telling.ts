// The order in which changes are told: notices; the control acted on, and its row; counts; other changes;
// then additions by their use: headings, items, controls, controls repeated in each row, texts; removals last.

import type { Change } from "../api";

/** The ranks that a comparison gives itself. */
export const noticed = 1;
export const own = 2;
export const counted = 3;
const others = 4;
const headings = 5;
const items = 6;
const controls = 7;
const further = 8; // controls of each row, and choices where there are many controls
const texts = 9;
const went = 10;

const mostHeadings = 3;
/** Up to so many controls of one role and name are told first; if there are more, each row has one. */
const mostAlike = 2;
/** If there are more controls, buttons and fields come first. */
const many = 20;
const longName = 60;
const choices = new Set(["radio", "checkbox", "option", "menuitem", "link", "generic", "row", "listitem", "gridcell"]);

/** Sorts changes, each with its rank. */
export function inOrder(changes: Change[]): Change[] {
  const alike = new Map<string, number>();
  const fresh = changes.filter((c) => c.kind === "added" && c.id !== undefined && !c.within);
  let heads = 0;
  let item = items;
  const rankOf = (c: Change): number => {
    if (c.kind === "text" && c.id === undefined) {
      if (c.from) return c.to ? others : went;
      return c.role === "heading" && heads++ < mostHeadings ? headings : texts;
    }
    if (c.kind === "removed") return went;
    if (c.kind !== "added") return others;
    if (c.id === undefined) return items;
    const key = `${c.role} ${c.name || c.text}`;
    const n = (alike.get(key) ?? 0) + 1;
    alike.set(key, n);
    return n > mostAlike || (c.name ?? "").length > longName || fresh.length > many && choices.has(c.role ?? "") ? further : controls;
  };
  for (const c of changes) {
    const rank = c.within ? item : c.rank ?? rankOf(c);
    if (!c.within) item = rank; // controls in an item are told with it
    c.rank = rank;
  }
  return changes.sort((a, b) => (a.rank ?? others) - (b.rank ?? others));
}
