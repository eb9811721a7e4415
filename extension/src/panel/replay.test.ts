import assert from "node:assert/strict";
import test from "node:test";
import type { Event } from "../gen/wire";
import { Frames } from "./frames";
import { Replay } from "./replay";

const ev = (seq: number, task = "t1"): Event => ({ task, seq, global: seq, time: 0, type: "progress" });

/** Whether it is whole by now, its callbacks behind it. */
async function isWhole(r: Replay): Promise<boolean> {
  let whole = false;
  void r.whole.then(() => (whole = true));
  await Promise.resolve();
  return whole;
}

/** Runs a test in which time passes as it says, in milliseconds. */
function timed(run: (pass: (ms: number) => void) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const { setTimeout, clearTimeout } = globalThis;
    let now = 0, last = 0;
    const due = new Map<number, { at: number; run: () => void }>();
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms: number) => (due.set(++last, { at: now + ms, run }), last),
      clearTimeout: (id: number) => due.delete(id),
    });
    try {
      await run((ms) => {
        now += ms;
        for (const [id, d] of due) if (d.at <= now && due.delete(id)) d.run();
      });
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  };
}

test("it is whole when as many as promised have come, before the promise or behind it", async () => {
  const before = new Replay("t1", 4);
  for (const n of [3, 4, 5, 6]) before.come(ev(n)); // two of them are known
  before.come(ev(7, "t2"));
  assert.equal(await isWhole(before), false);
  before.expect(2);
  assert.equal(await isWhole(before), true);

  const behind = new Replay("t1", 0);
  behind.expect(2);
  behind.come(ev(1));
  assert.equal(await isWhole(behind), false);
  behind.come(ev(2));
  assert.equal(await isWhole(behind), true);

  const nothing = new Replay("t1", 9);
  nothing.expect(0);
  assert.equal(await isWhole(nothing), true);
});

test("a host that stops in the middle is not waited for", timed(async (pass) => {
  const r = new Replay("t1", 0);
  r.expect(3);
  pass(1900);
  r.come(ev(1));
  pass(1900); // it goes on, slowly
  assert.equal(await isWhole(r), false);
  pass(200);
  assert.equal(await isWhole(r), true);
}));

test("what is held back is taken in at once, in order", timed((pass) => {
  let draw = (): void => undefined;
  Object.assign(globalThis, { requestAnimationFrame: (f: () => void) => (draw = f, 1), cancelAnimationFrame: () => (draw = () => undefined) });
  const taken: number[][] = [];
  const f = new Frames<number>((all) => taken.push([...all]));
  f.push(1);
  f.push(2);
  draw();
  f.push(3);
  f.hold(); // what has come by then is not held back
  f.push(4);
  draw();
  pass(1000);
  f.push(5);
  f.flush();
  assert.deepEqual(taken, [[1, 2], [3]]);
  f.release();
  f.push(6);
  draw();
  assert.deepEqual(taken, [[1, 2], [3], [4, 5], [6]]);
}));
