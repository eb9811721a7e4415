import assert from "node:assert/strict";
import test from "node:test";
import type { Event, TaskInfo } from "../gen/wire";

const browser = {
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  localStorage: { getItem: () => null },
  navigator: { language: "en" },
  chrome: { i18n: { getUILanguage: () => "en" } },
  // No frame comes: what is told of the shown task is not drawn.
  requestAnimationFrame: () => 0,
  cancelAnimationFrame: () => undefined,
};
for (const [name, value] of Object.entries(browser)) Object.defineProperty(globalThis, name, { value, configurable: true });
const { heard, link } = await import("./host");
const store = await import("./store");
const views = await import("./views");

const task = (id: string, state: TaskInfo["state"]): TaskInfo => ({ task: id, text: id, model: "m", state, started: 1, seq: 0 }) as unknown as TaskInfo;
const tell = (id: string, state: TaskInfo["state"]): void => heard.event("task.changed", task(id, state));
const settled = (): Promise<void> => new Promise((done) => setTimeout(done, 0));
const shown = (): string | undefined => views.current.value?.task;

/** A panel that shows a task which runs. */
async function running(id: string): Promise<void> {
  link.call = (() => Promise.resolve({ replayed: 0 })) as typeof link.call;
  store.leave();
  store.tasks.value = [];
  await store.begun(task(id, "running"));
  assert.equal(shown(), id);
}

test("a task that begins right after the shown one ended is shown, though that end is not drawn yet", async () => {
  await running("first");
  heard.event("task.event", { task: "first", seq: 1, type: "complete", text: "done", time: 1 } as unknown as Event);
  tell("first", "done");
  assert.equal(views.current.value?.state, "running"); // as drawn
  tell("next", "running");
  await settled();
  assert.equal(shown(), "next");
  assert.equal(views.chat.value.find((v) => v.task === "first")?.state, "done");
});

test("a task that waits for its tab is offered only once it runs, and shown if what is shown has ended before", async () => {
  await running("here");
  tell("waits", "queued");
  assert.equal(store.elsewhere.value, undefined);
  tell("here", "done");
  await settled();
  assert.equal(shown(), "here", "it has not begun");
  tell("waits", "running");
  await settled();
  assert.equal(shown(), "waits");

  await running("here too");
  tell("waits too", "queued");
  tell("waits too", "running");
  await settled();
  assert.deepEqual([shown(), store.elsewhere.value?.task], ["here too", "waits too"]);
  tell("here too", "done");
  await settled();
  assert.equal(shown(), "here too");
});
