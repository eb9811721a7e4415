// What to do about a refusal, in the panel's language where it is a known one;
// the host's own words, which are English, where it is not.

import type { Error as WireError } from "../../gen/wire";
import { lang, t } from "../i18n";
import { reword } from "../reword";
import * as store from "../store";

export interface Trouble {
  title: string;
  text: string;
  /** To be run in a terminal. */
  command?: string;
  /** The settings are the place to mend it. */
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
  // What the host names (a file, a line, a server) is worth reading in any language.
  const said = e.code === "settings" || lang === "en" && e.code === "unauthorized" ? ` ${e.message}` : "";
  return { title, text: text + said, settings, ...(command && { command }) };
}
