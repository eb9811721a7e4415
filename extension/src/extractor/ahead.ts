// Code runs slowly the first few times: a document's first look takes up to three
// times as long as those that follow. While the host waits for a page to stand
// still after its load event, the page has nothing to do, and a look is begun then
// and thrown away.

import { growing } from "./aria";
import { all, unchanged } from "./dom";
import { shownToNobody } from "./likeness";
import { otherTasks, Pace, type Work } from "./slices";
import { summing } from "./summary";

/** Pages with more elements have their layout to do then, and their look runs long enough to get fast by itself. */
const large = 1000;
/** So short that nothing in the page waits for it. */
const sliceMs = 3;
/** As many controls as the first list has, and as many nodes as a tree may have. */
const controls = 100;
const nodes = 20_000;

/** Looks for so many milliseconds at most, beside what the page does itself; nothing is kept. */
export async function ahead(o: { look: "summary" | "tree"; ms: number }): Promise<void> {
  const until = performance.now() + o.ms;
  if (all(document, "*").length > large) return;
  const pace = new Pace(false, sliceMs);
  const work: Work<unknown> = o.look === "tree" ? growing({ max: nodes }, pace) : summing({ first: controls }, pace);
  try {
    while (!shownToNobody(() => unchanged(() => work.next())).done && performance.now() < until) {
      await otherTasks();
      pace.goOn();
    }
  } catch {
    // The page changed under it in a way that a look would begin anew for.
  }
}
