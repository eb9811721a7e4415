// Details of chosen elements.

import { roleOf } from "../a11y/role";
import { secretOf } from "../a11y/secrets";
import type { RawDetails } from "../api";
import {
  all, attr, attributes, childElementCount, childrenOf, localName, matches, namespaceOf, parentNode, parentOf, rootOf, textContent,
} from "../dom/dom";
import { cut, flat } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { readable } from "../reading/text";
import { describe } from "./describe";
import { addKnown } from "./hints";
import { liveNode } from "./redraw";

export function details(o: { ids: number[] }): { details: RawDetails[]; missing: number[] } {
  const look = new LayoutCache();
  const out: RawDetails[] = [];
  const missing: number[] = [];
  for (const id of o.ids) {
    const el = liveNode(id);
    if (el) out.push(one(el, look));
    else missing.push(id);
  }
  return { details: out, missing };
}

function one(el: Element, look: LayoutCache): RawDetails {
  const d: RawDetails = {
    ...describe(el, look), attributes: attributesOf(el), selector: selectorOf(el), xpath: xpathOf(el),
    childCount: childElementCount(el), ancestors: ancestorsOf(el),
  };
  addKnown(el, d, look);
  const p = parentOf(el);
  const around = p ? cut(flat(readable(look, p, 201)), 200) : "";
  if (around) d.parentText = around;
  if (el instanceof HTMLSelectElement) {
    d.allOptions = [...el.options].slice(0, 500).map((x) => ({ value: cut(x.value, 200), label: cut(flat(x.label || x.text), 200), selected: x.selected }));
  }
  return d;
}

const valueAttributes = new Set(["value", "data-value", "aria-valuetext", "aria-valuenow", "data-initial-value"]);

/** Attributes that may be shown: cut, and without the value of a secret field. */
export function attributesOf(el: Element): Record<string, string> {
  const out: Record<string, string> = {};
  const secret = secretOf(el) !== "";
  const held = secret ? valuesHeld(el) : [];
  for (const a of attributes(el)) {
    const hidden = secret && (valueAttributes.has(a.name) || held.some((v) => v === a.value || v.length > 2 && a.value.includes(v)));
    out[a.name] = hidden ? "••••" : cut(flat(a.value), 300);
  }
  return out;
}

/** The current and initial values of a secret field: pages copy them into other attributes. */
function valuesHeld(el: Element): string[] {
  const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
  return (field ? [el.value, el.defaultValue] : [textContent(el) ?? ""]).filter((v) => v !== "");
}

function ancestorsOf(el: Element): string[] {
  const out: string[] = [];
  for (let e = parentOf(el); e && out.length < 30; e = parentOf(e)) {
    const r = roleOf(e);
    if (r !== "generic" && r !== "document") out.push(r);
  }
  return out;
}

/** A framework generates these ids anew each time, so they cannot find an element again. */
const madeUp = /\d{4,}|^[:«]|^(?:radix|ember|mui|headlessui|react-aria|rc)[-_:]/;

/** A CSS selector that finds exactly this element in its document or shadow root. */
export function selectorOf(el: Element): string {
  const scope = rootOf(el);
  if (!(scope instanceof Document || scope instanceof ShadowRoot)) return "";
  const only = (s: string): boolean => all(scope, s).length === 1;
  const tag = CSS.escape(localName(el));
  const id = attr(el, "id");
  if (id && !madeUp.test(id) && only(`#${CSS.escape(id)}`)) return `#${CSS.escape(id)}`;
  for (const a of ["data-testid", "data-test", "name", "aria-label", "href", "title"]) {
    const v = attr(el, a);
    if (!v || v.length > 80 || /[\n\r]/.test(v)) continue;
    const s = `${tag}[${a}="${v.replace(/["\\]/g, "\\$&")}"]`;
    if (only(s)) return s;
  }
  const steps: string[] = [];
  for (let e: Element | null = el; e; e = nodeParent(e)) {
    const own = attr(e, "id");
    if (e !== el && own && !madeUp.test(own) && only(`#${CSS.escape(own)}`)) {
      steps.unshift(`#${CSS.escape(own)}`);
      break;
    }
    steps.unshift(step(e));
    const s = steps.join(" > ");
    if (only(s) && matches(el, s)) return s;
  }
  return steps.join(" > ");
}

function nodeParent(el: Element): Element | null {
  const p = parentNode(el);
  return p instanceof Element ? p : null;
}

function step(el: Element): string {
  const tag = CSS.escape(localName(el));
  const p = nodeParent(el);
  if (!p) return tag;
  const like = childrenOf(p).filter((c) => localName(c) === localName(el));
  return like.length > 1 ? `${tag}:nth-of-type(${like.indexOf(el) + 1})` : tag;
}

function xpathOf(el: Element): string {
  const out: string[] = [];
  for (let e: Element | null = el; e; e = nodeParent(e)) {
    const tag = localName(e);
    const svg = namespaceOf(e) !== "http://www.w3.org/1999/xhtml";
    const p = nodeParent(e);
    const like = p ? childrenOf(p).filter((c) => localName(c) === tag) : [e];
    const name = svg ? `*[local-name()='${tag}']` : tag;
    out.unshift(like.length > 1 ? `${name}[${like.indexOf(e) + 1}]` : name);
  }
  return "/" + out.join("/");
}
