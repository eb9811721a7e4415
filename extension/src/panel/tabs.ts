// Which tab a task begins in.

/** True when this page is the side panel, false when it was opened as a tab of its own. */
export async function inSidePanel(): Promise<boolean> {
  return (await chrome.tabs.getCurrent()) === undefined;
}

/**
 * The tab the person looks at, or 0 for "open a new one": the active tab of
 * the panel's window; beside a panel that is a tab itself, the page looked at
 * last. `?tab=ID` names one outright.
 */
export async function targetTab(): Promise<number> {
  const named = Number(new URLSearchParams(location.search).get("tab"));
  if (Number.isInteger(named) && named > 0) return named;
  if (await inSidePanel()) {
    const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
    return tab && workable(tab) ? tab.id ?? 0 : 0;
  }
  const tabs = (await chrome.tabs.query({ currentWindow: true })).filter((t) => isPage(t.url));
  tabs.sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0));
  return tabs[0]?.id ?? 0;
}

/** Opens a page where the person sees it and the panel stays in sight. Gives the tab's id. */
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
  return isPage(tab.url) || tab.url === "about:blank" || /^file:/.test(tab.url ?? "");
}
