// Finds content that a page has announced but not shown yet: an empty list, a busy part.

import { pause } from "../schedule/settle";
import { roleOf } from "../a11y/role";
import { all, attr, byId, childrenOf, closest, doc, hasAny, isPainted, matches, rootOf, scopes, textContent } from "../dom/dom";

const mostBusy = 20;

/** Whether a visible part is marked busy. since: whether a part is marked only since the act. */
export function isBusy(since: (el: Element) => boolean): boolean {
  for (const s of scopes()) for (const el of [...all(s, "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value])")].slice(0, mostBusy)) if (since(el) && isPainted(el)) return true;
  return false;
}

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
  const part = [...all(document, "main,[role=main]")].find(isPainted) ?? doc.body;
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
