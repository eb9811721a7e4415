// Requests that wait for the host's word. When the host goes, nobody will give it:
// what only fetches goes on, since the person's page must not hang; what can write
// is given up, since the host may have been asking the person about it. Given up
// (Aborted) and not blocked: for a page that was sending a form Chrome would show an
// error page in the place of the form, and whoever takes the task up looks there.

interface Told { requestId?: string; request?: { method?: string } }

type End = (source: chrome.debugger.DebuggerSession, method: string, params: object) => Promise<unknown>;

export class Paused {
  private readonly waiting = new Map<string, { source: chrome.debugger.DebuggerSession; writes: boolean }>();

  constructor(private readonly end: End) {}

  /** A request was paused. */
  begins(source: chrome.debugger.DebuggerSession, params: object = {}): void {
    const { requestId, request } = params as Told;
    if (requestId) this.waiting.set(requestId, { source, writes: (request?.method ?? "GET") !== "GET" });
  }

  /** The host sent a command: one that ends a pause needs no end any more. */
  sent(method: string, params: object = {}): void {
    if (method === "Fetch.continueRequest" || method === "Fetch.failRequest") this.waiting.delete((params as Told).requestId ?? "");
  }

  /** The host is gone. */
  lost(): void {
    for (const [requestId, { source, writes }] of this.waiting) {
      const end = writes
        ? this.end(source, "Fetch.failRequest", { requestId, errorReason: "Aborted" })
        : this.end(source, "Fetch.continueRequest", { requestId });
      void end.catch(() => undefined); // the page gave it up, or is gone
    }
    this.waiting.clear();
  }
}

export const paused = new Paused((source, method, params) => chrome.debugger.sendCommand(source, method, params));
