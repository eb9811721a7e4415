// Selects the DevTools events that go to the host. A busy page reports every
// picture, line of its log and node; each event would be copied three times on its
// way to a host that has no use for it.

/** Events that the host never uses (host/browser/tabevents.go has those it does). */
const unused = new Set([
  "Runtime.exceptionRevoked", "Runtime.inspectRequested",
  "Page.frameResized", "Page.domContentEventFired", "Page.loadEventFired", "Page.screencastFrame",
  "Page.screencastVisibilityChanged", "Page.frameScheduledNavigation", "Page.frameClearedScheduledNavigation",
  "Target.targetInfoChanged",
]);

const maxOthers = 5000;

/** Messages over a WebSocket that follow each other within so many ms go to the host as one. */
const messageMs = 20;

/** How many console messages and exceptions of a document go to the host. */
const maxMessages = 100;

interface Told { requestId?: string; type?: string; name?: string }

export class Wanted {
  // Requests of types that the host does not wait for. After a stop of the worker
  // it is empty, and ends of such requests pass: the host does not know them.
  private readonly others = new Set<string>();
  private messages = 0;
  private readonly lastOn = new Map<string, number>(); // the time of the last message that went to the host, by socket and direction

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
        // Only requests of scripts; documents are reported when they are paused and answered.
        if (p.type === "XHR" || p.type === "Fetch") return true;
        if (this.others.size >= maxOthers) this.others.clear();
        this.others.add(id);
        return false;
      case "Network.responseReceived": return p.type === "Document" || p.type === "XHR" || p.type === "Fetch";
      case "Network.loadingFinished":
      case "Network.loadingFailed": return !this.others.delete(id);
      case "Network.webSocketCreated": return true;
      case "Network.webSocketFrameSent":
      case "Network.webSocketFrameReceived": return this.opens(method + id);
      default: return false;
    }
  }

  private opens(way: string): boolean {
    const now = performance.now();
    if (now - (this.lastOn.get(way) ?? -messageMs) < messageMs) return false;
    if (this.lastOn.size >= maxOthers) this.lastOn.clear();
    this.lastOn.set(way, now);
    return true;
  }
}

/** The part of an event's parameters that the host uses: a message over a WebSocket may be long. */
export function wantedPart(method: string, params: object | undefined): object | undefined {
  return method.startsWith("Network.webSocketFrame") ? { requestId: (params as Told).requestId } : params;
}
