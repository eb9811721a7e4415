// The tasks in the chat, as their events tell them. A channel follows one task
// at a time, so a conversation of several is read task by task, the newest
// first, and the newest is then followed on.

import { batch, computed, signal } from "@preact/signals";
import type { ConvInfo, DeltaEvent, Event, TaskInfo } from "../gen/wire";
import { Frames } from "./frames";
import { call } from "./host";
import { type TaskView, apply, newView, stream } from "./reduce";

/** So many tasks of a conversation are read when it is opened. */
const AT_ONCE = 3;
/** What a task stands at comes at once; a host that does not send it is not waited for. */
const READ_MS = 5000;

export const chat = signal<readonly TaskView[]>([]);
/** The conversation that the chat shows; empty for one that has not begun. */
export const conversation = signal("");
export const title = signal("");
/** Tasks of the conversation that are not read yet, oldest first. */
export const earlier = signal<readonly TaskInfo[]>([]);
/** Old events are coming in: nothing of it is news. */
export const reading = signal(false);

/** The task the chat ends with. */
export const current = computed(() => chat.value.at(-1));

type Come = { event: Event } | { delta: DeltaEvent };
/** Told of each event once it is in the chat. */
export const taken: { on: (e: Event) => void } = { on: () => undefined };

const frames = new Frames<Come>((all) => batch(() => {
  for (const c of all) {
    if ("delta" in c) update(c.delta.task, (v) => stream(v, c.delta));
    else {
      update(c.event.task, (v) => apply(v, c.event));
      taken.on(c.event);
    }
  }
  for (const w of [...waiting]) w();
}));

const waiting = new Set<() => void>(); // that wait for events to come in

export function come(c: Come): void {
  frames.push(c);
}

export function update(task: string, change: (v: TaskView) => TaskView): void {
  const at = chat.value.findIndex((v) => v.task === task);
  const before = chat.value[at];
  if (!before) return;
  const after = change(before);
  if (after !== before) chat.value = chat.value.map((v, i) => (i === at ? after : v));
}

let turn = 0; // of the newest opening; an older one stops
let stands = new Map<string, number>(); // what each task of the conversation stood at

/** Puts a task at the end of the chat and follows it. */
export async function add(info: TaskInfo): Promise<void> {
  turn++;
  batch(() => {
    const others = chat.value.filter((v) => v.task !== info.task);
    chat.value = [...others, chat.value.find((v) => v.task === info.task) ?? newView(info)];
    if (info.conversation) conversation.value = info.conversation;
  });
  await follow(info.task);
}

/** Shows a conversation; what is shown of it already stays and is not read again. */
export async function open(info: ConvInfo): Promise<void> {
  const mine = ++turn;
  const tasks = info.tasks ?? [];
  const known = new Map(chat.value.map((v) => [v.task, v]));
  const shown = tasks.filter((t, i) => i >= tasks.length - AT_ONCE || known.has(t.task));
  batch(() => {
    conversation.value = info.conversation;
    title.value = info.title;
    chat.value = shown.map((t) => known.get(t.task) ?? newView(t));
    earlier.value = tasks.filter((t) => !shown.includes(t));
  });
  stands = new Map(tasks.map((t) => [t.task, t.seq]));
  await read(shown.toReversed(), mine);
  if (mine === turn) await followLast();
}

/** Reads the tasks before the oldest that is shown. */
export async function openEarlier(): Promise<void> {
  const mine = ++turn;
  const more = earlier.value.slice(-AT_ONCE);
  batch(() => {
    chat.value = [...more.map(newView), ...chat.value];
    earlier.value = earlier.value.slice(0, -AT_ONCE);
  });
  await read(more.toReversed(), mine);
  if (mine === turn) await followLast();
}

/** After the line was down: reads what is still missing, and follows the newest again. */
export async function goOn(): Promise<void> {
  const mine = ++turn;
  following = "";
  const missing = chat.value.flatMap((v) => {
    const seq = stands.get(v.task) ?? 0;
    return v.seq < seq && v !== current.value ? [{ task: v.task, seq }] : [];
  });
  await read(missing, mine);
  if (mine === turn) await followLast();
}

async function read(tasks: readonly Pick<TaskInfo, "task" | "seq">[], mine: number): Promise<void> {
  reading.value = true;
  try {
    for (const t of tasks) {
      if (mine !== turn) return;
      const seq = chat.value.find((v) => v.task === t.task)?.seq ?? 0;
      if (seq >= t.seq) continue;
      await follow(t.task);
      await reached(t.task, t.seq);
    }
  } finally {
    if (mine === turn) reading.value = false;
  }
}

async function followLast(): Promise<void> {
  const last = current.value;
  if (last && last.task !== following) await follow(last.task);
}

let following = "";

/** Subscribes to a task after the last event that is known of it. */
export async function follow(task: string): Promise<void> {
  frames.flush();
  const seq = chat.value.find((v) => v.task === task)?.seq ?? 0;
  update(task, (v) => (v.streaming ? { ...v, streaming: "" } : v)); // what was streamed meanwhile is lost; the finished text comes
  following = task;
  await call("task.subscribe", { task, seq });
}

function reached(task: string, seq: number): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      waiting.delete(look);
      done();
    };
    const look = (): void => {
      const v = chat.value.find((v) => v.task === task);
      if (!v || v.seq >= seq) end();
    };
    const timer = setTimeout(end, READ_MS);
    waiting.add(look);
    look();
  });
}

/** An empty chat. */
export function clear(): void {
  turn++;
  batch(() => {
    chat.value = [];
    earlier.value = [];
    conversation.value = "";
    title.value = "";
    reading.value = false;
  });
}
