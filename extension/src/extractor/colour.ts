// Colours as the browser computes them.

export type Color = [number, number, number, number];

/** A page has few colours and asks for each of them thousands of times. */
const colours = new Map<string, Color | null>();

export function rgba(s: string): Color | null {
  let c = colours.get(s);
  if (c === undefined) {
    if (colours.size > 1000) colours.clear();
    colours.set(s, (c = parsed(s)));
  }
  return c;
}

function parsed(s: string): Color | null {
  const m = /^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+)(?:,\s*([\d.]+))?\)$/.exec(s);
  return m ? [Number(m[1]), Number(m[2]), Number(m[3]), m[4] === undefined ? 1 : Number(m[4])] : null;
}

/** Whether a person tells one colour from the other, as letters from what they stand on. */
export const differ = (a: Color, b: Color): boolean => distance(a, b) > 6;

const distance = (a: Color, b: Color): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));

/** What is painted where nothing is: white, unless the colour scheme is dark. */
export const canvas = (root: CSSStyleDeclaration | null): Color | null => root !== null && root.colorScheme.startsWith("dark") ? null : [255, 255, 255, 1];
