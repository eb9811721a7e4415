// What a file says, where it is text.

/** Signs of a file that is none: bytes that text has not, and formats that only look like it. */
const other = /[\0-\x08\x0e-\x1a\x1c-\x1f]|^(?:%PDF-|%!PS|\{\\rtf)/;

/**
 * The text of a file, whatever it is called, in UTF-8 or in UTF-16 with its mark. An older encoding has no mark: it is
 * guessed at only where the name or the type says text.
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

/** A text that is Chinese; accents of Western letters taken for it stand alone, each with the letter behind it. */
function chinese(s: string | undefined): string | undefined {
  const count = (pattern: RegExp): number => s?.match(pattern)?.join("").length ?? 0;
  return 2 * count(/\p{Script=Han}{2,}/gu) > count(/\p{Script=Han}/gu) ? s : undefined;
}
