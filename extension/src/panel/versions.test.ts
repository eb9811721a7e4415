import assert from "node:assert/strict";
import test from "node:test";
import { order } from "./versions";

test("versions are compared by their numbers", () => {
  for (const [a, b, sign] of [["0.1.0", "0.1.0", 0], ["0.2", "0.10", -1], ["1", "0.9.9", 1], ["1.0.0.1", "1", 1], ["", "0.1", -1]] as const) {
    assert.equal(Math.sign(order(a, b)), sign, `${a} and ${b}`);
    assert.equal(Math.sign(order(b, a)), sign === 0 ? 0 : -sign, `${b} and ${a}`);
  }
});
