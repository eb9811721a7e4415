// A press on a row may select it, as in lists of mails or issues: its
// box is ticked before the click comes, and the boxes of other rows are cleared.

import { closest, holds } from "../dom/dom";
import { boxesTaken, takenButBoxes } from "./facts";
import { isSubmitter } from "./form";

export class OwnRow {
  private readonly boxes: [HTMLInputElement, boolean][];
  private readonly rest: string; // the digest of all else that a press sends

  constructor(private readonly it: Element) {
    this.boxes = isSubmitter(it) ? [] : boxesTaken(it).map((c) => [c, c.checked]);
    this.rest = this.boxes.length > 0 ? takenButBoxes(it) : "";
  }

  /** Whether only the selection of its row changed: its box, and others that were cleared. */
  isChosen(): boolean {
    const { it, boxes } = this;
    const row = closest(it, (e) => boxes.some(([c]) => c !== it && holds(e, c)));
    const own = boxes.filter(([c]) => row !== null && holds(row, c));
    const now = boxesTaken(it);
    return own.length === 1 && now.length === boxes.length && boxes.every(([c, was], i) => c === now[i] && (c === own[0]?.[0] || !c.checked || was)) &&
      takenButBoxes(it) === this.rest;
  }
}
