import assert from "node:assert/strict";
import test from "node:test";
import { link } from "./host";
import { add, clear } from "./views";

test("a task that is left before the host knew that it is followed is followed no longer", async () => {
  Object.assign(globalThis, { requestAnimationFrame: (fn: () => void) => setTimeout(fn, 0), cancelAnimationFrame: clearTimeout, document: { hidden: true } });
  const asked: string[] = [];
  let followed = "";
  let known = (): void => undefined;
  // The host takes up requests side by side: one that comes later may be done first.
  link.call = ((method: string, { task }: { task: string }) => {
    asked.push(method);
    if (method !== "task.subscribe") {
      if (followed === task) followed = "";
      return Promise.resolve({});
    }
    return new Promise<object>((answer) => {
      known = () => {
        followed = task;
        answer({ replayed: 0 });
      };
    });
  }) as typeof link.call;
  const added = add({ task: "t1", text: "x", model: "m", state: "running", started: 1, seq: 0 } as unknown as Parameters<typeof add>[0]);
  assert.deepEqual(asked, ["task.subscribe"]);
  clear();
  assert.deepEqual(asked, ["task.subscribe", "task.unsubscribe"]);
  known();
  await added;
  assert.equal(followed, "", "the host follows on what nobody looks at");
});
