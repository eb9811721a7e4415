import assert from "node:assert/strict";
import test from "node:test";
import { attached, forget, method } from "./methods";

const heard = new Set<unknown>();
const debugged = new Set([2, 3]);
let asked = 0;

Object.assign(globalThis, {
  chrome: {
    webNavigation: { onCommitted: { addListener: heard.add.bind(heard), removeListener: heard.delete.bind(heard) } },
    debugger: {
      sendCommand: async ({ tabId }: { tabId: number }) => {
        asked++;
        if (!debugged.has(tabId)) throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
      },
    },
  },
});

test("only a tab that the debugger is in is followed, as a worker that was stopped finds out", async () => {
  const follow = method("scripting.follow")!;
  await assert.rejects(follow({ tabId: 1 }), /not attached/);
  assert.deepEqual([heard.size, attached.size], [0, 0]);
  await follow({ tabId: 2 });
  await follow({ tabId: 2 });
  assert.deepEqual([heard.size, asked, attached.has(2)], [1, 2, true]);
  attached.add(3);
  await follow({ tabId: 3 });
  assert.equal(asked, 2); // known
  forget(2);
  assert.equal(heard.size, 1);
  forget(3);
  assert.equal(heard.size, 0);
});
