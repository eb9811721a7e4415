// Programs without a model of ours that work in this browser, and the user's
// rules: asked of the host anew whenever something may have changed.

import { signal } from "@preact/signals";
import type { PolicyInfo, SessionInfo } from "../gen/wire";
import { attempt, call } from "./host";
import { targetTab } from "./tabs";

export const programs = signal<readonly SessionInfo[]>([]);
/** What the user granted on which site, and whether their policy file is in force. */
export const policy = signal<PolicyInfo | undefined>(undefined);
/** The tab the user looks at, 0 when nothing can be done in it. */
export const here = signal(0);

export async function lookAtPrograms(): Promise<void> {
  const { sessions } = await call("session.list", {});
  programs.value = sessions ?? [];
  if (programs.value.length > 0) await lookHere();
  policy.value = await call("policy.show", {}).catch(() => undefined); // of a broker that is older
}

export async function lookHere(): Promise<void> {
  if (programs.value.length > 0) here.value = await targetTab();
}

/** What a user does to a program; the list is looked at again after it. */
function toProgram(what: () => Promise<unknown>): Promise<boolean> {
  return attempt(async () => {
    await what();
    await lookAtPrograms();
  });
}

export function letUse(session: string, tabId: number): Promise<boolean> {
  return toProgram(() => call("session.hand", { session, tabId }));
}

export function takeBack(session: string, tabId: number): Promise<boolean> {
  return toProgram(() => call("session.take", { session, tabId }));
}

export function pauseProgram(task: string): Promise<boolean> {
  return toProgram(() => call("task.pause", { task }));
}

export function resumeProgram(task: string): Promise<boolean> {
  return toProgram(() => call("task.resume", { task }));
}

export function stopProgram(task: string): Promise<boolean> {
  return toProgram(() => call("task.stop", { task }));
}

/** Takes back what was granted on a site. */
export function revoke(id: string): Promise<boolean> {
  return attempt(async () => void (policy.value = await call("policy.revoke", { id })));
}
