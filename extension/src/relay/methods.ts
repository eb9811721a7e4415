// What the host may ask of the browser: one entry a method, each a thin call
// of chrome.*. No decision is made here; the gate stands in the host.

import type {
  BadgeParams, CDPSendParams, DebugTarget, InjectResult, TabInfo, TabParams, TabsCreateParams,
} from "../gen/native";

/** The tab as the host knows it. */
export function tabInfo(t: chrome.tabs.Tab): TabInfo {
  return {
    tabId: t.id ?? -1,
    windowId: t.windowId,
    index: t.index,
    url: t.url || t.pendingUrl || "",
    title: t.title ?? "",
    active: t.active,
    status: t.status,
    discarded: t.discarded,
    openerTabId: t.openerTabId,
  };
}

/** The tabs this extension's debugger is attached to, as far as this life of the worker knows. */
export const attached = new Set<number>();

async function attach({ tabId }: TabParams): Promise<object> {
  await chrome.debugger.attach({ tabId }, "1.3");
  attached.add(tabId);
  return {};
}

async function detach({ tabId }: TabParams): Promise<object> {
  attached.delete(tabId);
  await chrome.debugger.detach({ tabId });
  return {};
}

async function send({ tabId, sessionId, method, params }: CDPSendParams): Promise<object> {
  const to: chrome.debugger.DebuggerSession = sessionId ? { tabId, sessionId } : { tabId };
  return (await chrome.debugger.sendCommand(to, method, (params ?? {}) as object)) ?? {};
}

async function targets(): Promise<DebugTarget[]> {
  const all = await chrome.debugger.getTargets();
  return all.map((t) => ({ id: t.id, type: t.type, tabId: t.tabId, attached: t.attached, title: t.title, url: t.url }));
}

async function createTab({ url, active, windowId, openerTabId }: TabsCreateParams): Promise<TabInfo> {
  const windows = await chrome.windows.getAll({ windowTypes: ["normal"] });
  if (windows.length > 0) return tabInfo(await chrome.tabs.create({ url, active, windowId, openerTabId }));
  // On a Mac the browser runs on without a window, and a tab needs one.
  const tab = (await chrome.windows.create({ url, focused: active }))?.tabs?.[0];
  if (!tab) throw new Error("The browser opened no window.");
  return tabInfo(tab);
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

async function badge({ text }: BadgeParams): Promise<object> {
  await chrome.action.setBadgeBackgroundColor({ color: "#b45309" });
  await chrome.action.setBadgeText({ text });
  return {};
}

async function reload(): Promise<object> {
  setTimeout(() => chrome.runtime.reload(), 100); // after the answer has left
  return {};
}

type Method<P> = (params: P) => Promise<unknown>;

function take<P>(m: Method<P>): Method<unknown> {
  return (params) => m((params ?? {}) as P); // the types are generated from the host's own
}

export const methods: Readonly<Record<string, Method<unknown>>> = {
  "cdp.attach": take(attach),
  "cdp.detach": take(detach),
  "cdp.send": take(send),
  "cdp.targets": take(targets),
  "tabs.list": async () => (await chrome.tabs.query({})).map(tabInfo),
  "tabs.get": take(async ({ tabId }: TabParams) => tabInfo(await chrome.tabs.get(tabId))),
  "tabs.create": take(createTab),
  "tabs.activate": take(async ({ tabId }: TabParams) => (await chrome.tabs.update(tabId, { active: true }), {})),
  "tabs.remove": take(async ({ tabId }: TabParams) => (await chrome.tabs.remove(tabId), {})),
  "scripting.inject": take(inject),
  "action.badge": take(badge),
  "extension.reload": reload,
  ping: async () => ({}),
};
