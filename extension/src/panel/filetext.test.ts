import assert from "node:assert/strict";
import test from "node:test";
import { textOf } from "./filetext";

const utf8 = (s: string): Uint8Array => new TextEncoder().encode(s);
const utf16 = (s: string, little: boolean): Uint8Array => {
  const out = new DataView(new ArrayBuffer(2 * s.length + 2));
  [0xfeff, ...[...s].map((c) => c.charCodeAt(0))].forEach((c, i) => out.setUint16(2 * i, c, little));
  return new Uint8Array(out.buffer);
};
const bytes = (...b: (number | string)[]): Uint8Array => new Uint8Array(b.flatMap((x) => (typeof x === "number" ? [x] : [...utf8(x)])));

for (const [what, given, named, want] of [
  ["plain text without a name that says so", utf8("# Notes\n- Zoë 你好 👋\n"), false, "# Notes\n- Zoë 你好 👋\n"],
  ["UTF-8 with its mark", bytes(0xef, 0xbb, 0xbf, "a;b"), true, "a;b"],
  ["what Excel calls Unicode text", utf16("Größe\t12,5\r\n", true), true, "Größe\t12,5\r\n"],
  ["UTF-16 the other way round", utf16("你好", false), true, "你好"],
  ["a CSV of a Western Excel", bytes("Name;Ort\nM", 0xfc, "ller;K", 0xf6, "ln\nFran", 0xe7, "ois;Gen", 0xe8, "ve"), true, "Name;Ort\nMüller;Köln\nFrançois;Genève"],
  ["a CSV of a Chinese Excel", bytes(0xd0, 0xd5, 0xc3, 0xfb, ",", 0xb3, 0xc7, 0xca, 0xd0, "\n", 0xcd, 0xf5, 0xce, 0xb0, ",", 0xb1, 0xb1, 0xbe, 0xa9), true, "姓名,城市\n王伟,北京"],
  ["bytes that no name calls text", bytes("M", 0xfc, "ller"), false, undefined],
  ["a picture", bytes(0x89, "PNG\r\n", 0x1a, "\n", 0, 0), false, undefined],
  ["a program named as text", bytes(0x7f, "ELF", 2, 1, 1, 0), true, undefined],
  ["a zip named as text", bytes("PK", 3, 4, 0x14, 0), true, undefined],
  ["a PDF in plain letters", utf8("%PDF-1.4\n1 0 obj"), false, undefined],
  ["rich text", utf8("{\\rtf1 hello}"), true, undefined],
  ["half of UTF-16", bytes(0xff, 0xfe, 0x41), true, undefined],
] as const) {
  test(what, () => assert.equal(textOf(given, named), want));
}
