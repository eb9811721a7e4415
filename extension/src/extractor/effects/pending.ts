// Finds content that a page has announced but not shown yet: an empty list, a busy part.

import { pause } from "../schedule/settle";
import { roleOf } from "../a11y/role";
import { acts, pressable } from "../a11y/interactive";
import { textOf } from "../a11y/visibletext";
import { meet } from "../dom/box";
import { all, animationsIn, attr, byId, childrenOf, closest, contains, doc, hasAny, isPainted, matches, parentOf, rootOf, scopes, textContent } from "../dom/dom";
import type { LayoutCache } from "../dom/visibility";

const mostBusy = 20;

/** Whether a visible part is marked busy. since: whether a part is marked only since the act. */
export function isBusy(since: (el: Element) => boolean): boolean {
  for (const s of scopes()) for (const el of [...all(s, indeterminate)].slice(0, mostBusy)) if (since(el) && isPainted(el)) return true;
  return false;
}

const indeterminate = "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value])";
/** Names of drawings that stand for what is being loaded, if they move. */
const drawn = ["skeleton", "spinner", "loader", "loading", "shimmer"].map((w) => `[class*=${w} i]`).join();
/** Drawings that move by themselves. Without these and running animations no page is searched for names, which takes long. */
const animated = "animate,animateTransform";
const mostSigns = 40;

/** Whether a large part of the view, or the main part, has nothing but a sign that it is being loaded. */
export function isLoading(look: LayoutCache): boolean {
  for (const s of scopes()) {
    const moving = animationsIn(s).filter((a) => a.playState === "running" && a.effect?.getComputedTiming().iterations === Infinity).map((a) => (a.effect as KeyframeEffect).target);
    const signs = [...all(s, moving.length > 0 || hasAny(s, animated) ? `${indeterminate},${drawn}` : indeterminate)].slice(0, mostSigns).filter((e) => isPainted(e) && (matches(e, "[aria-busy]") || look.inView(e)));
    for (const el of signs) if ((matches(el, indeterminate) || moving.some((m) => m !== null && contains(el, m)) || hasAny(el, animated)) && isLarge(vacantAround(el), look)) return true;
  }
  return false;
}

/** The outermost part around el that has no controls and no more words than a title. */
function vacantAround(el: Element): Element | null {
  let out: Element | null = null;
  for (let e: Element | null = el; e && e !== doc.root && !acts(e) && !hasAny(e, `${pressable},iframe,canvas,video`) && textOf(e, mostTitle + 1).length <= mostTitle; e = parentOf(e)) out = e;
  return out;
}
const mostTitle = 30;

/** Whether a part is the main part of the page, or takes half of the width of the view and more than a line. */
function isLarge(part: Element | null, look: LayoutCache): boolean {
  if (!part) return false;
  const b = meet(look.box(part), look.view);
  return matches(part, mainPart) || hasAny(part, mainPart) || (b.right - b.left) * 2 >= look.view.right && b.bottom - b.top >= lineHeight;
}
const mainPart = "main,[role=main]";
const lineHeight = 30;

/** Whether the list that a control opened is still empty. */
export function opensEmpty(el: Element): boolean {
  const ids = `${attr(el, "aria-controls") ?? ""} ${attr(el, "aria-owns") ?? ""}`.split(/\s+/).filter((id) => id !== "");
  const lists = ids.map((id) => byId(rootOf(el), id)).filter((l) => l !== null);
  return lists.length > 0 && lists.every((l) => !childrenOf(l).some((c) => isPainted(c) && (textContent(c) ?? "").trim() !== ""));
}

/** Whether an open part has neither text nor controls yet. */
export const isEmptyPart = (el: Element | null): boolean =>
  el !== null && isPainted(el) && (textContent(el) ?? "").trim() === "" && !hasAny(el, "button,input,select,textarea,a,img,svg,canvas,video,iframe");

const called = /search|filter|suggest|autocomplete|typeahead|lookup|query/i;

/** Whether a field may offer choices or filter the page when it is written in. */
export function offers(el: Element): boolean {
  const role = roleOf(el);
  if (role === "combobox" || role === "searchbox" || matches(el, "[list],[aria-autocomplete],[aria-controls],[aria-owns],[aria-haspopup],[enterkeyhint=search],[inputmode=search]")) return true;
  if (role !== "textbox") return false;
  if (["id", "name", "class", "placeholder", "aria-label"].some((a) => called.test(attr(el, a) ?? ""))) return true;
  return closest(el, (e) => matches(e, "search,[role=search]")) !== null;
}

/** Whether the page has scripts, and its main part shows nothing: what they fetch comes there. */
export function isShell(): boolean {
  const part = [...all(document, mainPart)].find(isPainted) ?? doc.body;
  return part instanceof HTMLElement && document.scripts.length > 0 && !hasAny(part, "button,input,select,textarea,a[href],img,canvas,video,iframe,object,embed") && soon.test(part.innerText.trim());
}

/** No text, or only that it is being loaded. */
const soon = /^(?:.{0,20}(?:\.\.\.|…))?$/u;

const lookMs = 50;
/** A page that got content stands still if nothing came for so long. */
const stillMs = 200;

/** Waits while the page is a shell, and then until nothing more comes. */
export async function awaitContent(o: { maxMs: number }): Promise<{ ok: true }> {
  if (!isShell()) return { ok: true };
  const end = performance.now() + o.maxMs;
  let came = Infinity;
  const watch = new MutationObserver(() => { if (came < Infinity) came = performance.now(); });
  watch.observe(document, { subtree: true, childList: true, characterData: true });
  while (performance.now() < Math.min(end, came + stillMs)) {
    await pause(lookMs);
    if (came === Infinity && !isShell()) came = performance.now();
  }
  watch.disconnect();
  return { ok: true };
}
