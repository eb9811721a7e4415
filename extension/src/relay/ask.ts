// "Ask Tabwright about this" in the context menu: opens the panel, and leaves
// for it what was selected, or the link that was pointed at.

import { ASK, type Asked } from "../panel/asked";
import { words } from "./words";

const ITEM = "ask";

/** Chrome keeps the item; it is made anew with each version and language. */
export function offer(): void {
  chrome.contextMenus.removeAll(() => {
    chrome.contextMenus.create({ id: ITEM, title: words.ask, contexts: ["page", "selection", "link"] });
  });
}

/** Must run in the worker's first turn, or Chrome does not wake it for the click. */
export function listen(): void {
  chrome.contextMenus.onClicked.addListener((info, tab) => {
    if (info.menuItemId !== ITEM || !tab) return;
    // First of all: opening takes the user's click, which an await would lose.
    chrome.sidePanel.open({ windowId: tab.windowId }).catch((e) => console.warn("tabwright: panel not opened:", e));
    void leave(info, tab);
  });
}

async function leave(info: chrome.contextMenus.OnClickData, tab: chrome.tabs.Tab): Promise<void> {
  const text = info.selectionText ? await selected(info, tab) : info.linkUrl ?? "";
  const asked: Asked = { windowId: tab.windowId, text, url: info.frameUrl ?? info.pageUrl ?? tab.url ?? "" };
  await chrome.storage.session.set({ [ASK]: asked });
}

/** The selection with its lines; what the menu gives has none. */
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
