// Reduces the stream of task events to the view that the chat shows. Pure: the
// same events give the same view, however often they are sent.

import type { ConfirmInfo, DeltaEvent, Error as WireError, Event, PlanStep, StepInfo, TaskInfo, TaskState, UsageInfo } from "../gen/wire";

export type StepState = "running" | "ok" | "error" | "denied" | "blocked" | "stopped_after" | "unknown" | "stopped";

interface Base { key: number }
export interface PersonItem extends Base { kind: "person"; text: string }
export interface AgentItem extends Base { kind: "agent"; text: string; final: boolean }
export interface PlanItem extends Base { kind: "plan"; text: string; plan: readonly PlanStep[] }
export interface StepItem extends Base { kind: "step"; step: StepInfo; state: StepState; began: number; spent?: Spent }
export interface ConfirmItem extends Base { kind: "confirm"; confirm: ConfirmInfo; note?: string }
export interface AskItem extends Base { kind: "ask"; text: string; answered: boolean; handover?: boolean }
export interface NoticeItem extends Base { kind: "notice"; what: "notify" | "paused" | "cancelled" | "interrupted"; text: string; warn: boolean; in?: Readonly<Record<string, string>> | undefined }
export interface FailureItem extends Base { kind: "failure"; error: WireError }
export type Item = PersonItem | AgentItem | PlanItem | StepItem | ConfirmItem | AskItem | NoticeItem | FailureItem;

/** The tokens and cost of the requests for a step. */
export interface Spent { input: number; output: number; cost?: number; local: boolean; inputRate?: number; outputRate?: number }

export interface TaskView {
  readonly task: string;
  readonly model: string;
  readonly seq: number; // of the newest event taken in
  readonly state: TaskState;
  readonly items: readonly Item[];
  readonly progress: string; // the current action
  readonly progressIn?: Readonly<Record<string, string>> | undefined; // the same by language
  readonly streaming: string; // text of a message that is not finished yet
  readonly answer: string; // the final answer until it is accepted
  readonly thoughts: string; // the model's thoughts before it, as they come
  readonly began: number; // when it was started, in Unix milliseconds
  readonly since: number; // when its newest event was written, in Unix milliseconds
  readonly usage: UsageInfo | undefined;
  readonly answered?: string | undefined; // the page that was open when the answer was given
}

/** Returns the view of a task before its first event. */
export function newView(info: Pick<TaskInfo, "task" | "model"> & { state?: TaskState }): TaskView {
  return { task: info.task, model: info.model, seq: 0, state: info.state ?? "running", items: [], progress: "", streaming: "", answer: "", thoughts: "", began: 0, since: 0, usage: undefined };
}

export function live(state: TaskState): boolean {
  return state === "queued" || state === "running" || state === "confirming" || state === "asking" || state === "paused";
}

/** Returns the view after an event. An event that was seen before changes nothing. */
export function apply(v: TaskView, e: Event): TaskView {
  if (e.task !== v.task || e.seq <= v.seq) return v;
  const next: TaskView = { ...v, seq: e.seq, since: e.time, usage: e.usage ?? v.usage };
  const changed = change(next, e, v.usage);
  return { ...next, ...changed, ...(changed.streaming === "" && { thoughts: "" }), ...(dropsAnswer(e) && { answer: "" }) };
}

const THOUGHTS_MOST = 20_000; // the newest characters, which are kept

/** Returns the view after a piece of streamed text: a message, thoughts, or the answer. The finished message replaces it; "retract" drops the answer. */
export function stream(v: TaskView, d: DeltaEvent): TaskView {
  if (d.task !== v.task || !live(v.state)) return v;
  switch (d.kind) {
    case "text": return { ...v, streaming: v.streaming + d.text };
    case "reasoning": return { ...v, thoughts: (v.thoughts + d.text).slice(-THOUGHTS_MOST) };
    case "answer": return { ...v, answer: v.answer + d.text };
    case "retract": return { ...v, answer: "" };
    default: return v; // of a newer host
  }
}

/** Reports whether the streamed answer goes after e. It stays after thoughts, plans, progress, notices and the step that ends the task. */
function dropsAnswer(e: Event): boolean {
  const ends = e.step?.action === "done" && (e.type === "tool_call" || !e.step.error);
  return !ends && e.type !== "thinking" && e.type !== "plan" && e.type !== "progress" && e.type !== "notify";
}

/**
 * Returns the part of streamed text that the user reads: it ends where a model
 * without tool calls writes its action as JSON or as a tag.
 */
export function readable(text: string): string {
  const cut = text.search(/```|<\/?(?:tool_call|function|think)|\[TOOL_CALLS\]|^\s*[[{]\s*["{]/m);
  return (cut < 0 ? text : text.slice(0, cut)).trimEnd();
}

/**
 * Returns the line of each step, by key, in the panel's language if the host
 * sent it. "… on shop.test" is kept only where the site changes; the details
 * always have it.
 */
export function lines(items: readonly Item[], lang: "en" | "zh" = "en"): ReadonlyMap<number, string> {
  const out = new Map<number, string>();
  let site: string | undefined;
  for (const i of items) {
    if (i.kind !== "step") continue;
    const { action, site: here } = i.step;
    const line = i.step.in?.[lang] ?? i.step.line;
    const tail = [` on ${here}`, `（${here}）`].find((s) => line.endsWith(s));
    out.set(i.key, here && here === site && tail ? line.slice(0, -tail.length) : line || action);
    site = here || site;
  }
  return out;
}

/** Returns the card of each denied step, by the step's key: only one of the two is drawn. */
export function denials(items: readonly Item[]): ReadonlyMap<number, ConfirmItem> {
  const out = new Map<number, ConfirmItem>();
  let step: StepItem | undefined;
  for (const i of items) {
    if (i.kind === "step") step = i;
    else if (i.kind === "confirm" && step?.state === "denied" && (i.confirm.answer === "deny" || i.confirm.answer === "expired")) out.set(step.key, i);
  }
  return out;
}

type Change = Partial<TaskView>;

function change(v: TaskView, e: Event, before: UsageInfo | undefined): Change {
  const key = e.seq;
  const text = e.text ?? "";
  const add = (...items: Item[]): Change => ({ items: [...v.items, ...items], streaming: "", progress: "" });
  switch (e.type) {
    case "started":
      return { ...add({ kind: "person", key, text }), state: "running", began: v.began || e.time };
    case "thinking":
      return text.trim() ? add({ kind: "agent", key, text, final: false }) : { streaming: "" };
    case "plan":
      return plan(v, key, text, e.plan ?? []);
    case "progress":
      return { progress: text, progressIn: e.in };
    case "tool_call":
      if (!e.step) return {};
      if (shownOtherwise(e.step)) return { state: "running", streaming: "" };
      return { ...add({ kind: "step", key, step: e.step, state: "running", began: e.time }), state: "running" };
    case "tool_result":
      return e.step ? finishStep(v, e, e.step, before) : {};
    case "confirm_request":
      return e.confirm ? { ...add({ kind: "confirm", key, confirm: e.confirm }), state: "confirming" } : {};
    case "confirm_result":
      return e.confirm ? { items: answerCard(v.items, key, e.confirm, text), state: "running" } : {};
    case "notify":
      return add({ kind: "notice", key, what: "notify", text, warn: e.level === "warn", in: e.in });
    case "ask":
      return { ...add({ kind: "ask", key, text, answered: false, handover: e.level === "handover" }), state: "asking" };
    case "said":
    case "steered":
      return { items: [...settleAsk(v.items), { kind: "person", key, text }], state: v.state === "asking" ? "running" : v.state };
    case "paused":
      return { ...add({ kind: "notice", key, what: "paused", text, warn: true, in: e.in }), state: "paused" };
    case "queued":
      return { ...add({ kind: "notice", key, what: "notify", text, warn: false, in: e.in }), state: "queued" };
    case "interrupted":
      return { items: [...settle(v.items, "unknown"), { kind: "notice", key, what: "interrupted", text, warn: true, in: e.in }], state: "interrupted", streaming: "", progress: "" };
    case "resumed":
      return { state: "running" };
    case "complete":
      return { items: [...settle(dropEcho(v.items, text)), { kind: "agent", key, text, final: true }], state: "done", streaming: "", progress: "" };
    case "failed":
      return { items: [...settle(v.items), { kind: "failure", key, error: e.error ?? { code: "internal", message: text } }], state: "failed", streaming: "", progress: "" };
    case "cancelled":
      return { items: [...settle(v.items), { kind: "notice", key, what: "cancelled", text, warn: false, in: e.in }], state: "cancelled", streaming: "", progress: "" };
    default:
      return {}; // of a newer host
  }
}

/** Updates the one checklist of a task in its place, or adds it. */
function plan(v: TaskView, key: number, text: string, steps: readonly PlanStep[]): Change {
  if (steps.length === 0 && !text.trim()) return { items: v.items.filter((i) => i.kind !== "plan") }; // the user removed it
  const at = v.items.findIndex((i) => i.kind === "plan" && i.plan.length > 0);
  const before = v.items[at];
  if (!before || steps.length === 0) return { items: [...v.items, { kind: "plan", key, text, plan: steps }], streaming: "" };
  const items = v.items.slice();
  items[at] = { kind: "plan", key: before.key, text, plan: steps };
  return { items, streaming: "" };
}

/** Returns the current checklist; empty if there is none. */
export function checklist(items: readonly Item[]): readonly PlanStep[] {
  const p = items.find((i) => i.kind === "plan" && i.plan.length > 0);
  return p?.kind === "plan" ? p.plan : [];
}

/** Returns the pages a task used, each once, the newest last: those it acted on, and the one of its answer. */
export function pages({ items, answered }: Pick<TaskView, "items" | "answered">): string[] {
  const out = new Set<string>();
  for (const url of [...items.map((i) => (i.kind === "step" && i.state === "ok" ? i.step.url : undefined)), answered]) {
    if (url && /^https?:/.test(url)) {
      const bare = url.replace(/#.*$/, "");
      out.delete(bare);
      out.add(bare);
    }
  }
  return [...out];
}

function spent(u: UsageInfo | undefined, before: UsageInfo | undefined): Spent | undefined {
  if (!u || (u.stepInputTokens === undefined && u.stepOutputTokens === undefined)) return undefined;
  const cost = u.cost === undefined || u.cost === null ? undefined : Math.max(0, u.cost - (before?.cost ?? 0));
  return { input: u.stepInputTokens ?? 0, output: u.stepOutputTokens ?? 0, cost, local: u.local ?? false, inputRate: u.inputRate, outputRate: u.outputRate };
}

function finishStep(v: TaskView, e: Event, step: StepInfo, usage: UsageInfo | undefined): Change {
  const key = e.seq;
  const used = spent(e.usage, usage);
  const state = outcome(step);
  const at = v.items.findLastIndex((i) => i.kind === "step" && i.step.n === step.n && (i.state === "running" || (i.state === "unknown" && !i.step.outcome)));
  const before = v.items[at];
  if (before?.kind !== "step" && shownOtherwise(step) && state === "ok") return step.action === "done" ? { answered: step.url } : {};
  if (before?.kind !== "step") return { items: [...v.items, { kind: "step", key, step, state, began: e.time, spent: used }], progress: "" };
  const items = v.items.slice();
  items[at] = { ...before, step: { ...before.step, ...step }, state, spent: used };
  return { items, progress: "" };
}

/** Reports whether the step is an answer or a question, which the chat shows as such. */
function shownOtherwise(step: StepInfo): boolean {
  return step.action === "done" || step.action === "askUser";
}

function outcome(step: StepInfo): StepState {
  switch (step.outcome) {
    case "ok": case "error": case "denied": case "blocked": case "stopped_after": case "unknown":
      return step.outcome;
    default:
      return step.error ? "error" : "ok";
  }
}

function answerCard(items: readonly Item[], key: number, confirm: ConfirmInfo, note: string): Item[] {
  const known = items.some((i) => i.kind === "confirm" && i.confirm.id === confirm.id);
  if (!known) return [...items, { kind: "confirm", key, confirm, note }];
  return items.map((i) => (i.kind === "confirm" && i.confirm.id === confirm.id ? { ...i, confirm: { ...i.confirm, ...confirm }, note } : i));
}

function settleAsk(items: readonly Item[]): Item[] {
  return items.map((i) => (i.kind === "ask" && !i.answered ? { ...i, answered: true } : i));
}

/** Settles the items of a task that is over or interrupted: no step runs, and no card waits. */
function settle(items: readonly Item[], left: StepState = "stopped"): Item[] {
  return settleAsk(items).map((i) => {
    if (i.kind === "step" && i.state === "running") return { ...i, state: left };
    if (i.kind === "confirm" && !i.confirm.answer) return { ...i, confirm: { ...i.confirm, answer: "void" } };
    return i;
  });
}

/** Removes a last message that is the same as the answer. */
function dropEcho(items: readonly Item[], answer: string): readonly Item[] {
  const at = items.findLastIndex((i) => i.kind === "agent");
  const last = items[at];
  return last?.kind === "agent" && last.text.trim() === answer.trim() ? items.filter((_, i) => i !== at) : items;
}
