// The record that a LayoutCache keeps of each element.

import type { Box } from "./box";
import type { Color } from "./colour";

/**
 * What is known of one element; undefined is not asked yet. Each answer of the
 * browser costs more than all that is made of it here, so each is asked once.
 */
export class Known {
  up: Known | null | undefined = undefined; // what stands around it
  tag: string | undefined = undefined;
  style: CSSStyleDeclaration | undefined = undefined;
  position: string | undefined = undefined;
  clips: boolean | undefined = undefined; // cuts off what stands out of its box
  cut: boolean | undefined = undefined; // cut to nothing itself
  painted: boolean | undefined = undefined;
  boxed: boolean | undefined = undefined;
  box: Box | undefined = undefined;
  clip: Box | undefined = undefined;
  freeClip: Box | undefined = undefined;
  hides: boolean | undefined = undefined;
  freeHides: boolean | undefined = undefined;
  shown: boolean | undefined = undefined;
  inView: boolean | undefined = undefined;
  ink: Color | null | undefined = undefined; // of its letters
  tiny: boolean | undefined = undefined; // they are too small to be read
  paper: Color | null | undefined = undefined;
  readable: boolean | undefined = undefined;
  hand: string | undefined = undefined;
  inert: boolean | undefined = undefined;
  behind: boolean | undefined = undefined; // a modal dialog
  ariaHidden: boolean | undefined = undefined;
  ariaDisabled: boolean | undefined = undefined;

  constructor(readonly el: Element) {}
}
