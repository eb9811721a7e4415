// Markdown of a model as safe HTML. A model's text may come from a page, so
// nothing in it may load, run, or look like the panel itself: no images, no
// forms, no styles; links lead to the web or to mail only, with their address as title.

import DOMPurify from "dompurify";
import { Marked } from "marked";

const marked = new Marked({ gfm: true, breaks: true, async: false });
const purify = DOMPurify(window);

purify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "TABLE") node.setAttribute("tabindex", "0"); // so that the keyboard can scroll it
  if (node.tagName !== "A") return;
  const href = node.getAttribute("href") ?? "";
  if (!/^(https?:|mailto:)/i.test(href)) {
    node.removeAttribute("href");
    return;
  }
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
  node.setAttribute("title", href);
});

/** Returns safe HTML. It is really a TrustedHTML, which the page demands, but innerHTML is typed as string. */
export function html(markdown: string): string {
  return purify.sanitize(marked.parse(markdown) as string, {
    ALLOWED_TAGS: [
      "p", "br", "strong", "em", "del", "code", "pre", "a", "ul", "ol", "li", "blockquote", "hr",
      "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
    ],
    ALLOWED_ATTR: ["href", "start", "align"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: true,
  }) as unknown as string;
}
