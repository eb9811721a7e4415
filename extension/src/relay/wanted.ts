// Which DevTools events the host hears of. A page that is busy tells of every
// picture, line of its log and node; each would be copied three times on its way
// to a host that has no use for it.

/** Never of use there (host/browser/tabevents.go has what is). */
const unused = new Set([
  "Runtime.exceptionRevoked", "Runtime.inspectRequested",
  "Page.frameResized", "Page.domContentEventFired", "Page.loadEventFired", "Page.screencastFrame",
  "Page.screencastVisibilityChanged", "Page.frameScheduledNavigation", "Page.frameClearedScheduledNavigation",
  "Target.targetInfoChanged",
]);

const maxOthers = 5000;

/** How many messages of a document's log the host hears of. */
const maxMessages = 100;

interface Told { requestId?: string; type?: string; name?: string }

export class Wanted {
  // Requests that began as something the host does not wait for. After a stop of
  // the worker it is empty, and ends of such requests pass: the host knows them not.
  private readonly others = new Set<string>();
  private messages = 0;

  /** Whether an event goes to the host. */
  has(method: string, params: object = {}): boolean {
    if (unused.has(method) || method.startsWith("DOM.")) return false;
    const p = params as Told;
    if (method === "Runtime.consoleAPICalled" || method === "Runtime.exceptionThrown") return ++this.messages <= maxMessages;
    if (method === "Runtime.executionContextsCleared") this.messages = 0;
    if (method === "Page.lifecycleEvent") return p.name === "load";
    if (!method.startsWith("Network.")) return true;
    const id = p.requestId ?? "";
    switch (method) {
      case "Network.requestWillBeSent":
        // Only what scripts ask for; documents are told of where they are paused and answered.
        if (p.type === "XHR" || p.type === "Fetch") return true;
        if (this.others.size >= maxOthers) this.others.clear();
        this.others.add(id);
        return false;
      case "Network.responseReceived": return p.type === "Document" || p.type === "XHR" || p.type === "Fetch";
      case "Network.loadingFinished":
      case "Network.loadingFailed": return !this.others.delete(id);
      default: return false;
    }
  }
}
