// Whether a page stands still, so that what was read of it holds.

import { all, animationsIn, localName, offDocument, onDocument, scopes } from "../dom/dom";

/** What may change how the page looks without a change of its nodes, and without a scroll. */
export const restless = ["load", "toggle", "transitionrun", "transitionend", "animationstart", "animationiteration", "animationend",
  "pointerover", "focusin", "focusout", "input", "change", "fullscreenchange", "visibilitychange"];

/**
 * Watches a page from when it is made until it is ended. What a script writes into
 * a rule of a style sheet nobody is told of, and is not known here: it is for a
 * moment only.
 */
export class Calm {
  private broken = false;
  private readonly told = untold();
  private readonly observer = new MutationObserver(this.broke.bind(this));
  private readonly roots: Node[] = [];
  private readonly stir = (): void => { this.broke(); };

  constructor() {
    this.also(document);
    onDocument("scroll", this.stir);
    for (const t of restless) onDocument(t, this.stir);
    window.addEventListener("resize", this.stir, { passive: true });
  }

  /** A tree that is read as well. */
  also(root: Node): void {
    if (this.roots.includes(root)) return;
    this.roots.push(root);
    this.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  /** Nothing has changed since it was made, and nothing moves. */
  holds(): boolean {
    if (this.observer.takeRecords().length > 0) this.broke();
    return !this.broken && !moves() && untold() === this.told;
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
 * What can change and no observer tells, or only with the next frame, which a
 * covered tab may not have for a second: shadow roots that came, what fields hold,
 * how many rules there are, where one is and what one sees of it.
 */
function untold(): string {
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
