// Downloads of models: requested again and again while one runs; a reopened panel shows them too.

import { signal } from "@preact/signals";
import type { PullInfo, PullList } from "../gen/wire";
import { attempt, call } from "./host";
import * as store from "./store";

const LOOK_MS = 700;

export const pulls = signal<readonly PullInfo[]>([]);
let timer: ReturnType<typeof setTimeout> | undefined;

function take(list: PullList): void {
  const before = pulls.value;
  pulls.value = list.pulls ?? [];
  const runs = (p: PullInfo) => p.state === "running";
  if (before.some((b) => runs(b) && pulls.value.some((p) => p.name === b.name && p.state === "done"))) void store.lookForModels();
  clearTimeout(timer);
  if (pulls.value.some(runs)) timer = setTimeout(() => void look(), LOOK_MS);
}

export async function look(): Promise<void> {
  await call("models.pulls", {}).then(take, () => undefined); // an older broker, or a lost connection, after which look runs again
}

export function pull(name: string): Promise<boolean> {
  return attempt(async () => take(await call("models.pull", { id: name.trim() })));
}

/** Stops a pull, or removes one that has ended from the list. */
export function stopPull(name: string): Promise<boolean> {
  return attempt(async () => take(await call("models.pullStop", { id: name })));
}

store.also.push(look);
