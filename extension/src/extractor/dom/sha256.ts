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

/**
 * Returns the digest of text in hexadecimal. It is one loop without inner functions:
 * most documents call it for one act only, before the code is compiled.
 */
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
  const w = new Int32Array(64);
  for (let off = 0; off < size; off += 64) {
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, z = 0] = h;
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = view.getInt32(off + i * 4);
      else {
        const x = w[i - 15] as number;
        const y = w[i - 2] as number;
        w[i] = (w[i - 16] as number) + (w[i - 7] as number) +
          ((x >>> 7 | x << 25) ^ (x >>> 18 | x << 14) ^ x >>> 3) + ((y >>> 17 | y << 15) ^ (y >>> 19 | y << 13) ^ y >>> 10);
      }
      const t1 = z + ((e >>> 6 | e << 26) ^ (e >>> 11 | e << 21) ^ (e >>> 25 | e << 7)) + (e & f ^ ~e & g) + (K[i] as number) + (w[i] as number) | 0;
      const t2 = ((a >>> 2 | a << 30) ^ (a >>> 13 | a << 19) ^ (a >>> 22 | a << 10)) + (a & b ^ a & c ^ b & c) | 0;
      z = g; g = f; f = e; e = d + t1 | 0; d = c; c = b; b = a; a = t1 + t2 | 0;
    }
    [a, b, c, d, e, f, g, z].forEach((v, i) => { h[i] = (h[i] as number) + v; });
  }
  return [...h].map((v) => v.toString(16).padStart(8, "0")).join("");
}

const salt = [...crypto.getRandomValues(new Uint32Array(4))].map((v) => v.toString(16)).join("");

/**
 * A digest that means nothing outside this document: the salt never leaves this
 * world, so a short secret in a form can't be found by trial.
 */
export const digest = (parts: readonly string[]): string =>
  sha256(salt + parts.map((p) => `${p.length}:${p}`).join("")).slice(0, 20);
