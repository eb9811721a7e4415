// Records which fields a user, or the host's input, has changed since the page was loaded.

const set = new WeakSet<EventTarget>();

/** Begins to listen; called once per document. */
export function listenToFields(): void {
  window.addEventListener("input", (e) => {
    const el = e.composedPath()[0];
    if (e.isTrusted && el) set.add(el);
  }, { capture: true, passive: true });
}

/** Whether a field was changed by input, and not by a script alone. */
export const isSetByInput = (el: Element): boolean => set.has(el);
