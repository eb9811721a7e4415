// The panel speaks the browser's language: Chinese where its menus or the
// first language of its settings are Chinese, English elsewhere.

import { type Words, en, zh } from "./words";

const chinese = [chrome.i18n.getUILanguage(), navigator.language].some((l) => /^zh\b/i.test(l));

export const lang = chinese ? "zh" : "en";
export const t: Words = chinese ? zh : en;

/** A span of time in few characters. */
export function span(millis: number): string {
  const s = Math.max(0, Math.round(millis / 1000));
  if (millis < 950) return `${Math.round(millis)} ms`;
  if (s < 60) return `${s} s`;
  return `${Math.floor(s / 60)} min ${s % 60} s`;
}
