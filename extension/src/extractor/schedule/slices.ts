// Long work on the page's own thread, in slices: a page of a hundred thousand
// nodes takes a second to list, and for that long nothing in it would move or
// answer. What takes one slice only, as nearly all pages do, runs through at
// once.

import { type Children, isBehind, isConnected, offDocument, onDocument, type Scope, shadowRoots, unchanged } from "../dom/dom";

/** Work that puts itself down at each yield, when its pace says that it is time. */
export type Work<T> = Generator<void, T, void>;

/** Tasks over 50 ms are what a user feels (W3C Long Tasks); one step more and what the page does itself must fit in as well. */
const sliceMs = 25;
/** So many nodes take a millisecond at most; to ask the clock at each would cost as much as they do. */
export const stride = 32;
/** Steps that take longer than those over a node. */
const few = 8;
const tries = 3;
/** For how long a page that keeps changing is begun again, in ms. */
const againMs = 2000;

/** What work has learned of the page, over its pauses. */
interface Kept { forget(): void; again(): void }

/** When to put work down, and what happened meanwhile. */
export class Pace {
  /** The node that a walk has come to; null once it is through. What is before it was read already. */
  at: Node | null = null;
  /** Something may look other than before the pause. */
  stirred = false;
  /** The page took away what the walk was to go on with. */
  lost = false;
  readonly roots: ShadowRoot[] = [];
  private end: number;
  constructor(private readonly endless = false, private ms = sliceMs) { this.end = performance.now() + ms; }

  /** Whether it is time; in a loop of small steps, to ask the clock at each would cost more than they do. */
  dueAmong(step: number): boolean { return step % few === 0 && this.due(); }

  due(): boolean { return !this.endless && performance.now() >= this.end; }

  /** Puts work down; what was learned of the page's looks is forgotten if they may be others afterwards. */
  *rest(look: Kept): Work<void> {
    yield;
    if (this.stirred) look.forget();
    this.stirred = false;
    look.again();
  }

  goOn(): void { this.end = performance.now() + this.ms; }

  /** From now on somebody waits for the work. */
  hurry(): void {
    this.ms = sliceMs;
    this.goOn();
  }
}

/** A pause within nested walks: each of them goes on behind the child that it was at, whatever the page did meanwhile. */
export function* restAt(levels: Children[], pace: Pace, look: Kept): Work<void> {
  for (const c of levels) c.keep();
  yield* pace.rest(look);
  for (const c of levels) if (!c.resume()) pace.lost = true;
}

/** The document and all shadow roots in it: to look for them takes long on a large page. */
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
 * Runs work in slices; a promise only where one slice was not enough. If the
 * page changed in what was read already, the work is begun again, at most
 * twice; a result that the page outran still is marked as changed.
 */
export function sliced<T extends { changed?: boolean }>(make: (pace: Pace) => Work<T>): T | Promise<T> {
  const pace = new Pace();
  return through(make, pace, make(pace));
}

/** Runs work that was begun to its end, as sliced does: nothing that it read has changed until now. */
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

/** Whether work that somebody waits for is put down between two slices. */
export const isUnderWay = (): boolean => underWay > 0;

/** When such work is over and answered. */
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
        // To look for the labels of a large document anew takes a fifth of a slice.
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
    // Nobody saw what the page did meanwhile: nothing of the walk before holds.
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

// Attributes that bring parts of a page in or take them out; of class and style,
// which many pages change all the time, and of what ties a label to its field,
// only what is read afterwards is new.
const revealing = new Set(["hidden", "open", "inert"]);
const looksLike = ["class", "style", "for", "id", ...revealing];

/** What the page does between the slices. */
class Drift {
  /** It changed in a part that was read before. */
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

  /** Where everything is: boxes that were read are of another view. */
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
