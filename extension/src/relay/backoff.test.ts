import assert from "node:assert/strict";
import test from "node:test";
import { IDLE_MAX, WANTED_MAX, delay } from "./backoff";

test("the wait doubles from a quarter second up to the bound", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => delay(n, WANTED_MAX, () => 0));
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  assert.equal(delay(9, IDLE_MAX, () => 0), IDLE_MAX);
  assert.equal(delay(10_000, IDLE_MAX, () => 0), IDLE_MAX);
});

test("jitter takes off at most a quarter", () => {
  for (const n of [1, 4, 40]) {
    const [most, least] = [delay(n, IDLE_MAX, () => 0), delay(n, IDLE_MAX, () => 1)];
    assert.equal(least, Math.round(most * 0.75));
    const some = delay(n, IDLE_MAX);
    assert(some >= least && some <= most);
  }
});
