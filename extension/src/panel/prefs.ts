// What the panel keeps of the user's taste: theme, contrast, language, and
// that the first run is over. It lies in chrome.storage, so that every panel
// of this profile has it, and is mirrored in localStorage, which can be read
// before the first frame (look.ts): nothing changes its colour while it is
// looked at.

import { signal } from "@preact/signals";
import { KEY, type Prefs, dress, mirrored, more, valid } from "./look";

export type { Contrast, Language, Prefs, Theme } from "./look";

export const prefs = signal<Prefs>(mirrored());

/** Keeps a change, here and in every other panel. */
export function prefer(change: Partial<Prefs>): void {
  take({ ...prefs.value, ...change });
  void chrome.storage.local.set({ [KEY]: prefs.value });
}

function take(p: Prefs): void {
  prefs.value = p;
  try {
    localStorage.setItem(KEY, JSON.stringify(p));
  } catch {
    // only the first frame of the next panel suffers
  }
  dress(p);
}

/** Listens for the system and for other panels. */
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
