// A press on a row may choose it by itself, as lists of mails and of issues do: its
// box is ticked before the click comes, and those of other rows are no more.

import { closest, holds } from "../dom/dom";
import { boxesTaken, takenButBoxes } from "./facts";
import { isSubmitter } from "./form";

export class OwnRow {
  private readonly boxes: [HTMLInputElement, boolean][];
  private readonly rest: string; // what else a press takes along

  constructor(private readonly it: Element) {
    this.boxes = isSubmitter(it) ? [] : boxesTaken(it).map((c) => [c, c.checked]);
    this.rest = this.boxes.length > 0 ? takenButBoxes(it) : "";
  }

  /** Whether all that has changed is the choice of its row: that one's box, and others that are ticked no more. */
  isChosen(): boolean {
    const { it, boxes } = this;
    const row = closest(it, (e) => boxes.some(([c]) => c !== it && holds(e, c)));
    const own = boxes.filter(([c]) => row !== null && holds(row, c));
    const now = boxesTaken(it);
    return own.length === 1 && now.length === boxes.length && boxes.every(([c, was], i) => c === now[i] && (c === own[0]?.[0] || !c.checked || was)) &&
      takenButBoxes(it) === this.rest;
  }
}
