// The tasks in the chat, built from their events. A channel follows one task at a
// time, so a conversation of several is read task by task, the newest first, and
// then the newest is followed. All that is read is drawn in one frame: drawn as
// it comes, each part would move the others.

import { batch, computed, signal } from "@preact/signals";
import type { ConvInfo, DeltaEvent, Event, TaskInfo } from "../gen/wire";
import { Frames } from "./frames";
import { call } from "./host";
import { type TaskView, apply, newView, stream } from "./reduce";
import { Replay } from "./replay";

/** How many tasks of a conversation are read at a time. */
const AT_ONCE = 3;

export const chat = signal<readonly TaskView[]>([]);
/** The id of the conversation that the chat shows; empty if it has not begun. */
export const conversation = signal("");
export const title = signal("");
/** Tasks of the conversation that are not read yet, oldest first. */
export const earlier = signal<readonly TaskInfo[]>([]);
/** Whether old events are coming in: they are no news, and are not drawn yet. */
export const reading = signal(false);

/** The last task of the chat. */
export const current = computed(() => chat.value.at(-1));

type Come = { event: Event } | { delta: DeltaEvent } | { change: () => void };
/** Called with each event once it is in the chat. */
export const taken: { on: (e: Event) => void } = { on: () => undefined };

const frames = new Frames<Come>((all) => batch(() => {
  for (const c of all) {
    if ("delta" in c) update(c.delta.task, (v) => stream(v, c.delta));
    else if ("change" in c) c.change();
    else {
      update(c.event.task, (v) => apply(v, c.event));
      taken.on(c.event);
    }
  }
}));

let replay: Replay | undefined; // of the newest subscription

export function come(c: Come): void {
  if ("event" in c) replay?.come(c.event);
  frames.push(c);
}

export function update(task: string, change: (v: TaskView) => TaskView): void {
  const at = chat.value.findIndex((v) => v.task === task);
  const before = chat.value[at];
  if (!before) return;
  const after = change(before);
  if (after !== before) chat.value = chat.value.map((v, i) => (i === at ? after : v));
}

let turn = 0; // of the newest reading; an older one stops
let stands = new Map<string, number>(); // the last event number of each task of the conversation, when it was opened

/** Runs read, draws all it has read in one frame, and follows the last task of the chat. */
async function inOne(read: (mine: number) => Promise<void>): Promise<void> {
  const mine = ++turn;
  batch(() => {
    frames.hold();
    reading.value = true;
  });
  try {
    await read(mine);
    if (mine !== turn) return;
    const last = current.value;
    if (!last || last.task === following) return;
    frames.hold(); // draws what was read, which shows the event to follow this task from
    await follow(last.task);
  } finally {
    if (mine === turn) end();
  }
}

function end(): void {
  replay?.end();
  batch(() => {
    frames.release();
    reading.value = false;
  });
}

/** Puts a task at the end of the chat and follows it. */
export function add(info: TaskInfo): Promise<void> {
  return inOne(() => {
    batch(() => {
      const others = chat.value.filter((v) => v.task !== info.task);
      chat.value = [...others, chat.value.find((v) => v.task === info.task) ?? newView(info)];
      if (info.conversation) conversation.value = info.conversation;
    });
    return follow(info.task);
  });
}

/** Shows a conversation; its tasks that are shown already stay and are not read again. */
export function open(info: ConvInfo): Promise<void> {
  const tasks = info.tasks ?? [];
  return inOne((mine) => {
    const known = new Map(chat.value.map((v) => [v.task, v]));
    const shown = tasks.filter((t, i) => i >= tasks.length - AT_ONCE || known.has(t.task));
    batch(() => {
      conversation.value = info.conversation;
      title.value = info.title;
      chat.value = shown.map((t) => known.get(t.task) ?? newView(t));
      earlier.value = tasks.filter((t) => !shown.includes(t));
    });
    stands = new Map(tasks.map((t) => [t.task, t.seq]));
    return read(shown.toReversed(), mine);
  });
}

/** Reads the tasks before the oldest that is shown. */
export function openEarlier(): Promise<void> {
  return inOne((mine) => {
    const more = earlier.value.slice(-AT_ONCE);
    // Queued with their events, so that both are drawn together.
    frames.push({ change: () => {
      chat.value = [...more.map(newView), ...chat.value];
      earlier.value = earlier.value.slice(0, -AT_ONCE);
    } });
    return read(more.toReversed(), mine);
  });
}

/** Reads what is still missing after a lost connection, and follows the newest task again. */
export function goOn(): Promise<void> {
  following = "";
  return inOne((mine) => read(chat.value.flatMap((v) => {
    const seq = stands.get(v.task) ?? 0;
    return v.seq < seq && v !== current.value ? [{ task: v.task, seq }] : [];
  }), mine));
}

/** Reads the events of tasks up to their seq. */
async function read(tasks: readonly Pick<TaskInfo, "task" | "seq">[], mine: number): Promise<void> {
  for (const t of tasks) {
    if (mine !== turn) return;
    const seq = chat.value.find((v) => v.task === t.task)?.seq ?? 0;
    if (seq < t.seq) await follow(t.task);
  }
}

let following = "";

/** Subscribes to a task after its last known event, and waits until the missing events have come. */
async function follow(task: string): Promise<void> {
  const seq = chat.value.find((v) => v.task === task)?.seq ?? 0;
  update(task, (v) => (v.streaming || v.thoughts ? { ...v, streaming: "", thoughts: "" } : v)); // text streamed meanwhile is lost; the finished text comes
  following = task;
  replay?.end();
  const now = (replay = new Replay(task, seq));
  const { replayed } = await call("task.subscribe", { task, seq });
  if (following !== task) unfollow(task); // the task was left meanwhile, and its unsubscribe came before this subscription
  now.expect(replayed);
  await now.whole;
}

function unfollow(task: string): void {
  void call("task.unsubscribe", { task }).catch(() => undefined); // an older broker, or a lost connection
}

/** Empties the chat and unfollows its task: its conversation may have been deleted. */
export function clear(): void {
  turn++;
  end();
  const left = following;
  following = "";
  if (left) unfollow(left);
  batch(() => {
    chat.value = [];
    earlier.value = [];
    conversation.value = "";
    title.value = "";
  });
}
