// The name of a part of the page in the list: the kind of its landmark, and its name
// or the last heading in it. A long page has hundreds of headings, most of them never
// printed: a heading is read only when needed.

import { textOf } from "./visibletext";

export class Group {
  private said: string | undefined = undefined;

  /** label: its name, or the heading that names it; before: the group that names it if that is empty; frames: it is a navigation, banner, search or aside outside of the page's main part. */
  constructor(readonly kind: string, private readonly label: string | Element, private readonly before: Group | null = null, readonly frames: boolean = before?.frames ?? false) {}

  get text(): string {
    return this.said ??= this.read();
  }

  private read(): string {
    for (let g: Group | null = this; g; g = g.before) {
      const label = typeof g.label === "string" ? g.label : textOf(g.label, 60);
      if (label) return `${this.kind}: ${label}`;
    }
    return this.kind;
  }

  is(other: Group): boolean {
    return this === other || this.text === other.text;
  }
}
