// The tab group of the tabs that the host opened: one in each window, found by
// its title and colour, so that no id is stored. Chrome removes a group with
// its last tab. A tab is put in once, when it is opened: one that the user drags
// out of the group stays out.

import type { TabGroup } from "../gen/wire";

/** Chrome refuses to move tabs while a user drags one. */
const TRIES = 4;
const AGAIN_MS = 150;

/** The end of the last call: two tabs opened at once would make a group each. */
let turn: Promise<void> = Promise.resolve();

/** Puts a tab into its window's group. A failure is only logged: the tab is open all the same. */
export function gather(tab: chrome.tabs.Tab, group: TabGroup): Promise<void> {
  turn = turn.then(() => put(tab, group));
  return turn;
}

async function put(tab: chrome.tabs.Tab, { title, color }: TabGroup): Promise<void> {
  if (tab.id === undefined) return;
  const look: chrome.tabGroups.QueryInfo = { windowId: tab.windowId, title, color: color as `${chrome.tabGroups.Color}` };
  for (let n = 1; ; n++) {
    try {
      const [found] = await chrome.tabGroups.query(look);
      if (found) {
        await chrome.tabs.group({ tabIds: [tab.id], groupId: found.id });
        return;
      }
      const made = await chrome.tabs.group({ tabIds: [tab.id], createProperties: { windowId: tab.windowId } });
      await chrome.tabGroups.update(made, { title, color: look.color });
      return;
    } catch (e) {
      if (n >= TRIES) return console.warn("tabwright: tab not grouped:", e);
      await new Promise((done) => setTimeout(done, AGAIN_MS));
    }
  }
}
