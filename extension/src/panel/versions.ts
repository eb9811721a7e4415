// Versions of an extension, as Chrome compares them: up to four whole numbers,
// and what stands behind a dash does not count.

/** Below 0 where a is older than b, above 0 where it is newer, else 0. */
export function order(a: string, b: string): number {
  const [x, y] = [a, b].map((v) => (v.split("-")[0] ?? "").split(".").map((n) => Number.parseInt(n, 10) || 0));
  for (let i = 0; i < 4; i++) {
    const d = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

/** The version of the build that this extension is of, as its program knows it, too. */
export function version(): string {
  const m = chrome.runtime.getManifest();
  return m.version_name ?? m.version;
}
