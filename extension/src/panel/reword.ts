// An error of the host in the panel's language. In English the host's own words
// are the best; in Chinese the table's, and the host's below where they name
// what it is about.

import type { CheckLine, Error as WireError } from "../gen/wire";
import type { RefusedData } from "../gen/wire";
import { doctorZh } from "./words/doctor";
import { type Said, errorsEn, errorsZh } from "./words/errors";
import { refusalsZh } from "./words/refusals";

export interface Worded {
  text: string;
  hint: string;
  /** The host's words, in English, where they say more. */
  detail: string;
}

const chinese = /\p{Script=Han}/u;

export function reword(e: WireError, lang: "en" | "zh"): Worded {
  const known: Said | undefined = (lang === "zh" ? errorsZh : errorsEn)[e.code];
  const message = e.message || known?.[0] || e.code;
  if (lang === "en" || !known) return { text: message, hint: e.hint ?? "", detail: "" };
  // What is in Chinese already was said by the task itself, or by a model.
  const own = chinese.test(message);
  return { text: own ? message : known[0], hint: chinese.test(e.hint ?? "") ? e.hint ?? "" : known[1], detail: own ? "" : message };
}

/** Why each of the settings or keys was refused, by its name; undefined where the error is of something else. */
export function refusals(e: WireError, lang: "en" | "zh"): Record<string, string> | undefined {
  const data = e.data as Partial<RefusedData> | undefined;
  if (!data?.settings) return undefined;
  return Object.fromEntries(Object.entries(data.settings).map(([name, text]) => {
    const said = data.say?.[name];
    const words = lang === "zh" && said ? refusalsZh[said.say] : undefined;
    return [name, words ? words(...(said?.args ?? [])) : text];
  }));
}

/** What a check of the doctor found, and what to do. */
export function found(c: CheckLine, lang: "en" | "zh"): Said {
  const say = lang === "zh" ? doctorZh[`${(c.id ?? "").split(".")[0]}.${c.say}`] : undefined;
  return say ? say(...(c.args ?? [])) : [c.message ?? "", c.hint ?? ""];
}
