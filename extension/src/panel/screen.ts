// Which screen the panel shows: the chat, the list of conversations, or the
// settings. The chat goes on behind the others.

import { signal } from "@preact/signals";

export type Screen = "chat" | "conversations" | "settings";

/** The screen that is shown. The address names the settings if the panel was reloaded there. */
export const screen = signal<Screen>(location.hash.startsWith("#settings") ? "settings" : "chat");

/** Shows a screen; if it is shown already, shows the chat. */
export function toggle(s: Screen): void {
  screen.value = screen.value === s ? "chat" : s;
}
