import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { sha256 } from "./sha256";

test("it is SHA-256, at every length around a block", () => {
  for (let n = 0; n <= 200; n++) {
    const text = "ab€".repeat(n).slice(0, n);
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"), `${n}`);
  }
});
