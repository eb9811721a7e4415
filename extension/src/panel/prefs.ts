// What the panel keeps of the person's taste: theme, contrast, language, and
// that the first run is over. It lies in chrome.storage, so that every panel
// of this profile has it, and is mirrored in localStorage, which can be read
// before the first frame: nothing changes its colour while it is looked at.

import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";
export type Contrast = "system" | "more";
export type Language = "system" | "en" | "zh";

export interface Prefs {
  theme: Theme;
  contrast: Contrast;
  lang: Language;
  /** The first run was gone through, or left. */
  welcomed: boolean;
}

const KEY = "prefs";
const initial: Prefs = { theme: "system", contrast: "system", lang: "system", welcomed: false };
const more = matchMedia("(prefers-contrast: more)");

export const prefs = signal<Prefs>(mirrored());

function mirrored(): Prefs {
  try {
    return valid(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return initial; // damaged, or storage is switched off
  }
}

/** Only what is known is taken over: storage may be of another version. */
function valid(v: unknown): Prefs {
  const p = (v ?? {}) as Partial<Prefs>;
  const one = <T extends string>(x: T | undefined, all: readonly T[]): T => (x && all.includes(x) ? x : (all[0] as T));
  return {
    theme: one(p.theme, ["system", "light", "dark"]),
    contrast: one(p.contrast, ["system", "more"]),
    lang: one(p.lang, ["system", "en", "zh"]),
    welcomed: p.welcomed === true,
  };
}

/** Draws the page as the person wants it; called once before the first frame. */
export function dress(): void {
  const p = prefs.value;
  const root = document.documentElement;
  if (p.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = p.theme;
  if (p.contrast === "more" || more.matches) root.dataset["contrast"] = "more";
  else delete root.dataset["contrast"];
}

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
  dress();
}

/** Listens for the system and for other panels. */
export function watchPrefs(): void {
  more.addEventListener("change", dress);
  chrome.storage.onChanged.addListener((changes, area) => {
    const now = changes[KEY]?.newValue;
    if (area === "local" && now) take(valid(now));
  });
  void chrome.storage.local.get(KEY).then((kept) => {
    if (kept[KEY] && JSON.stringify(valid(kept[KEY])) !== JSON.stringify(prefs.value)) take(valid(kept[KEY]));
  });
}
