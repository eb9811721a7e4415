// Saves work on controls that will only be counted. Of the thousands of controls below
// the first look of a long page, a few stand for all that look alike. To ask
// each for its place and visibility would take half the time of
// the look.

import { type Box, isEmpty } from "../dom/box";
import { attr, attrNames, hasAttrs, localName, parentOf } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";

/** Elements that style sheets can distinguish only by their place among siblings. */
export interface Like {
  id: number;
  inside: boolean | undefined; // they lie within the height of their ancestors
  usable: boolean; // one of them was found usable
}

/** The side of the viewport where an element lies with all its content: above (-1), below (1), or neither (0). */
export type Side = -1 | 0 | 1;

interface Place { like: Like; side: Side }

export class Alike {
  private readonly likes = new Map<string, Like>();
  private readonly places = new Map<Element, Place>(); // of the ancestors of elements asked for

  /** The epoch of the look: places hold until the look forgets them. */
  readonly epoch: number;
  private given = 0;

  constructor(private readonly look: LayoutCache) { this.epoch = look.epoch; }

  /** The place of an element in parent, with these attributes. */
  place(el: Element, tag: string, names: readonly string[], parent: Element): Place {
    const around = this.around(parent);
    const like = this.like(around, el, tag, names);
    return { like, side: this.sideOf(el, like, parent, around) };
  }

  private around(el: Element): Place {
    let p = this.places.get(el);
    if (!p) {
      const parent = parentOf(el);
      const names = hasAttrs(el) ? attrNames(el) : none;
      if (parent) p = this.place(el, localName(el), names, parent);
      else {
        const like = this.like(null, el, localName(el), names);
        p = { like, side: this.sideOf(el, like, null, null) };
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

  private sideOf(el: Element, like: Like, parent: Element | null, around: Place | null): Side {
    if (parent && around && around.side !== 0) {
      like.inside ??= holds(this.look.box(parent), this.look.box(el));
      if (like.inside && this.look.flows(el)) return around.side;
    }
    const b = this.look.box(el);
    if (isEmpty(b)) return 0;
    return b.bottom <= this.look.view.top ? -1 : b.top >= this.look.view.bottom ? 1 : 0;
  }
}

const none: readonly string[] = [];

const holds = (outer: Box, b: Box): boolean => !isEmpty(b) && b.top >= outer.top - 1 && b.bottom <= outer.bottom + 1;

/** In characters: longer values are compared by beginning and length. */
const longest = 300;

/** An element with more or longer attributes is never taken for others. */
const longestKey = 2000;

/** Attributes that don't change the look: address and name. Nor do numbers, which make most ids differ. */
const contentAttributes = new Set(["href", "src", "alt", "title", "aria-label", "srcset"]);

function said(el: Element, name: string): string {
  if (contentAttributes.has(name)) return "";
  const v = attr(el, name) ?? "";
  if (name !== "class" && name !== "style" && /\d/.test(v)) return "";
  return v.length > longest ? `${v.slice(0, longest)} ${v.length}` : v; // a style may contain a picture
}
