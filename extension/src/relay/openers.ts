// Which tab opened which. Chrome's tabs name the one that stood in front of the
// window as the opener, whichever page asked: of a page that is covered by
// another tab that is the wrong one. Its web navigation names the right one, a
// moment after the tab is there.

/** How long that may take, in ms; a tab that no page opened is never told of. */
const TOLD_MS = 250;

const known = new Map<number, number>(); // tab → the one whose page opened it

/** The tab whose page opened this one; for one that no page opened, what Chrome says. */
export function openerOf(t: { id?: number; openerTabId?: number }): number | undefined {
  return (t.id === undefined ? undefined : known.get(t.id)) ?? t.openerTabId;
}

/** Holds the news of a new tab back until its opener is known. */
export class Births {
  private readonly held = new Map<number, { tell: () => void; timer: ReturnType<typeof setTimeout> }>();

  /** tell says that there is a new tab, and is called once. */
  created(id: number, tell: () => void): void {
    if (known.has(id)) return tell();
    this.held.set(id, { tell, timer: setTimeout(() => this.settle(id), TOLD_MS) });
  }

  opened(id: number, by: number): void {
    known.set(id, by);
    this.settle(id);
  }

  removed(id: number): void {
    this.settle(id);
    known.delete(id);
  }

  /** tell takes the place of what was to be told of the tab; false if nothing is held back. */
  updated(id: number, tell: () => void): boolean {
    const h = this.held.get(id);
    if (h) h.tell = tell;
    return h !== undefined;
  }

  private settle(id: number): void {
    const h = this.held.get(id);
    if (!h) return;
    clearTimeout(h.timer);
    this.held.delete(id);
    h.tell();
  }
}
