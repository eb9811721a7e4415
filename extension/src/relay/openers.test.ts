import assert from "node:assert/strict";
import test from "node:test";
import { Births, openerOf } from "./openers";

test("a new tab is told of once its opener is known, which is not the tab in front", () => {
  const b = new Births();
  const told: (number | undefined)[] = [];
  const tell = (id: number) => () => told.push(openerOf({ id, openerTabId: 1 }));
  b.created(5, () => told.push(0));
  assert(b.updated(5, tell(5)));
  b.opened(5, 4);
  b.opened(6, 4);
  b.created(6, tell(6)); // the other way round
  assert.deepEqual(told, [4, 4]);
  assert(!b.updated(5, tell(5)));
  b.removed(5);
  assert.equal(openerOf({ id: 5, openerTabId: 1 }), 1);
});

test("a tab that no page opened is told of as Chrome has it, soon or when it goes", async () => {
  const b = new Births();
  const told: string[] = [];
  b.created(7, () => told.push(`7 by ${openerOf({ id: 7, openerTabId: 1 })}`));
  b.created(8, () => told.push("8"));
  b.removed(8);
  assert.deepEqual(told, ["8"]);
  await new Promise((done) => setTimeout(done, 300));
  assert.deepEqual(told, ["8", "7 by 1"]);
});
