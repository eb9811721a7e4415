// Requests that wait for the host's word. When the host goes, nobody will give it:
// what only fetches goes on, since the user's page must not hang; what can write,
// or has waited for long, is given up, since the host may have been asking the user about it. Given up
// (Aborted) and not blocked: for a page that was sending a form Chrome would show an
// error page in the place of the form, and whoever takes the task up looks there.

interface Told { requestId?: string; request?: { method?: string; postData?: string; postDataEntries?: { bytes?: string }[] } }

/** The host judges no more of a body than that, in characters; an upload may have many megabytes. */
const BODY_MAX = 100_000;

/** The host answers what it does not ask about in far less than that. */
const ASKED_MS = 1000;

type End = (source: chrome.debugger.DebuggerSession, method: string, params: object) => Promise<unknown>;

export class Paused {
  private readonly waiting = new Map<string, { source: chrome.debugger.DebuggerSession; writes: boolean; since: number }>();

  constructor(private readonly end: End) {}

  /** A request was paused; gives what the host is to know of it. */
  begins(source: chrome.debugger.DebuggerSession, params: object = {}): Record<string, unknown> {
    const { requestId, request } = params as Told;
    if (requestId) this.waiting.set(requestId, { source, writes: (request?.method ?? "GET") !== "GET", since: Date.now() });
    if (!request) return { ...params };
    const entries = request.postDataEntries?.filter((e) => (e.bytes ?? "").length <= BODY_MAX);
    return { ...params, request: { ...request, postData: request.postData?.slice(0, BODY_MAX), postDataEntries: request.postData ? undefined : entries } };
  }

  /** The host sent a command: one that ends a pause needs no end any more. */
  sent(method: string, params: object = {}): void {
    if (method === "Fetch.continueRequest" || method === "Fetch.failRequest") this.waiting.delete((params as Told).requestId ?? "");
  }

  /** The host is gone. */
  lost(): void {
    for (const [requestId, { source, writes, since }] of this.waiting) {
      const end = writes || Date.now() - since > ASKED_MS
        ? this.end(source, "Fetch.failRequest", { requestId, errorReason: "Aborted" })
        : this.end(source, "Fetch.continueRequest", { requestId });
      void end.catch(() => undefined); // the page gave it up, or is gone
    }
    this.waiting.clear();
  }
}

export const paused = new Paused((source, method, params) => chrome.debugger.sendCommand(source, method, params));
