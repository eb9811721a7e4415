// What comes faster than the screen shows is taken in once a frame: what comes
// between two frames is drawn once. And what belongs together may be held back
// until it is whole: a task that is sent again with a thousand events is drawn
// in one frame, not in several of which each moves what the one before drew.

/** Without frames (a hidden page has none) what came is taken in after this. */
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

  /** Takes in what has come, and from now on nothing until release. */
  hold(): void {
    this.release();
    this.held = true;
  }

  /** Takes in at once what was held back. */
  release(): void {
    this.held = false;
    this.flush();
  }

  /** Takes in at once what has come, unless it is held back. */
  flush(): void {
    if (this.held) return;
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    const all = this.waiting;
    this.waiting = [];
    if (all.length > 0) this.take(all);
  }
}
