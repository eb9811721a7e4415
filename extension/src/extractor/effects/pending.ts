// What a page has announced and not shown yet: a list that is still empty, a part that is busy.

import { roleOf } from "../a11y/role";
import { all, attr, byId, childrenOf, closest, isPainted, matches, rootOf, scopes, textContent } from "../dom/dom";

const mostBusy = 20;

/** Whether a part that one sees says that it is busy. since: whether it says so only since the act. */
export function isBusy(since: (el: Element) => boolean): boolean {
  for (const s of scopes()) for (const el of [...all(s, "[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value])")].slice(0, mostBusy)) if (since(el) && isPainted(el)) return true;
  return false;
}

/** Whether the list that a control has opened has nothing in it yet. */
export function opensEmpty(el: Element): boolean {
  const ids = `${attr(el, "aria-controls") ?? ""} ${attr(el, "aria-owns") ?? ""}`.split(/\s+/).filter((id) => id !== "");
  const lists = ids.map((id) => byId(rootOf(el), id)).filter((l) => l !== null);
  return lists.length > 0 && lists.every((l) => !childrenOf(l).some((c) => isPainted(c) && (textContent(c) ?? "").trim() !== ""));
}

const called = /search|filter|suggest|autocomplete|typeahead|lookup|query/i;

/** Whether a field may show what can be chosen, or filter what the page shows, once it is written in. */
export function offers(el: Element): boolean {
  const role = roleOf(el);
  if (role === "combobox" || role === "searchbox" || matches(el, "[list],[aria-autocomplete],[aria-controls],[aria-owns],[aria-haspopup],[enterkeyhint=search],[inputmode=search]")) return true;
  if (role !== "textbox") return false;
  if (["id", "name", "class", "placeholder", "aria-label"].some((a) => called.test(attr(el, a) ?? ""))) return true;
  return closest(el, (e) => matches(e, "search,[role=search]")) !== null;
}
