// Counts the events that a subscription sends again, so that they are drawn
// when all have come.

import type { Event } from "../gen/wire";

/** How long the next event is waited for, in milliseconds, if the host stops in the middle. */
const STALL_MS = 2000;

export class Replay {
  private got = 0;
  private wanted = Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private done: () => void = () => undefined;

  /** Resolves when all events have come, none has for STALL_MS, or end was called. */
  readonly whole = new Promise<void>((done) => (this.done = done));

  /** Counts events of task with a number above after. */
  constructor(readonly task: string, private after: number) {}

  /** Sets the number of events that the host promised; some may have come before. */
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
