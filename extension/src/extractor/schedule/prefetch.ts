// A document's first look is the slowest: its code runs for the first time, up to
// three times as slowly as later. While the host waits for a page to stand still
// after its load event, the page is idle, so the next look begins then. A call for
// that look within keepMs takes over the result if nothing has changed since. The
// extension injects this code into a small page when the wait is almost over: there
// the look begins by itself.

import { growing, type TreeOptions } from "../a11y/aria";
import type { AriaTree, FrameSummary, ListOptions, ListResult } from "../api";
import { all, unchanged } from "../dom/dom";
import { listing } from "../listing/list";
import { summing } from "../listing/summary";
import { Calm } from "./quiescence";
import { otherTasks, Pace, through, type Work } from "./slices";

/** Pages with more elements are still doing their layout then: reading ahead would delay the answer to the waiting host. */
const large = 1000;
/** A slice short enough that nothing in the page waits for it. */
const sliceMs = 3;
/** How long a look runs that nobody asked for. */
const unaskedMs = 20;
/** How long after its beginning a look may be taken over. */
const keepMs = 250;

interface Looks { summary: FrameSummary; list: ListResult; tree: AriaTree }
interface Options { summary: { first?: number }; list: ListOptions; tree: TreeOptions }

type Make<L extends keyof Looks> = (pace: Pace) => Work<Looks[L]>;

const makes: { [L in keyof Looks]: (o: Options[L]) => Make<L> } = {
  summary: (o) => (pace) => summing(o, pace),
  list: (o) => (pace) => listing(o, pace),
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

  /** Whether the result so far is still valid: young enough, and the page unchanged. */
  holds(): boolean { return this.age < keepMs && this.calm.holds(); }

  /** Reads for ms, even if the result becomes invalid: code that has run once is faster. */
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

  /** Returns the result, or reads the rest now, since a caller waits. */
  take(): Looks[L] | Promise<Looks[L]> {
    if (this.out !== null) return this.out;
    this.pace.hurry();
    return through(this.make, this.pace, this.work);
  }

  end(): void { this.calm.end(); }

  anew(): Begun<keyof Looks> { return new Begun(this.look, this.of) as Begun<keyof Looks>; }
}

let begun: Begun<keyof Looks> | null = null;

/** Ends a look that was begun ahead; its result is invalid. */
export function drop(of = begun): void {
  if (of === null || of !== begun) return;
  begun.end();
  begun = null;
}

/** Begins the look ahead again after more became known of the page. */
export function again(): void {
  const old = begun;
  if (old === null) return;
  drop();
  const b = old.anew();
  begun = b;
  void b.run(unaskedMs).catch(() => { drop(b); });
}

/** The options of the host's first call: pagecontext.Page.Look with its usual budget, Elements after a navigation over MCP, and Snapshot. */
const usual: { [L in keyof Looks]: Options[L] } = { summary: { first: 250 }, list: { first: 300, lead: true }, tree: { max: 20000, scopeId: 0 } };

/** Begins the usual look once the page has loaded, if nobody has looked by then. */
export function begin(look: keyof Looks): void {
  const now = (): void => {
    // A caller that waits for the page to stand still is answered first.
    void otherTasks().then(() => looked ? undefined : ahead({ look, ms: unaskedMs }));
  };
  if (document.readyState === "complete") now();
  else addEventListener("load", now, { once: true });
}

let looked = false;

/** Begins a look with the options of, else the usual ones. It runs for ms even if the page changes, so that its code has run once. */
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
    drop(); // the page changed so much that the look failed
  }
}

/** Returns the look that was begun ahead if it is the same and still valid; else null. */
export function readAhead<L extends keyof Looks>(look: L, of: Options[L] | undefined): Looks[L] | Promise<Looks[L]> | null {
  looked = true;
  const b = begun as Begun<L> | null;
  if (b === null) return null;
  const same = b.key === keyOf(look, of) && b.holds();
  drop();
  return same ? b.take() : null;
}
