// Tells how far a drag of the page went, by the events that came of it.

import type { Effects } from "../api";
import { offDocument, onDocument } from "../dom/dom";

const kinds = ["dragstart", "drop"];

export class Drags {
  private readonly last = new Map<string, Event>(); // by type: whether its default was prevented is known once it was handled
  private readonly note = (e: Event): void => { this.last.set(e.type, e); };

  constructor() { for (const k of kinds) onDocument(k, this.note); }

  begin(): void { this.last.clear(); }

  end(): void { for (const k of kinds) offDocument(k, this.note); }

  /** How the last drag ended: the page prevented its start, accepted no drop at its end, or got one; undefined: none began. */
  get ended(): Effects["drag"] {
    const start = this.last.get("dragstart");
    if (!start) return undefined;
    if (start.defaultPrevented) return "prevented";
    return this.last.has("drop") ? "dropped" : "refused";
  }
}
