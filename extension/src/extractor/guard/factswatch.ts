// Whether what a guard judged can have become something else since it was last
// read in full. Reading it means walking through names, forms and amounts, and
// that grows with the page; while an act arrives nearly always nothing changed
// between one event and the next.

import { attr, baseOf, closest, holds, isElement, localName, parentOf } from "../dom/dom";
import { isPriced, subjectOf, valuesTaken } from "./facts";
import { formOf } from "./form";

/** How long what was read holds where only a style sheet could change it, which leaves no trace. */
const holdsMs = 50;
/** Of more changes than this it isn't asked what they bear on. */
const maxRecords = 50;

const where = (): string => `${location.href} ${baseOf(document)}`;

export class Steady {
  private readonly observer: MutationObserver;
  private readonly it: Element | null;
  private records: MutationRecord[] = [];
  private stirred = false; // something changed, whatever it was
  private read = -Infinity; // when it was read in full
  private at = "";
  private values = "";
  private labels: Node[] = [];

  constructor(node: Element | null, parts: Iterable<Node>) {
    this.it = node && subjectOf(node);
    this.observer = new MutationObserver((r) => { this.take(r); });
    if (node) for (const p of parts) this.observer.observe(p, { subtree: true, childList: true, attributes: true, characterData: true });
  }

  stop(): void {
    this.observer.disconnect();
  }

  /** It was read in full just now, and is what was judged. */
  judged(): void {
    this.observer.takeRecords();
    this.records = [];
    this.stirred = false;
    this.read = performance.now();
    this.at = where();
    this.values = this.it ? valuesTaken(this.it) : "";
    this.labels = this.it ? labelsOf(this.it) : [];
  }

  /** Whether a press would still do what it was judged to do: nothing at all changed. Where money is shown it is always read anew. */
  holds(): boolean {
    if (!this.recent() || this.stirred || !this.it) return false;
    return !isPriced(this.it) && valuesTaken(this.it) === this.values;
  }

  /** Whether a field still is what it was, whatever the page shows elsewhere of what is written in it. */
  takes(): boolean {
    if (!this.recent()) return false;
    const it = this.it;
    if (!it || this.records.length > maxRecords) return false;
    const labels = labelsOf(it);
    if (labels.length !== this.labels.length || labels.some((l, i) => l !== this.labels[i])) return false;
    const near = new Set<Node>(labels);
    const form = formOf(it);
    if (form) near.add(form);
    // What an unlabelled field is for stands before it, or before what it is in (secrets.ts).
    if (labels.length === 0) for (let e = parentOf(it), up = 0; e && up < 3; e = parentOf(e), up++) near.add(e);
    if (this.records.some((r) => bears(r, it, form, near))) return false;
    this.records = [];
    return true;
  }

  private recent(): boolean {
    this.take(this.observer.takeRecords());
    return performance.now() - this.read < holdsMs && where() === this.at;
  }

  private take(records: MutationRecord[]): void {
    this.stirred ||= records.length > 0;
    for (const r of records) if (this.records.length <= maxRecords) this.records.push(r);
  }
}

const labelsOf = (el: Element): Node[] => {
  const labels = (el as Partial<HTMLInputElement>).labels;
  return labels instanceof NodeList ? [...labels] : [];
};

/** Whether a change may bear on what a field is taken for: its own kind and name, its form, what stands near it. */
function bears(r: MutationRecord, it: Element, form: HTMLFormElement | null, near: Set<Node>): boolean {
  const t = isElement(r.target) ? r.target : parentOf(r.target);
  if (!t || attr(it, "aria-labelledby") !== null) return true;
  if (t !== it && holds(it, t)) return false; // what is written in an editor
  if (holds(t, it)) return true;
  return closest(t, (e) => near.has(e) || form !== null && (localName(e) === "button" || localName(e) === "input") && formOf(e) === form) !== null;
}
