// Likely hosts of closed shadow roots, in a world that can't see into them
// itself: the host asks about each of them once (host/browser/shadow.go, whose
// rule this is). Nearly always there is none, and most calls find the page as
// it was.

import { otherTasks, Pace, stride, type Work } from "../schedule/slices";
import { all, clientHeight, firstChild, isConnected, isElement, localName, openShadow } from "./dom";

const world = globalThis as unknown as { __tabwrightHosts?: WeakSet<Element> };
const plain = /^(?:div|span|section|article|aside|main|header|footer|nav|p)$/;

let seen = false; // whether the document was searched since its last change
let reworded = false; // whether words changed since
let low: Element[] = []; // elements that would be likely hosts if they had a height
let changes = 0;
let observer: MutationObserver | null = null;

/** Whether the document has a likely host that was not asked about. Returns a promise for a large page, which is searched in slices. */
export function hidden(): boolean | Promise<boolean> {
  note(observer?.takeRecords() ?? []);
  if (seen) return grown();
  observer ??= new MutationObserver(note);
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style", "hidden"] });
  const pace = new Pace();
  const work = search(pace);
  const r = work.next();
  return r.done ? r.value : rest(pace, work);
}

function note(records: MutationRecord[]): void {
  if (records.some(makesHosts)) {
    changes++;
    seen = false;
  } else reworded ||= records.length > 0;
}

/** Whether a change may have made a likely host; adding text doesn't. */
function makesHosts(r: MutationRecord): boolean {
  if (r.type === "attributes" || firstChild(r.target) === null) return true;
  for (const n of r.addedNodes) if (isElement(n)) return true;
  return false;
}

/** Whether an element of low has a height now: a shadow root was attached to it. Checked only after words changed. */
function grown(): boolean {
  if (!reworded) return false;
  reworded = false;
  return low.some((e) => world.__tabwrightHosts?.has(e) !== true && isConnected(e) && !openShadow(e) && clientHeight(e) > 0);
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
  low = [];
  reworded = false;
  let steps = 0;
  for (const e of all(document, "*")) {
    if (++steps % stride === 0 && pace.due()) yield;
    const tag = localName(e);
    const custom = tag.includes("-");
    if (!custom && !(plain.test(tag) && firstChild(e) === null) || openShadow(e) || asked.has(e)) continue;
    if (!custom && clientHeight(e) === 0) {
      low.push(e);
      continue;
    }
    return true;
  }
  note(observer?.takeRecords() ?? []);
  seen = changes === before;
  return false;
}
