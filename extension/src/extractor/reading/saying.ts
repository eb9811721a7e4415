// Finds words that are in no control's name: a setting that is only text, with its
// value and the control beside it.

import { acts, pressable } from "../a11y/interactive";
import { textOf } from "../a11y/visibletext";
import { showAll } from "../acting/resolve";
import type { RawElement, Said } from "../api";
import { all, parentOf, textContent } from "../dom/dom";
import { cut, loose } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { wantedOf, whole } from "../listing/query";
import { describe } from "../listing/describe";
import { currentLook } from "../listing/identity";
import { eachPiece } from "./text";

const mostSaid = 5;
const mostWords = 160;
const maxClimb = 4;

const controls = { has: acts };

/** The texts with all words of a query, or of one of its alternatives, each with the text and a control beside it. */
export function saying(o: { query: string }): { said: Said[]; seen: number } {
  const look = new LayoutCache();
  const wanted = wantedOf(o.query, undefined);
  const out: Said[] = [];
  const told: { el: Element; raw: RawElement }[] = [];
  const known = new Set<Element>();
  eachPiece(look, null, (p) => {
    const words = loose(p.text);
    if (!wanted.some((w) => w.words.every((x) => whole(words, x)))) return true;
    let box = p.el;
    let text = p.text;
    for (let up = 0; up < maxClimb && text.length <= p.text.length; up++) {
      const around: Element | null = up > 0 ? parentOf(box) : box;
      if (!around || (textContent(around) ?? "").length > 10 * mostWords) break;
      const more = textOf(around, mostWords + 1, undefined, controls);
      if (more.length > mostWords) break;
      [box, text] = [around, more];
    }
    text = cut(text || p.text, mostWords);
    if (known.has(box)) return true;
    known.add(box);
    const said: Said = { text };
    const near = [...all(box, pressable)].find((e) => look.shown(e));
    if (near) told.push({ el: near, raw: said.near = describe(near, look) });
    out.push(said);
    return out.length < mostSaid;
  });
  showAll(told, look);
  return { said: out, seen: currentLook() };
}
