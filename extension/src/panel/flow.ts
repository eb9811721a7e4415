// The workflow that the panel shows: the newest that runs, or that ended while
// the panel was open. The truth lives in the host.

import { signal } from "@preact/signals";
import type { FlowInfo, FlowNode } from "../gen/wire";
import { download } from "./download";
import { attempt, call, heard } from "./host";
import * as store from "./store";

/** A workflow with a list of nodes; on the wire it may be null. */
export type Shown = Omit<FlowInfo, "nodes"> & { nodes: readonly FlowNode[] };

export const flow = signal<Shown | undefined>(undefined);
/** Whether a change of the workflow is under way. */
export const changing = signal(false);

const closed = new Set<string>();

const before = heard.event;
heard.event = (name, params) => {
  if (name === "workflow.changed") come(params as FlowInfo);
  before(name, params);
};

// After every (re)connection: the panel has missed the events before it.
store.also.push(look);

async function look(): Promise<void> {
  try {
    const { flows } = await call("workflow.list", {});
    const on = flows?.find(open);
    if (on) come(on);
  } catch {
    return; // an older host has no workflows
  }
}

/** Reports whether the workflow runs or can be resumed. */
export function open(f: Pick<FlowInfo, "state">): boolean {
  return f.state === "running" || f.state === "paused" || f.state === "interrupted";
}

/** Shows a workflow that was just made or begun. */
export function shown(f: FlowInfo): void {
  closed.delete(f.flow);
  if (flow.value?.flow !== f.flow) flow.value = undefined;
  come(f);
}

/** Reports whether none of its nodes has run yet. */
export function fresh(f: Shown): boolean {
  return f.state === "paused" && f.nodes.every((n) => n.state === "waiting");
}

/** Takes in a state of a workflow. An event may overtake an older answer: the higher revision counts. */
function come(f: FlowInfo): void {
  const now = flow.peek();
  if (closed.has(f.flow) && !open(f)) return;
  if (now?.flow === f.flow ? f.rev < now.rev : now && open(now) && !open(f)) return;
  flow.value = { ...f, nodes: f.nodes ?? [] };
}

export function close(): void {
  if (flow.value) closed.add(flow.value.flow);
  flow.value = undefined;
}

async function act(method: "workflow.pause" | "workflow.resume" | "workflow.stop"): Promise<void> {
  const id = flow.value?.flow;
  if (id) await attempt(async () => come(await call(method, { flow: id })));
}

export const pause = (): Promise<void> => act("workflow.pause");
export const resume = (): Promise<void> => act("workflow.resume");
export const stop = (): Promise<void> => act("workflow.stop");

/** Changes the nodes that have not begun; returns whether that succeeded. */
export async function modify(text: string): Promise<boolean> {
  const id = flow.value?.flow;
  if (!id) return false;
  changing.value = true;
  const ok = await attempt(async () => come(await call("workflow.modify", { flow: id, text })));
  changing.value = false;
  return ok;
}

export async function save(what: { flow: string } | { task: string }): Promise<void> {
  await attempt(async () => download(await call("workflow.save", what)));
}

/** Saves a finished task as a file that replay runs. */
export const saveTask = (task: string): Promise<void> => save({ task });

/** Shows the task of a node in the chat. */
export async function showNode(n: FlowNode): Promise<void> {
  const info = store.tasks.value.find((t) => t.task === n.task);
  if (info) await attempt(() => store.show(info));
}
