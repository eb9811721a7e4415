import assert from "node:assert/strict";
import test from "node:test";
import type { Chunk } from "../gen/wire";
import { Assembler } from "./chunks";

function cut(id: number, message: unknown, size: number): Chunk[] {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  const total = Math.ceil(bytes.length / size);
  return Array.from({ length: total }, (_, seq) => ({
    id, seq, total, data: btoa(String.fromCharCode(...bytes.slice(seq * size, (seq + 1) * size))),
  }));
}

const message = { kind: "evt" as const, method: "x", params: { text: "Blaue Tasse, größte 杯子 🫖" } };

test("chunks of every size give the message, with the last one", () => {
  for (const size of [1, 2, 3, 5, 7, 64, 4096]) {
    const a = new Assembler();
    const chunks = cut(1, message, size);
    chunks.forEach((c, i) => {
      const whole = a.add("p1", c);
      assert.deepEqual(whole, i === chunks.length - 1 ? message : undefined, `size ${size}, chunk ${i}`);
    });
    assert.equal(a.pending, 0);
  }
});

test("channels don't mix", () => {
  const a = new Assembler();
  const [one, two] = [cut(1, { kind: "evt", method: "one" }, 9), cut(1, { kind: "evt", method: "two" }, 9)];
  const whole: unknown[] = [];
  one.forEach((c, i) => {
    const b = two[i];
    for (const m of [a.add("p1", c), b && a.add("p2", b)]) if (m) whole.push(m.method);
  });
  assert.deepEqual(whole, ["one", "two"]);
});

test("what cannot be is refused, and the next message still comes through", () => {
  const a = new Assembler();
  const chunks = cut(1, message, 8);
  const [first, second] = chunks as [Chunk, Chunk];
  assert.throws(() => a.add("", second), /does not follow/); // begins in the middle
  a.add("", first);
  assert.throws(() => a.add("", first), /does not follow/); // twice
  a.add("", first);
  assert.throws(() => a.add("", { ...second, total: 3 }), /does not follow/); // another length
  assert.throws(() => a.add("", { id: 2, seq: 0, total: 0, data: "" }), /does not follow/);
  assert.throws(() => a.add("", { id: 3, seq: 0, total: 1, data: "%%%" })); // no base64
  assert.throws(() => a.add("", { id: 4, seq: 0, total: 1, data: "/w==" })); // no UTF-8
  assert.throws(() => a.add("", { id: 5, seq: 0, total: 1, data: btoa("{") })); // no JSON
  assert.equal(a.pending, 0);
  let whole: unknown;
  for (const c of chunks) whole = a.add("", { ...c, id: 9 });
  assert.deepEqual(whole, message);
});
