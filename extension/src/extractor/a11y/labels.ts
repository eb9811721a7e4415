// The labels of a control. The browser searches the whole document for
// each control; a list needs the labels of all controls, and so they
// are gathered once.

import { all, pass, rootOf, type Scope } from "../dom/dom";

type Labelled = Partial<Pick<HTMLInputElement, "labels">>;

let gathered = new Map<Node, Map<Element, HTMLLabelElement[]>>();
let of = 0; // the pass they were gathered in

/** The labels of el in tree order; null if it can't have any. */
export function labelsOf(el: Element): HTMLLabelElement[] | null {
  if (!("labels" in el)) return null;
  if (pass() > 0) return given(el);
  const own = (el as Labelled).labels;
  return own instanceof NodeList ? [...own] : null;
}

function given(el: Element): HTMLLabelElement[] {
  const root = rootOf(el);
  const now = pass();
  if (now === 0) return gather(root as Scope).get(el) ?? [];
  if (now !== of) {
    gathered = new Map();
    of = now;
  }
  let known = gathered.get(root);
  if (!known) gathered.set(root, known = gather(root as Scope));
  return known.get(el) ?? [];
}

/** The labels of the component around its only control; empty if there are none. */
export function hostLabels(el: Element): HTMLLabelElement[] {
  const root = rootOf(el);
  return !(root instanceof ShadowRoot) || all(root, "input,select,textarea,button").length > 1 ? [] : given(root.host);
}

function gather(root: Scope): Map<Element, HTMLLabelElement[]> {
  const out = new Map<Element, HTMLLabelElement[]>();
  for (const l of all(root, "label")) {
    const control = l instanceof HTMLLabelElement ? l.control : null;
    if (!control) continue;
    const before = out.get(control);
    if (before) before.push(l as HTMLLabelElement);
    else out.set(control, [l as HTMLLabelElement]);
  }
  return out;
}
