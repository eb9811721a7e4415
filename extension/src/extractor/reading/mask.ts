// What secret fields hold, kept out of everything else that is read: pages
// copy a typed password into attributes and echoes.

import { secretOf } from "../a11y/secrets";
import { all, type Scope, scopes, textContent } from "../dom/dom";

export const masked = "••••";

/** Values shorter than this stand in too much other text to be taken out of it. */
const shortest = 4;

/** Replaces the values that secret fields of the document hold now or held at first. */
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
