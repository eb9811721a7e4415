// Tells whether a document was painted. Until then, or for about a second, Chrome drops
// keys and presses (Chromium 156): the user can't have seen their target. A covered tab
// may stay unpainted for longer.

import { later } from "../schedule/settle";

/** The longest such time, from the first bytes of a document on; after about a second Chrome takes input even unpainted. */
const atMostMs = 1500;

let was = false;

function isPainted(): boolean {
  was ||= performance.getEntriesByType("paint").length > 0;
  return was;
}

/** Whether Chrome may drop input to the tab's document; false in frames, which are painted with the document around them. */
export function isUnpainted(): boolean {
  return window.parent === window && !isPainted() && left() > 0;
}

/** The rest of that time in ms. */
function left(): number {
  const [nav] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return (nav?.responseStart ?? 0) + atMostMs - performance.now();
}

/** Waits for the first paint, for ms at most. */
export function painted(o: { ms: number }): Promise<{ painted: boolean }> {
  return new Promise((done) => {
    const seen = new PerformanceObserver(() => { end(true); });
    const end = (painted: boolean): void => {
      seen.disconnect();
      clearTimeout(timer);
      done({ painted });
    };
    const timer = later(() => { end(isPainted()); }, Math.min(o.ms, Math.max(0, left())));
    seen.observe({ type: "paint", buffered: true });
  });
}
