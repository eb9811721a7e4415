// Tells the host that a script of the page prints: Chrome opens its print window,
// and the page stands still until the person closes it. The person's own printing
// holds up no script, and is not told.

/** The same as person.ts calls (host/browser/print.go). */
const BINDING = "tabwrightPerson";

function say(what: string): void {
  const send = (globalThis as unknown as Record<string, unknown>)[BINDING];
  if (typeof send === "function") (send as (said: string) => void)(what);
}

/** Begins to listen; once a document. */
export function listenToPrint(): void {
  let within = false; // a script's call
  let told = false;
  const over = (): void => {
    if (told) say("printed");
    told = false;
  };
  // Between two listeners the microtasks run, unless a script waits for them to return.
  window.addEventListener("beforeprint", () => {
    within = true;
    queueMicrotask(() => {
      within = false;
      over(); // the call returned; a headless browser, which opens no window, sends no afterprint
    });
  }, true);
  window.addEventListener("beforeprint", () => {
    if (!within) return;
    told = true;
    say("print");
  }, true);
  window.addEventListener("afterprint", over, true);
}
