// Which screen the panel shows: the chat, the list of conversations, or the
// settings. The chat goes on behind the others.

import { signal } from "@preact/signals";

export type Screen = "chat" | "conversations" | "settings";

export const screen = signal<Screen>("chat");

/** Shows a screen, or the chat again if it is shown already. */
export function toggle(s: Screen): void {
  screen.value = screen.value === s ? "chat" : s;
}
