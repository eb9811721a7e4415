// Addresses that Chrome hands to another program (tel:, zoommtg:). It asks the
// user about that in a window of its own, which takes all input of the tab from
// then on. A link to one is judged before it is clicked; where a script sends this
// document to one while the agent acts, it is stopped here. Frames that a script
// makes, and windows, are others' documents, and are not heard of.

import { closest } from "../dom/dom";
import { subjectOf } from "../guard/facts";
import { destination, formOf } from "../guard/form";
import { later } from "../schedule/settle";

const shown = /^(?:https?|about|blob|data|javascript|file|filesystem|view-source|chrome[a-z-]*|devtools|edge|brave|vivaldi|opera):/i;

/** How long after its beginning an act may still be under way, while the page's clock runs; what comes later is the user's. */
const actMs = 15000;

const pages = (window as unknown as { navigation?: EventTarget }).navigation;

export class Launches {
  /** Where the page wanted to go with another program, last. */
  to = "";
  /** Where the link or the form leads that the act is on, as it was judged. */
  private judged: { link: string } | { action: string } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  begin(target: Element | null): void {
    this.to = "";
    this.judged = judgedOf(target);
    this.again();
  }

  /** The act is not over yet. A page that stands still, as under a dialog, has its time all the same. */
  again(): void {
    clearTimeout(this.timer);
    this.timer = later(() => { this.end(); }, actMs);
    pages?.addEventListener("navigate", this.on);
  }

  end(): void {
    clearTimeout(this.timer);
    pages?.removeEventListener("navigate", this.on);
  }

  private readonly on = (e: Event): void => {
    const to = (e as Event & { destination?: { url?: string } }).destination?.url ?? "";
    if (to === "" || shown.test(to) || this.leadsTo(to)) return;
    e.preventDefault();
    this.to = to;
  };

  private leadsTo(to: string): boolean {
    const by = this.judged;
    return by !== null && ("link" in by ? by.link === to : by.action === path(to));
  }
}

const path = (s: string): string => s.replace(/[?#].*$/s, "");

function judgedOf(target: Element | null): { link: string } | { action: string } | null {
  const el = target && subjectOf(target);
  if (!el) return null;
  const link = closest(el, (x) => x instanceof HTMLAnchorElement || x instanceof HTMLAreaElement);
  if (link) return { link: (link as HTMLAnchorElement).href };
  const form = formOf(el);
  return form && { action: path(destination(form, el).action) };
}
