// Words of classes that say in which state something is: the one that is chosen, what is
// unread, or done. The list and the effects of acts read them alike.

/** With what a bar or a list is made of behind it: active-item, unread-row. */
const state = /(?:^(?:is|has)?|[-_])(selected|selection|active|checked|chosen|picked|current|pressed|unread|seen|starred|flagged|pinned|muted|archived|done|completed?|on|open|opened|expanded|liked|favou?rited|saved|bookmarked|filled?|solid|range-start|range-end|start-date|end-date)(?:__\w{1,8}|-(?:item|link|tab|page|menu|step|row|nav)\b.*)?$/i;
const within = /^[a-z]+(Active|Selected|Current|Checked|Pressed|Unread)$|^(active|selected|current|unread)(?:[A-Z]|_)/;
/** Classes that end so and say how something is drawn, or that it is being pressed or moved. */
const drawing = /[:[\]/@]|ripple|(?:before|after)-checked|hover|focus|touch|(?:enter|leave|appear|exit)-active|^(?:accent|bg|border|caret|decoration|divide|fill|outline|ring|shadow|stroke|text)-(?:solid|current)$/i;
const stating = /^(?:is|has)-/i;
/** When something was done, and what is added: no state. */
const dated = /(?:^|[-_])(?:(?!toggled|turned|switched)[a-z]+ed|add|log|sign|try)[-_]on$/i;
const negated = /(?:^|[-_])(?:not?|non|un|de|in)[-_]/i;

/** The state that a class says; "" where it says none. */
export function stateOf(c: string): string {
  if (drawing.test(c) && !stating.test(c) || negated.test(c) || dated.test(c)) return "";
  const m = state.exec(c) ?? within.exec(c);
  const word = (m?.[1] ?? m?.[2] ?? "").toLowerCase();
  return word === "active" ? "current" : word; // as the list says it
}

/** The words of a list of classes that say a state. */
export function stateIn(classes: string | null): string {
  return [...new Set((classes ?? "").slice(0, 500).split(/\s+/).map(stateOf).filter((w) => w !== ""))].join(" ");
}

const chosen = new Set(["selected", "selection", "checked", "chosen", "picked"]);
const on = new Set([...chosen, "current", "pressed", "on"]);

/** Whether a word of stateOf says that something is on, the current one, or chosen. */
export const isOnWord = (word: string): boolean => on.has(word);

/** What a row is, by such a word: "" where it says nothing of a row. */
export const rowWord = (word: string): string => chosen.has(word) ? "selected" : word === "current" ? word : "";
