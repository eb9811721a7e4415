// Joins the chunks of a long message: Chrome takes at most 1 MiB per message
// from a host (host/native/wire/PROTOCOL.md, "Chunks").

import type { Chunk, Message } from "../gen/wire";

/** The longest message that is accepted. */
const MAX_BYTES = 256 << 20;

interface Partial {
  total: number;
  bytes: number;
  parts: Uint8Array[];
}

/** Collects chunks until a message is whole. One per native port. */
export class Assembler {
  private open = new Map<string, Partial>();

  /** Returns the whole message with its last chunk, undefined before that; throws on a chunk out of order and on a message over MAX_BYTES. */
  add(chan: string, c: Chunk): Message | undefined {
    const key = `${chan}/${c.id}`;
    const p = this.open.get(key) ?? { total: c.total, bytes: 0, parts: [] };
    if (c.total < 1 || c.total !== p.total || c.seq !== p.parts.length || c.seq >= c.total) {
      this.open.delete(key);
      throw new Error(`chunk ${c.seq}/${c.total} of ${key} does not follow ${p.parts.length}/${p.total}`);
    }
    const data = decode(c.data ?? "");
    p.parts.push(data);
    p.bytes += data.length;
    if (p.bytes > MAX_BYTES) {
      this.open.delete(key);
      throw new Error(`chunks of ${key} exceed ${MAX_BYTES} bytes`);
    }
    if (p.parts.length < p.total) {
      this.open.set(key, p);
      return undefined;
    }
    this.open.delete(key);
    const whole = new Uint8Array(p.bytes);
    let at = 0;
    for (const part of p.parts) {
      whole.set(part, at);
      at += part.length;
    }
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(whole)) as Message;
  }

  /** How many messages are still incomplete. */
  get pending(): number {
    return this.open.size;
  }
}

function decode(base64: string): Uint8Array {
  const s = atob(base64);
  const b = new Uint8Array(s.length);
  for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
  return b;
}
