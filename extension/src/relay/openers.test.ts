import assert from "node:assert/strict";
import test from "node:test";
import { Births, openerOf, openersRead } from "./openers";

test("a new tab is told of once its opener is known, which is not the tab in front", () => {
  const b = new Births();
  const told: (number | undefined)[] = [];
  const tell = (id: number) => () => told.push(openerOf({ id, openerTabId: 1 }));
  b.created(5, "", tell(5));
  assert(b.updated(5, "https://shop.test/", () => told.push(0)));
  assert(b.updated(5, "https://shop.test/", () => told.push(9))); // the last of them
  b.opened(5, 4);
  b.opened(6, 4);
  b.created(6, "about:blank", tell(6)); // the other way round
  assert.deepEqual(told, [4, 9, 4]);
  assert(!b.updated(5, "https://shop.test/", tell(5)));
  b.removed(5);
  assert.equal(openerOf({ id: 5, openerTabId: 1 }), 1);
});

test("a tab that no page opened is told of as Chrome has it, soon or when it goes", async () => {
  const b = new Births();
  const told: string[] = [];
  b.created(7, "", () => told.push(`7 by ${openerOf({ id: 7, openerTabId: 1 })}`));
  b.created(8, "about:blank", () => told.push("8"));
  b.removed(8);
  assert.deepEqual(told, ["8"]);
  await new Promise((done) => setTimeout(done, 300));
  assert.deepEqual(told, ["8", "7 by 1"]);
});

test("a tab of the browser's own is told of at once, with that address", () => {
  const b = new Births();
  const told: string[] = [];
  const at = (url: string) => () => told.push(url);
  for (const url of ["chrome://newtab/", "chrome-search://local-ntp/", "edge://newtab/", "about:newtab"]) b.created(9, url, at(url));
  assert(!b.updated(9, "https://shop.test/", at("later")));
  assert.deepEqual(told.splice(0), ["chrome://newtab/", "chrome-search://local-ntp/", "edge://newtab/", "about:newtab"]);
  b.created(10, "", at(""));
  assert(b.updated(10, "chrome://newtab/", at("chrome://newtab/"))); // where Chrome says it a moment later
  assert(!b.updated(10, "https://shop.test/", at("later")));
  b.created(11, "https://shop.test/", at("of a page"));
  b.created(12, "about:blank", at("of a page"));
  assert.deepEqual(told, ["", "chrome://newtab/"]);
  b.removed(11);
  b.removed(12);
});

test("while a birth is held no opener is told, and the known one goes on with a tab that is replaced", () => {
  const b = new Births();
  b.created(13, "", () => undefined);
  assert.equal(openerOf({ id: 13, openerTabId: 1 }), undefined);
  b.opened(13, 4);
  assert.equal(openerOf({ id: 13, openerTabId: 1 }), 4);
  b.replaced(14, 13);
  assert.equal(openerOf({ id: 14, openerTabId: 1 }), 4);
  assert.equal(openerOf({ id: 13, openerTabId: 1 }), 1);
});

test("a worker that comes after another knows the openers that that one knew", async () => {
  let kept: Record<string, unknown> = { openers: [[20, 4], [21, 4], [22, 4]] };
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => { answer = done; });
  Object.assign(globalThis, {
    chrome: { storage: { session: { get: async () => (await answered, kept), set: async (v: Record<string, unknown>) => { kept = v; } } } },
  });
  const b = new Births();
  b.begin();
  assert.equal(openerOf({ id: 20, openerTabId: 1 }), undefined); // not yet known
  b.opened(22, 5); // an id that is used again
  b.removed(21); // this woke the worker
  answer();
  await openersRead();
  assert.deepEqual([20, 21, 22, 23].map((id) => openerOf({ id, openerTabId: 1 })), [4, 1, 5, 1]);
  const now = new Map(kept.openers as [number, number][]);
  assert.deepEqual([20, 21, 22].map((id) => now.get(id)), [4, undefined, 5]);
  b.removed(20);
  for (let id = 100; id < 400; id++) b.opened(id, 7);
  assert.equal((kept.openers as number[][]).length, 200);
  assert.equal(openerOf({ id: 399, openerTabId: 1 }), 7);
  assert.equal(openerOf({ id: 20, openerTabId: 1 }), 1);
  b.removed(399);
  assert(!(kept.openers as number[][]).some(([id]) => id === 399));
  Object.assign(globalThis, { chrome: { storage: { session: { get: () => Promise.reject(new Error("gone")), set: async () => undefined } } } });
  b.begin();
  await openersRead();
  assert.equal(openerOf({ id: 23, openerTabId: 1 }), 1);
});

test("of more openers than are kept, those learned while they were read are the last to go", async () => {
  const b = new Births();
  for (let id = 0; id < 400; id++) b.removed(id); // those of the other tests
  let kept: Record<string, unknown> = { openers: Array.from({ length: 200 }, (_, i) => [1000 + i, 4]) };
  Object.assign(globalThis, {
    chrome: { storage: { session: { get: async () => kept, set: async (v: Record<string, unknown>) => { kept = v; } } } },
  });
  b.begin();
  b.opened(2000, 5);
  b.opened(1003, 6); // an id that is used again
  await openersRead();
  const ids = (kept.openers as [number, number][]).map(([id]) => id);
  assert.deepEqual([ids.length, ids[0], ids.slice(-2)], [200, 1001, [2000, 1003]]);
  assert.deepEqual([2000, 1003, 1000].map((id) => openerOf({ id, openerTabId: 1 })), [5, 6, 1]);
});
