// Keeps the values of secret fields out of everything else that is read: pages copy
// a typed password into attributes and other text.

import { secretOf } from "../a11y/secrets";
import { all, type Scope, scopes, textContent } from "../dom/dom";

export const masked = "••••";

/** Shorter values occur in too much other text to be masked. */
const shortest = 4;

/** Returns a function that masks the current and the default values of the secret fields in parts. */
export function masker(parts: readonly Scope[] = scopes()): (s: string) => string {
  const held = new Set<string>();
  for (const scope of parts) {
    for (const el of all(scope, "input,textarea,[contenteditable],[role=textbox]")) {
      if (secretOf(el) === "") continue;
      const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
      for (const v of field ? [el.value, el.defaultValue] : [textContent(el) ?? ""]) if (v.trim().length >= shortest) held.add(v);
    }
  }
  if (held.size === 0) return (s) => s;
  const values = [...held].sort((a, b) => b.length - a.length);
  return (s) => values.reduce((out, v) => out.split(v).join(masked), s);
}
