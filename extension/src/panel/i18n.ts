// The panel speaks the language that the person chose in its settings, else the
// browser's: Chinese where its menus or the first language of its settings are
// Chinese, English elsewhere.

import { prefs } from "./prefs";
import { type Words, en, zh } from "./words";

const chinese = [chrome.i18n.getUILanguage(), navigator.language].some((l) => /^zh\b/i.test(l));

/** Read once: choosing another language loads the panel anew. */
export const lang: "en" | "zh" = prefs.value.lang === "system" ? (chinese ? "zh" : "en") : prefs.value.lang;
export const t: Words = lang === "zh" ? zh : en;

/** A span of time in few characters. */
export function span(millis: number): string {
  const s = Math.max(0, Math.round(millis / 1000));
  if (millis < 950) return `${Math.round(millis)} ms`;
  if (s < 60) return `${s} s`;
  return `${Math.floor(s / 60)} min ${s % 60} s`;
}
