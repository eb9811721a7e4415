// A document's first look is the dearest: its code runs for the first time, up to
// three times as slowly as later. While the host waits for a page to stand still
// after its load event, the page has nothing to do, and the look that is asked for
// next is begun then. Who asks for it within a moment takes over what was read, if
// nothing has changed since. Through the extension this code comes to a small page
// when the wait is about over: there it begins by itself.

import { growing, type TreeOptions } from "../a11y/aria";
import type { AriaTree, FrameSummary } from "../api";
import { all, unchanged } from "../dom/dom";
import { summing } from "../listing/summary";
import { Calm } from "./quiescence";
import { otherTasks, Pace, through, type Work } from "./slices";

/** Pages with more elements have their layout to do then: the answer to who waits for them would come later by that. */
const large = 1000;
/** So short that nothing in the page waits for it. */
const sliceMs = 3;
/** For how long a look is read that nobody asked to begin. */
const unaskedMs = 20;
/** How old the beginning of a look may be when it is taken over. */
const keepMs = 250;

interface Looks { summary: FrameSummary; tree: AriaTree }
interface Options { summary: { first?: number }; tree: TreeOptions }

type Make<L extends keyof Looks> = (pace: Pace) => Work<Looks[L]>;

const makes: { [L in keyof Looks]: (o: Options[L]) => Make<L> } = {
  summary: (o) => (pace) => summing(o, pace),
  tree: (o) => (pace) => growing(o, pace),
};

const keyOf = (look: string, of: unknown): string => look + JSON.stringify(of ?? null);

class Begun<L extends keyof Looks> {
  readonly key: string;
  private readonly began = performance.now();
  private readonly calm = new Calm();
  private readonly pace = new Pace(false, sliceMs);
  private readonly make: Make<L>;
  private readonly work: Work<Looks[L]>;
  private out: Looks[L] | null = null;

  constructor(private readonly look: L, private readonly of: Options[L]) {
    this.key = keyOf(look, of);
    this.make = makes[look](of);
    this.work = this.make(this.pace);
  }

  private get age(): number { return performance.now() - this.began; }

  /** Whether what was read until now would be read again. */
  holds(): boolean { return this.age < keepMs && this.calm.holds(); }

  /** Reads for so long, even where it will not hold: code that has run is faster. */
  async run(ms: number): Promise<void> {
    while (begun === this && this.age < ms) {
      this.pace.goOn();
      const r = unchanged(() => this.work.next());
      for (const root of this.pace.roots) this.calm.also(root);
      if (r.done) {
        this.out = r.value;
        break;
      }
      await otherTasks();
    }
    if (begun === this) setTimeout(() => { drop(this); }, Math.max(0, keepMs - this.age));
  }

  /** What was read, or the rest of it is read now: somebody waits. */
  take(): Looks[L] | Promise<Looks[L]> {
    if (this.out !== null) return this.out;
    this.pace.hurry();
    return through(this.make, this.pace, this.work);
  }

  end(): void { this.calm.end(); }

  anew(): Begun<keyof Looks> { return new Begun(this.look, this.of) as Begun<keyof Looks>; }
}

let begun: Begun<keyof Looks> | null = null;

/** What was read ahead does not hold any more. */
export function drop(of = begun): void {
  if (of === null || of !== begun) return;
  begun.end();
  begun = null;
}

/** Begins again what is being read ahead, as more is known of the page. */
export function again(): void {
  const old = begun;
  if (old === null) return;
  drop();
  const b = old.anew();
  begun = b;
  void b.run(unaskedMs).catch(() => { drop(b); });
}

/** What the host first asks with: pagecontext.Page.Look with its usual budget, and Snapshot. */
const usual: { [L in keyof Looks]: Options[L] } = { summary: { first: 250 }, tree: { max: 20000, scopeId: 0 } };

/** Begins the usual look once the page has loaded, if nobody has looked by then. */
export function begin(look: keyof Looks): void {
  const now = (): void => {
    // Who waits for the page to stand still is answered first.
    void otherTasks().then(() => looked ? undefined : ahead({ look, ms: unaskedMs }));
  };
  if (document.readyState === "complete") now();
  else addEventListener("load", now, { once: true });
}

let looked = false;

/** Begins to look as it will be asked to, with the usual options if none are known; ms: for how long at least, for the sake of code that has run. */
export async function ahead<L extends keyof Looks>(o: { look: L; of?: Options[L]; ms: number }): Promise<void> {
  const of: Options[L] = o.of ?? usual[o.look];
  if (begun?.key === keyOf(o.look, of) && begun.holds()) return; // under way
  drop();
  if (all(document, "*").length > large) return;
  try {
    const b = new Begun(o.look, of);
    begun = b as Begun<keyof Looks>;
    await b.run(o.ms);
  } catch {
    drop(); // the page changed under it in a way that a look would begin anew for
  }
}

/** The look that was begun ahead, if it is this one and still holds; else null. */
export function readAhead<L extends keyof Looks>(look: L, of: Options[L] | undefined): Looks[L] | Promise<Looks[L]> | null {
  looked = true;
  const b = begun as Begun<L> | null;
  if (b === null) return null;
  const same = b.key === keyOf(look, of) && b.holds();
  drop();
  return same ? b.take() : null;
}
