// The words in which a page says that it shows some of its rows: "Showing rows 0 - 24 (84 total)", "1–10 of 57".

import { doc, textContent } from "../dom/dom";
import { cut } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { eachPiece } from "../reading/text";

const figure = "(\\d[\\d.,'\u00a0\u202f]*)";
const to = "\\s*(?:[-–—~〜]|to|bis|a|à|до|至|到)\\s*";
const of = "\\s*(?:of|out of|von|de|di|du|sur|av|af|van|z|ze|из|\\/|／|共|\\(|[条項件]?\\s*[/，,]?\\s*共)\\s*";
const shown = new RegExp(`(?<![\\p{L}\\d.:/-])${figure}${to}${figure}${of}${figure}(?![\\d:/-])`, "iu");
const most = 80;

const value = (s: string | undefined): number => Number((s ?? "").replace(/\D/g, ""));

function isSome(text: string): boolean {
  const m = shown.exec(text);
  if (!m) return false;
  const [first, last, total] = [value(m[1]), value(m[2]), value(m[3])];
  return first <= last && last <= total && last - first + 1 < total;
}

/** The words in which a page says that it shows only some of its rows; "" if there are none. */
export function pagingOf(look: LayoutCache): string {
  if (!doc.body || !shown.test(textContent(doc.body) ?? "")) return "";
  let out = "";
  eachPiece(look, null, (p) => {
    if (isSome(p.text)) out = cut(p.text, most);
    return out === "";
  });
  return out;
}
