// Which screen the panel shows: the chat, the list of conversations, or the
// settings. The chat goes on behind the others.

import { signal } from "@preact/signals";

export type Screen = "chat" | "conversations" | "settings";

/** The address may name the settings, for a panel that was loaded anew from there. */
export const screen = signal<Screen>(location.hash.startsWith("#settings") ? "settings" : "chat");

/** Shows a screen, or the chat again if it is shown already. */
export function toggle(s: Screen): void {
  screen.value = screen.value === s ? "chat" : s;
}
