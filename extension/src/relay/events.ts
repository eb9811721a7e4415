// The events of the browser that go to the host.

import type { Events } from "../gen/wire";
import { Front } from "./front";
import { address, follow, forget, tabInfo } from "./methods";
import { Births } from "./openers";
import { paused } from "./paused";
import { Wanted, wantedPart } from "./wanted";

type Emit = <E extends keyof Events>(method: E, params: Events[E]) => void;

const heard = new Wanted();
const births = new Births();
const front = new Front();

/** Listens to chrome.*; must run in the worker's first turn, or Chrome does not wake it for these events. */
export function listen(emit: Emit, connected: () => boolean): void {
  chrome.debugger.onEvent.addListener((source, method, params) => {
    if (method === "Fetch.requestPaused" && !connected()) {
      // No host is there to judge the request, and the user's page must not hang.
      const requestId = params && "requestId" in params ? params.requestId : undefined;
      void chrome.debugger.sendCommand(source, "Fetch.continueRequest", { requestId }).catch(() => undefined);
      return;
    }
    if (method === "Fetch.requestPaused") params = paused.begins(source, params);
    if (source.tabId === undefined) return;
    if (method.startsWith("Page.javascriptDialog")) front.heard(source.tabId, method, params ?? {});
    if (!heard.has(method, params)) return;
    emit("cdp.event", { tabId: source.tabId, sessionId: source.sessionId, method, params: wantedPart(method, params) });
  });
  chrome.debugger.onDetach.addListener((source, reason) => {
    if (source.tabId === undefined) return;
    forget(source.tabId);
    front.detached(source.tabId);
    emit("cdp.detached", { tabId: source.tabId, reason });
  });

  follow.begin();
  births.begin();
  void front.begin().catch(() => undefined);
  const born = (tab: chrome.tabs.Tab) => (): void => emit("tabs.created", tabInfo(tab));
  chrome.tabs.onCreated.addListener((tab) => births.created(tab.id ?? -1, address(tab), born(tab)));
  chrome.webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId }) => {
    births.opened(tabId, sourceTabId);
    void front.opened(tabId, sourceTabId).catch(() => undefined); // either may be gone
  });
  chrome.tabs.onUpdated.addListener((id, change, tab) => {
    if (change.status || change.url || change.title !== undefined || change.discarded !== undefined) {
      const tell = (): void => emit("tabs.updated", tabInfo(tab));
      if (!births.updated(id, address(tab), tell)) tell();
    }
  });
  chrome.tabs.onRemoved.addListener((tabId) => {
    forget(tabId);
    front.removed(tabId);
    births.removed(tabId);
    emit("tabs.removed", { tabId });
  });
  chrome.tabs.onReplaced.addListener(async (tabId, was) => {
    forget(was);
    front.replaced(tabId, was);
    births.replaced(tabId, was);
    // A discarded tab has no page and no size until the user comes back to it:
    // for a program it is closed.
    const tab = await chrome.tabs.get(tabId).catch(() => undefined);
    if (tab?.discarded) emit("tabs.removed", { tabId: was });
    else emit("tabs.replaced", { tabId, was });
  });
  chrome.tabs.onDetached.addListener((tabId) => front.removed(tabId));
  chrome.windows.onRemoved.addListener((windowId) => front.closed(windowId));
  chrome.tabs.onActivated.addListener(({ tabId, windowId }) => {
    front.activated(tabId, windowId);
    emit("tabs.activated", { tabId });
  });
  // Another window came to the front: the user looks at its active tab now.
  chrome.windows.onFocusChanged.addListener(async (windowId) => {
    front.focused(windowId);
    if (windowId === chrome.windows.WINDOW_ID_NONE) return;
    const [tab] = await chrome.tabs.query({ active: true, windowId });
    if (tab?.id !== undefined) emit("tabs.activated", { tabId: tab.id });
  });

  const download = (d: chrome.downloads.DownloadItem): void =>
    emit("downloads.event", {
      id: d.id, url: d.finalUrl || d.url, filename: d.filename, mime: d.mime, state: d.state, bytes: d.bytesReceived,
      error: d.error,
    });
  chrome.downloads.onCreated.addListener(download);
  chrome.downloads.onChanged.addListener(async ({ id, state, filename }) => {
    if (!state && !filename) return; // progress of no interest
    const [item] = await chrome.downloads.search({ id });
    if (item) download(item);
  });
}
