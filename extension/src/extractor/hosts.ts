// Likely hosts of closed shadow roots, in a world that can't see into them
// itself: the host asks about each of them once (host/browser/shadow.go, whose
// rule this is). Nearly always there is none, and most calls find the page as
// it was.

import { all, clientHeight, firstChild, localName, openShadow } from "./dom";
import { otherTasks, Pace, stride, type Work } from "./slices";

const world = globalThis as unknown as { __tabwrightHosts?: WeakSet<Element> };
const plain = /^(?:div|span|section|article|aside|main|header|footer|nav|p)$/;

let seen = false; // the document as it is now was looked through
let changes = 0;
let observer: MutationObserver | null = null;

/** Whether the document has one that was not asked about. Of a large page a promise: it is looked through in slices. */
export function hidden(): boolean | Promise<boolean> {
  if (changed()) seen = false;
  if (seen) return false;
  observer ??= new MutationObserver(() => {
    changes++;
    seen = false;
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style", "hidden"] });
  const pace = new Pace();
  const work = search(pace);
  const r = work.next();
  return r.done ? r.value : rest(pace, work);
}

function changed(): boolean {
  if ((observer?.takeRecords().length ?? 0) === 0) return false;
  changes++;
  return true;
}

async function rest(pace: Pace, work: Work<boolean>): Promise<boolean> {
  for (;;) {
    await otherTasks();
    pace.goOn();
    const r = work.next();
    if (r.done) return r.value;
  }
}

function* search(pace: Pace): Work<boolean> {
  const asked = world.__tabwrightHosts ??= new WeakSet();
  const before = changes;
  let steps = 0;
  for (const e of all(document, "*")) {
    if (++steps % stride === 0 && pace.due()) yield;
    const tag = localName(e);
    const custom = tag.includes("-");
    if (!custom && !(plain.test(tag) && firstChild(e) === null) || openShadow(e) || asked.has(e)) continue;
    if (!custom && clientHeight(e) === 0) continue;
    return true;
  }
  seen = !changed() && changes === before;
  return false;
}
