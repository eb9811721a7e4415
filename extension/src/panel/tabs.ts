// Which tab a task begins in, and whether the page beside the panel is one that
// can be driven at all.

import { signal } from "@preact/signals";

/** Pages that no extension can drive: Chrome's own, its Web Store, its PDF viewer. */
export type Undrivable = "chrome" | "store" | "pdf";

/** What the page beside the panel is of these; undefined where it can be driven. */
export const undrivable = signal<Undrivable | undefined>(undefined);

const STORES = /^https:\/\/(?:chromewebstore\.google\.com|chrome\.google\.com\/webstore|microsoftedge\.microsoft\.com\/addons)(?:[/?#]|$)/;

function undrivableKind(url: string | undefined): Undrivable | undefined {
  if (!url) return undefined;
  if (STORES.test(url)) return "store";
  if (/^(?:https?|file):[^?#]*\.pdf(?:[?#]|$)/i.test(url)) return "pdf";
  return isPage(url) || /^(?:file:|about:blank)/.test(url) ? undefined : "chrome";
}

let turn = 0; // of the newest look; an older one says nothing

async function look(): Promise<void> {
  const mine = ++turn;
  const tab = await beside();
  const byAddress = undrivableKind(tab?.url);
  if (mine !== turn) return;
  undrivable.value = byAddress;
  if (!tab?.id || !isPage(tab.url) || byAddress === "store") return;
  const type = await contentType(tab.id);
  if (mine === turn && type) undrivable.value = type === "application/pdf" ? "pdf" : undefined;
}

/** What the page is says more than its address: a PDF need not be called one. */
async function contentType(tabId: number): Promise<string | undefined> {
  try {
    const [got] = await chrome.scripting.executeScript({ target: { tabId }, func: () => document.contentType, injectImmediately: true });
    return got?.result;
  } catch {
    return undefined; // a page that takes no scripts
  }
}

/** Keeps undrivable as it is while the user goes from page to page. */
export function watchPage(): void {
  chrome.tabs.onActivated.addListener(() => void look());
  chrome.tabs.onUpdated.addListener((_id, change) => void ((change.url || change.status === "complete") && look()));
  void look();
}

/** The tab the panel is beside. */
async function beside(): Promise<chrome.tabs.Tab | undefined> {
  if (await inSidePanel()) return (await chrome.tabs.query({ active: true, currentWindow: true }))[0];
  const tabs = (await chrome.tabs.query({ currentWindow: true })).filter((t) => isPage(t.url));
  return tabs.sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0];
}

/** True when this page is the side panel, false when it was opened as a tab of its own. */
async function inSidePanel(): Promise<boolean> {
  return (await chrome.tabs.getCurrent()) === undefined;
}

/**
 * The tab the user looks at, or 0 for "open a new one": the active tab of
 * the panel's window; beside a panel that is a tab itself, the page looked at
 * last. `?tab=ID` names one outright.
 */
export async function targetTab(): Promise<number> {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (Number.isInteger(named) && named > 0) return named;
  const tab = await beside();
  return tab && workable(tab) ? tab.id ?? 0 : 0;
}

/** Opens a page where the user sees it and the panel stays in sight. Gives the tab's id. */
export async function openPage(url: string): Promise<number> {
  if (await inSidePanel()) return (await chrome.tabs.create({ url, active: true })).id ?? 0;
  const made = await chrome.windows.create({ url, focused: false });
  return made?.tabs?.[0]?.id ?? 0;
}

function isPage(url: string | undefined): boolean {
  return url !== undefined && /^https?:/.test(url);
}

/** Chrome's own pages refuse the debugger; the task gets a tab of its own then. */
function workable(tab: chrome.tabs.Tab): boolean {
  const kind = undrivableKind(tab.url);
  return tab.url !== undefined && kind !== "chrome" && kind !== "store";
}
