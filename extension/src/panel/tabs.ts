// Finds the tab a task begins in, and whether the page beside the panel can be
// driven at all.

import { signal } from "@preact/signals";

/** Pages that no extension can drive: Chrome's own, its Web Store, its PDF viewer. */
export type Undrivable = "chrome" | "store" | "pdf";

/** The kind of the page beside the panel; undefined if it can be driven. */
export const undrivable = signal<Undrivable | undefined>(undefined);

const STORES = /^https:\/\/(?:chromewebstore\.google\.com|chrome\.google\.com\/webstore|microsoftedge\.microsoft\.com\/addons)(?:[/?#]|$)/;

function undrivableKind(url: string | undefined): Undrivable | undefined {
  if (!url) return undefined;
  if (STORES.test(url)) return "store";
  if (/^(?:https?|file):[^?#]*\.pdf(?:[?#]|$)/i.test(url)) return "pdf";
  return isPage(url) || /^(?:file:|about:blank)/.test(url) ? undefined : "chrome";
}

let turn = 0; // of the newest look; older ones change nothing

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

/** Returns the content type of the page; the address of a PDF need not show that it is one. */
async function contentType(tabId: number): Promise<string | undefined> {
  try {
    const [got] = await chrome.scripting.executeScript({ target: { tabId }, func: () => document.contentType, injectImmediately: true });
    return got?.result;
  } catch {
    return undefined; // a page that takes no scripts
  }
}

/** Keeps undrivable up to date while the user goes from page to page. */
export function watchPage(): void {
  chrome.tabs.onActivated.addListener(() => void look());
  chrome.tabs.onUpdated.addListener((_id, change) => void ((change.url || change.status === "complete") && look()));
  void look();
}

/** Returns the tab beside the panel. */
async function beside(): Promise<chrome.tabs.Tab | undefined> {
  if (await inSidePanel()) return (await chrome.tabs.query({ active: true, currentWindow: true }))[0];
  const tabs = (await chrome.tabs.query({ currentWindow: true })).filter((t) => isPage(t.url));
  return tabs.sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0];
}

/** Reports whether this page is the side panel; false if it was opened as a tab. */
async function inSidePanel(): Promise<boolean> {
  return (await chrome.tabs.getCurrent()) === undefined;
}

/**
 * Returns the tab the user looks at, or 0 for "open a new one": the active tab
 * of the panel's window, or, if the panel is a tab itself, the last page the user
 * looked at. `?tab=ID` in the panel's address overrides both.
 */
export async function targetTab(): Promise<number> {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (Number.isInteger(named) && named > 0) return named;
  const tab = await beside();
  return tab && workable(tab) ? tab.id ?? 0 : 0;
}

/** Opens a page where the user sees it and the panel stays in sight. Returns the tab's id. */
export async function openPage(url: string): Promise<number> {
  if (await inSidePanel()) return (await chrome.tabs.create({ url, active: true })).id ?? 0;
  const made = await chrome.windows.create({ url, focused: false });
  return made?.tabs?.[0]?.id ?? 0;
}

function isPage(url: string | undefined): boolean {
  return url !== undefined && /^https?:/.test(url);
}

/** Reports whether a task can use the tab: Chrome's own pages refuse the debugger. */
function workable(tab: chrome.tabs.Tab): boolean {
  const kind = undrivableKind(tab.url);
  return tab.url !== undefined && kind !== "chrome" && kind !== "store";
}
