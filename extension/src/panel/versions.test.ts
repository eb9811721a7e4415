import assert from "node:assert/strict";
import test from "node:test";
import { fromStore, order, restart } from "./versions";

test("versions are compared by their numbers", () => {
  for (const [a, b, sign] of [["0.1.0", "0.1.0", 0], ["0.2", "0.10", -1], ["1", "0.9.9", 1], ["1.0.0.1", "1", 1], ["", "0.1", -1]] as const) {
    assert.equal(Math.sign(order(a, b)), sign, `${a} and ${b}`);
    assert.equal(Math.sign(order(b, a)), sign === 0 ? 0 : -sign, `${b} and ${a}`);
  }
});

test("an extension of the store is asked for before it starts anew, one of a folder is not", async () => {
  const inChrome = (manifest: object, check: () => Promise<unknown>): string[] => {
    const calls: string[] = [];
    Object.assign(globalThis, { chrome: { runtime: {
      getManifest: () => manifest,
      requestUpdateCheck: () => { calls.push("check"); return check(); },
      reload: () => calls.push("reload"),
    } } });
    return calls;
  };
  const store = { version: "1", update_url: "https://store.example" };

  let calls = inChrome({ version: "1" }, async () => undefined);
  assert.equal(fromStore(), false);
  await restart();
  assert.deepEqual(calls, ["reload"]);

  for (const check of [async () => ({ status: "update_available" }), () => Promise.reject(new Error("throttled"))]) {
    calls = inChrome(store, check);
    assert.equal(fromStore(), true);
    await restart();
    assert.deepEqual(calls, ["check", "reload"]);
  }

  // A store that does not answer is not waited for without end.
  calls = inChrome(store, () => new Promise(() => undefined));
  const { setTimeout } = globalThis;
  let late = (): void => undefined;
  Object.assign(globalThis, { setTimeout: (run: () => void) => { late = run; } });
  const done = restart();
  Object.assign(globalThis, { setTimeout });
  assert.deepEqual(calls, ["check"]);
  late();
  await done;
  assert.deepEqual(calls, ["check", "reload"]);
});
