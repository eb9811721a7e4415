// What a part of the page is called in the list: the kind of its landmark, and
// its name or the last heading in it. Long pages have hundreds of headings, and
// of most of their parts nothing is told: a heading is read when it is.

import { textOf } from "./visibletext";

export class Group {
  private said: string | undefined = undefined;

  /** label: its name, or the heading that gives it one; before: what it is called if that says nothing. */
  constructor(readonly kind: string, private readonly label: string | Element, private readonly before: Group | null = null) {}

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
