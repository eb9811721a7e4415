// The panel speaks the language that the user chose in its settings, else the
// browser's.

import { language } from "./look";
import { prefs } from "./prefs";
import { type Words, en, zh } from "./words";

/** Read once: choosing another language loads the panel anew. */
export const lang = language(prefs.value);
export const t: Words = lang === "zh" ? zh : en;

/** Returns a span of time in few characters. */
export function span(millis: number): string {
  const s = Math.max(0, Math.round(millis / 1000));
  if (millis < 950) return `${Math.round(millis)} ms`;
  if (s < 60) return `${s} s`;
  return `${Math.floor(s / 60)} min ${s % 60} s`;
}
