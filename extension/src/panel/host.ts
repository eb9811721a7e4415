// The panel's one connection to the host: calls, events, and the error of a
// failed call for the user to read.

import { signal } from "@preact/signals";
import type { Error as WireError, Methods } from "../gen/wire";
import { HostError, Link, type LinkEvents } from "./link";

/** The error of what the user last asked for, with a hint. */
export const problem = signal<WireError | undefined>(undefined);

/** The handlers of status and events; store.ts sets them before the connection is opened. */
export const heard: LinkEvents = { status: () => undefined, event: () => undefined };

export const link = new Link({ status: (s) => heard.status(s), event: (name, params) => heard.event(name, params) });

export function call<M extends keyof Methods>(method: M, params: Methods[M]["params"]): Promise<Methods[M]["result"]> {
  return link.call(method, params);
}

/**
 * Runs what the user asked for; shows its error, and returns whether it
 * succeeded. If the panel does it by itself, a lost connection is not shown:
 * everything is asked for again once it is back.
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
