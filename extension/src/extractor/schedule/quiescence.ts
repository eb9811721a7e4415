// Tells whether a page is unchanged since it was read.

import { all, animationsIn, localName, offDocument, onDocument, scopes } from "../dom/dom";

/** Events that may change how the page looks without a changed node or a scroll. */
export const restless = ["load", "toggle", "transitionrun", "transitionend", "animationstart", "animationiteration", "animationend",
  "pointerover", "focusin", "focusout", "input", "change", "fullscreenchange", "visibilitychange"];

/**
 * Watches a page from its construction until end. It misses a script's change to
 * a rule of a style sheet, which no event reports; results are kept only briefly.
 */
export class Calm {
  private broken = false;
  private readonly stateBefore = unobservedState();
  private readonly observer = new MutationObserver(this.broke.bind(this));
  private readonly roots: Node[] = [];
  private readonly stir = (): void => { this.broke(); };

  constructor() {
    this.also(document);
    onDocument("scroll", this.stir);
    for (const t of restless) onDocument(t, this.stir);
    window.addEventListener("resize", this.stir, { passive: true });
  }

  /** Watches another tree. */
  also(root: Node): void {
    if (this.roots.includes(root)) return;
    this.roots.push(root);
    this.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  /** Whether nothing has changed since construction and no animation runs. */
  holds(): boolean {
    if (this.observer.takeRecords().length > 0) this.broke();
    return !this.broken && !moves() && unobservedState() === this.stateBefore;
  }

  end(): void {
    this.observer.disconnect();
    offDocument("scroll", this.stir);
    for (const t of restless) offDocument(t, this.stir);
    window.removeEventListener("resize", this.stir);
  }

  private broke(): void { this.broken = true; }
}

const moves = (): boolean => scopes().some((s) => animationsIn(s).length > 0);

/**
 * State that changes without an observer's report, or with one only in the next
 * frame (up to a second later in a covered tab): the address, the scroll position and
 * size of the view, the number of shadow roots, field values, style sheets.
 */
function unobservedState(): string {
  const parts = scopes();
  const out: unknown[] = [location.href, window.scrollX, window.scrollY, innerWidth, innerHeight, parts.length];
  for (const s of parts) {
    for (const el of all(s, "input,select,textarea")) {
      const f = el as HTMLInputElement;
      out.push(f.value, f.checked, f.indeterminate, localName(el) === "select" && [...(el as HTMLSelectElement).selectedOptions].map((o) => o.index));
    }
    for (const sheet of [...s.styleSheets, ...s.adoptedStyleSheets]) out.push(sheet.disabled, rulesOf(sheet));
  }
  return JSON.stringify(out);
}

function rulesOf(sheet: CSSStyleSheet): number {
  try {
    return sheet.cssRules.length;
  } catch {
    return 0; // another site's: the page can't reach its rules either
  }
}
