// Elements by which a page asks for attention: dialogs, toasts, live regions, errors of a field.

import { all, attr, closest, hasAttrs, isConnected, isPainted, localName, rectOf, textContent, walker } from "../dom/dom";
import { cut, flat, hasMoreText } from "../dom/strings";

export type Notice = "alert" | "status" | "log" | "dialog" | "error" | "";

const toast = /(?:^|[-_])(?:toasts?|toastr|toastify|snackbars?|snack-?bar|flash(?:es)?|growl|notifications?|notices?|notify|alerts?|callout)(?:$|[-_])/i;
const error = /(?:^|[-_])(?:err|errors?|errormessage|invalid|invalid-feedback|danger|help-block)(?:$|[-_])/i;
const live = "[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output";
const mostTold = 200;
/** A longer live region is a part of the page that is redrawn. */
const longest = 400;

/** The kind of notice that an element itself is. */
export function noticeOf(el: Element): Notice {
  const tag = localName(el);
  if (!hasAttrs(el)) return tag === "output" ? "status" : tag === "dialog" ? "dialog" : "";
  const role = attr(el, "role");
  if (tag === "dialog" || role === "dialog" || role === "alertdialog" || attr(el, "aria-modal") === "true") return "dialog";
  const polite = attr(el, "aria-live");
  if (role === "alert" || polite === "assertive") return "alert";
  if (role === "status" || role === "log" || polite === "polite" || tag === "output") return role === "log" ? "log" : "status";
  const classes = attr(el, "class");
  if (!classes || role === "button" || tag === "button" || tag === "a" || tag === "input") return "";
  for (const c of classes.split(/\s+/)) {
    if (toast.test(c)) return "status";
    if (error.test(c)) return "error";
  }
  return "";
}

/** The innermost notice around an element; up: its current or former parent. */
export function noticeAround(el: Element | null, up: (e: Element) => Element | null): { el: Element; notice: Notice } | null {
  for (let e = el; e; e = up(e)) {
    const tag = localName(e);
    if (tag === "body" || tag === "main") return null;
    const notice = noticeOf(e);
    if (notice !== "") return notice !== "dialog" && hasMoreText(e, longest) ? null : { el: e, notice };
  }
  return null;
}

/** The texts of live regions that are laid out, and still transparent or above the page: they may fade or slide in. */
export const comingNotices = (): string[] => [...all(document, live)].filter((el) => {
  if (textContent(el) === "" || hasMoreText(el, longest)) return false;
  const texts = walker(el, NodeFilter.SHOW_TEXT);
  let coming = false;
  for (let n = texts.nextNode(); n; n = texts.nextNode()) {
    const e = n.parentElement;
    if (!e || flat(n.nodeValue) === "" || rectOf(e).height === 0) continue;
    if (isPainted(e) && rectOf(e).bottom + window.scrollY > 0) return false;
    coming = true;
  }
  return coming;
}).slice(0, mostComing).map((el) => flat(textContent(el)));

const mostComing = 10;

/** The outermost element of a notice: its icon and its text may have classes of their own. */
export function outermostNotice(el: Element | null, up: (e: Element) => Element | null): Element | null {
  let n = noticeAround(el, up);
  for (let outer = n; n && n.notice !== "dialog" && outer; ) {
    const p = up(outer.el);
    outer = p && noticeAround(p, up);
    if (outer && outer.notice !== "dialog" && outer.notice !== "error") n = outer;
    else break;
  }
  return n?.el ?? null;
}

/** The notices that a page showed while it was watched, even if they are gone by now. */
export class Notices {
  private readonly shown = new Map<Element, { role: Notice; text: string }>();
  private asked = 0;

  /** Records a change when it happens. */
  saw(r: MutationRecord): void {
    if (this.asked > mostAsked || r.type === "attributes") return;
    const target = r.target instanceof Element ? r.target : r.target.parentElement;
    if (r.type === "characterData" || r.addedNodes.length > 0) this.note(target);
    for (const n of r.addedNodes) {
      if (!(n instanceof Element)) continue;
      this.note(n);
      if (n.childElementCount > 0) for (const el of all(n, live)) this.note(el);
    }
  }

  private note(from: Element | null): void {
    const el = closest(from, (e) => noticeOf(e) !== "" || localName(e) === "body");
    const role = el && localName(el) !== "body" ? noticeOf(el) : "";
    if (!el || role === "" || role === "dialog" || ++this.asked > mostAsked) return;
    const text = flat(textContent(el));
    if (text !== "" && text.length <= longest && isConnected(el) && isPainted(el)) this.shown.set(el, { role, text: cut(text, mostTold) });
  }

  /** Returns the notices that are gone, and forgets them. isThere: whether the element still has the text. */
  passed(isThere: (el: Element, text: string) => boolean): { role: Notice; text: string }[] {
    const out: { role: Notice; text: string }[] = [];
    for (const [el, n] of this.shown) {
      if (isThere(el, n.text)) continue;
      this.shown.delete(el);
      out.push(n);
    }
    return out;
  }

  clear(): void {
    this.shown.clear();
    this.asked = 0;
  }
}

const mostAsked = 200;
