// What the page keeps in the browser (Web Storage), as it was before an act: it is put back
// where what the act had the page send was refused.

/** The entries that changed, with what they held; null where there was none. */
export type Entries = [key: string, value: string | null][];

export interface Stored {
  origin: string;
  local: Entries;
  session: Entries;
}

const most = 5_000_000; // characters, what browsers give an origin

let before: { local: Map<string, string>; session: Map<string, string> } | null = null;

function read(storage: Storage): Map<string, string> {
  const out = new Map<string, string>();
  let size = 0;
  for (let i = 0; i < storage.length; i++) {
    const key = storage.key(i);
    const value = key === null ? null : storage.getItem(key);
    if (key === null || value === null || (size += key.length + value.length) > most) continue;
    out.set(key, value);
  }
  return out;
}

/** The browser takes a while to hand out what is kept, the first time it is asked for. */
export function openStorage(): void {
  try {
    void [localStorage.length, sessionStorage.length];
  } catch {
    // a page may have none
  }
}

/** Remembers what is kept now. A page may have none, or may not be let to it. */
export function keepStorage(): void {
  try {
    before = { local: read(localStorage), session: read(sessionStorage) };
  } catch {
    before = null;
  }
}

function changed(storage: Storage, was: Map<string, string>): Entries {
  const now = read(storage);
  const out: Entries = [];
  for (const [key, value] of was) if (now.get(key) !== value) out.push([key, value]);
  for (const key of now.keys()) if (!was.has(key)) out.push([key, null]);
  return out;
}

/** What changed since then, put back. */
export function restoreStorage(): Stored {
  const out: Stored = { origin: location.origin, local: [], session: [] };
  if (before === null) return out;
  try {
    out.local = changed(localStorage, before.local);
    out.session = changed(sessionStorage, before.session);
    put(localStorage, out.local);
    put(sessionStorage, out.session);
  } catch {
    // a page that may not be let to it any more has nothing to put back
  }
  return out;
}

function put(storage: Storage, entries: Entries): void {
  for (const [key, value] of entries) {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  }
}
