// Formulas as one line of text.

import { attr, childrenOf, firstIn, localName, textContent } from "../dom/dom";
import { flat } from "../dom/strings";
import type { LayoutCache } from "../dom/visibility";
import { readable } from "./text";

/** A formula in one line; "" if el isn't one. */
export function formulaOf(el: Element, tag: string, look: LayoutCache): string {
  if (tag === "math") return ` ${flat(linear(el, look))} `;
  if (tag !== "span" || attr(el, "class") !== "katex") return "";
  const seen = readable(look, el, 1000);
  const source = seen === "" ? undefined : firstIn(el, 'annotation[encoding="application/x-tex"]');
  const tex = source ? flat(textContent(source)) : "";
  return tex && tex.length <= 500 && says(tex, seen) ? ` $${tex}$ ` : "";
}

/** TeX commands that draw signs or words, or only change how their arguments look. */
const commands = new Set((
  "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau upsilon phi " +
  "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega " +
  "frac dfrac tfrac binom dbinom sqrt sum prod int iint oint lim limits nolimits max min sup inf arg det dim gcd ker deg Pr exp ln log lg sin cos tan cot sec " +
  "csc arcsin arccos arctan sinh cosh tanh operatorname cdot cdots ldots dots vdots ddots times div pm mp ast star circ bullet oplus otimes " +
  "le leq ge geq ne neq lt gt ll gg approx equiv sim simeq cong propto in notin ni subset subseteq supset supseteq cup cap setminus emptyset varnothing " +
  "forall exists neg land lor wedge vee to gets mapsto rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow implies iff " +
  "infty partial nabla hbar ell Re Im angle perp parallel mid prime left right big Big bigl bigr Bigl Bigr bigg Bigg biggl biggr middle lvert rvert vert Vert lVert rVert " +
  "langle rangle lfloor rfloor lceil rceil hat bar vec dot ddot tilde widehat widetilde overline underline overbrace underbrace overset underset stackrel " +
  "text textbf textit textrm mathrm mathbf mathit mathbb mathcal mathfrak mathsf mathscr boldsymbol bm quad qquad displaystyle textstyle bmod pmod mod"
).split(" "));

const environments = /\\(?:begin|end)\{(?:[pbBvV]?matrix|smallmatrix|cases|aligned|align|gathered|array|split|equation)\*?\}(?:\{[clr|]{1,20}\})?/g;

const signs = (s: string): string[] => s.match(/[\p{L}\p{N}]/gu) ?? [];

/**
 * Whether all letters and figures of the hidden source tex are in the visible
 * text seen, and its words as whole words. The user doesn't see the source, so it must not say more.
 */
function says(tex: string, seen: string): boolean {
  const bare = tex.replace(environments, " ");
  for (const [, name] of bare.matchAll(/\\([a-zA-Z]+)/g)) if (!commands.has(name ?? "")) return false;
  const said = bare.replace(/\\[a-zA-Z]+/g, " ").normalize("NFKC");
  const shown = seen.normalize("NFKC");
  const left = new Map<string, number>();
  for (const c of signs(shown)) left.set(c, (left.get(c) ?? 0) + 1);
  for (const c of signs(said)) {
    const n = left.get(c) ?? 0;
    if (n === 0) return false;
    left.set(c, n - 1);
  }
  const together = shown.replace(/\s/g, "");
  return (said.match(/\p{L}{4,}/gu) ?? []).every((word) => together.includes(word));
}

/** MathML in a line: fractions with a slash, powers with ^, the cells of a table with a comma and its rows with a semicolon. */
function linear(el: Element, look: LayoutCache, depth = 0): string {
  const kids = childrenOf(el);
  const tag = localName(el);
  if (kids.length === 0 || depth > 50) {
    const text = look.readable(el) ? flat(textContent(el)) : "";
    return tag === "mtext" && text ? ` ${text} ` : text;
  }
  const said = (tag === "semantics" ? kids.slice(0, 1) : kids).map((k) => linear(k, look, depth + 1));
  const [a = "", b = "", c = ""] = said.map((s) => s.trim()).map((s) => /[^\p{L}\p{N}.]/u.test(s) ? `(${s})` : s);
  switch (tag) {
    case "mfrac": return parseFloat(attr(el, "linethickness") ?? "1") === 0 ? `${a} over ${b}` : `${a}/${b}`;
    case "msup": case "mover": return `${a}^${b}`;
    case "msub": case "munder": return `${a}_${b}`;
    case "msubsup": case "munderover": return `${a}_${b}^${c}`;
    case "mtr": case "mlabeledtr": return said.map((s) => s.trim()).join(", ");
    case "mtable": return said.join("; ");
    case "msqrt": return `√(${said.join("")})`;
    case "mroot": return `${a}^(1/${b})`;
  }
  return said.join("");
}
