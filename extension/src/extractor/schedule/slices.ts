// Splits long work on the page's own thread into slices: a page of a hundred thousand
// nodes takes a second to list, and it would be frozen for that long. Nearly all
// pages take one slice only, which runs at once.

import { type Children, isBehind, isConnected, offDocument, onDocument, type Scope, shadowRoots, unchanged } from "../dom/dom";

/** Work that pauses at each yield, when its pace is due. */
export type Work<T> = Generator<void, T, void>;

/** The user feels tasks over 50 ms (W3C Long Tasks); one more step and the page's own work must fit in as well. */
const sliceMs = 25;
/** Nodes between two looks at the clock: they take a millisecond at most, and the clock costs as much as a node. */
export const stride = 32;
/** The same for steps that take longer than a node. */
const few = 8;
const tries = 3;
/** How long work is begun again on a page that keeps changing, in ms. */
const againMs = 2000;

/** The knowledge of the page that work keeps over its pauses. */
interface Kept { forget(): void; again(): void }

/** Tells work when to pause, and what happened during the pause. */
export class Pace {
  /** The node that a walk has reached, null after its end; the nodes before it were read. */
  at: Node | null = null;
  /** Whether something may look different since the pause. */
  stirred = false;
  /** Whether the page removed the nodes that the walk would go on with. */
  lost = false;
  readonly roots: ShadowRoot[] = [];
  private end: number;
  constructor(private readonly endless = false, private ms = sliceMs) { this.end = performance.now() + ms; }

  /** Like due, for loops of small steps: asks the clock only once in few steps. */
  dueAmong(step: number): boolean { return step % few === 0 && this.due(); }

  due(): boolean { return !this.endless && performance.now() >= this.end; }

  /** Pauses work; afterwards look forgets what it knows if something may look different. */
  *rest(look: Kept): Work<void> {
    yield;
    if (this.stirred) look.forget();
    this.stirred = false;
    look.again();
  }

  goOn(): void { this.end = performance.now() + this.ms; }

  /** Uses full slices from now on, since a caller waits. */
  hurry(): void {
    this.ms = sliceMs;
    this.goOn();
  }
}

/** Pauses nested walks; each goes on behind its last child. Sets pace.lost if one can't, because the page removed too much. */
export function* restAt(levels: Children[], pace: Pace, look: Kept): Work<void> {
  for (const c of levels) c.keep();
  yield* pace.rest(look);
  for (const c of levels) if (!c.resume()) pace.lost = true;
}

/** Finds the document and all shadow roots in it, in slices: it takes long on a large page. */
export function* scopesIn(pace: Pace, look: Kept): Work<Scope[]> {
  const out: Scope[] = [document];
  for (const root of shadowRoots()) {
    if (root) out.push(root);
    else if (pace.due()) yield* pace.rest(look);
  }
  return out;
}

/** Runs work to its end at once, however long that takes. */
export function drain<T>(work: (pace: Pace) => Work<T>): T {
  const r = work(new Pace(true)).next();
  if (!r.done) throw new Error("tabwright: work paused where it may not");
  return r.value;
}

/**
 * Runs work in slices; returns a promise only if one slice was not enough. If the
 * page changed in a part already read, the work begins again, at most twice; if it
 * changed even then, the result is marked as changed.
 */
export function sliced<T extends { changed?: boolean }>(make: (pace: Pace) => Work<T>): T | Promise<T> {
  const pace = new Pace();
  return through(make, pace, make(pace));
}

/** Runs work that was begun before to its end, as sliced does. The parts it has read must be unchanged. */
export function through<T extends { changed?: boolean }>(make: (pace: Pace) => Work<T>, pace: Pace, work: Work<T>): T | Promise<T> {
  const r = unchanged(() => work.next());
  if (r.done) return r.value;
  underWay++;
  return rest(make, pace, work).finally(() => {
    if (--underWay === 0) for (const done of ends.splice(0)) done();
  });
}

let underWay = 0;
const ends: (() => void)[] = [];

/** Whether work that a caller waits for is between two slices. */
export const isUnderWay = (): boolean => underWay > 0;

/** Resolves when such work has ended and was answered. */
export async function whenThrough(): Promise<void> {
  await otherTasks();
  if (underWay === 0) return;
  await new Promise<void>((done) => { ends.push(done); });
  await otherTasks();
}

async function rest<T extends { changed?: boolean }>(make: (pace: Pace) => Work<T>, pace: Pace, work: Work<T>): Promise<T> {
  const began = performance.now();
  for (let left = tries - 1; ; left--) {
    const drift = new Drift(pace);
    let out: T;
    try {
      for (;;) {
        await otherTasks();
        drift.look();
        pace.goOn();
        // Finding the labels of a large document again takes a fifth of a slice.
        const r = unchanged(() => work.next(), !pace.stirred);
        if (!r.done) continue;
        out = r.value;
        break;
      }
    } finally {
      drift.stop();
    }
    if (!drift.missed && !pace.lost) return out;
    if (left === 0 || performance.now() - began > againMs) return { ...out, changed: true };
    await otherTasks();
    pace = new Pace();
    work = make(pace);
    // Nothing watched the page in between, so this attempt starts from nothing.
    const r = unchanged(() => work.next());
    if (r.done) return r.value;
  }
}

/** Lets the page's other tasks run. Timers would be held back to one a second in a background tab. */
export function otherTasks(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

// Attributes that show or hide parts of a page; a change begins the work again. Many
// pages change class and style all the time: these, and the attributes that tie a
// label to its field, only renew the parts read afterwards.
const revealing = new Set(["hidden", "open", "inert"]);
const looksLike = ["class", "style", "for", "id", ...revealing];

/** Watches what the page does between the slices. */
class Drift {
  /** Whether the page changed in a part that was already read. */
  missed = false;
  private readonly observer = new MutationObserver((r) => { this.saw(r); });
  private watched = 0;
  private readonly size = [innerWidth, innerHeight].join();

  constructor(private readonly pace: Pace) {
    this.watch(document);
    this.more();
    onDocument("scroll", this.onScroll);
  }

  look(): void {
    this.saw(this.observer.takeRecords());
    this.more();
    if (this.size !== [innerWidth, innerHeight].join()) this.onScroll();
  }

  stop(): void {
    this.saw(this.observer.takeRecords());
    this.observer.disconnect();
    offDocument("scroll", this.onScroll);
  }

  private more(): void {
    for (; this.watched < this.pace.roots.length; this.watched++) this.watch(this.pace.roots[this.watched] as Node);
  }

  private watch(n: Node): void {
    this.observer.observe(n, { childList: true, subtree: true, attributes: true, attributeFilter: looksLike });
  }

  /** Everything moved: the boxes read before are of another view. */
  private readonly onScroll = (): void => {
    this.missed = this.pace.stirred = true;
  };

  private saw(records: MutationRecord[]): void {
    if (records.length === 0) return;
    this.pace.stirred = true;
    for (const r of records) {
      if (this.missed) return;
      if (r.type === "attributes") this.missed = revealing.has(r.attributeName ?? "") && this.before(r.target);
      else for (const n of r.addedNodes) if (isConnected(n) && this.before(n)) this.missed = true;
    }
  }

  private before(n: Node): boolean {
    const at = this.pace.at;
    return at === null || !isConnected(at) || !isBehind(at, n);
  }
}
