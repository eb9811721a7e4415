// The user's preferences: theme, contrast, language, and whether the first run
// is over. They are kept in chrome.storage, which all panels of this profile
// share, and mirrored in localStorage, which can be read before the first frame
// (look.ts), so that no colour changes in sight.

import { signal } from "@preact/signals";
import { KEY, type Prefs, dress, mirrored, more, valid } from "./look";

export type { Contrast, Language, Prefs, Theme } from "./look";

export const prefs = signal<Prefs>(mirrored());

/** Stores a change, for this and every other panel. */
export function prefer(change: Partial<Prefs>): void {
  take({ ...prefs.value, ...change });
  void chrome.storage.local.set({ [KEY]: prefs.value });
}

function take(p: Prefs): void {
  prefs.value = p;
  try {
    localStorage.setItem(KEY, JSON.stringify(p));
  } catch {
    // only the first frame of the next panel is wrong
  }
  dress(p);
}

/** Follows changes by the system and by other panels. */
export function watchPrefs(): void {
  more.addEventListener("change", () => dress(prefs.value));
  chrome.storage.onChanged.addListener((changes, area) => {
    const now = changes[KEY]?.newValue;
    if (area === "local" && now) take(valid(now));
  });
  void chrome.storage.local.get(KEY).then((kept) => {
    if (kept[KEY] && JSON.stringify(valid(kept[KEY])) !== JSON.stringify(prefs.value)) take(valid(kept[KEY]));
  });
}
