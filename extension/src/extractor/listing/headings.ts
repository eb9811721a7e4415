// What a heading stands over. Controls are listed under the last heading before them,
// but a side bar ends with a heading too, and the content after it is not under that.

import type { Group } from "../a11y/group";
import { headings, levelOf } from "../a11y/role";
import { all, attr, closest, comesBefore, contains, localName, parentOf, previousElement, rootOf, type Scope, textContent } from "../dom/dom";
import { flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { isItem, isLong } from "./items";

export const headingTags = new Set(["h1", "h2", "h3", "h4", "h5", "h6"]);

export const isHeading = (el: Element, tag: string): boolean => headingTags.has(tag) || attr(el, "role") === "heading";

const rankOf = (heading: Element): number => levelOf(heading) ?? 2;

/** Whether a heading is that of one item, or of the control that it is in, and not of what follows: the item has more words. */
export function isOfCard(heading: Element, control: Element | null): boolean {
  const card = control ?? closest(parentOf(heading), isItem);
  return card !== null && !isLong(card) && flat(textContent(card)).length > flat(textContent(heading)).length + mostBadge;
}

/** Up to so many characters beside a heading are a count or an icon. */
const mostBadge = 6;

/** How far a column goes on below its heading, and beside another: further than the lines under a title, in CSS pixels. */
const leastColumn = 100;

/** How many levels are above the part that a heading's section, which has more than the heading, is in, after other words; -1 if there is none. */
function endOf(h: Head, look: LayoutCache): number {
  const said = (e: Element): number => look.boxed(e) ? flat(textContent(e)).length : 0;
  for (let e = h.el, level = h.depth; level > 0; level--) {
    for (let before = previousElement(e); before; before = previousElement(before)) {
      if (said(before) > 0) return e !== h.el && said(e) > said(h.el) + mostBadge ? level - 1 : -1;
    }
    const up = parentOf(e);
    if (!up) break;
    e = up;
  }
  return -1;
}

/** A heading that stands over what is visited. */
interface Head {
  el: Element;
  rank: number;
  depth: number; // levels above it
  low: number; // the fewest levels above an element visited since
  twin: number; // low of a heading of its rank that it followed, or -1
  found: number; // controls found before it
  end?: number; // levels above the part that it is a later section of; -1 if there is none, undefined if not asked yet
  before: Group; // the group that it took the place of
}

/** The headings of a landmark or section that stand over what is visited, the last one at the end. */
export type Heads = Head[];

/** The headings of a page in their order, to look ahead. */
export class Headings {
  private readonly known = new Map<Scope, { all: Element[]; next: number }>();

  constructor(private readonly look: LayoutCache) {}

  /** Adds a heading; before: the group of what is visited. */
  add(el: Element, heads: Heads, depth: number, found: number, before: Group): void {
    const head: Head = { el, rank: rankOf(el), depth, low: depth, twin: -1, found, before };
    for (let last = heads.at(-1); last && last.rank >= head.rank; last = heads.at(-1)) {
      if (last.rank === head.rank) head.twin = last.low;
      head.before = last.before;
      heads.pop();
    }
    heads.push(head);
  }

  /** The group that el, visited after some headings, is in: that of the first heading that ends before it, or null if none does. */
  leave(el: Element, heads: Heads, depth: number, found: number): Group | null {
    let group: Group | null = null;
    for (let last = heads.at(-1); last && depth <= last.depth && this.endsAt(last, el, depth, found, heads.length > 1); last = heads.at(-1)) {
      group = last.before;
      heads.pop();
    }
    for (const h of heads) h.low = Math.min(h.low, depth);
    return group;
  }

  /**
   * Whether a heading does not stand over el, which comes after it or after a box that holds it: el has a heading above that
   * one or, if there were controls under that one, another of its rank; or the box has several sections, of which the
   * heading has the last; or el is a column beside the one that has the heading; or the heading, under another one (lower), is that
   * of a later section of a part that ended.
   */
  private endsAt(h: Head, el: Element, depth: number, found: number, lower: boolean): boolean {
    if (h.twin > depth || this.holdsHeading(el, found > h.found ? h.rank : h.rank - 1)) return true;
    if (depth >= h.depth) return false;
    return lower && depth <= (h.end ??= endOf(h, this.look)) || this.isBeside(el, h, depth);
  }

  /** Whether el stands beside the box around a heading, which goes on below it: a column, and not a title and its buttons. */
  private isBeside(el: Element, h: Head, depth: number): boolean {
    let box: Element | null = h.el;
    for (let up = h.depth; up > depth && box; up--) box = parentOf(box);
    if (!box || parentOf(box) !== parentOf(el) || !this.look.boxed(el)) return false;
    const [column, other, title] = [this.look.box(box), this.look.box(el), this.look.box(h.el)];
    return column.bottom - title.bottom > leastColumn && Math.min(other.bottom, column.bottom) - Math.max(other.top, column.top) > leastColumn &&
      (other.left >= column.right - 1 || other.right <= column.left + 1);
  }

  /** Whether el has a heading of at most that rank in it. */
  private holdsHeading(el: Element, rank: number): boolean {
    if (isHeading(el, localName(el))) return false; // it takes the place of the others by itself
    const root = rootOf(el) as Scope;
    let known = this.known.get(root);
    if (!known) this.known.set(root, known = { all: [...all(root, headings)], next: 0 });
    for (let h = known.all[known.next]; h && !contains(el, h) && comesBefore(h, el); h = known.all[known.next]) known.next++;
    for (let i = known.next, h = known.all[i]; h && contains(el, h); h = known.all[++i]) {
      if (rankOf(h) <= rank && this.look.boxed(h) && !isOfCard(h, null)) return true;
    }
    return false;
  }
}
