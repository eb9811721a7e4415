// What comes faster than the screen shows is taken in once a frame: a task
// that is sent again with a thousand events is drawn once, not a thousand times.

/** Without frames (a hidden page has none) what came is taken in after this. */
const HIDDEN_MS = 100;

export class Frames<T> {
  private waiting: T[] = [];
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private take: (all: readonly T[]) => void) {}

  push(x: T): void {
    this.waiting.push(x);
    if (this.waiting.length > 1) return;
    this.frame = requestAnimationFrame(() => this.flush());
    this.timer = setTimeout(() => this.flush(), HIDDEN_MS);
  }

  /** Takes in at once what has come. */
  flush(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    const all = this.waiting;
    this.waiting = [];
    if (all.length > 0) this.take(all);
  }
}
