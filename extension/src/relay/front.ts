// Keeps the user's tab and window in front. A covered page in which only the
// host acts may come to the front: with a tab or window that it opens, or with a
// dialog that asks whether to leave it. The tab and window that were in front
// before are put back, so that the user's keys go on to where they typed. After
// a page that is in front anyway nothing is put back.

import { acted, attached } from "./methods";

/** A window that a page opened comes to the front within this time, in ms. */
const COMES_MS = 1000;
/** With some window managers no window has the keyboard focus while it moves from one to another: for at most so long, in ms. */
const BETWEEN_MS = 300;
/** A tab that a page opens within this time after an act of the host comes from the act, in ms; a later one comes from the user (a notification, a picture in a picture). */
const ACTED_MS = 3000;
const NONE = -1; // chrome.windows.WINDOW_ID_NONE

export class Front {
  private readonly shown = new Map<number, number[]>(); // window → its tabs that were in front, the newest first
  private readonly born = new Map<number, number>(); // tab that came to the front by itself → its opener, or NONE if that was covered
  private readonly asking = new Map<number, number>(); // tab with a dialog that asks whether to leave it → the window that had the keyboard focus
  private readonly coming = new Map<number, { back: number; until: number }>(); // windows that a covered page opened
  private window = NONE; // the one that has the keyboard focus
  private windows: number[] = []; // those that had it, the newest first
  private lost = 0; // when a window last lost it

  /** Reads which tabs and which window are in front. */
  async begin(): Promise<void> {
    for (const t of await chrome.tabs.query({ active: true })) {
      if (t.id !== undefined && !this.shown.has(t.windowId)) this.shown.set(t.windowId, [t.id]);
    }
    const last = await chrome.windows.getLastFocused();
    if (this.windows.length === 0 && last.focused && last.id !== undefined) this.focused(last.id);
  }

  activated(tabId: number, windowId: number): void {
    const tabs = this.shown.get(windowId) ?? [];
    const was = tabs[0];
    if (was === tabId) return;
    if (was !== undefined) this.asking.delete(was);
    if (tabs.includes(tabId)) this.born.delete(tabId); // the user came back to it
    this.shown.set(windowId, [tabId, ...tabs.filter((t) => t !== tabId)]);
  }

  /** A tab was closed, or taken out of its window. */
  removed(tabId: number): void {
    this.asking.delete(tabId);
    this.born.delete(tabId);
    for (const [w, tabs] of this.shown) this.shown.set(w, tabs.filter((t) => t !== tabId));
  }

  replaced(tabId: number, was: number): void {
    this.asking.delete(was);
    const by = this.born.get(was);
    if (this.born.delete(was) && by !== undefined) this.born.set(tabId, by);
    for (const [w, tabs] of this.shown) this.shown.set(w, tabs.map((t) => (t === was ? tabId : t)));
  }

  /** The debugger was detached from a tab: no more events of its dialogs come. */
  detached(tabId: number): void {
    this.asking.delete(tabId);
  }

  closed(windowId: number): void {
    this.shown.delete(windowId);
    this.coming.delete(windowId);
    this.windows = this.windows.filter((w) => w !== windowId);
  }

  /** Another window has the keyboard, or another program (NONE). */
  focused(windowId: number): void {
    if (windowId === this.window) return;
    if (this.window !== NONE) this.lost = Date.now();
    else if (Date.now() - this.lost > BETWEEN_MS) this.windows = [];
    this.window = windowId;
    if (windowId === NONE) return;
    this.windows = [windowId, ...this.windows.filter((w) => w !== windowId)];
    const { back, until } = this.coming.get(windowId) ?? { back: NONE, until: 0 };
    if (back === NONE || Date.now() > until) return;
    this.coming.set(windowId, { back: NONE, until }); // once
    focus(back);
  }

  /** A page opened a tab. */
  async opened(tabId: number, by: number): Promise<void> {
    if (!attached.has(by) || Date.now() - (acted.get(by) ?? 0) > ACTED_MS) return;
    const [tab, opener] = await Promise.all([chrome.tabs.get(tabId), chrome.tabs.get(by)]);
    if (!tab.active && !this.shown.get(tab.windowId)?.includes(tabId)) return;
    const was = this.before(tabId, by, opener.windowId);
    if (was === undefined) return;
    this.born.set(tabId, was === by ? by : NONE);
    if (was === by || !tab.active) return;
    if (tab.windowId === opener.windowId) return show(was);
    const back = this.keyboard(tab.windowId);
    if (back === NONE) return;
    const came = this.window === tab.windowId;
    this.coming.set(tab.windowId, { back: came ? NONE : back, until: Date.now() + COMES_MS });
    if (came) focus(back);
  }

  /** A DevTools event of a tab. */
  heard(tabId: number, method: string, params: { type?: string }): void {
    const windowId = [...this.shown].find(([, tabs]) => tabs[0] === tabId)?.[0];
    if (method === "Page.javascriptDialogOpening" && params.type === "beforeunload" && windowId === undefined) {
      this.asking.set(tabId, this.keyboard(NONE)); // the event comes before Chrome shows the dialog and its tab
    }
    if (method !== "Page.javascriptDialogClosed") return;
    const back = this.asking.get(tabId);
    this.asking.delete(tabId);
    if (back === undefined || windowId === undefined) return;
    const was = this.before(tabId, tabId, windowId);
    if (was === undefined) return;
    show(was);
    if (back !== NONE && back !== windowId && this.window === windowId) focus(back);
  }

  /** Returns the tab that the user had in front before tabId, which by opened; skips tabs that by or a covered page brought there. */
  private before(tabId: number, by: number, windowId: number): number | undefined {
    return this.shown.get(windowId)?.find((t) => {
      const from = this.born.get(t);
      return t !== tabId && (t === by || (from !== NONE && from !== by));
    });
  }

  /** Returns the window that has or last had the keyboard focus, other than but and those that pages opened just now; NONE if another program has it. */
  private keyboard(but: number): number {
    if (this.window === NONE && Date.now() - this.lost > BETWEEN_MS) return NONE;
    return this.windows.find((w) => w !== but && Date.now() > (this.coming.get(w)?.until ?? 0)) ?? NONE;
  }
}

function show(tabId: number): void {
  chrome.tabs.update(tabId, { active: true }).catch(() => undefined); // it may be gone
}

function focus(windowId: number): void {
  chrome.windows.update(windowId, { focused: true }).catch(() => undefined);
}
