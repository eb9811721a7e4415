// Shows the tasks in the browser itself: a sign on the button in each tab that
// a task works in, and, while no panel is open, a badge and a notification for
// each question to the user. The host sends the whole state at each change, so
// only the ids of shown notifications are kept.

import type { AttentionInfo, WaitingInfo } from "../gen/wire";
import { words } from "./words";

const WAITING = "#b45309";
const WORKING = "#0f766e";
const TOLD = "told"; // in chrome.storage.session: ids that were notified
const EXPIRED = "expired:"; // before the id of a card that ran out

const WORKS = "●";
const WAITS = "!";
const NAME = "Tabwright";

const NONE: AttentionInfo = { waiting: [], working: [] };

export class Attention {
  private now = NONE;
  private expired = new Map<string, WaitingInfo>(); // by the id of their notification
  private untold = new Map<string, WaitingInfo>(); // those of expired that have no notification yet
  private signs = new Map<number, string>(); // tab → the text on its button
  private turn: Promise<void> = Promise.resolve();

  /** watched reports whether a panel is open, which shows the questions itself. */
  constructor(private watched: () => boolean) {
    // Chrome takes a tab's sign off with each navigation.
    chrome.tabs.onUpdated.addListener((tabId, change) => {
      if (change.status && this.signs.delete(tabId)) this.show();
    });
    chrome.tabs.onRemoved.addListener((tabId) => this.signs.delete(tabId));
    chrome.notifications.onClicked.addListener((id) => this.follow(id));
  }

  /** Takes the state from the host; undefined when the host is gone. */
  set(info: AttentionInfo | undefined): void {
    // The user learns which card expired without an answer. Only the host
    // knows: a card whose time is over may have been answered.
    for (const w of info?.expired ?? []) {
      this.expired.set(EXPIRED + name(w), w);
      this.untold.set(EXPIRED + name(w), w);
    }
    this.now = info ?? NONE;
    this.show();
  }

  /** Draws everything again; called also when a panel opens or closes. */
  show(): void {
    this.turn = this.turn.then(() => this.draw()).catch((e) => console.warn("tabwright: badge:", e));
  }

  private async draw(): Promise<void> {
    const waiting = this.now.waiting ?? [];
    const count = this.watched() ? 0 : waiting.length;
    await chrome.action.setBadgeBackgroundColor({ color: WAITING });
    await chrome.action.setBadgeText({ text: count > 0 ? String(count) : "" });
    await chrome.action.setTitle({ title: count > 0 ? words.waits(count) : NAME });
    await this.sign(waiting);
    await this.notify(this.watched() ? [] : waiting);
  }

  private async sign(waiting: readonly WaitingInfo[]): Promise<void> {
    const want = new Map<number, string>();
    for (const tab of this.now.working ?? []) want.set(tab, WORKS);
    for (const w of waiting) if (w.tabId) want.set(w.tabId, WAITS);
    for (const tab of this.signs.keys()) if (!want.has(tab)) await this.put(tab, "");
    for (const [tab, text] of want) if (this.signs.get(tab) !== text) await this.put(tab, text);
  }

  private async put(tabId: number, text: string): Promise<void> {
    if (text) this.signs.set(tabId, text);
    else this.signs.delete(tabId);
    try {
      // null removes the tab's own text, so that the badge of all tabs shows.
      await chrome.action.setBadgeText({ tabId, text: text || (null as unknown as string) });
      if (text) await chrome.action.setBadgeBackgroundColor({ tabId, color: text === WAITS ? WAITING : WORKING });
      await chrome.action.setTitle({ tabId, title: text === WORKS ? words.working : text ? words.waitsHere : NAME });
    } catch {
      this.signs.delete(tabId); // the tab is gone
    }
  }

  private async notify(waiting: readonly WaitingInfo[]): Promise<void> {
    const kept = (await chrome.storage.session.get(TOLD))[TOLD];
    const told = new Set<string>(Array.isArray(kept) ? kept : []);
    const open = new Set(waiting.map(name));
    for (const id of Object.keys(await all())) if (!open.has(id) && !id.startsWith(EXPIRED)) chrome.notifications.clear(id);
    const tell = (id: string, title: string, w: WaitingInfo): void => {
      if (told.has(id)) return;
      chrome.notifications.create(id, {
        type: "basic", iconUrl: chrome.runtime.getURL("icons/128.png"), requireInteraction: true,
        title, message: [w.amount, w.text, w.site].filter(Boolean).join(" · ").slice(0, 300),
      });
      told.add(id);
    };
    for (const w of waiting) tell(name(w), w.kind === "confirm" ? words.confirm : words.question, w);
    for (const [id, w] of this.untold) tell(id, words.expired, w);
    this.untold.clear();
    // An answered question does not come again: the newest ids are enough.
    await chrome.storage.session.set({ [TOLD]: [...told].slice(-50) });
  }

  /** Opens the tab and the panel of a notification that was clicked. */
  private follow(id: string): void {
    const w = this.now.waiting?.find((w) => name(w) === id) ?? this.expired.get(id);
    chrome.notifications.clear(id);
    this.expired.delete(id);
    if (!w?.tabId) return;
    // First the tab, which takes the keyboard focus, then the panel, which takes
    // it from the tab: nothing the user types now may land in the page. There is
    // no await between: opening the panel needs the click, which it would lose.
    void chrome.tabs.update(w.tabId, { active: true }).then((tab) => tab && chrome.windows.update(tab.windowId, { focused: true }));
    chrome.sidePanel.open({ tabId: w.tabId }).catch((e) => console.warn("tabwright: panel not opened:", e));
  }
}

function name(w: WaitingInfo): string {
  return `${w.task}/${w.id}`;
}

function all(): Promise<object> {
  return new Promise((done) => chrome.notifications.getAll(done));
}
