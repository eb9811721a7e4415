// Colours as the browser computes them.

export type Color = [number, number, number, number];

/** Parsed colours: a page has few and asks for each thousands of times. */
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

/** The name of a plain colour, or its hexadecimal code; "" if it isn't opaque. */
export function hex(s: string): string {
  const c = rgba(s);
  if (c === null || c[3] < 0.9) return "";
  const code = `#${c.slice(0, 3).map((n) => Math.round(n).toString(16).padStart(2, "0")).join("")}`;
  return plain[code] ?? code;
}

const plain: Record<string, string> = {
  "#000000": "black", "#ffffff": "white", "#ff0000": "red", "#00ff00": "lime", "#008000": "green", "#0000ff": "blue", "#ffff00": "yellow",
  "#ffa500": "orange", "#800080": "purple", "#ffc0cb": "pink", "#a52a2a": "brown", "#808080": "gray", "#00ffff": "cyan", "#ff00ff": "magenta",
};

/** Whether the user can distinguish two colours, as of letters and their background. */
export const differ = (a: Color, b: Color): boolean => distance(a, b) > 6;

const distance = (a: Color, b: Color): number =>
  Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));

/** The colour of the empty canvas: white, or null if the colour scheme is dark. */
export const canvas = (root: CSSStyleDeclaration | null): Color | null => root !== null && root.colorScheme.startsWith("dark") ? null : [255, 255, 255, 1];
