// "Ask Tabwright about this" in the context menu: opens the panel and stores
// the selected text, or the address of the link, for it.

import { ASK, type Asked } from "../panel/asked";
import { words } from "./words";

const ITEM = "ask";

/** Creates the menu item, in place of an earlier one. Chrome keeps it across restarts. */
export function offer(): void {
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: ITEM, title: words.ask, contexts: ["page", "selection", "link"] });
  });
}

/** Must run in the worker's first turn, or Chrome does not wake it for the click. */
export function listen(): void {
  chrome.contextMenus.onClicked.addListener((info, tab) => {
    if (info.menuItemId !== ITEM || !tab) return;
    // This comes first: open needs the user's click, which an await would lose.
    chrome.sidePanel.open({ windowId: tab.windowId }).catch((e) => console.warn("tabwright: panel not opened:", e));
    void leave(info, tab);
  });
}

async function leave(info: chrome.contextMenus.OnClickData, tab: chrome.tabs.Tab): Promise<void> {
  const text = info.selectionText ? await selected(info, tab) : info.linkUrl ?? "";
  const asked: Asked = { windowId: tab.windowId, text, url: info.frameUrl ?? info.pageUrl ?? tab.url ?? "" };
  await chrome.storage.session.set({ [ASK]: asked });
}

/** Returns the selection with its line breaks, which info.selectionText lacks. */
async function selected(info: chrome.contextMenus.OnClickData, tab: chrome.tabs.Tab): Promise<string> {
  const plain = info.selectionText ?? "";
  if (tab.id === undefined) return plain;
  try {
    const [got] = await chrome.scripting.executeScript({
      target: { tabId: tab.id, frameIds: [info.frameId ?? 0] }, func: () => getSelection()?.toString() ?? "",
    });
    return got?.result || plain;
  } catch {
    return plain; // a page that takes no scripts
  }
}
