// An error of the host in the panel's language. In English the host's own words
// are shown; in Chinese those of the tables, and below them the host's, which name
// the file or site.

import type { CheckLine, Error as WireError } from "../gen/wire";
import type { RefusedData } from "../gen/wire";
import { doctorZh, lacksZh } from "./words/doctor";
import { type Said, errorsEn, errorsZh } from "./words/errors";
import { rolesEn, rolesZh } from "./words/roles";
import { refusalsZh } from "./words/refusals";

export interface Worded {
  text: string;
  hint: string;
  /** The host's words, in English, where they say more. */
  detail: string;
}

const han = /\p{Script=Han}/u;

/** Reports whether a sentence is in Chinese; quoted text comes from a page and does not count. */
const chinese = { test: (s: string): boolean => han.test(s.replace(/"[^"]*"|“[^”]*”|「[^」]*」/g, "")) };

/** Returns a target in the panel's language: the “Pay” button or 按钮“Pay” for button "Pay". */
export function named(target: string, lang: "en" | "zh"): string {
  if (lang === "zh" && target.startsWith("tab ") && !target.startsWith("tab \"")) return `标签页“${target.slice(4)}”`;
  const [, role = "", name] = /^([a-z]+)(?: "(.*)")?$/s.exec(target) ?? [];
  const kind = (lang === "zh" ? rolesZh : rolesEn)[role];
  if (!kind) return target;
  if (lang === "en") return name === undefined ? `the ${kind}` : `the “${name}” ${kind}`;
  return kind + (name === undefined ? "" : `“${name}”`);
}

/** Codes whose message is the model's answer, in the language of the task. */
const models = new Set(["not_done", "needs_person", "unverified"]);

export function reword(e: WireError, lang: "en" | "zh"): Worded {
  const known: Said | undefined = (lang === "zh" ? errorsZh : errorsEn)[e.code];
  const message = e.message || known?.[0] || e.code;
  if (!known) return { text: message, hint: e.hint ?? "", detail: "" };
  // A task in Chinese has its errors in Chinese; only the model's own words stay so.
  if (lang === "en" && !(chinese.test(message) && !models.has(e.code))) return { text: message, hint: chinese.test(e.hint ?? "") ? known[1] : e.hint ?? "", detail: "" };
  if (lang === "en") return { text: known[0], hint: known[1], detail: message };
  // A message in Chinese comes from the task itself or from a model.
  const own = chinese.test(message);
  return { text: own ? message : known[0], hint: chinese.test(e.hint ?? "") ? e.hint ?? "" : known[1], detail: own ? "" : message };
}

/** Returns why each setting or key was refused, by its name; undefined if the error is about something else. */
export function refusals(e: WireError, lang: "en" | "zh"): Record<string, string> | undefined {
  const data = e.data as Partial<RefusedData> | undefined;
  if (!data?.settings) return undefined;
  return Object.fromEntries(Object.entries(data.settings).map(([name, text]) => {
    const said = data.say?.[name];
    const words = lang === "zh" && said ? refusalsZh[said.say] : undefined;
    return [name, words ? words(...(said?.args ?? [])) : text];
  }));
}

/** Returns the finding of a doctor check and what to do about it. */
export function found(c: CheckLine, lang: "en" | "zh"): Said {
  // A line without an id is from the test of a model; say is its error code if that failed.
  const say = lang === "zh" ? doctorZh[`${(c.id || "check").split(".")[0]}.${c.say}`] : undefined;
  const code = lang === "zh" && !c.id && c.say ? errorsZh[c.say] : undefined;
  if (code && c.say === "unsupported") return [lacksZh, c.message ?? ""];
  if (code) return [code[0], [code[1], c.message].filter(Boolean).join(" ")];
  return say ? say(...(c.args ?? [])) : [c.message ?? "", c.hint ?? ""];
}
