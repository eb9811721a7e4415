// The workflow that the panel shows: the newest that runs, or that ended while
// the panel was open. The truth lives in the host.

import { signal } from "@preact/signals";
import type { FlowInfo, FlowNode } from "../gen/wire";
import { download } from "./download";
import { attempt, call, heard } from "./host";
import * as store from "./store";

/** A workflow as it is drawn; the wire may have null for no nodes. */
export type Shown = Omit<FlowInfo, "nodes"> & { nodes: readonly FlowNode[] };

export const flow = signal<Shown | undefined>(undefined);
/** A change of the workflow is being made. */
export const changing = signal(false);

const closed = new Set<string>();

const before = heard.event;
heard.event = (name, params) => {
  if (name === "workflow.changed") come(params as FlowInfo);
  before(name, params);
};

// After every (re)connection: what goes on was not told to a panel that was not there.
store.also.push(look);

async function look(): Promise<void> {
  try {
    const { flows } = await call("workflow.list", {});
    const on = flows?.find(open);
    if (on) come(on);
  } catch {
    return; // a host that is older knows no workflows
  }
}

/** It runs, or could be gone on with. */
export function open(f: Pick<FlowInfo, "state">): boolean {
  return f.state === "running" || f.state === "paused" || f.state === "interrupted";
}

/** Shows one that was just made or begun. */
export function shown(f: FlowInfo): void {
  closed.delete(f.flow);
  if (flow.value?.flow !== f.flow) flow.value = undefined;
  come(f);
}

/** Nothing of it has run yet. */
export function fresh(f: Shown): boolean {
  return f.state === "paused" && f.nodes.every((n) => n.state === "waiting");
}

/** An event may come before an older answer: the higher revision counts. */
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

/** Changes the nodes that have not begun; gives whether it was done. */
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

/** A finished task as a file that replay runs. */
export const saveTask = (task: string): Promise<void> => save({ task });

/** Shows the task of a node in the chat. */
export async function showNode(n: FlowNode): Promise<void> {
  const info = store.tasks.value.find((t) => t.task === n.task);
  if (info) await attempt(() => store.show(info));
}
