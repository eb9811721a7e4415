// What a heading stands over. Controls are listed under the last heading before them,
// but a side bar ends with a heading too, and the content after it is not under that.

import type { Group } from "../a11y/group";
import { headings, levelOf } from "../a11y/role";
import { all, attr, closest, comesBefore, contains, localName, parentOf, rootOf, type Scope, textContent } from "../dom/dom";
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

/** A heading that stands over what is visited. */
interface Head {
  el: Element;
  rank: number;
  depth: number; // levels above it
  low: number; // the fewest levels above an element visited since
  twin: number; // low of a heading of its rank that it followed, or -1
  found: number; // controls found before it
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
    const head = { el, rank: rankOf(el), depth, low: depth, twin: -1, found, before };
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
    for (let last = heads.at(-1); last && depth <= last.depth && this.endsAt(last, el, depth, found); last = heads.at(-1)) {
      group = last.before;
      heads.pop();
    }
    for (const h of heads) h.low = Math.min(h.low, depth);
    return group;
  }

  /**
   * Whether a heading does not stand over el, which comes after it or after a box that holds it: el has a heading above that
   * one or, if there were controls under that one, another of its rank; or the box has several sections, of which the
   * heading has the last.
   */
  private endsAt(h: Head, el: Element, depth: number, found: number): boolean {
    return h.twin > depth || this.holdsHeading(el, found > h.found ? h.rank : h.rank - 1);
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
