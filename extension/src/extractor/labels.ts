// The labels of a control. The browser looks through the whole document for
// each control that is asked about; a list asks about all of them, and so they
// are gathered once.

import { all, pass, rootOf, type Scope } from "./dom";

type Labelled = Partial<Pick<HTMLInputElement, "labels">>;

let gathered = new Map<Node, Map<Element, HTMLLabelElement[]>>();
let of = 0; // the pass they were gathered in

/** In the order of the tree; null for what can't have any. */
export function labelsOf(el: Element): HTMLLabelElement[] | null {
  if (!("labels" in el)) return null;
  const now = pass();
  if (now === 0) {
    const own = (el as Labelled).labels;
    return own instanceof NodeList ? [...own] : null;
  }
  if (now !== of) {
    gathered = new Map();
    of = now;
  }
  return given(el);
}

function given(el: Element): HTMLLabelElement[] {
  const root = rootOf(el);
  let known = gathered.get(root);
  if (!known) gathered.set(root, known = gather(root as Scope));
  return known.get(el) ?? [];
}

/** Of the only control within a component the labels of the component, where it has any. */
export function hostLabels(el: Element): HTMLLabelElement[] {
  const root = rootOf(el);
  if (!(root instanceof ShadowRoot) || all(root, "input,select,textarea,button").length > 1) return [];
  const now = pass();
  if (now === 0) return gather(rootOf(root.host) as Scope).get(root.host) ?? [];
  if (now !== of) {
    gathered = new Map();
    of = now;
  }
  return given(root.host);
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
