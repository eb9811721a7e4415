// The workflows that the user keeps: list, run with values, keep, remove. Also
// tasks in parts, which the model makes a graph of; no part runs before the user
// has seen the graph.

import { batch, signal } from "@preact/signals";
import type { SavedFlow } from "../gen/wire";
import { attached } from "./attach";
import { download } from "./download";
import * as flow from "./flow";
import { attempt, call } from "./host";
import * as store from "./store";
import { targetTab } from "./tabs";

/** The kept workflows; undefined until they are loaded. */
export const list = signal<readonly SavedFlow[] | undefined>(undefined);
/** The workflow whose values the form asks for. */
export const picked = signal<SavedFlow | undefined>(undefined);
/** The words that the model is making a graph of; empty if none. */
export const composing = signal("");
export const busy = signal(false);
/** The workflows kept since the panel opened, by their task or flow. */
export const kept = signal<ReadonlyMap<string, SavedFlow>>(new Map());

export async function look(): Promise<void> {
  await attempt(async () => void (list.value = (await call("saved.list", {})).saved ?? []), true);
}

export function pick(s: SavedFlow | undefined): void {
  picked.value = s;
}

let turn = 0; // of the newest graph; giving up increments it too

/** Has the model make a graph of the words in the box. Files and pictures go with one task only, so they stay. */
export async function inParts(): Promise<void> {
  const text = store.draft.value.trim();
  if (!text || composing.value) return;
  const mine = ++turn;
  batch(() => {
    composing.value = text;
    store.draft.value = "";
    store.problem.value = undefined;
  });
  const ok = await attempt(async () => {
    const made = await call("workflow.run", { text, url: await pageURL(), hold: true });
    if (mine !== turn) return void (await call("workflow.stop", { flow: made.flow })); // given up meanwhile
    flow.shown(made);
  });
  if (mine !== turn) return;
  batch(() => {
    composing.value = "";
    if (!ok && !store.draft.value) store.draft.value = text;
  });
}

/** Puts the words back into the box; a graph that comes all the same is stopped. */
export function giveUp(): void {
  turn++;
  batch(() => {
    if (!store.draft.value) store.draft.value = composing.value;
    composing.value = "";
  });
}

/** Returns the address of the page beside the panel, where a graph begins unless its words say otherwise. */
async function pageURL(): Promise<string | undefined> {
  const id = await targetTab();
  const url = id ? (await chrome.tabs.get(id)).url : undefined;
  return url && /^https?:/.test(url) ? url : undefined;
}

/** Runs a workflow with values; returns whether it began. */
export async function start(s: SavedFlow, values: Record<string, string>): Promise<boolean> {
  busy.value = true;
  const ok = await attempt(async () => {
    if (s.kind === "graph") return flow.shown(await call("workflow.run", { saved: s.id, values, url: await pageURL() }));
    const conversation = store.conversation.value || undefined;
    await store.begun(await call("saved.replay", { id: s.id, values, tabId: await tabFor(s), conversation }));
  });
  batch(() => {
    busy.value = false;
    if (ok) picked.value = undefined;
  });
  return ok;
}

/** Returns the tab beside the panel if it shows the site that the recording begins on, or that site is unknown; else 0 for a new tab. */
async function tabFor(s: SavedFlow): Promise<number> {
  const here = await pageURL();
  if (!s.url) return targetTab();
  return here && URL.canParse(s.url) && new URL(here).host === new URL(s.url).host ? targetTab() : 0;
}

/** Keeps a finished task, a workflow, or the text of a file. */
export async function keep(what: { task: string } | { flow: string } | { file: string }): Promise<void> {
  await attempt(async () => {
    const s = await call("saved.keep", what);
    const of = "task" in what ? what.task : "flow" in what ? what.flow : "";
    if (of) kept.value = new Map(kept.value).set(of, s);
    list.value = (await call("saved.list", {})).saved ?? [];
  });
}

export async function keepFiles(files: Iterable<File>): Promise<void> {
  for (const f of files) await keep({ file: await f.text() });
}

/** Renames a workflow; returns whether that succeeded. */
export function rename(s: SavedFlow, name: string): Promise<boolean> {
  return attempt(async () => {
    const now = await call("saved.rename", { id: s.id, name });
    batch(() => {
      picked.value = now;
      kept.value = new Map([...kept.value].map(([of, k]) => [of, k.id === now.id ? now : k]));
    });
    list.value = (await call("saved.list", {})).saved ?? [];
  });
}

export async function remove(s: SavedFlow): Promise<void> {
  await attempt(async () => {
    list.value = (await call("saved.remove", { id: s.id })).saved ?? [];
    kept.value = new Map([...kept.value].filter(([, k]) => k.id !== s.id));
    picked.value = undefined;
  });
}

export async function toFile(s: SavedFlow): Promise<void> {
  await attempt(async () => download(await call("workflow.save", { saved: s.id })));
}

/** Reports whether there are attachments, which a graph can't take along. */
export const carries = (): boolean => attached.value.length > 0;
