// Injects the extractor into each new main document of the tabs that the host
// works in. If the host asked for it on hearing of the document, a small page
// would have loaded already. The browser's onCommitted event names the document,
// so the extractor can't land in the one before.

/** How the host will probably look at a new document first. */
const looks = ["summary", "list", "tree"] as const;
type Look = typeof looks[number];
type Committed = chrome.webNavigation.WebNavigationTransitionCallbackDetails;

export class Follow {
  private readonly tabs = new Map<number, Look | undefined>();

  /** attached reports whether the debugger is still attached to a tab. */
  constructor(private readonly attached: (tabId: number) => boolean) {}

  /** Removes the listener of an earlier run of the worker, which would go on to wake it though no tab is followed yet. Must run in the worker's first turn. */
  begin(): void {
    const old = (): void => undefined;
    chrome.webNavigation.onCommitted.addListener(old);
    chrome.webNavigation.onCommitted.removeListener(old);
  }

  /** Follows a tab until end is called or the debugger is detached from it; look is begun once a document has loaded. */
  start(tabId: number, look?: string): void {
    if (this.tabs.size === 0) chrome.webNavigation.onCommitted.addListener(this.committed);
    this.tabs.set(tabId, looks.find((l) => l === look));
  }

  end(tabId: number): void {
    if (this.tabs.delete(tabId) && this.tabs.size === 0) chrome.webNavigation.onCommitted.removeListener(this.committed);
  }

  private readonly committed = ({ tabId, frameId, documentId }: Committed): void => {
    if (frameId !== 0 || !this.tabs.has(tabId)) return; // other frames come on demand
    if (!this.attached(tabId)) return this.end(tabId);
    const look = this.tabs.get(tabId);
    chrome.scripting.executeScript({
      target: { tabId, documentIds: [documentId] },
      files: look ? ["extractor.js", `begin/${look}.js`] : ["extractor.js"],
      world: "ISOLATED",
      injectImmediately: true,
    }).catch(() => undefined); // a page that takes no scripts, or one that is gone
  };
}
