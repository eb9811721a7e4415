// Finding elements the way a user, or a test, names them: by role and name,
// by text, label, placeholder, picture text, title or test id.

import { acting, activates, hasHandlerAttr, pressable } from "../a11y/interactive";
import { labelText, nameOf } from "../a11y/name";
import { roleOf } from "../a11y/role";
import { textOf } from "../a11y/visibletext";
import { failure, showAll } from "../acting/resolve";
import type { ExtractorError, HiddenMatch, Probe, RawElement, Wanted } from "../api";
import {
  all, attr, childrenOf, clientHeight, closest, doc, eachChild, hasAttr, hasBox, isElement, localName, matches, parentOf, previousElement, scopes,
  scrollHeight, scrollTop, textContent,
} from "../dom/dom";
import { idOf, nodeOf } from "../dom/ids";
import { hears } from "../dom/listeners";
import { BadSelector, find, matchesOf } from "../dom/locate";
import { flat, loose } from "../dom/strings";
import { LayoutCache } from "../dom/visibility";
import { describe, standIn } from "../listing/describe";
import { HoverParts, showOver } from "../listing/hoverparts";
import { currentLook } from "../listing/identity";
import { rowWords } from "../listing/items";
import { eachPiece } from "./text";

const testIds = ["data-testid", "data-test-id", "data-test", "data-qa", "data-cy"];
const skipped = new Set(["script", "style", "template", "noscript", "head", "meta", "link", "title"]);

/** Elements that match all given criteria, in document order; visible ones come first, others only with o.hidden. */
export function findBy(o: Wanted): { elements: RawElement[]; total: number; seen: number; hidden?: HiddenMatch } | { error: ExtractorError } {
  const look = new LayoutCache();
  const from = o.scopeId ? nodeOf(o.scopeId) : o.scope ? find(o.scope, look) : doc.body ?? doc.root;
  if (!from) return failure("not_found", "There is nothing to look in.");
  const said = (have: string, want: string | undefined): boolean => {
    if (want === undefined || want === "") return true;
    const a = flat(have);
    const b = flat(want);
    return o.exact ? a === b : loose(a).includes(loose(b));
  };
  const seen: Element[] = [];
  const unseen: Element[] = [];
  let { hidden } = o;
  const parts = new HoverParts(look);
  const revealed = new Map<Element, Element>();
  const onHover = (el: Element): Element | null => matches(el, pressable) ? parts.overAround(el) : null;
  const visit = (el: Element, depth: number): void => {
    if (depth > 1000 || skipped.has(localName(el))) return;
    if (fits(el, o, said)) {
      const shown = look.shown(standIn(el, look));
      const over = shown ? null : onHover(el);
      if (over) revealed.set(el, over);
      (shown || over ? seen : unseen).push(el);
    }
    if (hasBox(el) || hidden || parts.over(el) || getComputedStyle(el).display === "contents" || localName(el) === "option") {
      eachChild(el, (n) => { if (isElement(n)) visit(n, depth + 1); });
    }
  };
  visit(from, 0);
  // A text means the innermost element with all of it; a name excludes generic elements around another match.
  const met = [...seen, ...(o.hidden ? unseen : [])];
  const found = o.text ? [...new Set(innermost(met).map((el) => o.role ? el : controlOf(el, look)))] : o.name && !o.role ? innermost(met, (el) => roleOf(el) === "generic") : met;
  const told = found.slice(0, o.limit ?? 50).map((el) => ({ el, raw: describe(el, look) }));
  showAll(told, look);
  for (const { el, raw } of told) {
    if (raw.role === "generic" && !isPressed(el)) raw.static = true;
    const over = revealed.get(el);
    if (over) showOver(raw, over, look);
    if (raw.role === "row") raw.text = hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby") ? raw.name : rowWords(el) || raw.name;
  }
  if (found.length === 0 && !o.hidden) {
    hidden = true;
    unseen.length = 0;
    visit(from, 0);
    const el = innermost(unseen).map((e) => closest(e, (x) => matches(x, pressable))).find((e) => e !== null);
    if (el) return { elements: [], total: 0, seen: currentLook(), hidden: hiddenMatch(el, look) };
  }
  return { elements: told.map((t) => t.raw), total: found.length, seen: currentLook() };
}

function hiddenMatch(el: Element, look: LayoutCache): HiddenMatch {
  const out: HiddenMatch = { role: roleOf(el), name: nameOf(el) };
  const by = openerOf(el, look);
  if (by) {
    out.under = describe(by, look);
    showAll([{ el: by, raw: out.under }], look);
  }
  return out;
}

/** The shown control that may open the hidden part around el: one that says so, or the only one right before that part or around it. */
function openerOf(el: Element, look: LayoutCache): Element | null {
  let part = el;
  for (let p = parentOf(el); p && !look.shown(p) && !hasBox(p); p = parentOf(p)) part = p;
  const id = attr(part, "id") ?? "";
  const named = id === "" ? null : [...all(document, `[aria-controls],[data-target],[data-bs-target],a[href^="#"]`)].find((e) =>
    look.shown(e) && ["aria-controls", "data-target", "data-bs-target", "href"].some((n) => (attr(e, n) ?? "").replace(/^#/, "") === id));
  if (named) return named;
  const before = previousElement(part);
  const shown = before ? [...matches(before, pressable) ? [before] : all(before, pressable)].filter((e) => look.shown(e)) : [];
  return shown.length === 1 ? shown[0] ?? null : closest(parentOf(part), (e) => matches(e, pressable));
}

function fits(el: Element, o: Wanted, said: (have: string, want: string | undefined) => boolean): boolean {
  // The cheap checks first: a name takes long to compute.
  if (o.testId !== undefined && !testIds.some((a) => attr(el, a) === o.testId)) return false;
  if (o.placeholder !== undefined && !(has(el, "placeholder") && said(attr(el, "placeholder") ?? attr(el, "aria-placeholder") ?? "", o.placeholder))) return false;
  if (o.alt !== undefined && !(hasAttr(el, "alt") && said(attr(el, "alt") ?? "", o.alt))) return false;
  if (o.title !== undefined && !(hasAttr(el, "title") && said(attr(el, "title") ?? "", o.title))) return false;
  if (o.role !== undefined && roleOf(el) !== (o.role === "image" ? "img" : o.role)) return false;
  if (o.label !== undefined) {
    const tag = localName(el);
    const field = tag === "input" || tag === "select" || tag === "textarea" || tag === "meter" || tag === "progress" || hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby");
    if (!field || !said(labelText(el) || nameOf(el), o.label)) return false;
  }
  if (o.name !== undefined && !said(nameOf(el), o.name)) return false;
  if (o.text !== undefined) {
    const button = el instanceof HTMLInputElement && /^(?:button|submit|reset)$/.test(el.type);
    if (!said(button ? el.value : textOf(el, 2000), o.text)) return false;
  }
  return true;
}

/** Whether the pointer's shape shows an action on e, but not on its parent. */
function cursorStarts(e: Element): boolean {
  const { cursor } = getComputedStyle(e);
  const p = parentOf(e);
  return acting(cursor) && (p === null || getComputedStyle(p).cursor !== cursor);
}

const mostUp = 6;

const isControl = (e: Element): boolean => activates(e) || hasHandlerAttr(e) || hears(e) !== 0;
/** Whether an element without a role takes presses, or shows that something around it does. */
const isPressed = (e: Element): boolean => isControl(e) || acting(getComputedStyle(e).cursor);

/** The control with the same words as el that contains el or has el as its label; el if there is none. */
function controlOf(el: Element, look: LayoutCache): Element {
  const words = flat(textContent(el));
  for (let e: Element | null = el, up = 0; e && up < mostUp && flat(textContent(e)) === words; e = parentOf(e), up++) {
    const field = e instanceof HTMLLabelElement ? e.control : e;
    if (field !== e ? field && look.shown(standIn(field, look)) && loose(nameOf(field)) === loose(words) : isControl(e) || cursorStarts(e)) return field ?? el;
  }
  return el;
}

const has = (el: Element, name: string): boolean => hasAttr(el, name) || hasAttr(el, `aria-${name}`);

function innermost(els: Element[], drops: (el: Element) => boolean = () => true): Element[] {
  const outer = new Set<Element>();
  const set = new Set(els);
  for (const el of els) for (let p = parentOf(el); p; p = parentOf(p)) if (set.has(p)) outer.add(p);
  return els.filter((el) => !outer.has(el) || !drops(el));
}

/** Answers in one call all that scrolling and waiting ask after each step. */
export function probe(o: { selector?: string; text?: string; items?: string; id?: number }): Probe | { error: ExtractorError } {
  const look = new LayoutCache();
  const root = doc.scroller ?? doc.root;
  const out: Probe = {
    readyState: doc.readyState, url: location.href, y: Math.round(root ? scrollTop(root) : 0),
    height: root ? scrollHeight(root) : 0, view: root ? clientHeight(root) : innerHeight, nodes: nodes(),
  };
  try {
    if (o.selector) {
      const el = find(o.selector, look);
      if (el) out.attached = true;
      if (el && look.shown(standIn(el, look))) out.selector = describe(el, look);
    }
    if (o.items) out.items = matchesOf(o.items).length;
  } catch (e) {
    if (e instanceof BadSelector) return failure("invalid_params", e.message);
    throw e;
  }
  if (o.text) {
    const want = flat(o.text).toLowerCase();
    eachPiece(look, null, (p) => {
      if (!flat(p.text).toLowerCase().includes(want)) return true;
      out.text = describe(holderOf(p.el, want, look), look);
      return false;
    });
    if (!out.text) {
      // The words may stand in a button's value, or run over several blocks.
      const near = [...all(document, "input[type=submit],input[type=button],input[type=reset]")].find((e) => look.shown(e) && flat((e as HTMLInputElement).value).toLowerCase().includes(want));
      if (near) out.text = describe(near, look);
    }
  }
  if (o.id) {
    const el = nodeOf(o.id);
    if (el) out.id = idOf(el);
  }
  return out;
}

/** The innermost element that contains want. from is the first element of the block; want may be in a later one, such as one of several links. */
function holderOf(from: Element, want: string, look: LayoutCache): Element {
  const holds = (e: Element): boolean => flat(textContent(e)).toLowerCase().includes(want);
  let at: Element | null = from;
  while (at && !holds(at)) at = parentOf(at);
  while (at) {
    const inner: Element | undefined = childrenOf(at).find((e) => look.shown(e) && holds(e));
    if (!inner) return at;
    at = inner;
  }
  return from;
}

const nodes = (): number => scopes().reduce((n, s) => n + all(s, "*").length, 0);
