// The events that a subscription sends again, counted as they come in: what was
// asked for is drawn when it is whole.

import type { Event } from "../gen/wire";

/** A host that stops in the middle is not waited for any longer than this, in milliseconds. */
const STALL_MS = 2000;

export class Replay {
  private got = 0;
  private wanted = Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private done: () => void = () => undefined;

  /** Kept when all have come, or none has for a while, or it was ended. */
  readonly whole = new Promise<void>((done) => (this.done = done));

  /** Of a task, after an event's number. */
  constructor(readonly task: string, private after: number) {}

  /** So many events were promised; they come before or after that is known. */
  expect(n: number): void {
    this.wanted = n;
    this.look();
  }

  come(e: Event): void {
    if (e.task !== this.task || e.seq <= this.after) return;
    this.got++;
    this.look();
  }

  end(): void {
    clearTimeout(this.timer);
    this.done();
  }

  private look(): void {
    if (this.got >= this.wanted) return this.end();
    if (this.wanted === Infinity) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), STALL_MS);
  }
}
