import assert from "node:assert/strict";
import test from "node:test";
import { Front } from "./front";
import { acted, attached, forget, method } from "./methods";

const PAGE = 1; // the tab that the host acts in, covered by THEIRS
const THEIRS = 2;
const HOME = 10; // the window of both

let front: Front;
let where: Map<number, number>; // tab → window
let active: Map<number, number>; // window → tab
let did: string[]; // what was put back

Object.assign(globalThis, {
  chrome: {
    debugger: {
      sendCommand: async () => ({}),
      detach: () => new Promise((done) => setTimeout(done, 10)),
    },
    tabs: {
      get: async (id: number) => ({ id, windowId: where.get(id), active: active.get(where.get(id) ?? 0) === id }),
      update: async (id: number) => (did.push(`tab ${id}`), shows(id)),
      query: async () => [{ id: THEIRS, windowId: HOME }],
    },
    windows: {
      update: async (id: number) => (did.push(`window ${id}`), front.focused(id)),
      getLastFocused: async () => ({ id: HOME, focused: true }),
    },
  },
});

/** A tab comes to the front of its window. */
function shows(id: number, windowId = where.get(id) ?? HOME): void {
  where.set(id, windowId);
  active.set(windowId, id);
  front.activated(id, windowId);
}

/** What f does is done at a time that differs from now by so many ms. */
async function at(ms: number, f: () => unknown): Promise<void> {
  const now = Date.now;
  Date.now = () => now() + ms;
  try {
    await f();
  } finally {
    Date.now = now;
  }
}

const opens = (id: number, by = PAGE): Promise<void> => front.opened(id, by);

/** A test that begins with the user's tab in front of the page's. */
const covered = (name: string, run: () => void | Promise<void>): void => test(name, async () => {
  front = new Front();
  where = new Map([[PAGE, HOME], [THEIRS, HOME]]);
  active = new Map([[HOME, THEIRS]]);
  did = [];
  await front.begin();
  attached.add(PAGE);
  acted.set(PAGE, Date.now());
  await run();
});

covered("of two tabs that a covered page opens neither stays in front, whenever each is told of", async () => {
  shows(5);
  shows(6); // before the other was told of
  await Promise.all([opens(5), opens(6)]);
  assert.deepEqual(did, ["tab 2"]);
  shows(7);
  await opens(7);
  assert.deepEqual(did, ["tab 2", "tab 2"]);
  assert.equal(active.get(HOME), THEIRS);
});

covered("a tab that a page opened and the user came back to is theirs", async () => {
  shows(5);
  await opens(5);
  shows(5);
  shows(6);
  await opens(6);
  assert.deepEqual(did, ["tab 2", "tab 5"]);
});

covered("what a page in front opens stays in front, of its page and for another's", async () => {
  attached.add(3);
  acted.set(3, Date.now());
  where.set(3, HOME);
  shows(PAGE);
  shows(5);
  await opens(5);
  shows(6);
  await opens(6);
  assert.deepEqual(did, []);
  shows(7);
  await opens(7, 3);
  assert.deepEqual(did, ["tab 6"]);
  forget(3);
});

covered("a closed, moved or replaced tab is not put in front", async () => {
  shows(4);
  shows(8);
  front.removed(8);
  front.replaced(9, 4);
  where.set(9, HOME);
  shows(5);
  await opens(5);
  front.removed(9);
  shows(6);
  await opens(6);
  assert.deepEqual(did, ["tab 9", "tab 2"]);
});

covered("only what the host did just now may have opened the tab", async () => {
  shows(5);
  await at(4000, () => opens(5));
  forget(PAGE);
  await opens(5);
  attached.add(PAGE);
  await opens(5);
  assert.deepEqual(did, []);
});

covered("what the host does in a tab is noted until the debugger leaves it", async () => {
  const call = (name: string, params: object): Promise<unknown> | undefined => method(name)?.({ tabId: PAGE, ...params });
  forget(PAGE);
  await call("cdp.send", { method: "DOM.getDocument" });
  assert.deepEqual([attached.has(PAGE), acted.has(PAGE)], [true, false]);
  await call("cdp.send", { method: "Page.handleJavaScriptDialog" });
  assert(acted.delete(PAGE));
  await call("cdp.batch", { commands: [{ method: "Input.dispatchMouseEvent" }, { method: "DOM.getDocument" }] });
  assert(acted.has(PAGE));
  const left = call("cdp.detach", {});
  await call("cdp.send", { method: "Runtime.evaluate" }); // is answered before
  await left;
  assert.deepEqual([attached.has(PAGE), acted.has(PAGE)], [false, false]);
});

covered("a window that comes later gives the keyboard back once, and one that was there already not again", async () => {
  shows(5, 11);
  await opens(5); // it has no keyboard yet
  assert.deepEqual(did, []);
  front.focused(11);
  front.focused(11); // the user's own doing
  assert.deepEqual(did, ["window 10"]);
  front.focused(HOME);
  shows(6, 12);
  front.focused(12);
  await opens(6);
  assert.deepEqual(did, ["window 10", "window 10"]);
  front.focused(12);
  assert.equal(did.length, 2);
});

covered("of two windows that a covered page opens neither keeps the keyboard", async () => {
  shows(5, 11);
  shows(6, 12);
  front.focused(11);
  front.focused(12);
  await Promise.all([opens(5), opens(6)]);
  assert.equal(did.at(-1), "window 10");
});

covered("no window has the keyboard for a moment between two, or for long in another program", async () => {
  shows(5, 11);
  front.focused(-1);
  front.focused(11);
  await opens(5);
  assert.deepEqual(did, ["window 10"]);
  front.focused(-1);
  shows(6, 12);
  await at(500, () => {
    front.focused(12);
    return opens(6);
  });
  assert.deepEqual(did, ["window 10"]);
});

covered("a page that asked whether to be left goes behind again, unless the user went elsewhere meanwhile", () => {
  const asks = (type: string): void => front.heard(PAGE, "Page.javascriptDialogOpening", { type });
  const answered = (): void => front.heard(PAGE, "Page.javascriptDialogClosed", {});
  asks("beforeunload");
  shows(PAGE);
  answered();
  assert.deepEqual(did.splice(0), ["tab 2"]);
  assert.equal(active.get(HOME), THEIRS);

  for (const leave of [
    () => shows(4), () => front.detached(PAGE), () => front.removed(PAGE), () => front.replaced(9, PAGE),
  ]) {
    asks("beforeunload");
    shows(PAGE);
    leave();
    shows(PAGE); // on purpose
    asks("alert");
    answered();
    assert.deepEqual(did, [], String(leave));
    shows(THEIRS);
  }
});
