// Addresses that Chrome hands to another program (tel:, zoommtg:). It asks the
// person about that in a window of its own, which takes all input of the tab from
// then on. A link to one is judged before it is clicked; what a script goes to
// while the agent acts is stopped here.

import { closest } from "./dom";
import { subjectOf } from "./facts";
import { destination, formOf } from "./form";

const shown = /^(?:https?|about|blob|data|javascript|file|filesystem|view-source|chrome[a-z-]*|devtools|edge|brave|vivaldi|opera):/i;

/** How long after its beginning an act may still be under way; what comes later is the person's. */
const actMs = 15000;

const pages = (window as unknown as { navigation?: EventTarget }).navigation;

export class Launches {
  /** Where the page wanted to go with another program, last. */
  to = "";
  private target: Element | null = null;
  private until = 0;

  begin(target: Element | null): void {
    this.target = target;
    this.to = "";
    this.until = performance.now() + actMs;
    pages?.addEventListener("navigate", this.on);
  }

  end(): void {
    pages?.removeEventListener("navigate", this.on);
  }

  private readonly on = (e: Event): void => {
    const to = (e as Event & { destination?: { url?: string } }).destination?.url ?? "";
    if (to === "" || shown.test(to) || performance.now() > this.until || this.judged(to)) return;
    e.preventDefault();
    this.to = to;
  };

  /** Whether the act is on the link or the form that goes there. */
  private judged(to: string): boolean {
    const el = this.target && subjectOf(this.target);
    if (!el) return false;
    const link = closest(el, (x) => x instanceof HTMLAnchorElement || x instanceof HTMLAreaElement);
    if (link) return (link as HTMLAnchorElement).href === to;
    const form = formOf(el);
    const path = (s: string): string => s.replace(/[?#].*$/s, "");
    return form !== null && path(destination(form, el).action) === path(to);
  }
}
