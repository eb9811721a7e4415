// Filters a list by the words asked for. Bars separate alternatives. All words of an alternative
// must occur in an element's line, or in its line and its row's together. Whole words count
// first, then beginnings of words, then parts of words.

import type { RawElement, RawRow } from "../api";
import { loose } from "../dom/strings";
import type { Listed } from "./disambiguate";

/** The words of one alternative, and for each word the signs that have its name (★ for star). */
interface Wanted { words: string[]; signs: string[] }

export function wantedOf(query: string | undefined, signs: Record<string, string> | undefined): Wanted[] {
  return (query ?? "").split("|").map((q) => {
    const words = loose(q).split(" ").filter((w) => w !== "");
    return { words, signs: words.map((w) => signs?.[w] ?? "") };
  }).filter((w) => w.words.length > 0);
}

type Holds = (hay: string, word: string) => boolean;

const letter = /[\p{L}\p{N}]/u;
const begins = (hay: string, word: string, whole: boolean): boolean => {
  for (let at = hay.indexOf(word); at >= 0; at = hay.indexOf(word, at + 1)) {
    if (letter.test(word.charAt(0)) && letter.test(hay.charAt(at - 1))) continue;
    if (!whole || !letter.test(word.charAt(word.length - 1)) || !letter.test(hay.charAt(at + word.length))) return true;
  }
  return false;
};
/** Whether a text contains a word as a whole word. */
export const whole = (hay: string, word: string): boolean => begins(hay, word, true);
const ways: Holds[] = [whole, (h, w) => begins(h, w, false), (h, w) => h.includes(w)];

/** All that the element's line says. The words beside it serve as its name where it has no other. */
const lineOf = (e: RawElement): string => [e.name, e.text, e.href, e.placeholder, e.value?.replaceAll("\n", " "), e.role, e.hint, e.name || e.text ? "" : e.near, e.description, ...e.options ?? []].join(" ");

/** The elements that match, and all frames, since a frame may hold more. */
export function askedFor(all: readonly Listed[], rows: readonly RawRow[], wanted: readonly Wanted[]): readonly Listed[] {
  if (wanted.length === 0) return all;
  const lines = all.map((m) => loose(lineOf(m.raw)));
  const said = rows.map((r) => loose(r.text));
  const taken = new Set<Listed>();
  for (const one of wanted) for (const m of matching(all, rows, lines, said, one)) taken.add(m);
  return all.filter((m) => m.raw.frameOf || taken.has(m));
}

function matching(all: readonly Listed[], rows: readonly RawRow[], lines: readonly string[], said: readonly string[], one: Wanted): Listed[] {
  for (const holds of ways) {
    const out: Listed[] = [];
    const says = (i: number, row: string): boolean => one.words.every((w, k) => {
      const line = lines[i] ?? "";
      return holds(line, w) || row !== "" && holds(row, w) || [...one.signs[k] ?? ""].some((s) => line.includes(s));
    });
    const own = all.map((_, i) => says(i, ""));
    // The words of the row are printed over the control, before the words beside it.
    const rowSays = (m: Listed): string => said[(m.raw.row ?? 0) - 1] ?? "";
    const inRows = all.some((m, i) => !m.raw.frameOf && says(i, rowSays(m)));
    const rowHas = (m: Listed): boolean => { const row = rowSays(m); return row !== "" && one.words.every((w) => holds(row, w)); };
    // If a control matches by itself, rows count only if one of them matches by itself or by name; then all that match are returned.
    const alone = own.includes(true);
    const ofRows = all.some(({ raw }, i) => own[i] && (rows[(raw.row ?? 0) - 1]?.el === raw.id || raw.name !== "" && (said[(raw.row ?? 0) - 1] ?? "").includes(loose(raw.name))));
    for (const [i, m] of all.entries()) {
      if (m.raw.frameOf) continue;
      const around = inRows ? rowSays(m) : `${rowSays(m)} ${loose(m.raw.near)}`;
      if (own[i] || (alone ? ofRows && rowHas(m) : says(i, around))) out.push(m);
    }
    if (out.length > 0) return out;
  }
  return [];
}
