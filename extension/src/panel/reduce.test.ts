import assert from "node:assert/strict";
import test from "node:test";
import type { ConfirmInfo, Event, EventType, StepInfo } from "../gen/wire";
import { type Item, type TaskView, apply, checklist, lines, newView, pages, readable, stream } from "./reduce";

let seq = 0;
function ev(type: EventType, rest: Partial<Event> = {}): Event {
  return { task: "t1", seq: ++seq, global: seq, time: 0, type, ...rest };
}
function begin(): TaskView {
  seq = 0;
  return newView({ task: "t1", model: "m" });
}
function play(v: TaskView, events: Event[]): TaskView {
  return events.reduce(apply, v);
}
function step(n: number, rest: Partial<StepInfo> = {}): StepInfo {
  return { n, action: "click", line: `step ${n}`, ...rest };
}
const card: ConfirmInfo = { id: "c1", action: "click", class: "purchase", target: 'button "Pay"', site: "shop.test", url: "https://shop.test/", reasons: [] };

function story(): Event[] {
  return [
    ev("started", { text: "buy a mug" }),
    ev("thinking", { text: "First I look." }),
    ev("tool_call", { step: step(1) }),
    ev("tool_result", { step: step(1, { outcome: "ok", effect: "moved" }) }),
    ev("tool_call", { step: step(2) }),
    ev("confirm_request", { confirm: card }),
    ev("confirm_result", { confirm: { ...card, answer: "allow", by: "panel" } }),
    ev("tool_result", { step: step(2, { outcome: "ok" }), usage: { inputTokens: 1, outputTokens: 1, steps: 2, millis: 900 } }),
    ev("complete", { text: "Bought." }),
  ];
}
const kinds = (v: TaskView): string[] => v.items.map((i) => i.kind);

test("a whole task", () => {
  const v = play(begin(), story());
  assert.deepEqual(kinds(v), ["person", "agent", "step", "step", "confirm", "agent"]);
  assert.equal(v.state, "done");
  assert.equal(v.usage?.steps, 2);
  assert.deepEqual(v.items.map((i) => (i.kind === "step" ? [i.state, i.step.effect] : undefined)).filter(Boolean), [["ok", "moved"], ["ok", undefined]]);
});

test("events sent again change nothing, wherever the replay begins", () => {
  const empty = begin();
  const events = story();
  const whole = play(empty, events);
  for (let from = 0; from < events.length; from++) {
    for (let to = from; to <= events.length; to++) {
      const again = play(play(empty, events.slice(0, to)), events.slice(from));
      assert.deepEqual(again, whole, `first ${to}, then from ${from}`);
    }
  }
  assert.equal(apply(whole, events[0] as Event), whole, "nothing is drawn again");
});

test("events of another task are not ours", () => {
  const v = begin();
  assert.equal(apply(v, { ...ev("started"), task: "t2" }), v);
});

test("every prefix of a task has a state", () => {
  const states: string[] = [];
  let v = begin();
  for (const e of story()) states.push((v = apply(v, e)).state);
  assert.deepEqual(states, ["running", "running", "running", "running", "running", "confirming", "running", "running", "done"]);
});

test("a step shows how it ended", () => {
  for (const [outcome, state] of [["ok", "ok"], ["error", "error"], ["denied", "denied"], ["blocked", "blocked"], ["stopped_after", "stopped_after"], ["unknown", "unknown"], ["", "ok"], ["newer", "ok"]] as const) {
    const v = play(begin(), [ev("tool_call", { step: step(1) }), ev("tool_result", { step: step(1, { outcome }) })]);
    const [item] = v.items as [Item];
    assert.equal(item.kind === "step" ? item.state : "", state, outcome);
  }
});

test("an action tried twice in one turn keeps its two lines", () => {
  const v = play(begin(), [
    ev("tool_call", { step: step(1) }), ev("tool_result", { step: step(1, { outcome: "error" }) }),
    ev("tool_call", { step: step(1) }), ev("tool_result", { step: step(1, { outcome: "ok" }) }),
  ]);
  assert.deepEqual(v.items.map((i) => (i.kind === "step" ? i.state : "")), ["error", "ok"]);
});

test("when a task ends, nothing in it runs or waits", () => {
  for (const type of ["complete", "failed", "cancelled"] as const) {
    const v = play(begin(), [ev("tool_call", { step: step(1) }), ev("confirm_request", { confirm: card }), ev("ask", { text: "?" }), ev(type, { text: "x" })]);
    const [s, c, a] = v.items;
    assert.equal(s?.kind === "step" ? s.state : "", "stopped");
    assert.equal(c?.kind === "confirm" ? c.confirm.answer : "", "void");
    assert.equal(a?.kind === "ask" ? a.answered : false, true);
    assert.equal(v.streaming, "");
  }
});

test("question and answer", () => {
  let v = play(begin(), [ev("ask", { text: "Which?" })]);
  assert.equal(v.state, "asking");
  v = apply(v, ev("said", { text: "The blue one" }));
  assert.equal(v.state, "running");
  assert.deepEqual(kinds(v), ["ask", "person"]);
});

test("words that steer leave an open card open", () => {
  const v = play(begin(), [ev("confirm_request", { confirm: card }), ev("steered", { text: "quickly" })]);
  assert.equal(v.state, "confirming");
});

test("done and askUser are no steps of their own, unless they fail", () => {
  const said = (action: string, outcome: string): string[] =>
    kinds(play(begin(), [ev("tool_call", { step: step(1, { action }) }), ev("tool_result", { step: step(1, { action, outcome }) })]));
  assert.deepEqual(said("done", "ok"), []);
  assert.deepEqual(said("askUser", "ok"), []);
  assert.deepEqual(said("done", "error"), ["step"]);
});

test("streamed text is passing", () => {
  const delta = (text: string, kind = "text") => ({ task: "t1", kind, text });
  let v = stream(stream(begin(), delta("Let me ")), delta("see"));
  assert.equal(v.streaming, "Let me see");
  assert.equal(stream(v, delta("hm", "reasoning")).streaming, "Let me see");
  assert.equal(stream(v, delta("hm", "of a newer host")), v);
  v = apply(v, ev("thinking", { text: "Let me see." }));
  assert.equal(v.streaming, "");
  v = play(v, [ev("complete", { text: "Done." })]);
  assert.equal(stream(v, delta("late")), v);
});

test("the answer is shown while it is written, until it is there, or refused", () => {
  const piece = (text: string, kind = "answer") => ({ task: "t1", kind, text });
  const done = { step: step(1, { action: "done" }) };
  const written = play(stream(stream(begin(), piece("Two ")), piece("mugs")), [ev("thinking", { text: "I have it." }), ev("plan", { text: "look" }), ev("tool_call", done)]);
  assert.equal(written.answer, "Two mugs");
  assert.equal(stream(written, piece("", "retract")).answer, "");
  const accepted = apply(written, ev("tool_result", done));
  assert.equal(accepted.answer, "Two mugs");
  assert.equal(apply(accepted, ev("complete", { text: "Two mugs" })).answer, "");
  const refused = { step: step(1, { action: "done", outcome: "error", error: { code: "not_accepted", message: "no" } }) };
  assert.equal(apply(written, ev("tool_result", refused)).answer, "");
  for (const e of ["failed", "cancelled", "interrupted"] as const) assert.equal(apply(written, ev(e, { text: "x" })).answer, "");
});

test("thoughts are shown until something comes of them", () => {
  const delta = (text: string, kind = "reasoning") => ({ task: "t1", kind, text });
  let v = stream(stream(begin(), delta("hm, ")), delta("the first"));
  assert.equal(v.thoughts, "hm, the first");
  v = apply(v, ev("progress", { text: "Thinking …" }));
  assert.equal(v.thoughts, "hm, the first");
  assert.equal(stream(v, delta("words", "text")).thoughts, v.thoughts);
  assert.equal(stream(v, { ...delta("x"), task: "t2" }), v);
  assert.equal(stream(v, delta("y".repeat(50_000))).thoughts.length, 20_000);
  v = apply(v, ev("tool_call", { step: step(1) }));
  assert.equal(v.thoughts, "");
  v = play(v, [ev("complete", { text: "Done." })]);
  assert.equal(stream(v, delta("late")), v);
});

test("an answer that was already thought aloud stands there once", () => {
  const v = play(begin(), [ev("thinking", { text: "It costs 7." }), ev("complete", { text: "It costs 7. " })]);
  assert.deepEqual(kinds(v), ["agent"]);
});

test("paused and resumed", () => {
  let v = play(begin(), [ev("paused", { text: "The bar was closed." })]);
  assert.equal(v.state, "paused");
  v = apply(v, ev("resumed"));
  assert.equal(v.state, "running");
});

test("an event of a newer host does no harm", () => {
  const v = apply(begin(), { ...ev("started"), type: "sung" as EventType });
  assert.equal(v.seq, 1);
  assert.deepEqual(kinds(v), []);
});

test("what of a stream is for people", () => {
  for (const [text, shown] of [
    ["I will look.", "I will look."],
    ["I will look.\n```json\n{\"action\"", "I will look."],
    ["{\"action\": \"click\"", ""],
    ["Next:\n  {\"action\"", "Next:"],
    ["<think>hm", ""],
    ["So <tool_call>{", "So"],
    ["[TOOL_CALLS] [", ""],
    ["Prices {low} and [high]", "Prices {low} and [high]"],
  ] as const) assert.equal(readable(text), shown);
});

test("the site is said where it changes", () => {
  const at = (n: number, line: string, site?: string) => ev("tool_call", { step: step(n, { line, site }) });
  const v = play(begin(), [
    at(1, "Clicked Search on shop.test", "shop.test"), at(2, "Clicked Mugs on shop.test", "shop.test"), at(3, "Waited"),
    at(4, "Clicked Pay on shop.test", "shop.test"), at(5, "Clicked Pay on pay.test", "pay.test"), at(6, "Clicked Back on shop.test", "shop.test"), at(7, ""),
  ]);
  assert.deepEqual([...lines(v.items).values()], [
    "Clicked Search on shop.test", "Clicked Mugs", "Waited", "Clicked Pay", "Clicked Pay on pay.test", "Clicked Back on shop.test", "click",
  ]);
});

test("a line is in the panel's language, and says the site where it changes there too", () => {
  const at = (n: number, zh: string, site: string) => ev("tool_call", { step: step(n, { line: `Clicked ${n} on ${site}`, site, in: { zh, en: `Clicked ${n} on ${site}` } }) });
  const v = play(begin(), [at(1, "点击了“搜索”（shop.test）", "shop.test"), at(2, "点击了“杯子”（shop.test）", "shop.test"), at(3, "点击了“付款”（pay.test）", "pay.test")]);
  assert.deepEqual([...lines(v.items, "zh").values()], ["点击了“搜索”（shop.test）", "点击了“杯子”", "点击了“付款”（pay.test）"]);
  assert.deepEqual([...lines(v.items, "en").values()], ["Clicked 1 on shop.test", "Clicked 2", "Clicked 3 on pay.test"]);
});

test("a tab that waits to be handed back is a question of its own kind", () => {
  const v = play(begin(), [ev("started", { text: "MCP: a" }), ev("ask", { text: "Please sign in", level: "handover" })]);
  assert.equal(v.state, "asking");
  const last = v.items.at(-1);
  assert(last?.kind === "ask" && last.handover === true && !last.answered);
  const back = apply(v, ev("said", { text: "Done." }));
  assert.equal(back.state, "running");
  const ask = back.items.find((i) => i.kind === "ask");
  assert(ask?.kind === "ask" && ask.answered);
  const plain = play(begin(), [ev("ask", { text: "Which one?" })]).items.at(-1);
  assert(plain?.kind === "ask" && plain.handover === false);
});

test("a task that waits for its tab, and one that the host died under", () => {
  let v = play(begin(), [ev("started", { text: "x" }), ev("queued", { text: "Another task has the tab." })]);
  assert.deepEqual([v.state, kinds(v)], ["queued", ["person", "notice"]]);
  v = play(v, [ev("resumed"), ev("tool_call", { step: step(1) }), ev("interrupted", { text: "The program ended." })]);
  assert.equal(v.state, "interrupted");
  const unknown = v.items.find((i) => i.kind === "step");
  assert.equal(unknown?.kind === "step" && unknown.state, "unknown");
  v = play(v, [ev("resumed"), ev("tool_result", { step: step(1, { outcome: "ok" }) })]);
  assert.equal(v.state, "running");
  assert.deepEqual(v.items.filter((i) => i.kind === "step").map((i) => i.state), ["ok"], "what came of it stands where it began");
});

test("the plan is one checklist, a step knows what it took, and the pages are those that were used", () => {
  const v = play(begin(), [
    ev("plan", { plan: [{ text: "a", state: "doing" }, { text: "b", state: "todo" }] }),
    ev("tool_result", { step: step(1, { outcome: "ok", url: "https://a.test/x#y" }), usage: { inputTokens: 5, outputTokens: 1, steps: 1, millis: 1, stepInputTokens: 5, stepOutputTokens: 1, cost: 0.25 } }),
    ev("tool_result", { step: step(2, { outcome: "error", url: "https://b.test/" }), usage: { inputTokens: 9, outputTokens: 2, steps: 2, millis: 2, stepInputTokens: 4, stepOutputTokens: 1, cost: 0.75 } }),
    ev("plan", { plan: [{ text: "a", state: "done" }, { text: "b", state: "doing" }] }),
  ]);
  assert.deepEqual(kinds(v), ["plan", "step", "step"]);
  assert.deepEqual(checklist(v.items).map((s) => s.state), ["done", "doing"]);
  assert.deepEqual(v.items.map((i) => (i.kind === "step" ? i.spent?.cost : undefined)), [undefined, 0.25, 0.5]);
  assert.deepEqual(pages(v), ["https://a.test/x"]);
  const end = play(v, [ev("tool_call", { step: step(3, { action: "done", url: "https://c.test/" }) }), ev("tool_result", { step: step(3, { action: "done", outcome: "ok", url: "https://c.test/" }) })]);
  assert.deepEqual(pages(end), ["https://a.test/x", "https://c.test/"], "the answer was read there");
  assert.deepEqual(kinds(apply(v, ev("plan", {}))), ["step", "step"], "a plan that was taken away is gone");
});
