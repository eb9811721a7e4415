// The list of conversations, to search, rename, delete and save as files. A
// deletion takes effect only after UNDO_MS, so that it can be undone.

import { batch, signal } from "@preact/signals";
import type { ConvInfo } from "../gen/wire";
import { download } from "./download";
import { attempt, call } from "./host";
import { screen } from "./screen";
import * as store from "./store";

/** How long a deletion can be undone. */
const UNDO_MS = 6000;
const SEARCH_MS = 200;
const MOST = 100;

export const query = signal("");
export const found = signal<readonly ConvInfo[] | undefined>(undefined);
export const total = signal(0);
/** The conversation that is about to be deleted. */
export const leaving = signal<ConvInfo | undefined>(undefined);

let turn = 0;
let typing: ReturnType<typeof setTimeout> | undefined;
let going: ReturnType<typeof setTimeout> | undefined;

export async function look(): Promise<void> {
  const mine = ++turn;
  await attempt(async () => {
    const got = await call("conversation.list", { query: query.value.trim() || undefined, limit: MOST });
    if (mine !== turn) return; // other words were typed meanwhile
    batch(() => {
      found.value = got.conversations ?? [];
      total.value = got.total;
    });
  });
}

export function search(words: string): void {
  query.value = words;
  clearTimeout(typing);
  typing = setTimeout(() => void look(), SEARCH_MS);
}

export async function open(c: ConvInfo): Promise<void> {
  store.pinned.value = true;
  if (await attempt(() => store.openConversation(c.conversation))) screen.value = "chat";
}

export async function rename(c: ConvInfo, title: string): Promise<boolean> {
  return attempt(async () => {
    const now = await call("conversation.rename", { conversation: c.conversation, title: title.trim() });
    found.value = found.value?.map((f) => (f.conversation === c.conversation ? { ...f, title: now.title } : f));
    if (store.conversation.value === c.conversation) store.title.value = now.title;
  });
}

/** Marks a conversation for deletion, which happens after UNDO_MS. */
export function remove(c: ConvInfo): void {
  finish(); // deletes the one before at once
  leaving.value = c;
  going = setTimeout(finish, UNDO_MS);
}

export function undo(): void {
  clearTimeout(going);
  leaving.value = undefined;
}

/** Deletes the conversation that is about to be deleted; called also when the panel closes. */
function finish(): void {
  clearTimeout(going);
  const c = leaving.value;
  if (!c) return;
  leaving.value = undefined;
  found.value = found.value?.filter((f) => f.conversation !== c.conversation);
  void attempt(async () => {
    await call("conversation.delete", { conversation: c.conversation });
    if (store.conversation.value === c.conversation) store.leave();
  }).then((ok) => void (ok || look())); // it is still there
}
addEventListener("pagehide", finish);

/** Saves a conversation where the browser saves files. */
export async function save(c: ConvInfo, format: "md" | "json"): Promise<void> {
  await attempt(async () => download(await call("conversation.export", { conversation: c.conversation, format })));
}
