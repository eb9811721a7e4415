import assert from "node:assert/strict";
import test from "node:test";
import { found, reword } from "./reword";
import { doctorZh } from "./words/doctor";
import { errorsEn, errorsZh } from "./words/errors";

test("every code has words in both languages", () => {
  assert.deepEqual(Object.keys(errorsZh).sort(), Object.keys(errorsEn).sort());
  for (const [code, [text, hint]] of Object.entries(errorsZh)) {
    assert(/\p{Script=Han}/u.test(text), code);
    assert(hint === "" || /\p{Script=Han}/u.test(hint), code);
    assert(!/\p{Script=Han}/u.test(errorsEn[code]?.join(" ") ?? ""), code);
    assert.equal(hint === "", errorsEn[code]?.[1] === "", code);
  }
});

test("Chinese says what the code means, and keeps what the host names", () => {
  const e = { code: "settings", message: "line 3: there is no setting \"modle\"", hint: "Mend it." };
  const zh = reword(e, "zh");
  assert.equal(zh.text, errorsZh["settings"]?.[0]);
  assert.equal(zh.hint, errorsZh["settings"]?.[1]);
  assert.equal(zh.detail, e.message);
  assert.deepEqual(reword(e, "en"), { text: e.message, hint: e.hint, detail: "" });
});

test("what is said in Chinese already is left alone", () => {
  const zh = reword({ code: "not_done", message: "页面上没有这种杯子。" }, "zh");
  assert.equal(zh.text, "页面上没有这种杯子。");
  assert.equal(zh.detail, "");
});

test("what the doctor found is said in Chinese with its values", () => {
  const c = { id: "manifest.chrome", name: "Registration with Chrome", ok: false, message: "/x.json is missing", hint: "run tabwright install", say: "missing", args: ["/x.json"] };
  assert.deepEqual(found(c, "zh"), ["缺少 /x.json", "运行 tabwright install"]);
  assert.deepEqual(found(c, "en"), [c.message, c.hint]);
  assert.deepEqual(found({ ...c, say: "new" }, "zh"), [c.message, c.hint]);
  const args = ["<a>", "<b>", "<c>"];
  for (const [key, say] of Object.entries(doctorZh)) {
    const text = say(...args).join(" ");
    assert(/\p{Script=Han}/u.test(text) || say.length > 0 && text.trim() !== "", key);
    for (const a of args.slice(0, say.length)) assert(text.includes(a), `${key} leaves out ${a}`);
    assert(!text.includes("undefined"), key);
  }
});

test("a code of a newer host is shown as it comes", () => {
  assert.deepEqual(reword({ code: "new_code", message: "Something new.", hint: "Do it." }, "zh"), { text: "Something new.", hint: "Do it.", detail: "" });
});
