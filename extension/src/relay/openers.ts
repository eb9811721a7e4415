// Which tab opened which. Chrome's tabs name the one that stood in front of the
// window as the opener, whichever page asked: of a page that is covered by
// another tab that is the wrong one. Its web navigation names the right one, a
// moment after the tab is there.

/** How long that may take, in ms; a tab that no page opened is never told of. */
const TOLD_MS = 250;

/** Addresses of the browser's own and its extensions', by which the host knows a tab of the user's (host/action/tabs.go has most). */
const OWN = /^(?!(https?|file|blob|data|ftp):|about:(?!newtab))[^:]+:/;

const KEPT = "openers"; // in chrome.storage.session: known, for the worker that comes after this one
/** How many tabs are kept, the last ones. */
const MOST = 200;

const known = new Map<number, number>(); // tab → the one whose page opened it
const gone = new Set<number>(); // tabs closed before what was kept was read
let reading: Promise<void> | undefined; // until what was kept is read
interface Held { tell: () => void; then?: () => void; timer: ReturnType<typeof setTimeout> }

const held = new Map<number, Held>(); // new tabs not told of yet

/** The tab whose page opened this one; for one that no page opened, what Chrome says; none while that is not known. */
export function openerOf({ id = -1, openerTabId }: { id?: number; openerTabId?: number }): number | undefined {
  return held.has(id) ? undefined : known.get(id) ?? (reading ? undefined : openerTabId);
}

/** Waits until it is known again what the worker before this one knew. */
export async function openersRead(): Promise<void> {
  await reading;
}

async function read(): Promise<void> {
  try {
    const kept = (await chrome.storage.session.get(KEPT))[KEPT];
    const since = [...known];
    known.clear(); // the last learned stand last
    if (Array.isArray(kept)) for (const [id, by] of kept as [number, number][]) if (!gone.has(id)) known.set(id, by);
    for (const [id, by] of since) learn(id, by);
  } catch {
    // Chrome's word is all there is then.
  }
  gone.clear();
  reading = undefined;
  keep();
}

function learn(id: number, by: number): void {
  known.delete(id);
  known.set(id, by); // as the last of them
  for (const old of known.keys()) if (known.size > MOST) known.delete(old);
  keep();
}

function unlearn(id: number): void {
  if (reading) gone.add(id);
  if (known.delete(id)) keep();
}

function keep(): void {
  if (reading) return; // it is kept when that is read
  globalThis.chrome?.storage.session.set({ [KEPT]: [...known].slice(-MOST) }).catch(() => undefined); // a later change keeps it
}

/** Holds the news of a new tab back until its opener is known. */
export class Births {
  /** Reads what the worker before this one knew. */
  begin(): void {
    reading = read();
  }

  /** tell says that there is a new tab at url, and is called once: at once where the browser's own page is, which the host must see before another takes its place. */
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

  /** tell says what the tab is now, at url, once its birth was told; false if that is not held back. */
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
