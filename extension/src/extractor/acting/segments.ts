// Fields for a date or time whose parts are spin buttons side by side: React Aria, MUI, Reka.

import { isEditable } from "../a11y/interactive";
import { nameOf } from "../a11y/name";
import type { Resolved } from "../api";
import { all, attr, attrNames, doc, localName, parentOf } from "../dom/dom";
import { nodeOf } from "../dom/ids";
import { LayoutCache } from "../dom/visibility";
import { resolved } from "./resolve";

const maxClimb = 4;
const dateTime = /^(?:(\d{4})-(\d\d?)-(\d\d?))?(?:(?:^|[T ])(\d\d?):(\d\d)(?::(\d\d))?)?$/;
const units = ["year", "month", "day", "hour", "minute", "second"] as const;
type Unit = typeof units[number] | "dayPeriod";

/** The parts of the field around a spin button, by their units; null if it is no such field. */
function partsAround(el: Element): Map<Unit, Element> | null {
  if (attr(el, "role") !== "spinbutton" || localName(el) === "input") return null;
  for (let p = parentOf(el), up = 0; p && up < maxClimb; p = parentOf(p), up++) {
    const found = [...all(p, "[role=spinbutton]")].filter((e) => localName(e) !== "input" && isEditable(e));
    if (found.length < 2) continue;
    const by = new Map<Unit, Element>();
    for (const e of found) {
      const unit = unitOf(e);
      if (unit === null || by.has(unit)) return null; // two dates side by side, or a number beside a date
      by.set(unit, e);
    }
    return by;
  }
  return null;
}

/** What a part counts, by its name in the language of the page, or by an attribute of its own. */
function unitOf(el: Element): Unit | null {
  const own = new Set(attrNames(el).map((a) => attr(el, a)));
  const every: Unit[] = [...units, "dayPeriod"];
  const said = every.find((u) => own.has(u));
  if (said) return said;
  const name = nameOf(el).toLowerCase();
  const starts = (locale: string, u: Unit): boolean => {
    const word = new Intl.DisplayNames([locale, "en"], { type: "dateTimeField" }).of(u)?.toLowerCase() ?? "";
    return word !== "" && (name === word || name.startsWith(`${word},`) || name.startsWith(`${word} `));
  };
  const locales = [doc.root?.lang || "en", navigator.language, "en"].filter(isLocale);
  return every.find((u) => locales.some((l) => starts(l, u))) ?? null;
}

function isLocale(l: string): boolean {
  try {
    return Intl.getCanonicalLocales(l).length > 0;
  } catch {
    return false; // the page may write anything there
  }
}

/** The parts of a date or time such as 2026-12-24T18:30, and what to type into each; none if the field lacks one of them. */
export function segments(o: { id: number; text: string }): { parts: { part: Resolved; text: string }[] } {
  const el = nodeOf(o.id);
  const m = dateTime.exec(o.text.trim());
  const by = el && m && o.text.trim() !== "" ? partsAround(el) : null;
  if (!by || !m) return { parts: [] };
  const look = new LayoutCache();
  const parts: { part: Resolved; text: string }[] = [];
  const add = (el: Element, text: string): void => { parts.push({ part: resolved(el, look), text }); };
  const half = by.get("dayPeriod");
  for (const [i, unit] of units.entries()) {
    const value = m[i + 1];
    if (value === undefined) continue;
    const part = by.get(unit);
    if (!part) return { parts: [] };
    const is12 = unit === "hour" && half !== undefined;
    add(part, is12 ? String(Number(value) % 12 || 12).padStart(2, "0") : value.padStart(2, "0"));
  }
  if (half && m[4] !== undefined) add(half, Number(m[4]) < 12 ? "a" : "p");
  return { parts };
}
