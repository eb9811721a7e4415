// What the panel knows, and what a person can do in it. The truth lives in
// the host; everything here is asked for again when the panel opens.

import { batch, computed, signal } from "@preact/signals";
import type { Error as WireError, Event, ModelList, PolicyInfo, SessionInfo, TaskInfo, TaskState } from "../gen/wire";
import { t } from "./i18n";
import { HostError, Link } from "./link";
import { type TaskView, apply, live, newView, stream } from "./reduce";
import { openPage, targetTab } from "./tabs";

export type Phase = "connecting" | "ready" | "missing";

/** How often the list of tasks is looked at: tasks also begin at other doors. */
const LOOK_MS = 3000;
/** A broker that hands over is back before this; no alarm until then. */
const GRACE_MS = 1500;

export const phase = signal<Phase>("connecting");
export const hostError = signal("");
export const loaded = signal(false);
export const models = signal<ModelList | undefined>(undefined);
export const tourOffered = signal(false);
export const chat = signal<readonly TaskView[]>([]);
export const tasks = signal<readonly TaskInfo[]>([]);
/** Programs without a model of ours that work in this browser. */
export const programs = signal<readonly SessionInfo[]>([]);
/** The person's rules: what they granted on which site, and whether their file is in force. */
export const policy = signal<PolicyInfo | undefined>(undefined);
/** The tab the person looks at, 0 when nothing can be done in it. */
export const here = signal(0);
export const draft = signal("");
/** Words on their way to the host. */
export const sending = signal("");
/** Words the host has, but the running task has not heard yet. */
export const unheard = signal<readonly string[]>([]);
export const stopping = signal(false);
export const problem = signal<WireError | undefined>(undefined);
/** The tour's page and model, until the tour's task has begun. */
export const tour = signal<{ tabId: number; model: string } | undefined>(undefined);
export const startingTour = signal(false);

/** The task the chat ends with. */
export const current = computed(() => chat.value.at(-1));
/** Where the shown task stands; that the host died under it is in no event. */
export const state = computed<TaskState | undefined>(() => {
  const v = current.value;
  const info = tasks.value.find((t) => t.task === v?.task);
  return v && info?.state === "interrupted" && live(v.state) ? "interrupted" : v?.state;
});
export const running = computed(() => {
  const info = tasks.value.find((t) => t.task === current.value?.task);
  return state.value !== undefined && live(state.value) && !(info?.kind === "session" && state.value === "running");
});
export const modelID = computed(() => tour.value?.model ?? models.value?.using ?? "");
/** There is a model to begin a task with, or the tour's script was asked for. */
export const canStart = computed(() => tour.value !== undefined || chat.value.length > 0
  ? modelID.value !== ""
  : (models.value?.models ?? []).some((m) => !m.standIn) || configured());
export const standIn = computed(() => isStandIn(modelID.value));
/** A running task that is not the one shown. */
export const elsewhere = computed(() => tasks.value.find((t) => occupies(t) && t.task !== current.value?.task));

/** A program's session is the person's business only while it asks them something: it may stand idle for an hour. */
function occupies(t: TaskInfo): boolean {
  return live(t.state) && (t.kind !== "session" || t.state === "confirming" || t.state === "asking");
}

/** A model that was named in the settings may work on a server that lists none. */
function configured(): boolean {
  const { using, error } = models.value ?? {};
  return using !== undefined && using !== "" && !isStandIn(using) && error?.code !== "unreachable";
}

export function isStandIn(id: string): boolean {
  return id.startsWith("stand-in/") || (models.value?.models?.some((m) => m.id === id && m.standIn) ?? false);
}

let grace: ReturnType<typeof setTimeout> | undefined;
let looking = false;
let fresh = false; // a new chat was asked for: nothing old is shown again

const link = new Link({
  status: ({ connected, error }) => {
    clearTimeout(grace);
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
  },
  event: (name, params) => {
    if (name === "task.event") take(params as Event);
    if (name === "task.delta") update((params as { task: string }).task, (v) => stream(v, params as Parameters<typeof stream>[1]));
  },
});

export function start(): void {
  link.open();
  chrome.tabs.onActivated.addListener(() => void lookHere());
  chrome.tabs.onUpdated.addListener((_id, change) => void (change.url && lookHere()));
  setInterval(() => {
    if (phase.value === "ready" && loaded.value && document.visibilityState === "visible") void look();
  }, LOOK_MS);
}

/** Everything anew, after every (re)connection. The chat does not wait for a slow list of models. */
async function load(): Promise<void> {
  const state = attempt(async () => {
    const now = await link.call("panel.state", {});
    batch(() => {
      models.value = now.models;
      tourOffered.value = now.tour;
      loaded.value = true;
    });
  });
  await attempt(async () => {
    tasks.value = (await link.call("task.list", {})).tasks ?? [];
    const shown = current.value;
    const alive = tasks.value.find(occupies);
    const newest = alive ?? tasks.value.find((t) => t.kind !== "session");
    if (shown && (live(shown.state) || !alive)) await follow(shown.task);
    else if (newest && (alive || !fresh)) await show(newest);
  });
  await lookAtPrograms().catch(() => undefined); // looked at again soon
  await state;
}

/** A task that began at another door is shown when nothing else is going on here. */
async function look(): Promise<void> {
  if (looking) return;
  looking = true;
  try {
    tasks.value = (await link.call("task.list", {})).tasks ?? [];
    await lookAtPrograms().catch(() => undefined); // of a broker that is older
    if (models.value?.error) models.value = await link.call("models.list", {});
  } catch {
    return; // the line is down; its return loads everything
  } finally {
    looking = false;
  }
  const other = elsewhere.value;
  if (other && !running.value && !sending.value) await attempt(() => show(other));
}

async function lookAtPrograms(): Promise<void> {
  const { sessions } = await link.call("session.list", {});
  programs.value = sessions ?? [];
  if (programs.value.length > 0) await lookHere();
  policy.value = await link.call("policy.show", {}).catch(() => undefined); // of a broker that is older
}

async function lookHere(): Promise<void> {
  if (programs.value.length > 0) here.value = await targetTab();
}

/** What a person does to a program; the list is looked at again after it. */
function toProgram(what: () => Promise<unknown>): Promise<boolean> {
  return attempt(async () => {
    await what();
    await lookAtPrograms();
  });
}

export function letUse(session: string, tabId: number): Promise<boolean> {
  return toProgram(() => link.call("session.hand", { session, tabId }));
}

export function takeBack(session: string, tabId: number): Promise<boolean> {
  return toProgram(() => link.call("session.take", { session, tabId }));
}

export function pauseProgram(task: string): Promise<boolean> {
  return toProgram(() => link.call("task.pause", { task }));
}

export function resumeProgram(task: string): Promise<boolean> {
  return toProgram(() => link.call("task.resume", { task }));
}

export function stopProgram(task: string): Promise<boolean> {
  return toProgram(() => link.call("task.stop", { task }));
}

/** Takes back what was granted on a site. */
export function revoke(id: string): Promise<boolean> {
  return attempt(async () => void (policy.value = await link.call("policy.revoke", { id })));
}

/** The person is done in the tab that was handed to them. */
export function handBack(task: string): Promise<boolean> {
  return attempt(async () => void (await link.call("task.say", { task, text: t.handedBack })));
}

/** Puts a task at the end of the chat and follows it. */
export async function show(info: TaskInfo): Promise<void> {
  if (!chat.value.some((v) => v.task === info.task)) chat.value = [...chat.value, newView(info)];
  else chat.value = [...chat.value.filter((v) => v.task !== info.task), ...chat.value.filter((v) => v.task === info.task)];
  await follow(info.task);
}

async function follow(task: string): Promise<void> {
  const seq = chat.value.find((v) => v.task === task)?.seq ?? 0;
  update(task, (v) => ({ ...v, streaming: "" })); // what was streamed meanwhile is lost; the finished text comes
  await link.call("task.subscribe", { task, seq });
}

function take(e: Event): void {
  batch(() => {
    update(e.task, (v) => apply(v, e));
    if (e.type === "started" && e.text === sending.value) sending.value = "";
    if (e.type === "said" || !running.value) unheard.value = []; // an answer takes all of them together
    else if (e.type === "steered") unheard.value = unheard.value.filter((t) => t !== e.text);
    if (!running.value) stopping.value = false;
  });
}

function update(task: string, change: (v: TaskView) => TaskView): void {
  const at = chat.value.findIndex((v) => v.task === task);
  const before = chat.value[at];
  if (!before) return;
  const after = change(before);
  if (after !== before) chat.value = chat.value.map((v, i) => (i === at ? after : v));
}

/** Runs what a person asked for; its failure is shown, with what to do. */
async function attempt(what: () => Promise<void>): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (e) {
    problem.value = e instanceof HostError ? e.wire : { code: "internal", message: String(e) };
    return false;
  }
}

/** Sends the draft: a new task, an answer, or a word that steers. */
export async function send(): Promise<void> {
  const text = draft.value.trim();
  if (!text || sending.value || phase.value !== "ready") return;
  const now = running.value ? current.value : undefined;
  batch(() => {
    problem.value = undefined;
    draft.value = "";
    sending.value = text;
    fresh = false;
  });
  const ok = await attempt(async () => {
    if (now) {
      await link.call("task.say", { task: now.task, text });
      if (running.value) unheard.value = [...unheard.value, text];
      return;
    }
    const tabId = tour.value?.tabId || (await targetTab());
    const model = tour.value?.model;
    const info = await link.call("task.start", { text, tabId, model });
    tour.value = undefined;
    await show(info);
  });
  batch(() => {
    sending.value = "";
    if (!ok && !draft.value) draft.value = text;
  });
}

export async function stop(): Promise<void> {
  const v = current.value;
  if (!v || !running.value) return;
  stopping.value = true;
  if (!(await attempt(async () => void (await link.call("task.stop", { task: v.task }))))) stopping.value = false;
}

export async function pause(): Promise<void> {
  const task = current.value?.task;
  if (task) await attempt(async () => void (await link.call("task.pause", { task })));
}

export async function resume(): Promise<void> {
  const task = current.value?.task;
  if (!task) return;
  await attempt(async () => {
    await link.call("task.resume", { task });
    tasks.value = (await link.call("task.list", {})).tasks ?? [];
  });
}

/** Answers a card; gives whether the host took the answer. */
export function answer(task: string, id: string, allow: boolean, remember: boolean): Promise<boolean> {
  return attempt(async () => void (await link.call("confirm.answer", { task, id, allow, remember })));
}

export async function useModel(id: string): Promise<void> {
  tour.value = undefined;
  await attempt(async () => {
    await link.call("models.use", { id });
    models.value = await link.call("models.list", {});
  });
}

export async function lookForModels(): Promise<void> {
  await attempt(async () => void (models.value = await link.call("models.list", {})));
}

export async function startTour(): Promise<void> {
  startingTour.value = true;
  await attempt(async () => {
    const info = await link.call("tour.start", {});
    const tabId = await openPage(info.url);
    models.value = await link.call("models.list", {});
    batch(() => {
      tour.value = { tabId, model: info.model };
      draft.value = info.task;
      fresh = true;
      if (!running.value) chat.value = [];
    });
  });
  startingTour.value = false;
}

export function newChat(): void {
  batch(() => {
    fresh = true;
    chat.value = [];
    unheard.value = [];
    problem.value = undefined;
    tour.value = undefined;
    draft.value = "";
  });
}

export function retry(): void {
  link.retry();
}
