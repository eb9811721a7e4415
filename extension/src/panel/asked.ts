// What the context menu leaves for the panel, in chrome.storage.session: the
// panel may only just be opening, or the worker may be stopped in between.

export const ASK = "ask";

export interface Asked {
  windowId: number;
  text: string; // selected, or a link's address; empty: the page as it is
  url: string;
}
