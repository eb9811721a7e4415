// Whether a document was painted at all. Until then, or for about a second, Chrome
// drops the keys and presses that come to it (Chromium 156): nobody could have seen
// what they go to. A covered tab may not be painted for longer.

import { later } from "../schedule/settle";

/** From the first bytes of a document on; Chrome takes input after about a second whether it has painted or not. */
const atMostMs = 1500;

let was = false;

function isPainted(): boolean {
  was ||= performance.getEntriesByType("paint").length > 0;
  return was;
}

/** Whether what comes to the tab's document may be dropped. Frames are painted with the document around them. */
export function isUnpainted(): boolean {
  return window.parent === window && !isPainted() && left() > 0;
}

/** For how long it still may be, in ms. */
function left(): number {
  const [nav] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return (nav?.responseStart ?? 0) + atMostMs - performance.now();
}

/** Waits for the first paint, for so many ms at most. */
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
