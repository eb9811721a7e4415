// The panel's state, and the user's actions. The truth lives in the host;
// everything here is requested again when the panel opens.

import { batch, computed, effect, signal } from "@preact/signals";
import type { Attachment, ConfirmAnswer, DeltaEvent, Event, ModelList, PlanStep, TaskInfo, TaskState } from "../gen/wire";
import { attached } from "./attach";
import { attempt, call, heard, link, problem } from "./host";
import { lang, t } from "./i18n";
import { HostError } from "./link";
import { lookAtPrograms, lookHere } from "./programs";
import { live } from "./reduce";
import { order, version } from "./versions";
import { openPage, targetTab } from "./tabs";
import * as views from "./views";

export { attempt, call, problem } from "./host";
export { here, letUse, pauseProgram, policy, programs, resumeProgram, revoke, stopProgram, takeBack } from "./programs";
export { chat, conversation, current, earlier, openEarlier, reading, title } from "./views";

export type Phase = "connecting" | "ready" | "missing";

/** How often the list of tasks is read, in ms: an older broker does not report when a task begins or changes … */
const LOOK_MS = 3000;
/** … and how often with a broker that reports it. */
const SLOW_LOOK_MS = 30_000;
/** How long the host may be missing without an alarm, in ms: a broker that hands over is back sooner. */
const GRACE_MS = 1500;
/** How long the banners over the chat are waited for, in ms, so that they push down nothing in sight. */
const OVER_MS = 300;

export const phase = signal<Phase>("connecting");
export const hostError = signal("");
/** The side that is too old to speak with the other: "host" or "extension". */
export const older = signal<string | undefined>(undefined);
/** Compares the version of the host's extension with this one: below 0 the host is older, above 0 newer. */
export const hostOrder = signal(0);
export const loaded = signal(false);
/** Whether the first screen is known: until then the panel shows nothing that would have to give way. */
export const settled = signal(false);
export const models = signal<ModelList | undefined>(undefined);
export const tourOffered = signal(false);
export const tasks = signal<readonly TaskInfo[]>([]);
export const draft = signal("");
/** Words on their way to the host. */
export const sending = signal("");
/** Words the host has, but the running task has not heard yet. */
export const unheard = signal<readonly string[]>([]);
export const stopping = signal(false);
/** The tour's page and model, until the tour's task has begun. */
export const tour = signal<{ tabId: number; model: string } | undefined>(undefined);
/** Whether the user chose what is shown: no other task then replaces it by itself. */
export const pinned = signal(false);
export const startingTour = signal(false);

/** The state of the shown task; only the list, and no event, says that the host died under it. */
export const state = computed<TaskState | undefined>(() => {
  const v = views.current.value;
  const info = tasks.value.find((t) => t.task === v?.task);
  return v && info?.state === "interrupted" && live(v.state) ? "interrupted" : v?.state;
});
/** Whether the host can resume the shown task, which was interrupted. */
export const resumable = computed(() => tasks.value.find((t) => t.task === views.current.value?.task)?.resumable ?? false);
export const running = computed(() => {
  const info = tasks.value.find((t) => t.task === views.current.value?.task);
  return state.value !== undefined && live(state.value) && !(info?.kind === "session" && state.value === "running");
});
export const modelID = computed(() => tour.value?.model ?? models.value?.using ?? "");
/** Whether the model is known to see no pictures. */
export const blind = computed(() => models.value?.models?.find((m) => m.id === modelID.value)?.vision === false);
/** Whether there is a model to begin a task with. The demo model counts only in the tour or an open chat. */
export const canStart = computed(() => tour.value !== undefined || views.chat.value.length > 0
  ? modelID.value !== ""
  : (models.value?.models ?? []).some((m) => !m.standIn) || configured());
export const standIn = computed(() => isStandIn(modelID.value));
/** Running tasks that are not the one shown. */
const others = computed(() => tasks.value.filter((t) => occupies(t) && t.task !== views.current.value?.task));
/** Whether the shown task has ended by the list; its events are drawn only some frames later. */
const ended = computed(() => {
  const info = tasks.value.find((t) => t.task === views.current.value?.task);
  return info !== undefined && !live(info.state);
});
/** Whether the shown task runs or the user chose it: no other task then replaces it by itself. */
const engaged = computed(() => running.value && !ended.value || pinned.value);
/** Tasks that ran elsewhere while the panel was engaged: they are never shown by themselves, even after that. */
const offered = signal<ReadonlySet<string>>(new Set());
effect(() => {
  const more = engaged.value && !sending.value; // the host may report the task that is being sent before it answers
  const before = offered.peek();
  offered.value = new Set(others.value.map((t) => t.task).filter((t) => more || before.has(t)));
});
/** A running task to be offered over the one shown. */
export const elsewhere = computed(() => others.value.find((t) => offered.value.has(t.task)));

/**
 * Reports whether a task is under way. A task that waits for its tab has not begun; a program's session counts
 * only while it asks the user something, since it may stand idle for an hour.
 */
function occupies(t: TaskInfo): boolean {
  return live(t.state) && t.state !== "queued" && (t.kind !== "session" || t.state === "confirming" || t.state === "asking");
}

/** Reports whether the settings name a model, which may work on a server that lists none. */
function configured(): boolean {
  const { using, error } = models.value ?? {};
  return using !== undefined && using !== "" && !isStandIn(using) && error?.code !== "unreachable";
}

export function isStandIn(id: string): boolean {
  return id.startsWith("stand-in/") || (models.value?.models?.some((m) => m.id === id && m.standIn) ?? false);
}

/** More functions to call after each (re)connection. */
export const also: (() => Promise<void>)[] = [lookAtPrograms];

let grace: ReturnType<typeof setTimeout> | undefined;
let looking = false;
let told = false; // this broker reports when a task changes
let fresh = false; // a new chat was asked for: nothing old is shown again

heard.status = ({ connected, error, older: side }) => {
  clearTimeout(grace);
  older.value = side;
  if (connected) {
    phase.value = "ready";
    hostError.value = "";
    return void load();
  }
  hostError.value = error ?? "";
  if (!error) phase.value = phase.value === "missing" ? "missing" : "connecting";
  else if (phase.value !== "missing") {
    if (phase.value === "ready") phase.value = "connecting";
    grace = setTimeout(() => (phase.value = "missing"), GRACE_MS);
  }
};
heard.event = (name, params) => {
  if (name === "task.event") views.come({ event: params as Event });
  if (name === "task.delta") views.come({ delta: params as DeltaEvent });
  if (name === "task.changed") changed(params as TaskInfo);
};
views.taken.on = taken;

export function start(): void {
  link.open();
  chrome.tabs.onActivated.addListener(() => void lookHere());
  chrome.tabs.onUpdated.addListener((_id, change) => void (change.url && lookHere()));
  let last = 0;
  setInterval(() => {
    const due = performance.now() - last >= (told ? SLOW_LOOK_MS : LOOK_MS) - 100;
    if (!due || phase.value !== "ready" || !loaded.value || document.visibilityState !== "visible") return;
    last = performance.now();
    void look();
  }, LOOK_MS);
}

/** Loads everything after every (re)connection. The chat does not wait for a slow list of models. */
async function load(): Promise<void> {
  const state = attempt(async () => {
    const now = await call("panel.state", {});
    batch(() => {
      models.value = now.models;
      hostOrder.value = now.extension ? order(now.extension, version()) : 0;
      tourOffered.value = now.tour;
      loaded.value = true;
    });
  }, true);
  const chat = attempt(async () => {
    list((await call("task.list", {})).tasks ?? []);
    const shown = views.current.value;
    const alive = tasks.value.find((t) => occupies(t) && !offered.value.has(t.task));
    const newest = alive ?? tasks.value.find((t) => t.kind !== "session");
    if (shown && (live(shown.state) || !alive || pinned.value)) await views.goOn();
    else if (newest && (alive || !fresh)) await show(newest);
  }, true);
  const over = Promise.allSettled(also.map((ask) => ask())); // may fail with an older broker; look asks again soon
  await chat;
  await Promise.race([over, new Promise((done) => setTimeout(done, OVER_MS))]);
  settled.value = true;
  await state;
}

async function look(): Promise<void> {
  if (looking) return;
  looking = true;
  try {
    list((await call("task.list", {})).tasks ?? []);
    await lookAtPrograms().catch(() => undefined); // an older broker lacks the method
    if (models.value?.error) models.value = await call("models.list", {});
  } catch {
    return; // the connection is lost; load runs once it is back
  } finally {
    looking = false;
  }
  await join();
}

/** The user is done in the tab that was handed to them. */
export function handBack(task: string): Promise<boolean> {
  return attempt(async () => void (await call("task.say", { task, text: t.handedBack })));
}

/** Shows a task, in its conversation if the host can send that. */
export async function show(info: TaskInfo): Promise<void> {
  pinned.value = false;
  const id = info.conversation;
  if (!id || info.kind === "session" || id === views.conversation.value) return views.add(info);
  try {
    await openConversation(id);
  } catch (e) {
    if (!(e instanceof HostError)) throw e;
    await views.add(info); // an older broker lacks the method
  }
}

/** Shows a conversation, whatever runs elsewhere. */
export async function openConversation(id: string): Promise<void> {
  const conv = await call("conversation.show", { conversation: id });
  batch(() => {
    unheard.value = [];
    problem.value = undefined;
    tasks.value = [...tasks.value, ...(conv.tasks ?? []).filter((t) => !tasks.value.some((k) => k.task === t.task))];
  });
  await views.open(conv);
}

/** Takes the host's list of tasks; keeps the tasks of the chat that it lacks. */
function list(now: readonly TaskInfo[]): void {
  const shown = new Set(views.chat.value.map((v) => v.task));
  tasks.value = [...now, ...tasks.value.filter((t) => shown.has(t.task) && !now.some((n) => n.task === t.task))];
}

/** Takes in that a task began, changed or ended, in this panel or elsewhere. */
function changed(info: TaskInfo): void {
  told = true;
  const at = tasks.value.findIndex((t) => t.task === info.task);
  tasks.value = at < 0 ? [info, ...tasks.value] : tasks.value.map((t, i) => (i === at ? { ...t, ...info } : t));
  if (info.kind === "session") void lookAtPrograms().catch(() => undefined); // an older broker lacks the method
  void join();
}

/** Shows a task that began elsewhere, unless the panel is engaged. */
async function join(): Promise<void> {
  if (engaged.value || sending.value) return;
  const other = others.value.find((t) => !offered.value.has(t.task));
  if (other) await attempt(() => show(other), true);
}

function taken(e: Event): void {
  if (e.type === "started" && e.text === sending.value) sending.value = "";
  if (e.type === "said" || !running.value) unheard.value = []; // an answer goes together with all of them
  else if (e.type === "steered") unheard.value = unheard.value.filter((t) => t !== e.text);
  if (!running.value) stopping.value = false;
}

/** Sends the draft: as a new task, as an answer, or to steer the running task. */
export async function send(): Promise<void> {
  const text = draft.value.trim();
  if (!text || sending.value || phase.value !== "ready") return;
  const now = running.value ? views.current.value : undefined;
  const with_ = attached.value;
  batch(() => {
    problem.value = undefined;
    draft.value = "";
    attached.value = [];
    sending.value = text;
    fresh = false;
  });
  const ok = await attempt(async () => {
    const attach: Attachment[] | undefined = with_.length > 0 ? with_.map((a) => a.what) : undefined;
    if (now) {
      await call("task.say", { task: now.task, text, attach });
      if (running.value) unheard.value = [...unheard.value, text];
      return;
    }
    const tabId = tour.value?.tabId || (await targetTab());
    const model = tour.value?.model;
    const conversation = views.conversation.value || undefined;
    const info = await call("task.start", { text, tabId, model, conversation, attach, queue: true });
    tour.value = undefined;
    await begun(info);
  });
  batch(() => {
    sending.value = "";
    if (ok) return;
    if (!draft.value) draft.value = text;
    if (attached.value.length === 0) attached.value = with_;
  });
}

/** Shows a task that was just begun here. */
export async function begun(info: TaskInfo): Promise<void> {
  fresh = false;
  list([info, ...tasks.value.filter((t) => t.task !== info.task)]);
  await show(info);
}

/** Sends a user's words once more, as a new task of the conversation. */
export async function again(text: string): Promise<void> {
  if (running.value) return;
  draft.value = text;
  await send();
}

/** Returns the words that the user sent last. */
export function lastWords(): string {
  for (const v of [...views.chat.value].reverse()) {
    const said = v.items.findLast((i) => i.kind === "person");
    if (said?.kind === "person") return said.text;
  }
  return "";
}

export async function stop(): Promise<void> {
  const v = views.current.value;
  if (!v || !running.value) return;
  stopping.value = true;
  if (!(await attempt(async () => void (await call("task.stop", { task: v.task }))))) stopping.value = false;
}

export async function pause(): Promise<void> {
  const task = views.current.value?.task;
  if (task) await attempt(async () => void (await call("task.pause", { task })));
}

/** Pauses the task so that the user acts in the tab; it looks at the page again when it is resumed. */
export async function takeOver(): Promise<void> {
  const task = views.current.value?.task;
  if (task) await attempt(async () => void (await call("task.takeOver", { task })));
}

export async function resume(): Promise<void> {
  const task = views.current.value?.task;
  if (!task) return;
  await attempt(async () => {
    await call("task.resume", { task });
    list((await call("task.list", {})).tasks ?? []);
  });
}

/** Answers a card; returns whether the host took the answer. */
export function answer(a: ConfirmAnswer): Promise<boolean> {
  return attempt(async () => void (await call("confirm.answer", a)));
}

/** Replaces the plan of a running task with the user's. */
export function editPlan(task: string, plan: PlanStep[]): Promise<boolean> {
  return attempt(async () => void (await call("task.editPlan", { task, plan })));
}

let warmed = -Infinity; // when a warm-up of the model was asked for
const WARM_MS = 60_000;

export async function useModel(id: string): Promise<void> {
  tour.value = undefined;
  await attempt(async () => {
    await call("models.use", { id });
    warmed = -Infinity;
    models.value = await call("models.list", {});
  });
}


/** Has the host load the model while the user begins to write, at most once in WARM_MS. */
export function warm(): void {
  const now = performance.now();
  if (phase.value !== "ready" || running.value || now - warmed < WARM_MS) return;
  warmed = now;
  void call("models.warm", { lang }).catch(() => undefined); // an older broker lacks the method
}

export async function lookForModels(): Promise<void> {
  await attempt(async () => void (models.value = await call("models.list", {})));
}

export async function startTour(): Promise<void> {
  startingTour.value = true;
  await attempt(async () => {
    const info = await call("tour.start", {});
    const tabId = await openPage(info.url);
    models.value = await call("models.list", {});
    batch(() => {
      tour.value = { tabId, model: info.model };
      draft.value = info.task;
      fresh = true;
      if (!running.value) views.clear();
    });
  });
  startingTour.value = false;
}

/** Clears the chat of a conversation that was deleted; the draft stays. */
export function leave(): void {
  batch(() => {
    fresh = true;
    views.clear();
    unheard.value = [];
  });
}

export function newChat(): void {
  batch(() => {
    leave();
    pinned.value = true;
    problem.value = undefined;
    tour.value = undefined;
    draft.value = "";
    attached.value = [];
  });
}

export function retry(): void {
  link.retry();
}
