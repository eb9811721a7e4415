// SHA-256 without waiting: an event handler can't await crypto.subtle. Written
// from FIPS 180-4.

const K = new Uint32Array(64);
const H0 = new Uint32Array(8);
{
  // The constants are the fractions of the roots of the first primes.
  const frac = (x: number): number => (x - Math.floor(x)) * 2 ** 32 >>> 0;
  let n = 0;
  for (let p = 2; n < 64; p++) {
    let prime = true;
    for (let d = 2; d * d <= p; d++) if (p % d === 0) prime = false;
    if (!prime) continue;
    if (n < 8) H0[n] = frac(Math.sqrt(p));
    K[n++] = frac(Math.cbrt(p));
  }
}

const turn = (x: number, n: number): number => x >>> n | x << 32 - n;

export function sha256(text: string): string {
  const data = new TextEncoder().encode(text);
  const size = (data.length + 9 + 63) >> 6 << 6;
  const bytes = new Uint8Array(size);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(size - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(size - 4, data.length << 3 >>> 0);
  const h = new Uint32Array(H0);
  const w = new Uint32Array(64);
  const at = (a: Uint32Array, i: number): number => a[i] ?? 0;
  for (let off = 0; off < size; off += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(off + i * 4);
    for (let i = 16; i < 64; i++) {
      const x = at(w, i - 15);
      const y = at(w, i - 2);
      w[i] = at(w, i - 16) + (turn(x, 7) ^ turn(x, 18) ^ x >>> 3) + at(w, i - 7) + (turn(y, 17) ^ turn(y, 19) ^ y >>> 10);
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, z = 0] = h;
    for (let i = 0; i < 64; i++) {
      const t1 = z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + (e & f ^ ~e & g) + at(K, i) + at(w, i) | 0;
      const t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + (a & b ^ a & c ^ b & c) | 0;
      z = g; g = f; f = e; e = d + t1 | 0; d = c; c = b; b = a; a = t1 + t2 | 0;
    }
    [a, b, c, d, e, f, g, z].forEach((v, i) => { h[i] = at(h, i) + v; });
  }
  return [...h].map((v) => v.toString(16).padStart(8, "0")).join("");
}

const salt = [...crypto.getRandomValues(new Uint32Array(4))].map((v) => v.toString(16)).join("");

/**
 * A digest that says nothing outside this document: the salt never leaves this
 * world, so that a short secret in a form can't be found by trying.
 */
export const digest = (parts: readonly string[]): string =>
  sha256(salt + parts.map((p) => `${p.length}:${p}`).join("")).slice(0, 20);
