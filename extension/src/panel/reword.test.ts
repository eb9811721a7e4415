import assert from "node:assert/strict";
import test from "node:test";
import { found, named, refusals, reword } from "./reword";
import { doctorZh, lacksZh } from "./words/doctor";
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
  const check = { name: "vision", ok: false, message: "the model has no eyes", hint: "", say: "unsupported", args: ["the model has no eyes"] };
  assert.deepEqual(found(check, "zh"), [lacksZh, "the model has no eyes"]);
  assert.deepEqual(found({ ...check, say: "timeout" }, "zh"), [errorsZh["timeout"]?.[0] ?? "", `${errorsZh["timeout"]?.[1]} the model has no eyes`]);
  assert.deepEqual(found({ ...check, say: "unfit" }, "zh"), ["回答不合用：the model has no eyes", ""]);
  const args = ["<a>", "<b>", "<c>"];
  for (const [key, say] of Object.entries(doctorZh)) {
    const text = say(...args).join(" ");
    assert(/\p{Script=Han}/u.test(text) || say.length > 0 && text.trim() !== "", key);
    for (const a of args.slice(0, say.length)) assert(text.includes(a), `${key} leaves out ${a}`);
    assert(!text.includes("undefined"), key);
  }
});

test("what a page says does not make a sentence Chinese, nor a task in Chinese an English panel", () => {
  const covered = { code: "covered", message: "Something covers the button \"关闭\".", hint: "Close it." };
  assert.equal(reword(covered, "zh").text, errorsZh["covered"]?.[0]);
  assert.equal(reword(covered, "en").text, covered.message);
  const zh = { code: "interrupted", message: "这一步没有开始。" };
  assert.deepEqual(reword(zh, "en"), { text: errorsEn["interrupted"]?.[0], hint: errorsEn["interrupted"]?.[1], detail: zh.message });
  assert.equal(reword({ code: "not_done", message: "页面上没有。" }, "en").text, "页面上没有。", "the model's own answer");
});

test("targets and refusals are named in the panel's language", () => {
  assert.equal(named("button \"Pay €12\"", "zh"), "按钮“Pay €12”");
  assert.equal(named("button", "zh"), "按钮");
  assert.equal(named("gizmo \"x\"", "zh"), "gizmo \"x\"");
  assert.equal(named("page", "zh"), "页面");
  assert.equal(named("tab My mail", "zh"), "标签页“My mail”", "one of the browser's");
  assert.equal(named("tab \"My mail\"", "zh"), "选项卡“My mail”", "one of the page's");
  assert.equal(named("button \"Pay\"", "en"), "the “Pay” button");
  assert.equal(named("button", "en"), "the button");
  assert.equal(named("gizmo \"x\"", "en"), "gizmo \"x\"");
  assert.equal(named("tab My mail", "en"), "tab My mail", "one of the browser's");
  const e = { code: "invalid_params", message: "Nothing was changed", data: { settings: { a: "0 is not between 1 and 9", b: "odd" }, say: { a: { say: "between", args: ["0", "1", "9"] }, b: { say: "of a newer host" } } } };
  assert.deepEqual(refusals(e, "zh"), { a: "0 不在 1 到 9 之间", b: "odd" });
  assert.deepEqual(refusals(e, "en"), e.data.settings);
  assert.equal(refusals({ code: "x", message: "y" }, "zh"), undefined);
});

test("a code of a newer host is shown as it comes", () => {
  assert.deepEqual(reword({ code: "new_code", message: "Something new.", hint: "Do it." }, "zh"), { text: "Something new.", hint: "Do it.", detail: "" });
});
