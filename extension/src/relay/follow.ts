// Puts the extractor into each new main document of the tabs that the host works
// in. The host would hear of the document, and ask for it, when a small page has
// loaded already. That a document was committed is told by the browser itself, and
// the document named: so it can't be the one before.

/** How the host will probably look at a new document first. */
type Look = "summary" | "tree";
type Committed = chrome.webNavigation.WebNavigationTransitionCallbackDetails;

export class Follow {
  private readonly tabs = new Map<number, Look | undefined>();

  /** attached tells whether the debugger still is in a tab. */
  constructor(private readonly attached: (tabId: number) => boolean) {}

  /** Must run in the worker's first turn: what an earlier life of it listened to would go on to wake it, and nobody is followed yet. */
  begin(): void {
    const old = (): void => undefined;
    chrome.webNavigation.onCommitted.addListener(old);
    chrome.webNavigation.onCommitted.removeListener(old);
  }

  /** From now on, until end or until the debugger is gone from the tab; look is begun once a document has loaded. */
  start(tabId: number, look?: string): void {
    if (this.tabs.size === 0) chrome.webNavigation.onCommitted.addListener(this.committed);
    this.tabs.set(tabId, look === "summary" || look === "tree" ? look : undefined);
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
