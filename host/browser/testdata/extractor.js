// A little extractor for the tests of this package: the few functions the Tab
// itself calls, and some that show what it must carry.
globalThis.__tabwright ??= (() => {
  const nodes = new Map(), ids = new WeakMap(), roots = [document];
  let next = 1;
  const born = document.readyState;
  const give = (n) => {
    if (!ids.has(n)) { ids.set(n, next); nodes.set(next++, n); }
    return ids.get(n);
  };
  const find = (s) => {
    for (const r of roots) { const n = r.querySelector(s); if (n) return n; }
    return null;
  };
  return {
    version: "test",
    summary: () => ({ url: location.href, title: document.title }),
    list: () => ({ roots: roots.length, buttons: roots.flatMap((r) => [...r.querySelectorAll("button")].map((b) => b.textContent)) }),
    find: ({ selector }) => { const n = find(selector); return n ? { id: give(n) } : null; },
    center: ({ id }) => { const r = nodes.get(id).getBoundingClientRect(); return { x: r.left + r.width / 2, y: r.top + r.height / 2 }; },
    node: ({ id }) => nodes.get(id) ?? null,
    adopt: (node) => { if (node instanceof ShadowRoot && !roots.includes(node)) roots.push(node); return { id: give(node) }; },
    echo: (x) => x,
    later: ({ ms }) => new Promise((r) => setTimeout(() => r({ waited: ms }), ms)),
    never: () => new Promise(() => {}),
    born: () => born,
    odd: () => ({ text: "\ud800x", not: NaN }),
    ahead: ({ look, of }) => { globalThis.__readied = look + " " + JSON.stringify(of); },
    begin: (look) => { globalThis.__begun = look; },
    begun: () => globalThis.__begun ?? "",
    tree: () => ({}),
    readied: () => globalThis.__readied ?? "",
    vanish: () => { delete globalThis.__tabwright; },
    boom: () => { throw new Error("boom"); },
    stamp: ({ set }) => { if (set) globalThis.__stamp = set; return globalThis.__stamp ?? ""; },
  };
})();
