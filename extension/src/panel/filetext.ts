// The text of a file, if it has any.

/** Matches content that is not text: control characters, and formats that only look like text. */
const other = /[\0-\x08\x0e-\x1a\x1c-\x1f]|^(?:%PDF-|%!PS|\{\\rtf)/;

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark; undefined if it is not text. Older encodings
 * have no mark: they are guessed only if the file's name or type says text (named).
 */
export function textOf(bytes: Uint8Array, named: boolean): string | undefined {
  const decoded = (encoding: string): string | undefined => {
    try {
      const s = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return other.test(s) ? undefined : s;
    } catch {
      return undefined;
    }
  };
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  if (mark === 0xfffe) return decoded("utf-16le");
  if (mark === 0xfeff) return decoded("utf-16be");
  return decoded("utf-8") ?? (named ? chinese(decoded("gb18030")) ?? decoded("windows-1252") : undefined);
}

/** Returns s if it is Chinese. Accented Western letters decoded as Chinese stand alone, each with the letter after it. */
function chinese(s: string | undefined): string | undefined {
  const count = (pattern: RegExp): number => s?.match(pattern)?.join("").length ?? 0;
  return 2 * count(/\p{Script=Han}{2,}/gu) > count(/\p{Script=Han}/gu) ? s : undefined;
}
