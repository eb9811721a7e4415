// The record that a LayoutCache keeps of each element.

import type { Box } from "./box";
import type { Color } from "./colour";

/**
 * The known facts of one element; undefined means not asked yet. Each question to
 * the browser costs more than the rest of the work, so each is asked once.
 */
export class Known {
  up: Known | null | undefined = undefined; // its parent
  tag: string | undefined = undefined;
  style: CSSStyleDeclaration | undefined = undefined;
  position: string | undefined = undefined;
  clips: boolean | undefined = undefined; // cuts off content outside its box
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
  tiny: boolean | undefined = undefined; // its letters are too small to read
  paper: Color | null | undefined = undefined;
  readable: boolean | undefined = undefined;
  hand: string | undefined = undefined;
  inert: boolean | undefined = undefined;
  behind: boolean | undefined = undefined; // it is behind a modal dialog
  ariaHidden: boolean | undefined = undefined;
  ariaDisabled: boolean | undefined = undefined;

  constructor(readonly el: Element) {}
}
