// Fields whose value has another form than the user types:
// dates and times (whose keys depend on the browser's language), ranges and
// colours. Their value is set, and input and change are sent, as a browser does
// after its own picker.

import { isEnabled } from "../a11y/interactive";
import type { ExtractorError, Stepper } from "../api";
import { all, attr, localName } from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { cut, flat } from "../dom/strings";
import { subjectOf } from "../guard/facts";
import { failure } from "./resolve";

const forms: Record<string, string> = {
  date: "2026-12-24", month: "2026-12", week: "2026-W52", time: "18:30", "datetime-local": "2026-12-24T18:30",
  range: "a number", color: "#1e90ff",
};

// The page may have its own property on the element; the browser's setter is meant.
const put = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;

export function setField(o: { id: number; value: string }): { value: string } | { error: ExtractorError } {
  const node = nodeOf(o.id);
  if (!node) return failure("stale_ref", "The element is no longer in the page.");
  const el = subjectOf(node);
  if (!(el instanceof HTMLInputElement) || !put || !(el.type in forms)) return failure("unsupported", `A ${localName(el)} is no field whose value can be set.`);
  if (!isEnabled(el)) return failure("disabled", "The field is disabled.");
  if (el.readOnly) return failure("not_editable", "The field can only be read.");
  const want = written(el.type, flat(o.value));
  const before = el.value;
  el.focus({ preventScroll: true });
  put.call(el, want);
  const bad = wrong(el, want);
  if (bad) {
    put.call(el, before);
    return failure("invalid_params", bad);
  }
  if (el.value !== before) {
    el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    el.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return { value: el.value };
}

/** The values of a custom slider or spin button, by its aria-value attributes; null for missing ones. */
export function stepper(o: { id: number }): Stepper {
  const node = nodeOf(o.id);
  const el = node ? subjectOf(node) : null;
  const number = (name: string): number | null => {
    const said = el ? attr(el, name) : null;
    return said === null || flat(said) === "" || !Number.isFinite(Number(said)) ? null : Number(said);
  };
  return {
    now: number("aria-valuenow"), min: number("aria-valuemin"), max: number("aria-valuemax"),
    text: cut(flat(el ? attr(el, "aria-valuetext") : ""), 200),
  };
}

const isFile = (el: Element): boolean => el instanceof HTMLInputElement && el.type === "file";

/** The file input of an element: itself, that of a label, or the only one in it. */
export function fileInput(o: { id: number }): { id: number; multiple: boolean } {
  const node = nodeOf(o.id);
  const el = node && subjectOf(node);
  const within = !el ? [] : isFile(el) ? [el] : [...all(el, "input")].filter(isFile);
  const input = within.length === 1 ? within[0] : undefined;
  return { id: input ? idOf(input) : 0, multiple: input instanceof HTMLInputElement && input.multiple };
}

/** The reason why a value was refused, or "". */
function wrong(el: HTMLInputElement, want: string): string {
  const v = el.validity;
  if (el.type === "range") {
    if (!Number.isFinite(Number(want)) || want === "") return `"${want}" is no number.`;
    return Number(el.value) === Number(want) ? "" : `It takes ${el.min || "0"} to ${el.max || "100"} in steps of ${el.step || "1"}; ${want} is not among them (the nearest is ${el.value}).`;
  }
  if (el.type === "color" ? el.value.toLowerCase() !== want.toLowerCase() : want !== "" && el.value === "") return `"${want}" is nothing that this field takes: write it as ${forms[el.type] ?? ""}.`;
  if (v.rangeUnderflow) return `"${want}" is before the earliest it takes: ${el.min}.`;
  if (v.rangeOverflow) return `"${want}" is after the latest it takes: ${el.max}.`;
  return "";
}

const two = (s: string): string => s.padStart(2, "0");

/** The value in the form of the field: 9:05 as 09:05, a space for the T of a date and time, a colour by its name. */
function written(type: string, s: string): string {
  switch (type) {
    case "date": return s.replace(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/, (_, y: string, m: string, d: string) => `${y}-${two(m)}-${two(d)}`);
    case "month": return s.replace(/^(\d{4})[-/.](\d{1,2})$/, (_, y: string, m: string) => `${y}-${two(m)}`);
    case "week": return s.replace(/^(\d{4})-?w?(\d{1,2})$/i, (_, y: string, w: string) => `${y}-W${two(w)}`);
    case "time": return clock(s);
    case "datetime-local": {
      const m = /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2})(?:\s+|T|,\s*)(.+)$/i.exec(s);
      return m ? `${written("date", m[1] ?? "")}T${clock(m[2] ?? "")}` : s;
    }
    case "color": return colour(s);
  }
  return s;
}

function clock(s: string): string {
  const m = /^(\d{1,2})(?::(\d{2}))?(:\d{2}(?:\.\d{1,3})?)?\s*([ap])?\.?m?\.?$/i.exec(s);
  if (!m || !m[2] && !m[4]) return s;
  const half = m[4]?.toLowerCase();
  let h = Number(m[1]);
  if (half && (h < 1 || h > 12)) return s;
  if (half) h = h % 12 + (half === "p" ? 12 : 0);
  return `${two(String(h))}:${m[2] ?? "00"}${m[3] ?? ""}`;
}

function colour(s: string): string {
  if (/^#[0-9a-f]{6}$/i.test(s)) return s.toLowerCase();
  const c = new OffscreenCanvas(1, 1).getContext("2d");
  if (!c || !CSS.supports("color", s)) return s;
  c.fillStyle = s;
  return c.fillStyle;
}
