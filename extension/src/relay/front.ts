// Keeps in front what the user has in front. A page may bring itself there,
// though it is covered and only the host acts in it: a tab or window that it
// opens comes to the front, and so does a page that asks whether to be left.
// What stood there before is put back, and the user's keys go on to where they
// typed. Of a tab that is in front anyway nothing is put back.

import { acted, attached } from "./methods";

/** How long a window that a page opened may take to come to the front, in ms. */
const COMES_MS = 1000;
/** How long no window has the keyboard while it goes from one to another, in ms: some window managers say so. */
const BETWEEN_MS = 300;
/** How long after the host acted in it a page may open a tab for that, in ms; later the user did it (a notification, a picture in a picture). */
const ACTED_MS = 3000;
const NONE = -1; // chrome.windows.WINDOW_ID_NONE

export class Front {
  private readonly shown = new Map<number, number[]>(); // window → its tabs that were in front, the last first
  private readonly born = new Map<number, number>(); // tab that came to the front by itself → the one that opened it, or NONE if that was covered
  private readonly asking = new Map<number, number>(); // tab that asks whether to be left → the window that had the keyboard
  private readonly coming = new Map<number, { back: number; until: number }>(); // windows that a covered page opened
  private window = NONE; // that has the keyboard
  private windows: number[] = []; // that had it, the last first
  private lost = 0; // when the last of them lost it

  /** Learns what is in front now. */
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

  /** The debugger left a tab: of its dialogs nothing is heard any more. */
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
      this.asking.set(tabId, this.keyboard(NONE)); // said before Chrome shows the dialog and its tab
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

  /** The tab that the user had in front before this one, which another opened: none that came there by itself. */
  private before(tabId: number, by: number, windowId: number): number | undefined {
    return this.shown.get(windowId)?.find((t) => {
      const from = this.born.get(t);
      return t !== tabId && (t === by || (from !== NONE && from !== by));
    });
  }

  /** The window that has the keyboard, or had it before the one given and those that pages opened just now. */
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
