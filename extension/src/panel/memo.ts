// A component that is drawn again only when its props have changed: a long
// chat must not be drawn again with every event.

import { Component, type ComponentChildren, type FunctionComponent, createElement } from "preact";

export function memo<P extends object>(draw: FunctionComponent<P>): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const now = this.props as P;
      const keys = Object.keys(next) as (keyof P)[];
      return keys.length !== Object.keys(now).length || keys.some((k) => next[k] !== now[k]);
    }
    override render(): ComponentChildren {
      return createElement(draw, this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
