// Keeps in front what the person has in front. A page may bring itself there,
// though it is covered and only the host acts in it: a tab or window that it
// opens comes to the front, and so does a page that asks whether to be left.
// What stood there before is put back, and the person's keys go on to where they
// typed. Of a tab that is in front anyway nothing is put back.

import { attached } from "./methods";

interface Shown { now: number; was?: number }

/** How long a window that a page opened may take to come to the front, in ms. */
const COMES_MS = 1000;
const NONE = -1; // chrome.windows.WINDOW_ID_NONE

export class Front {
  private readonly shown = new Map<number, Shown>(); // window → the tab in front
  private readonly asking = new Map<number, { windowId: number; was: number; back: number }>(); // tabs that ask whether to be left
  private window = NONE; // that has the keyboard
  private before = NONE; // that had it before
  private coming = { windowId: NONE, back: NONE, until: 0 };

  /** Learns what is in front now. */
  async begin(): Promise<void> {
    for (const t of await chrome.tabs.query({ active: true })) {
      if (t.id !== undefined && !this.shown.has(t.windowId)) this.shown.set(t.windowId, { now: t.id });
    }
    const last = await chrome.windows.getLastFocused();
    if (this.window === NONE && last.focused && last.id !== undefined) this.window = last.id;
  }

  activated(tabId: number, windowId: number): void {
    const s = this.shown.get(windowId);
    if (s?.now !== tabId) this.shown.set(windowId, { now: tabId, was: s?.now });
  }

  /** Another window has the keyboard, or another program (NONE). */
  focused(windowId: number): void {
    if (windowId === this.window) return;
    [this.before, this.window] = [this.window, windowId];
    const c = this.coming;
    if (windowId !== c.windowId || windowId === NONE || Date.now() > c.until) return;
    this.coming = { windowId: NONE, back: NONE, until: 0 };
    focus(c.back);
  }

  /** A page opened a tab. */
  async opened(tabId: number, by: number): Promise<void> {
    if (!attached.has(by)) return;
    const [tab, opener] = await Promise.all([chrome.tabs.get(tabId), chrome.tabs.get(by)]);
    if (!tab.active) return;
    const s = this.shown.get(opener.windowId);
    const covering = tab.windowId === opener.windowId && s?.now === tabId ? s.was : s?.now;
    if (covering === undefined || covering === by) return;
    if (tab.windowId === opener.windowId) return show(covering);
    const back = this.window === tab.windowId ? this.before : this.window;
    if (back === NONE) return;
    this.coming = { windowId: tab.windowId, back, until: Date.now() + COMES_MS };
    if (this.window === tab.windowId) focus(back);
  }

  /** A DevTools event of a tab. */
  async heard(tabId: number, method: string, params: { type?: string }): Promise<void> {
    if (method === "Page.javascriptDialogOpening" && params.type === "beforeunload") {
      // Said before Chrome shows the dialog and its tab.
      for (const s of this.shown.values()) if (s.now === tabId) return;
      const back = this.window;
      const { windowId } = await chrome.tabs.get(tabId);
      const s = this.shown.get(windowId);
      const was = s?.now === tabId ? s.was : s?.now;
      if (was !== undefined) this.asking.set(tabId, { windowId, was, back });
    }
    if (method !== "Page.javascriptDialogClosed") return;
    const a = this.asking.get(tabId);
    this.asking.delete(tabId);
    if (!a || this.shown.get(a.windowId)?.now !== tabId) return;
    show(a.was);
    if (a.back !== NONE && a.back !== a.windowId && this.window === a.windowId) focus(a.back);
  }
}

function show(tabId: number): void {
  chrome.tabs.update(tabId, { active: true }).catch(() => undefined); // it may be gone
}

function focus(windowId: number): void {
  chrome.windows.update(windowId, { focused: true }).catch(() => undefined);
}
