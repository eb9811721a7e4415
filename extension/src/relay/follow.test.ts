import assert from "node:assert/strict";
import process from "node:process";
import test from "node:test";
import { setImmediate } from "node:timers/promises";
import { Follow } from "./follow";

type Committed = { tabId: number; frameId: number; documentId: string };

const heard = new Set<(details: Committed) => void>();
let put: unknown[] = [];
let refuses = false;

Object.assign(globalThis, {
  chrome: {
    webNavigation: { onCommitted: { addListener: heard.add.bind(heard), removeListener: heard.delete.bind(heard) } },
    scripting: {
      executeScript: async (injection: unknown) => {
        put.push(injection);
        if (refuses) throw new Error("Cannot access contents of the page.");
      },
    },
  },
});

const commits = (tabId: number, frameId = 0, documentId = "D"): void => heard.forEach((l) => l({ tabId, frameId, documentId }));

test("each main document of a followed tab gets the extractor, by its own name", () => {
  const follow = new Follow(() => true);
  follow.begin();
  assert.equal(heard.size, 0); // no navigation of the user's wakes the worker
  follow.start(1);
  follow.start(1);
  commits(2);
  commits(1, 7);
  assert.deepEqual(put, []);
  commits(1, 0, "first");
  commits(1, 0, "second");
  assert.deepEqual(put.splice(0), ["first", "second"].map((id) => ({
    target: { tabId: 1, documentIds: [id] }, files: ["extractor.js"], world: "ISOLATED", injectImmediately: true,
  })));
  follow.end(1);
  assert.equal(heard.size, 0);
});

test("it begins the look that will be asked for, the one that was told last, and no other", () => {
  const follow = new Follow(() => true);
  for (const [look, files] of [
    ["tree", ["extractor.js", "begin/tree.js"]], ["summary", ["extractor.js", "begin/summary.js"]], ["list", ["extractor.js", "begin/list.js"]], ["../panel", ["extractor.js"]], [undefined, ["extractor.js"]],
  ] as const) {
    follow.start(1, look);
    commits(1);
    assert.deepEqual(put.splice(0).map((p) => (p as { files: readonly string[] }).files), [files]);
  }
  follow.end(1);
});

test("the last tab that goes ends the listening, once the debugger is gone or when told", () => {
  const attached = new Set([1, 2]);
  const follow = new Follow((id) => attached.has(id));
  follow.start(1);
  follow.start(2);
  follow.end(3);
  follow.end(2);
  commits(2);
  assert.deepEqual([put.length, heard.size], [0, 1]);
  attached.delete(1);
  commits(1);
  commits(1);
  assert.deepEqual([put.length, heard.size], [0, 0]);
});

test("a page that takes no scripts is no error, and the next one is tried", async () => {
  const failed: unknown[] = [];
  const note = (e: unknown): void => void failed.push(e);
  process.on("unhandledRejection", note);
  const follow = new Follow(() => true);
  follow.start(1);
  refuses = true;
  commits(1);
  await setImmediate();
  refuses = false;
  commits(1);
  await setImmediate();
  process.off("unhandledRejection", note);
  assert.deepEqual([put.splice(0).length, failed], [2, []]);
  follow.end(1);
});
