// The summary that every look gives, with the facts that the gate needs.

import { Kind } from "../a11y/interactive";
import { overlayName } from "../a11y/overlays";
import type { FrameSummary, PageFacts } from "../api";
import { attr, clientHeight, clientWidth, deepActive, doc, localName, scrollHeight, scrollWidth } from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { LayoutCache } from "../dom/visibility";
import { isLoading } from "../effects/pending";
import { orderItems, textAndAmounts } from "../reading/amounts";
import { viewportText } from "../reading/text";
import { type Pace, sliced, type Work } from "../schedule/slices";
import { coveredIn, overAll } from "./covered";
import { contentRect, counts, listed } from "./list";
import { walking } from "./walk";

/** first: adds a list of about so many controls (0: all) from the same walk. Returns a promise as list does. */
export const summary = (o?: { first?: number }): FrameSummary | Promise<FrameSummary> => sliced((pace) => summing(o, pace));

export function* summing(o: { first?: number } | undefined, pace: Pace): Work<FrameSummary> {
  const look = new LayoutCache();
  const w = yield* walking(look, { images: true, exactly: o?.first }, pace);
  const covered = yield* coveredIn(w.found, w.overlays, look, pace);
  const over = look.modal ? null : overAll(w, covered);
  const root = doc.scroller ?? doc.root;
  const out: FrameSummary = {
    url: location.href, title: doc.title, readyState: doc.readyState,
    viewport: { width: innerWidth, height: innerHeight },
    scroll: {
      x: Math.round(window.scrollX), y: Math.round(window.scrollY),
      maxX: root ? Math.max(0, scrollWidth(root) - clientWidth(root)) : 0,
      maxY: root ? Math.max(0, scrollHeight(root) - clientHeight(root)) : 0,
    },
    counts: yield* counts(w, look, pace), visibleText: yield* viewportText(look, 500, pace, over), overlays: w.overlays.map(overlayName),
    lang: doc.root ? attr(doc.root, "lang") ?? "" : "",
    frames: w.found.filter((f) => f.kind === Kind.Frame).map((f) => contentRect(f.el)),
  };
  if (o?.first !== undefined) out.list = yield* listed({ first: o.first }, look, w, pace, covered);
  if (isLoading(look)) out.loading = true;
  const f = deepActive();
  if (f && f !== doc.body && f !== doc.root) out.focused = { id: idOf(f), tag: localName(f) };
  return out;
}

export function pageFacts(o: { id?: number; brief?: boolean }): PageFacts {
  if (o.brief) return { url: location.href, title: doc.title, text: "", amounts: [], items: [] };
  const look = new LayoutCache();
  const el = o.id !== undefined ? nodeOf(o.id) : null;
  return { url: location.href, title: doc.title, ...textAndAmounts(look, el, 20000), items: orderItems() };
}
