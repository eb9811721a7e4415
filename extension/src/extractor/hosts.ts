// Likely hosts of closed shadow roots, in a world that can't see into them
// itself: the host asks about each of them once (host/browser/shadow.go, whose
// rule this is). Nearly always there is none, and most calls find the page as
// it was.

import { all, clientHeight, firstChild, localName, openShadow } from "./dom";

const world = globalThis as unknown as { __tabwrightHosts?: WeakSet<Element> };
const plain = /^(?:div|span|section|article|aside|main|header|footer|nav|p)$/;

let seen = false; // the document as it is now was looked through
let observer: MutationObserver | null = null;

/** Whether the document has one that was not asked about. */
export function hidden(): boolean {
  if (observer && observer.takeRecords().length > 0) seen = false;
  if (seen) return false;
  const asked = world.__tabwrightHosts ??= new WeakSet();
  for (const e of all(document, "*")) {
    const tag = localName(e);
    const custom = tag.includes("-");
    if (!custom && !(firstChild(e) === null && plain.test(tag)) || openShadow(e) || asked.has(e)) continue;
    if (custom || clientHeight(e) > 0) return true;
  }
  seen = true;
  observer ??= new MutationObserver(() => { seen = false; });
  observer.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style", "hidden"] });
  return false;
}
