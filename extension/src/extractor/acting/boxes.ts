// Rows of fields for one character each, in which codes are entered: the page itself
// moves the focus on, and may redraw the row with each character.

import { isEditable } from "../a11y/interactive";
import { secretOf } from "../a11y/secrets";
import { all, isConnected, localName, parentOf, rectOf } from "../dom/dom";
import { formOf } from "../guard/form";

const fewest = 3;
const maxClimb = 3;

const isNarrow = (el: Element): boolean => rectOf(el).width < 2 * Math.max(rectOf(el).height, 20);

/** Whether two fields are in one line and look alike. */
function isAlike(a: HTMLInputElement, b: Element): b is HTMLInputElement {
  if (!(b instanceof HTMLInputElement) || b.type !== a.type || formOf(a) !== formOf(b) || secretOf(a) !== secretOf(b) || !isEditable(b)) return false;
  const [r, s] = [rectOf(a), rectOf(b)];
  return Math.abs(r.width - s.width) < 3 && Math.abs(r.top - s.top) < 3;
}

const topIn = (container: Element, el: Element): number => rectOf(el).top - rectOf(container).top;

export class BoxRow {
  private constructor(private readonly container: Element, private readonly index: number, private readonly size: number, private readonly top: number) {}

  /** The row of a field for one character, or null. A field without maxlength counts if it is narrow. */
  static of(el: Element): BoxRow | null {
    if (!(el instanceof HTMLInputElement) || !isEditable(el) || el.maxLength !== 1 && (el.maxLength > 1 || !isNarrow(el))) return null;
    let row: BoxRow | null = null;
    for (let p = parentOf(el), up = 0; p && up < maxClimb; p = parentOf(p), up++) {
      const found = [...all(p, "input")].filter((x) => isAlike(el, x));
      if (found.length >= (el.maxLength === 1 ? 2 : fewest) && found.length > (row?.size ?? 0)) row = new BoxRow(p, found.indexOf(el), found.length, topIn(p, el));
      if (localName(p) === "form") break;
    }
    return row;
  }

  /** Its present fields; none if it became another row. */
  private boxes(): HTMLInputElement[] {
    const inputs = isConnected(this.container) ? [...all(this.container, "input")] : [];
    for (const first of inputs) {
      const found = first instanceof HTMLInputElement && Math.abs(topIn(this.container, first) - this.top) < 3 ? inputs.filter((x): x is HTMLInputElement => isAlike(first, x)) : [];
      if (found.length === this.size) return found;
    }
    return [];
  }

  /** The present field in the place of the first one written in. */
  get own(): HTMLInputElement | null { return this.boxes()[this.index] ?? null; }

  /** The last filled field, from the first one written in on. */
  get filled(): HTMLInputElement | null { return this.boxes().slice(this.index).findLast((x) => x.value !== "") ?? null; }

  has(el: Element): el is HTMLInputElement { return this.boxes().some((x) => x === el); }

  /** The values from the first field written in on; null if they are secret. */
  get values(): string[] | null {
    const boxes = this.boxes();
    return boxes.some((x) => secretOf(x) !== "") ? null : boxes.slice(this.index).map((x) => x.value);
  }
}
