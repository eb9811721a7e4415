// Words of classes that name a state: chosen,
// unread, done. The list and the effects of acts share them.

/** State words, also before the name of an item: active-item, unread-row. */
const state = /(?:^(?:is|has)?|[-_])(selected|selection|active|checked|chosen|picked|current|pressed|unread|seen|starred|flagged|pinned|muted|archived|done|completed?|on|open|opened|expanded|liked|favou?rited|saved|bookmarked|filled?|solid|range-start|range-end|start-date|end-date)(?:__\w{1,8}|-(?:item|link|tab|page|menu|step|row|nav)\b.*)?$/i;
const within = /(?:^|_)(?!(?:in|un|non|not|de)[A-Z])[a-z]+(Active|Selected|Current|Checked|Pressed|Unread)(?:__\w{1,8})?$|^(active|selected|current|unread)(?:[A-Z]|_)/;
/** What a tool adds to a class name, with letters and digits that spell no word, and what says that a state is set (BEM). */
const added = /[-_](?=[a-z]*\d)(?=\d*[a-z])(?![a-z]+\d{1,2}$)[a-z\d]{5,}(?:_\d+)?$|[-_](?:yes|true)$/i;
/** Classes with such an ending that name a drawing, a press or a motion. */
const drawing = /[:[\]/@]|ripple|(?:before|after)-checked|hover|focus|touch|(?:enter|leave|appear|exit)-active|^(?:accent|bg|border|caret|decoration|divide|fill|outline|ring|shadow|stroke|text)-(?:solid|current)$/i;
const stating = /^(?:is|has)-/i;
/** Times and actions, such as created-on and add-on: no states. */
const dated = /(?:^|[-_])(?:(?!toggled|turned|switched)[a-z]+ed|add|log|sign|try)[-_]on$/i;
const negated = /(?:^|[-_])(?:not?|non|un|de|in)[-_]/i;

/** The state that a class names; "" if none. */
export function stateOf(c: string): string {
  if (drawing.test(c) && !stating.test(c) || negated.test(c) || dated.test(c)) return "";
  const name = c.replace(added, "");
  const m = state.exec(name) ?? within.exec(name);
  const word = (m?.[1] ?? m?.[2] ?? "").toLowerCase();
  return word === "active" ? "current" : word; // the list's word
}

/** The states that a list of classes names, separated by spaces. */
export function stateIn(classes: string | null): string {
  return [...new Set((classes ?? "").slice(0, 500).split(/\s+/).map(stateOf).filter((w) => w !== ""))].join(" ");
}

const chosen = new Set(["selected", "selection", "checked", "chosen", "picked"]);
const on = new Set([...chosen, "current", "pressed", "on"]);

/** Whether a word of stateOf means on, current or chosen. */
export const isOnWord = (word: string): boolean => on.has(word);

/** The state of a row by such a word; "" if the word is none of a row. */
export const rowWord = (word: string): string => chosen.has(word) ? "selected" : word === "current" ? word : "";
