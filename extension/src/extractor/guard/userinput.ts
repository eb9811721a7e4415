// Tells the host that the user acts in this tab (a press, a key or the wheel), by
// way of a binding that the host's debugger puts into this world. Input of the kind
// that a guard expects from the host is not told; for the
// rest the host knows its own input by the time. The key or place is not
// told. Without an attached debugger, nothing is sent.

import { endLaunches } from "../effects/effects";
import { expected } from "./guard";

/** Runtime.addBinding of this name (host/browser/userinput.go). */
const BINDING = "tabwrightUser";
const OFTEN_MS = 200;

let lastReport = -OFTEN_MS;

function tell(e: Event): void {
  if (!e.isTrusted || expected(e)) return;
  endLaunches();
  const now = performance.now();
  if (now - lastReport < OFTEN_MS) return;
  const send = (globalThis as unknown as Record<string, unknown>)[BINDING];
  if (typeof send !== "function") return;
  lastReport = now;
  // The event's delay and the time now: neither a busy page nor a busy host must make our
  // input look later than it was.
  (send as (said: string) => void)(`${Math.max(0, Math.round(now - e.timeStamp))} ${Date.now()}`);
}

/** Begins to listen; called once per document, since the extractor is kept. */
export function listenToUser(): void {
  for (const type of ["pointerdown", "keydown", "wheel"]) window.addEventListener(type, tell, { capture: true, passive: true });
}
