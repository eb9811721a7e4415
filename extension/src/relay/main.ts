// The relay: Tabwright's service worker. It joins three things and decides
// nothing: the native host (host.ts), the browser (methods.ts for requests
// of the host, events.ts for events) and the side panels (panels.ts). It keeps
// no state that matters; Chrome may stop it at any time.

import type { AttentionInfo, Code, Error as WireError, Events, Message } from "../gen/wire";
import * as ask from "./ask";
import { Attention } from "./attention";
import { listen } from "./events";
import { Host } from "./host";
import { hello } from "./identity";
import { attached, method } from "./methods";
import { Panels } from "./panels";
import { paused } from "./paused";

/** Requests of the host that are not answered yet. */
const running = new Set<number>();

const host: Host = new Host({
  hello,
  message: fromHost,
  status: (s) => {
    if (s.connected) for (const chan of panels.open) emit("channel.open", { chan });
    else {
      attention.set(undefined);
      paused.lost();
    }
    panels.status(s);
  },
  wanted: () => panels.open.length > 0 || attached.size > 0,
});

const panels: Panels = new Panels({
  opened: (chan) => {
    emit("channel.open", { chan });
    host.connect();
    attention.show();
  },
  closed: (chan) => {
    emit("channel.close", { chan });
    attention.show();
  },
  message: fromPanel,
  retry: () => host.connect(),
  status: () => host.status,
});

const attention: Attention = new Attention(() => panels.open.length > 0);

function fromHost(m: Message): void {
  if (m.chan) return panels.deliver(m);
  if (m.kind === "evt" && m.method === "relay.attention") return attention.set(m.params as AttentionInfo);
  if (m.kind === "req" && m.id !== undefined) void answer(m.id, m.method ?? "", m.params);
  if (m.kind === "cancel" && m.id !== undefined && running.delete(m.id)) {
    // The browser cannot take a command back; its answer, if one comes, is dropped.
    host.send({ kind: "res", id: m.id, error: fault("cancelled", "The host withdrew the request.") });
  }
}

async function answer(id: number, name: string, params: unknown): Promise<void> {
  running.add(id);
  const res = await result(id, name, params);
  if (!running.delete(id)) return; // withdrawn
  try {
    host.send(res);
  } catch (e) {
    host.send({ kind: "res", id, error: fault("too_large", text(e)) });
  }
}

async function result(id: number, name: string, params: unknown): Promise<Message> {
  const run = method(name);
  if (!run) return { kind: "res", id, error: fault("unknown_method", `The extension has no method ${name}.`) };
  try {
    return { kind: "res", id, result: await run(params ?? {}) };
  } catch (e) {
    return { kind: "res", id, error: fault("browser", text(e)) };
  }
}

function fromPanel(m: Message): void {
  if (host.status.connected) return host.send(m);
  if (m.kind === "req") panels.deliver({ kind: "res", chan: m.chan, id: m.id, error: fault("closed", "The host is not connected.") });
}

function emit<E extends keyof Events>(method: E, params: Events[E]): void {
  host.send({ kind: "evt", method, params });
}

function fault(code: Code, message: string): WireError {
  return { code, message };
}

function text(e: unknown): string {
  return e instanceof Error ? e.message : String(e);
}

listen(emit, () => host.status.connected);
ask.listen();
chrome.runtime.onConnect.addListener((port) => panels.accept(port));
// These listeners make Chrome start this worker with the browser and after an update.
chrome.runtime.onStartup.addListener(() => host.connect());
chrome.runtime.onInstalled.addListener(() => {
  ask.offer();
  host.connect();
});
void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
// Tabs may still be attached from before Chrome stopped the worker.
void chrome.debugger.getTargets().then((all) => {
  for (const t of all) if (t.attached && t.tabId !== undefined) attached.add(t.tabId);
});
host.connect();

