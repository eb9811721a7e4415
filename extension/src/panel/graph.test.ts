import assert from "node:assert/strict";
import test from "node:test";
import type { FlowNode } from "../gen/wire";
import { BOX, WIDTH, layout } from "./graph";

const nodes = (...levels: number[]): FlowNode[] =>
  levels.flatMap((n, level) => Array.from({ length: n }, (_, i) => ({ id: `n${level}_${i}`, text: "", state: "waiting", level }) as unknown as FlowNode));

// A workflow has 24 nodes at most; words need some 90 px.
test("however many parts stand side by side, each has room, none lies over another", () => {
  for (const levels of [[1], [2], [3], [4], [5], [7], [24], [2, 1, 1], [1, 5, 1], [8, 8, 8]]) {
    const { spots, height } = layout(nodes(...levels));
    assert.equal(spots.length, levels.reduce((a, b) => a + b));
    for (const [i, a] of spots.entries()) {
      assert(a.width >= 90 && a.x >= 0 && a.x + a.width <= WIDTH && a.y >= 0 && a.y + BOX <= height, `${levels}: ${a.node.id} at ${a.x}, ${a.y}, ${a.width} wide`);
      for (const b of spots.slice(i + 1)) {
        assert(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + BOX <= b.y || b.y + BOX <= a.y, `${levels}: ${a.node.id} lies over ${b.node.id}`);
        assert(a.node.level === b.node.level || a.y < b.y, `${levels}: ${a.node.id} is not above ${b.node.id}`);
      }
    }
  }
});

test("a row that is not full stands in the middle", () => {
  const xs = layout(nodes(5)).spots.map((s) => s.x + s.width / 2);
  assert.deepEqual(xs.slice(0, 3).map((x) => Math.round(x)), [53, 160, 267]);
  assert.deepEqual(xs.slice(3).map((x) => Math.round(x)), [107, 213]);
});
