// Saves the page's Web Storage before an act, and restores it if the request that the act
// made the page send was refused.

/** The changed entries with their earlier values; null if there was none. */
export type Entries = [key: string, value: string | null][];

export interface Stored {
  origin: string;
  local: Entries;
  session: Entries;
}

const most = 5_000_000; // characters, the browsers' quota of an origin

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

/** Opens the storage ahead of time: its first use takes the browser a while. */
export function openStorage(): void {
  try {
    void [localStorage.length, sessionStorage.length];
  } catch {
    // a page may have none
  }
}

/** Saves the present entries. A page may have no storage, or no access to it. */
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

/** Restores the entries that changed since keepStorage and returns them. */
export function restoreStorage(): Stored {
  const out: Stored = { origin: location.origin, local: [], session: [] };
  if (before === null) return out;
  try {
    out.local = changed(localStorage, before.local);
    out.session = changed(sessionStorage, before.session);
    put(localStorage, out.local);
    put(sessionStorage, out.session);
  } catch {
    // a page that lost its access has nothing to restore
  }
  return out;
}

function put(storage: Storage, entries: Entries): void {
  for (const [key, value] of entries) {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, value);
  }
}
