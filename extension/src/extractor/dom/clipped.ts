// Elements that their own style cuts to nothing.

/** Whether a filter, clip-path or clip makes an element invisible; clip counts only for the positions absolute and fixed. */
export function cutsItself(s: CSSStyleDeclaration, position: string): boolean {
  const filter = s.filter;
  if (filter !== "none" && /\bopacity\(0%?\)/.test(filter)) return true;
  const path = s.clipPath;
  if (path !== "none" && emptyPath(path)) return true;
  if (position !== "absolute" && position !== "fixed") return false;
  const clip = s.clip;
  return clip !== "auto" && emptyClip(clip);
}

function emptyClip(clip: string): boolean {
  const n = clip.match(/-?[\d.]+(?=px)|auto/g);
  if (!n || n.length !== 4 || n.includes("auto")) return false;
  const [t = 0, r = 0, b = 0, l = 0] = n.map(Number);
  return r - l <= 1 || b - t <= 1;
}

function emptyPath(path: string): boolean {
  const inset = /^inset\(([^)]*)\)/.exec(path);
  if (inset) {
    const p = (inset[1] ?? "").split(" round")[0]?.trim().split(/\s+/).map((v) => v.endsWith("%") ? parseFloat(v) : NaN) ?? [];
    const [t = NaN, r = t, b = t, l = r] = p;
    return t + b >= 100 || l + r >= 100;
  }
  return /^circle\(0(?:px|%)?[ )]/.test(path) || /^polygon\((?:0(?:px|%)? 0(?:px|%)?,? ?)+\)$/.test(path);
}
