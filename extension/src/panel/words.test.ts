import assert from "node:assert/strict";
import test from "node:test";
import { en, zh } from "./words";
import { chatEn } from "./words/chat";
import { settingsEn, settingsZh } from "./words/settings";

// The compiler sees to the rest; tables of words by name it does not check.
test("every table has the same words in both languages", () => {
  for (const table of ["classes", "confirmTitles", "verbs", "answers", "allowedBy", "deniedBy"] as const) {
    assert.deepEqual(Object.keys(zh[table]).sort(), Object.keys(en[table]).sort(), table);
  }
});

// An area that takes another's key would change its words without a word.
test("no key stands in two areas", () => {
  const seen = new Set<string>();
  for (const area of [chatEn, settingsEn]) {
    for (const key of Object.keys(area)) {
      assert(!seen.has(key), key);
      seen.add(key);
    }
  }
});

// Tables whose keys are words of the host are not checked by the compiler.
test("the settings' tables have the same words in both languages", () => {
  for (const [key, table] of Object.entries(settingsEn)) {
    if (typeof table === "object") assert.deepEqual(Object.keys(settingsZh[key as keyof typeof settingsZh]).sort(), Object.keys(table).sort(), key);
  }
});
