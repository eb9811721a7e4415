// What to do about an error, in the panel's language if its code is known; else
// in the host's own words, which are English.

import type { Error as WireError } from "../../gen/wire";
import { lang, t } from "../i18n";
import { reword } from "../reword";
import * as store from "../store";

export interface Trouble {
  title: string;
  text: string;
  /** A command to run in a terminal. */
  command?: string;
  /** Whether the user can fix it in the settings. */
  settings?: boolean;
}

export function explain(e: WireError): Trouble {
  const local = /ollama/i.test(e.message + (e.hint ?? ""));
  const known = (e.code === "unreachable" || e.code === "model_not_found") && !local ? undefined : t.troubles[e.code];
  const settings = ["unauthorized", "unsupported", "unreachable", "model_not_found", "no_model", "no_choice", "no_way", "no_memory"].includes(e.code);
  if (!known) {
    const { text, hint, detail } = reword(e, lang);
    return { title: text, text: [hint, detail].filter(Boolean).join(" "), settings };
  }
  const [title, text] = known;
  const command = e.code === "unreachable" || e.code === "model_not_found" ? `ollama pull ${store.models.value?.suggested ?? "qwen3.5:4b"}` : undefined;
  // The host's message names a file, a line or a server, so it is shown in any language.
  const said = e.code === "settings" || lang === "en" && e.code === "unauthorized" ? ` ${e.message}` : "";
  return { title, text: text + said, settings, ...(command && { command }) };
}
