// Addresses that Chrome passes to another program (tel:, zoommtg:). It asks the user in
// its own window, which then takes all input of the tab. A link to one is judged before
// the click; a script that navigates this document to one during an act is stopped here.
// Frames and windows that a script makes are other documents, which this doesn't see.

import { closest } from "../dom/dom";
import { subjectOf } from "../guard/facts";
import { destination, formOf } from "../guard/form";
import { later } from "../schedule/settle";

const shown = /^(?:https?|about|blob|data|javascript|file|filesystem|view-source|chrome[a-z-]*|devtools|edge|brave|vivaldi|opera):/i;

/** How long an act may last, in ms of the page's clock; a later navigation is the user's. */
const actMs = 15000;

const pages = (window as unknown as { navigation?: EventTarget }).navigation;

export class Launches {
  /** The last address of another program that was stopped. */
  to = "";
  /** The address of the act's link or form, as it was judged. */
  private judged: { link: string } | { action: string } | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  begin(target: Element | null): void {
    this.to = "";
    this.judged = judgedOf(target);
    this.again();
  }

  /** Restarts the time of the act. A stopped page, as under a dialog, doesn't use it up. */
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
