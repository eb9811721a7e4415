// Models on their way to the computer: asked for again while one is, and seen again by a panel that was closed meanwhile.

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
  await call("models.pulls", {}).then(take, () => undefined); // of a broker that is older, or a line that is down: its return asks again
}

export function pull(name: string): Promise<boolean> {
  return attempt(async () => take(await call("models.pull", { id: name.trim() })));
}

/** Ends a pull, or takes one that has ended off the list. */
export function stopPull(name: string): Promise<boolean> {
  return attempt(async () => take(await call("models.pullStop", { id: name })));
}

store.also.push(look);
