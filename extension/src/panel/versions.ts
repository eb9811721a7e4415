// Versions of an extension, as Chrome compares them: up to four whole numbers;
// text after a dash does not count.

/** Returns a number below 0 if a is older than b, above 0 if it is newer, else 0. */
export function order(a: string, b: string): number {
  const [x, y] = [a, b].map((v) => (v.split("-")[0] ?? "").split(".").map((n) => Number.parseInt(n, 10) || 0));
  for (let i = 0; i < 4; i++) {
    const d = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

/** Reports whether this extension came from a store, which updates it; Chrome notes the store's address in its manifest. */
export function fromStore(): boolean {
  return "update_url" in chrome.runtime.getManifest();
}

/** How long the store is waited for, which may not be reached. */
const storeWait = 5000;

/** Starts this extension anew: as it lies in its folder, or as the store has it now. */
export async function restart(): Promise<void> {
  if (fromStore()) {
    const late = new Promise((done) => setTimeout(done, storeWait));
    await Promise.race([chrome.runtime.requestUpdateCheck().catch(() => undefined), late]);
  }
  chrome.runtime.reload();
}

/** Returns the version of this extension's build, which the program has too. */
export function version(): string {
  const m = chrome.runtime.getManifest();
  return m.version_name ?? m.version;
}
