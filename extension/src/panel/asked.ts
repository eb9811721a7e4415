// The context menu's request to the panel, kept in chrome.storage.session: the
// panel may still be opening, or the worker may be stopped in between.

export const ASK = "ask";

export interface Asked {
  windowId: number;
  text: string; // the selection, or a link's address; empty for the page itself
  url: string;
}
