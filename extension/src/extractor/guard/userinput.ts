// Tells the host that somebody uses this tab: a press, a key or the wheel, by
// way of a binding that the host's debugger puts into this world. What comes
// while a guard waits for the host's own input of that kind is not told; of the
// rest the host knows by the time which was its own. What was pressed is not
// told. While no debugger is attached nothing hears it.

import { letGo } from "../effects/effects";
import { expected } from "./guard";

/** Runtime.addBinding of this name (host/browser/person.go). */
const BINDING = "tabwrightPerson";
const OFTEN_MS = 200;

let told = -OFTEN_MS;

function tell(e: Event): void {
  if (!e.isTrusted || expected(e)) return;
  letGo();
  const now = performance.now();
  if (now - told < OFTEN_MS) return;
  const send = (globalThis as unknown as Record<string, unknown>)[BINDING];
  if (typeof send !== "function") return;
  told = now;
  // How long it waited to be handled, and when this is said: neither a busy page nor a busy host must make our
  // input look later than it was.
  (send as (said: string) => void)(`${Math.max(0, Math.round(now - e.timeStamp))} ${Date.now()}`);
}

/** Begins to listen; once a document, since the extractor is kept. */
export function listenToPerson(): void {
  for (const type of ["pointerdown", "keydown", "wheel"]) window.addEventListener(type, tell, { capture: true, passive: true });
}
