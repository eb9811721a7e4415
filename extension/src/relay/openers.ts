// Which tab opened which. chrome.tabs names the tab in front of the window as the
// opener, whichever page asked: the wrong tab if that page is covered.
// chrome.webNavigation names the right one, a moment after the tab is there.

/** How long that may take, in ms; for a tab that no page opened, no such event comes. */
const TOLD_MS = 250;

/** Matches addresses of the browser's and its extensions' own pages, by which the host recognizes a tab of the user (host/action/tabs.go has most). */
const OWN = /^(?!(https?|file|blob|data|ftp):|about:(?!newtab))[^:]+:/;

const KEPT = "openers"; // in chrome.storage.session: known, for the next run of the worker
/** How many tabs are kept: the newest. */
const MOST = 200;

const known = new Map<number, number>(); // tab → the tab whose page opened it
const gone = new Set<number>(); // tabs closed before the stored openers were read
let reading: Promise<void> | undefined; // until the stored openers are read
interface Held { tell: () => void; then?: () => void; timer: ReturnType<typeof setTimeout> }

const held = new Map<number, Held>(); // new tabs that are not reported yet

/** Returns the tab whose page opened this one; if no page did, the opener that Chrome names; undefined while that is not known. */
export function openerOf({ id = -1, openerTabId }: { id?: number; openerTabId?: number }): number | undefined {
  return held.has(id) ? undefined : known.get(id) ?? (reading ? undefined : openerTabId);
}

/** Waits until the openers that the last run of the worker stored are read. */
export async function openersRead(): Promise<void> {
  await reading;
}

async function read(): Promise<void> {
  try {
    const kept = (await chrome.storage.session.get(KEPT))[KEPT];
    const since = [...known];
    known.clear(); // they are added again below, as the newest
    if (Array.isArray(kept)) for (const [id, by] of kept as [number, number][]) if (!gone.has(id)) known.set(id, by);
    for (const [id, by] of since) learn(id, by);
  } catch {
    // The openers that Chrome names must do then.
  }
  gone.clear();
  reading = undefined;
  keep();
}

function learn(id: number, by: number): void {
  known.delete(id);
  known.set(id, by); // as the newest
  for (const old of known.keys()) if (known.size > MOST) known.delete(old);
  keep();
}

function unlearn(id: number): void {
  if (reading) gone.add(id);
  if (known.delete(id)) keep();
}

function keep(): void {
  if (reading) return; // read stores it at its end
  globalThis.chrome?.storage.session.set({ [KEPT]: [...known].slice(-MOST) }).catch(() => undefined); // the next change stores it
}

/** Delays the report of a new tab until its opener is known. */
export class Births {
  /** Reads the openers that the last run of the worker stored. */
  begin(): void {
    reading = read();
  }

  /** Calls tell once, which reports a new tab at url: at once for a page of the browser's own, which the host must see before another takes its place. */
  created(id: number, url: string, tell: () => void): void {
    if (known.has(id) || OWN.test(url)) return tell();
    held.set(id, { tell, timer: setTimeout(() => this.settle(id), TOLD_MS) });
  }

  opened(id: number, by: number): void {
    learn(id, by);
    this.settle(id);
  }

  removed(id: number): void {
    this.settle(id);
    unlearn(id);
  }

  replaced(id: number, was: number): void {
    const by = known.get(was);
    this.removed(was);
    if (by !== undefined) learn(id, by);
  }

  /** Calls tell, which reports a change of the tab, after the delayed report of the tab itself; returns false if none is delayed. */
  updated(id: number, url: string, tell: () => void): boolean {
    const h = held.get(id);
    if (!h) return false;
    h.then = tell;
    if (OWN.test(url)) this.settle(id);
    return true;
  }

  private settle(id: number): void {
    const h = held.get(id);
    if (!h) return;
    clearTimeout(h.timer);
    held.delete(id);
    h.tell();
    h.then?.();
  }
}
