// Tells whether a judged target may have changed since its facts were last
// read in full. A full read walks through names, forms and amounts, and
// its cost grows with the page; during an act nearly always nothing changes
// between two events.

import { attr, baseOf, closest, holds, isElement, localName, parentOf } from "../dom/dom";
import { isPriced, subjectOf, valuesTaken } from "./facts";
import { formOf } from "./form";

/** How long the facts hold without a recorded change: style sheets change without a trace. */
const holdsMs = 50;
/** If there are more changes, each counts as relevant. */
const maxRecords = 50;

const where = (): string => `${location.href} ${baseOf(document)}`;

export class Steady {
  private readonly observer: MutationObserver;
  private readonly it: Element | null;
  private records: MutationRecord[] = [];
  private changed = false; // something changed
  private read = -Infinity; // the time of the last full read
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

  /** Records that the target was just read in full and is as judged. */
  judged(): void {
    this.observer.takeRecords();
    this.records = [];
    this.changed = false;
    this.read = performance.now();
    this.at = where();
    this.values = this.it ? valuesTaken(this.it) : "";
    this.labels = this.it ? labelsOf(this.it) : [];
  }

  /** Whether a press would still do as judged: nothing changed. False if amounts of money are shown, so that they are read anew. */
  holds(): boolean {
    if (!this.recent() || this.changed || !this.it) return false;
    return !isPriced(this.it) && valuesTaken(this.it) === this.values;
  }

  /** Whether a field is still the same, even if the page shows its text elsewhere. */
  takes(): boolean {
    if (!this.recent()) return false;
    const it = this.it;
    if (!it || this.records.length > maxRecords) return false;
    const labels = labelsOf(it);
    if (labels.length !== this.labels.length || labels.some((l, i) => l !== this.labels[i])) return false;
    const near = new Set<Node>(labels);
    const form = formOf(it);
    if (form) near.add(form);
    // The words for an unlabelled field are before it or before its containers (secrets.ts).
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
    this.changed ||= records.length > 0;
    for (const r of records) if (this.records.length <= maxRecords) this.records.push(r);
  }
}

const labelsOf = (el: Element): Node[] => {
  const labels = (el as Partial<HTMLInputElement>).labels;
  return labels instanceof NodeList ? [...labels] : [];
};

/** Whether a change may affect a field's facts: its kind and name, its form, the content near it. */
function bears(r: MutationRecord, it: Element, form: HTMLFormElement | null, near: Set<Node>): boolean {
  const t = isElement(r.target) ? r.target : parentOf(r.target);
  if (!t || attr(it, "aria-labelledby") !== null) return true;
  if (t !== it && holds(it, t)) return false; // the text of an editor
  if (holds(t, it)) return true;
  return closest(t, (e) => near.has(e) || form !== null && (localName(e) === "button" || localName(e) === "input") && formOf(e) === form) !== null;
}
