import assert from "node:assert/strict";
import test from "node:test";
import { en, zh } from "./words";

// The compiler sees to the rest; tables of words by name it does not check.
test("every table has the same words in both languages", () => {
  for (const table of ["classes", "confirmTitles", "verbs", "answers", "allowedBy", "deniedBy"] as const) {
    assert.deepEqual(Object.keys(zh[table]).sort(), Object.keys(en[table]).sort(), table);
  }
});
