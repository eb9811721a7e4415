// How the panel looks before anything of it runs: theme, contrast and language
// as the user chose them, from the mirror of the preferences in localStorage,
// which can be read before the first frame.

export type Theme = "system" | "light" | "dark";
export type Contrast = "system" | "more";
export type Language = "system" | "en" | "zh";

export interface Prefs {
  theme: Theme;
  contrast: Contrast;
  lang: Language;
  /** Whether the first run is over, completed or skipped. */
  welcomed: boolean;
}

export const KEY = "prefs";
const initial: Prefs = { theme: "system", contrast: "system", lang: "system", welcomed: false };
/** Matches if the system asks for more contrast. */
export const more = matchMedia("(prefers-contrast: more)");

/** Returns the preferences from localStorage. */
export function mirrored(): Prefs {
  try {
    return valid(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return initial; // damaged, or storage is switched off
  }
}

/** Returns v with a default for each unknown value: storage may be of another version. */
export function valid(v: unknown): Prefs {
  const p = (v ?? {}) as Partial<Prefs>;
  const one = <T extends string>(x: T | undefined, all: readonly T[]): T => (x && all.includes(x) ? x : (all[0] as T));
  return {
    theme: one(p.theme, ["system", "light", "dark"]),
    contrast: one(p.contrast, ["system", "more"]),
    lang: one(p.lang, ["system", "en", "zh"]),
    welcomed: p.welcomed === true,
  };
}

/** Sets theme and contrast of the page. */
export function dress(p: Prefs): void {
  const root = document.documentElement;
  if (p.theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = p.theme;
  if (p.contrast === "more" || more.matches) root.dataset["contrast"] = "more";
  else delete root.dataset["contrast"];
}

/**
 * The language the panel speaks: the one that was chosen, else the browser's:
 * Chinese where its menus or the first language of its settings are Chinese,
 * English elsewhere.
 */
export function language(p: Prefs): "en" | "zh" {
  if (p.lang !== "system") return p.lang;
  return [chrome.i18n.getUILanguage(), navigator.language].some((l) => /^zh\b/i.test(l)) ? "zh" : "en";
}
