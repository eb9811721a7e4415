// Records which fields a user, or the host's input, has changed since the page was loaded, and whether boxes were ticked before.

const set = new WeakMap<EventTarget, boolean>();

/** Begins to listen; called once per document. */
export function listenToFields(): void {
  window.addEventListener("input", (e) => {
    const el = e.composedPath()[0];
    if (e.isTrusted && el && !set.has(el)) set.set(el, el instanceof HTMLInputElement && !el.checked);
  }, { capture: true, passive: true });
}

/** Whether a field was changed by input, and not by a script alone. */
export const isSetByInput = (el: Element): boolean => set.has(el);

/** Whether a box that was changed by input was ticked before that. */
export const wasTicked = (box: Element): boolean => set.get(box) === true;
