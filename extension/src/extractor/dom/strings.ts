// Small things done with strings of the page.

import { pass, textContent } from "./dom";

// Control, format (zero-width, bidi, tags) and private-use characters: they are
// invisible, and icon fonts put private ones into names.
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u034f\u115f\u1160\u{fe00}-\u{fe0f}]/gu;
const gaps = /[\s\u2028\u2029\u2800\u3164\uffa0]+/gu;
const plain = /^[!-~](?: ?[!-~])*$/;
const ascii = /^[\t\n\f\r -~]*$/;
const blanks = /[\t\n\f\r ]+/g;

/** One line, single spaces, nothing invisible. */
export function flat(s: string | null | undefined): string {
  if (!s) return "";
  if (plain.test(s)) return s;
  if (ascii.test(s)) return s.replace(blanks, " ").trim();
  return s.replace(gaps, " ").replace(unseen, "").replace(/ {2,}/g, " ").trim();
}

/** The text with each of its lines made flat. */
export const flatLines = (s: string): string => s.split("\n").map(flat).join("\n");

/** Whether the text of a node has more than most characters, without the white space of the markup. */
export function hasMoreText(n: Node, most: number): boolean {
  const text = textContent(n) ?? "";
  return text.length > most && flat(text.slice(0, most * mostlyBlank)).length > most;
}

/** Only so many times the wanted characters of the markup are read: what is more than that is nearly all white space. */
const mostlyBlank = 20;

// Accents of all scripts that have them, vowel points, voicing marks; not the
// vowel signs of Indic scripts, which are letters.
const accents = /[\p{Script=Inherited}\u0591-\u05c7]/gu;
const spelled: Record<string, string> = { ß: "ss", ς: "σ", ø: "o", ł: "l", đ: "d", ı: "i", æ: "ae", œ: "oe" };
const respelled = new RegExp(`[${Object.keys(spelled).join("")}]`, "g");

/** A text in the form that searches compare: without case, accents and width. */
export function loose(s: string | null | undefined): string {
  const t = flat(s).toLowerCase();
  if (t === "" || plain.test(t)) return t;
  return t.normalize("NFKD").replace(accents, "").toLowerCase().replace(respelled, (c) => spelled[c] ?? c);
}

export function cut(s: string, n: number): string {
  if (s.length <= n) return s;
  const end = s.charCodeAt(n - 2) >= 0xd800 && s.charCodeAt(n - 2) < 0xdc00 ? n - 2 : n - 1;
  return s.slice(0, end).trimEnd() + "…";
}

/** Like cut, but cuts the middle, between words: the end of a row often tells its state. */
export function cutWithin(s: string, n: number): string {
  if (s.length <= n || s.endsWith("…")) return cut(s, n); // with … its end is unknown
  const end = s.slice(-Math.floor(n * 2 / 5) - 1);
  const tail = end.slice(end.indexOf(" ") + 1);
  return `${cut(s, n - tail.length - 1).replace(/\s\S{1,20}…$/, "…")} ${tail}`;
}

const tracking = /^(?:utm_\w+|gclid|fbclid|msclkid|dclid|yclid|gbraid|wbraid|mc_[ce]id|_ga|_gl|igshid|ref_src|spm|scm|ved|sxsrf|gs_lcrp|sca_esv)$/i;

// Parameters in which a counted link has its final address.
const onward = ["q", "url", "u", "uddg", "target", "dest", "redirect", "to"];

// Possible tracking parameters, and a bare ? or #, which URL leaves out.
const suspect = /\?.*(?:[%+:]|utm_|cl[ki]|braid|mc_|_g|igshid|ref_src|spm|scm|ved|sxsrf|gs_|sca_)|\?#|[?#]$/is;
const slash = 47;

/**
 * A link as it is shown: at most 100 characters, without the payload of data: and
 * tracking parameters. A link within this page is only its fragment; a link through
 * a counter is its final address.
 */
export function shortHref(href: string): string {
  if (/^(?:data|blob|javascript):/i.test(href)) return cut(href.slice(0, href.search(/[,;]|$/) + 1), 40);
  // An address of this site as the browser wrote it, with nothing to take out of it.
  const here = place().origin;
  if (href.startsWith(here) && href.charCodeAt(here.length) === slash && !suspect.test(href)) return cut(onThisPage(href.slice(here.length)), 100);
  try {
    const u = new URL(href);
    const to = onward.map((key) => u.searchParams.get(key) ?? "").find((v) => /^https?:\/\/[^/]/i.test(v));
    if (to && u.pathname.length < 20) return cut(flat(to), 100);
    for (const key of [...u.searchParams.keys()]) if (tracking.test(key)) u.searchParams.delete(key);
    if (u.origin !== "null" && u.origin === here) return cut(onThisPage(u.pathname + u.search + (u.hash || (u.href.endsWith("#") ? "#" : ""))), 100);
    return cut(u.href, 100);
  } catch {
    return cut(flat(href), 100);
  }
}

// Cached for a pass: a list asks for thousands of links, and location is slow.
let known = { origin: "", path: "", pass: 0 };

function place(): { origin: string; path: string } {
  const now = pass();
  if (now === 0 || now !== known.pass) known = { origin: location.origin, path: location.pathname + location.search, pass: now };
  return known;
}

/** Only the fragment of a link within this document; a link to it without a fragment loads it again. */
function onThisPage(path: string): string {
  const here = place().path;
  return path.startsWith(`${here}#`) ? path.slice(here.length) : path;
}

/** A text without its numbers. */
export const countless = (text: string | undefined): string => (text ?? "").replace(/\d+(?:[.,]\d+)*/g, "0");
