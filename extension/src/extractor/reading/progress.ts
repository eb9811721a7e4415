// How far the reading of a page has come, and where it may rest.

import { Children, localName } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";
import { type Pace, restAt, stride, type Work } from "../schedule/slices";

/** How far nested walks have come, all parts of one work. */
export class Progress {
  /** Whether a list or a table was cut at its most rows. */
  cut = false;
  private steps = 0;
  private readonly levels: Children[] = [];

  constructor(private readonly look: LayoutCache, private readonly pace: Pace) {}

  enter(el: Element): Children {
    const children = Children.all(el, localName(el));
    if (children.shadow) this.pace.roots.push(children.shadow);
    this.levels.push(children);
    return children;
  }

  leave(): void { this.levels.pop(); }

  /** Whether the work must rest now; asks the clock once in stride calls. */
  due(): boolean { return ++this.steps % stride === 0 && this.pace.due(); }

  *rest(at: Element): Work<void> {
    this.pace.at = at;
    yield* restAt(this.levels, this.pace, this.look);
  }
}
