// Events that come between two frames are taken in together and drawn once. They
// may also be held back until all have come: a task that is sent again with a
// thousand events is drawn in one frame, not in several that each move what the
// one before drew.

/** How long events wait without a frame, in ms; a hidden page has none. */
const HIDDEN_MS = 100;

export class Frames<T> {
  private waiting: T[] = [];
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private held = false;

  constructor(private take: (all: readonly T[]) => void) {}

  push(x: T): void {
    this.waiting.push(x);
    if (this.held || this.waiting.length > 1) return;
    this.frame = requestAnimationFrame(() => this.flush());
    this.timer = setTimeout(() => this.flush(), HIDDEN_MS);
  }

  /** Takes in the events so far, and then none until release. */
  hold(): void {
    this.release();
    this.held = true;
  }

  /** Takes in at once the events that were held back. */
  release(): void {
    this.held = false;
    this.flush();
  }

  /** Takes in the events so far at once, unless they are held back. */
  flush(): void {
    if (this.held) return;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    const all = this.waiting;
    this.waiting = [];
    if (all.length > 0) this.take(all);
  }
}
