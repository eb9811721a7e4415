// Programs that work in this browser without a model of ours, and the user's
// rules: requested from the host whenever they may have changed.

import { signal } from "@preact/signals";
import type { PolicyInfo, SessionInfo } from "../gen/wire";
import { attempt, call } from "./host";
import { targetTab } from "./tabs";

export const programs = signal<readonly SessionInfo[]>([]);
/** The user's rules by site, and whether their policy file is in force. */
export const policy = signal<PolicyInfo | undefined>(undefined);
/** The tab the user looks at, 0 if it can't be driven. */
export const here = signal(0);

export async function lookAtPrograms(): Promise<void> {
  const { sessions } = await call("session.list", {});
  programs.value = sessions ?? [];
  if (programs.value.length > 0) await lookHere();
  policy.value = await call("policy.show", {}).catch(() => undefined); // an older broker lacks the method
}

export async function lookHere(): Promise<void> {
  if (programs.value.length > 0) here.value = await targetTab();
}

/** Runs a change of a program, and reads the list again. */
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

/** Revokes a rule for a site. */
export function revoke(id: string): Promise<boolean> {
  return attempt(async () => void (policy.value = await call("policy.revoke", { id })));
}
