// Requests that wait for the host's verdict. When the host goes, a request that
// only fetches goes on, since the user's page must not hang. One that can write, or
// has waited for long, is failed, since the host may have been asking the user about
// it. It is failed as Aborted, not as blocked: for a page that was sending a form
// Chrome would show an error page in place of the form, where a resumed task looks.

interface Told { requestId?: string; request?: { method?: string; postData?: string; postDataEntries?: { bytes?: string }[] } }

/** How much of a body goes to the host, in characters; an upload may have many megabytes. */
const BODY_MAX = 100_000;

/** The host answers much sooner than this unless it asks the user. */
const ASKED_MS = 1000;

type End = (source: chrome.debugger.DebuggerSession, method: string, params: object) => Promise<unknown>;

export class Paused {
  private readonly waiting = new Map<string, { source: chrome.debugger.DebuggerSession; writes: boolean; since: number }>();

  constructor(private readonly end: End) {}

  /** Notes a paused request; returns the event for the host, its body cut to BODY_MAX. */
  begins(source: chrome.debugger.DebuggerSession, params: object = {}): Record<string, unknown> {
    const { requestId, request } = params as Told;
    if (requestId) this.waiting.set(requestId, { source, writes: (request?.method ?? "GET") !== "GET", since: Date.now() });
    if (!request) return { ...params };
    const entries = request.postDataEntries?.filter((e) => (e.bytes ?? "").length <= BODY_MAX);
    return { ...params, request: { ...request, postData: request.postData?.slice(0, BODY_MAX), postDataEntries: request.postData ? undefined : entries } };
  }

  /** Forgets a paused request that a command of the host lets go on or fails. */
  sent(method: string, params: object = {}): void {
    if (method === "Fetch.continueRequest" || method === "Fetch.failRequest") this.waiting.delete((params as Told).requestId ?? "");
  }

  /** Ends all pauses once the host is gone. */
  lost(): void {
    for (const [requestId, { source, writes, since }] of this.waiting) {
      const end = writes || Date.now() - since > ASKED_MS
        ? this.end(source, "Fetch.failRequest", { requestId, errorReason: "Aborted" })
        : this.end(source, "Fetch.continueRequest", { requestId });
      void end.catch(() => undefined); // the page cancelled the request, or is gone
    }
    this.waiting.clear();
  }
}

export const paused = new Paused((source, method, params) => chrome.debugger.sendCommand(source, method, params));
