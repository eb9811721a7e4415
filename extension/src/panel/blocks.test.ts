import assert from "node:assert/strict";
import test from "node:test";
import type { Event } from "../gen/wire";
import { type Block, MOST, NEAR, blocks } from "./blocks";
import { apply, newView } from "./reduce";

let seq = 0;
const ev = (type: Event["type"], rest: Partial<Event> = {}): Event => ({ task: "t1", seq: ++seq, global: seq, time: seq, type, ...rest });
const step = (n: number, outcome?: string) =>
  ev(outcome ? "tool_result" : "tool_call", { step: { n, action: "click", line: `Step ${n} on shop.test`, site: "shop.test", outcome } });

test("what has not changed is the same object, and only that", () => {
  let v = newView({ task: "t1", model: "m" });
  let drawn: readonly Block[] = [];
  let fresh = 0;
  for (let n = 1; n <= 1000; n++) {
    for (const e of [step(n), step(n, "ok")]) {
      v = apply(v, e);
      const now = blocks(v.items, drawn);
      fresh += now.filter((b) => !drawn.includes(b)).length;
      drawn = now;
    }
  }
  assert.equal(drawn.length, 1000 / MOST);
  // Each event changes the last block; each new block also the one before it, and the one that is far from then on.
  assert.equal(fresh, 2000 + (1000 / MOST - 1) + (1000 - NEAR) / MOST);
  assert.deepEqual(drawn.map((b) => "steps" in b && b.far), drawn.map((_, i) => i < (1000 - NEAR) / MOST));
  assert.equal(drawn.flatMap((b) => ("steps" in b ? b.lines : [])).filter((l) => l.endsWith("on shop.test")).length, 1);
  assert.deepEqual(blocks(v.items), drawn, "the same as drawn all at once");
});

test("a denied step and its card are one line", () => {
  seq = 0;
  const card = { id: "c1", action: "click", class: "purchase", target: "button \"Pay\"", site: "shop.test", url: "https://shop.test/", reasons: [] };
  const answered = (answer: string) => ev("confirm_result", { confirm: { ...card, answer, by: "panel" }, text: "Too dear." });
  const drawn = (answer: string, outcome: string) => {
    let v = newView({ task: "t1", model: "m" });
    for (const e of [step(1, "ok"), step(2), ev("confirm_request", { confirm: card }), answered(answer), step(2, outcome), step(3, "ok")]) v = apply(v, e);
    return blocks(v.items);
  };
  const all = drawn("deny", "denied");
  assert.equal(all.length, 1);
  const one = all[0];
  if (!one || !("steps" in one)) throw new Error("not a list of steps");
  assert.deepEqual(one.steps.map((s) => s.step.n), [1, 2, 3]);
  assert.deepEqual(one.noes.map((n) => n?.note), [undefined, "Too dear.", undefined]);
  assert.deepEqual(drawn("allow", "ok").map((b) => ("steps" in b ? b.steps.length : b.item.kind)), [2, "confirm", 1], "a yes stands by itself");
});

test("other items part the steps", () => {
  seq = 0;
  let v = newView({ task: "t1", model: "m" });
  for (const e of [step(1), ev("notify", { text: "!" }), step(2), step(3)]) v = apply(v, e);
  assert.deepEqual(blocks(v.items).map((b) => ("steps" in b ? b.steps.length : b.item.kind)), [1, "notice", 2]);
});
