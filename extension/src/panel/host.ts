// The panel's one line to the host: calls, what is heard, and what a failed
// call leaves for the user to read.

import { signal } from "@preact/signals";
import type { Error as WireError, Methods } from "../gen/wire";
import { HostError, Link, type LinkEvents } from "./link";

/** What a user asked for and did not get, with what to do. */
export const problem = signal<WireError | undefined>(undefined);

/** Who hears of the line; store.ts sets it before the line is opened. */
export const heard: LinkEvents = { status: () => undefined, event: () => undefined };

export const link = new Link({ status: (s) => heard.status(s), event: (name, params) => heard.event(name, params) });

export function call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
  return link.call(method, params);
}

/**
 * Runs what a user asked for; its failure is shown, with what to do. Of what
 * the panel does by itself, a line that went down is no news: with its return
 * everything is asked for again.
 */
export async function attempt(what: () => Promise<void>, byItself = false): Promise<boolean> {
  try {
    await what();
    return true;
  } catch (e) {
    if (byItself && e instanceof HostError && e.wire.code === "closed") return false;
    problem.value = e instanceof HostError ? e.wire : { code: "internal", message: String(e) };
    return false;
  }
}
