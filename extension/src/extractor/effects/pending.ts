// Finds content that a page has announced but not shown yet: an empty list, a busy part.

import { roleOf } from "../a11y/role";
import { all, attr, byId, childrenOf, closest, hasAny, isPainted, matches, rootOf, scopes, textContent } from "../dom/dom";

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
