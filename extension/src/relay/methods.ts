// The methods that the host may call in the browser, each a thin call of
// chrome.*. No decision is made here; the gate is in the host.

import type {
  CDPBatchParams, CDPBatchResult, CDPSendParams, DebugTarget, Empty, FollowParams, InjectResult, Methods, TabInfo, TabParams, TabsCreateParams,
} from "../gen/wire";
import { Follow } from "./follow";
import { gather } from "./groups";
import { openerOf, openersRead } from "./openers";
import { paused } from "./paused";

/** Returns a tab's address; before it has one, the address it loads first. */
export function address(t: chrome.tabs.Tab): string {
  return t.url || t.pendingUrl || "";
}

/** The tab as the host knows it. */
export function tabInfo(t: chrome.tabs.Tab): TabInfo {
  return {
    tabId: t.id ?? -1,
    windowId: t.windowId,
    index: t.index,
    url: address(t),
    title: t.title ?? "",
    active: t.active,
    status: t.status,
    discarded: t.discarded,
    openerTabId: openerOf(t),
  };
}

/** The tabs this extension's debugger is attached to, as far as this run of the worker knows: after a stop, a tab's next command adds it again. While there are any, the host is tried more often; only these are followed. */
export const attached = new Set<number>();

/** Injects the extractor into each new document of some tabs. */
export const follow = new Follow((tabId) => attached.has(tabId));

/** tab → the time of the last command by which its page may open another tab, in ms since 1970. */
export const acted = new Map<number, number>();

/** Forgets a tab that is closed or detached. */
export function forget(tabId: number): void {
  attached.delete(tabId);
  acted.delete(tabId);
  follow.end(tabId);
}

function note(tabId: number, method: string): void {
  if (/^(Input|Runtime)\.|^Page\.handleJavaScriptDialog$/.test(method)) acted.set(tabId, Date.now());
}

async function attach({ tabId }: TabParams): Promise<Empty> {
  await chrome.debugger.attach({ tabId }, "1.3");
  attached.add(tabId);
  return {};
}

async function detach({ tabId }: TabParams): Promise<Empty> {
  forget(tabId);
  try {
    await chrome.debugger.detach({ tabId });
  } finally {
    forget(tabId); // a command that was answered meanwhile added it again
  }
  return {};
}

async function send({ tabId, sessionId, method, params }: CDPSendParams): Promise<object> {
  const to: chrome.debugger.DebuggerSession = sessionId ? { tabId, sessionId } : { tabId };
  paused.sent(method, params as object | undefined);
  note(tabId, method);
  const result = (await chrome.debugger.sendCommand(to, method, (params ?? {}) as object)) ?? {};
  attached.add(tabId); // a worker that was stopped meanwhile does not have it
  return result;
}

/** Sends many commands that came in one message: single messages and their answers would be copied several times on the way. */
async function batch({ tabId, sessionId, commands }: CDPBatchParams): Promise<CDPBatchResult> {
  const to: chrome.debugger.DebuggerSession = sessionId ? { tabId, sessionId } : { tabId };
  for (const c of commands ?? []) note(tabId, c.method);
  const errors = await Promise.all((commands ?? []).map((c) =>
    chrome.debugger.sendCommand(to, c.method, (c.params ?? {}) as object).then(() => "", (e: unknown) => (e instanceof Error ? e.message : String(e)) || "failed")));
  return errors.some((e) => e !== "") ? { errors } : {};
}

async function targets(): Promise<DebugTarget[]> {
  const all = await chrome.debugger.getTargets();
  return all.map((t) => ({ id: t.id, type: t.type, tabId: t.tabId, attached: t.attached, title: t.title, url: t.url }));
}

/** Tabs that are being opened: if the host that asked for one is gone before it is open, the next host looks for it in the list. */
const opening = new Set<Promise<unknown>>();
/** How long the list of tabs waits for them. */
const openingMs = 2000;

async function createTab({ url, active, windowId, openerTabId, group }: TabsCreateParams): Promise<TabInfo> {
  const opened = open({ url, active, windowId, openerTabId });
  const done = (): void => { opening.delete(opened); };
  opening.add(opened);
  opened.then(done, done);
  const tab = await opened;
  if (!tab) throw new Error("The browser opened no window.");
  if (group) await gather(tab, group);
  return tabInfo(tab);
}

async function open(p: chrome.tabs.CreateProperties): Promise<chrome.tabs.Tab | undefined> {
  const windows = await chrome.windows.getAll({ windowTypes: ["normal"] });
  if (windows.length > 0) return chrome.tabs.create(p);
  // On a Mac the browser runs on without a window, and a tab needs one.
  return (await chrome.windows.create({ url: p.url, focused: p.active }))?.tabs?.[0];
}

async function listTabs(): Promise<TabInfo[]> {
  if (opening.size > 0) await Promise.race([Promise.allSettled(opening), new Promise((done) => setTimeout(done, openingMs))]);
  await openersRead();
  return (await chrome.tabs.query({})).map(tabInfo);
}

async function inject({ tabId }: TabParams): Promise<InjectResult> {
  // The script does nothing in a frame that has it already.
  const frames = await chrome.scripting.executeScript({
    target: { tabId, allFrames: true },
    files: ["extractor.js"],
    world: "ISOLATED",
    injectImmediately: true,
  });
  return { frames: frames.map((f) => ({ frameId: f.frameId, documentId: f.documentId })) };
}

async function followTab({ tabId, look }: FollowParams): Promise<Empty> {
  // Nothing would end the listening for a tab that is gone already: for it this
  // command fails. Only the browser process handles it, which knows what is
  // attached even if the worker was stopped.
  if (!attached.has(tabId)) await send({ tabId, method: "Page.getNavigationHistory" });
  follow.start(tabId, look);
  return {};
}

async function reload(): Promise<Empty> {
  setTimeout(() => chrome.runtime.reload(), 100); // after the answer has left
  return {};
}

/** The methods of the wire that the relay answers. */
type Mine =
  | "cdp.attach" | "cdp.detach" | "cdp.send" | "cdp.batch" | "cdp.targets"
  | "tabs.list" | "tabs.get" | "tabs.create" | "tabs.activate" | "tabs.remove"
  | "scripting.inject" | "scripting.follow" | "extension.reload" | "ping";

type Table = { [M in Mine]: (params: Methods[M]["params"]) => Promise<Methods[M]["result"]> };

const table: Table = {
  "cdp.attach": attach,
  "cdp.detach": detach,
  "cdp.send": send,
  "cdp.batch": batch,
  "cdp.targets": targets,
  "tabs.list": listTabs,
  "tabs.get": async ({ tabId }) => tabInfo(await chrome.tabs.get(tabId)),
  "tabs.create": createTab,
  "tabs.activate": async ({ tabId }) => (await chrome.tabs.update(tabId, { active: true }), {}),
  "tabs.remove": async ({ tabId }) => (await chrome.tabs.remove(tabId), {}),
  "scripting.inject": inject,
  "scripting.follow": followTab,
  "extension.reload": reload,
  ping: async () => ({}),
};

/** Returns the method of that name, or undefined; params are of its type because both sides are generated from the same Go types. */
export function method(name: string): ((params: unknown) => Promise<unknown>) | undefined {
  return Object.hasOwn(table, name) ? (table[name as Mine] as (params: unknown) => Promise<unknown>) : undefined;
}
