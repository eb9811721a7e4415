// What will only be counted: of the thousands of controls that a long page has
// below what a first look lists, it is enough to ask a few for all that look
// alike. To ask each where it is and what can be seen of it would be half of
// what the look costs.

import { type Box, isEmpty } from "../dom/box";
import { attr, attrNames, hasAttrs, localName, parentOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";

/** Elements that no style sheet tells apart but by where they stand among their like. */
export interface Like {
  id: number;
  inside: boolean | undefined; // they stand within the height of what is around them
  usable: boolean; // one of them was found to be a control that a user can use
}

/** Where an element is beside the viewport: above (-1) or below it (1) with all that stands in it, or neither of these (0). */
export type Away = -1 | 0 | 1;

interface Place { like: Like; away: Away }

export class Alike {
  private readonly likes = new Map<string, Like>();
  private readonly places = new Map<Element, Place>(); // of what stands around those that are asked about

  /** Of the look: where things are holds until that forgets. */
  readonly epoch: number;
  private given = 0;

  constructor(private readonly look: LayoutCache) { this.epoch = look.epoch; }

  /** Of an element in parent, with these attributes. */
  place(el: Element, tag: string, names: readonly string[], parent: Element): Place {
    const around = this.around(parent);
    const like = this.like(around, el, tag, names);
    return { like, away: this.away(el, like, parent, around) };
  }

  private around(el: Element): Place {
    let p = this.places.get(el);
    if (!p) {
      const parent = parentOf(el);
      const names = hasAttrs(el) ? attrNames(el) : none;
      if (parent) p = this.place(el, localName(el), names, parent);
      else {
        const like = this.like(null, el, localName(el), names);
        p = { like, away: this.away(el, like, null, null) };
      }
      this.places.set(el, p);
    }
    return p;
  }

  private like(around: Place | null, el: Element, tag: string, names: readonly string[]): Like {
    let key = around ? `${around.like.id} ${tag}` : tag;
    for (const name of names) {
      key += ` ${name}=${said(el, name)}`;
      if (key.length > longestKey) return this.none(); // to keep thousands of these costs more than to ask
    }
    let like = this.likes.get(key);
    if (!like) this.likes.set(key, like = this.none());
    return like;
  }

  private none(): Like { return { id: this.given++, inside: undefined, usable: false }; }

  private away(el: Element, like: Like, parent: Element | null, around: Place | null): Away {
    if (parent && around && around.away !== 0) {
      like.inside ??= holds(this.look.box(parent), this.look.box(el));
      if (like.inside && this.look.flows(el)) return around.away;
    }
    const b = this.look.box(el);
    if (isEmpty(b)) return 0;
    return b.bottom <= this.look.view.top ? -1 : b.top >= this.look.view.bottom ? 1 : 0;
  }
}

const none: readonly string[] = [];

const holds = (outer: Box, b: Box): boolean => !isEmpty(b) && b.top >= outer.top - 1 && b.bottom <= outer.bottom + 1;

/** In characters: of longer ones their beginning and their length tell. */
const longest = 300;

/** Of one with more attributes, or longer ones, nothing is taken for others. */
const longestKey = 2000;

/** Where it leads and what it is called makes no difference to how it looks, nor does a number, by which most ids differ. */
const saying = new Set(["href", "src", "alt", "title", "aria-label", "srcset"]);

function said(el: Element, name: string): string {
  if (saying.has(name)) return "";
  const v = attr(el, name) ?? "";
  if (name !== "class" && name !== "style" && /\d/.test(v)) return "";
  return v.length > longest ? `${v.slice(0, longest)} ${v.length}` : v; // a picture may stand in a style
}
