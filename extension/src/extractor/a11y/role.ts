// Roles: the explicit one if it is a known role, else the native one by
// HTML-AAM, as far as it matters for acting on a page.

import { attr, closest, editableContent, hasAttr, localName, parentOf, pass } from "../dom/dom";
import { isDrawnSwitch } from "./switches";

const known = new Set(("alert alertdialog application article banner blockquote button caption cell checkbox code " +
  "columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure " +
  "form generic grid gridcell group heading img image insertion link list listbox listitem log main marquee math menu " +
  "menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation " +
  "progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton " +
  "status strong subscript superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree " +
  "treegrid treeitem").split(" "));

/** Roles of controls. */
export const widgetRoles = new Set(("button checkbox combobox gridcell link listbox menuitem menuitemcheckbox " +
  "menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem").split(" "));

/** Roles named by their content. */
export const namedByContent = new Set(("button cell checkbox columnheader gridcell heading link menuitem " +
  "menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem generic").split(" "));

const inputRoles: Record<string, string> = {
  button: "button", submit: "button", reset: "button", image: "button", checkbox: "checkbox", radio: "radio",
  range: "slider", number: "spinbutton", search: "searchbox", file: "button", color: "button", hidden: "generic",
};

const simple: Record<string, string> = {
  article: "article", aside: "complementary", blockquote: "blockquote", button: "button", caption: "caption",
  code: "code", dd: "definition", details: "group", dfn: "term", dialog: "dialog", dt: "term", fieldset: "group",
  figure: "figure", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading",
  hr: "separator", html: "document", iframe: "generic", li: "listitem", main: "main", math: "math", menu: "list", meter: "meter",
  nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
  progress: "progressbar", search: "search", summary: "button", svg: "img", table: "table", tbody: "rowgroup",
  tfoot: "rowgroup", thead: "rowgroup", textarea: "textbox", time: "time", tr: "row", ul: "list",
};

export function inputType(el: Element): string {
  return el instanceof HTMLInputElement ? el.type : "";
}

/** Sections and forms are landmarks only with a name of their own. */
const named = (el: Element): boolean => hasAttr(el, "aria-label") || hasAttr(el, "aria-labelledby") || hasAttr(el, "title");

const scopeTags = new Set(["article", "aside", "main", "nav", "section"]);
const scopeRoles = new Set(["article", "complementary", "main", "navigation", "region"]);
const scoped = (el: Element): boolean => closest(parentOf(el), (e) => scopeTags.has(localName(e)) || scopeRoles.has(explicitRole(e))) !== null;

// All cells of a row share the table's role.
let tables = new WeakMap<Element, string | null>();
let of = 0; // the pass in which they were read

/** The explicit role of the table around a cell; null if there is none. */
function tableRole(el: Element): string | null {
  const now = pass();
  const row = parentOf(el);
  if (row === null) return null;
  if (now === 0 || now !== of) {
    tables = new WeakMap();
    of = now;
  }
  let role = tables.get(row);
  if (role === undefined) {
    const table = closest(row, (e) => localName(e) === "table");
    tables.set(row, role = table ? attr(table, "role") : null);
  }
  return role;
}

function native(el: Element): string {
  const tag = localName(el);
  switch (tag) {
    case "a": case "area":
      // Without an address it counts as a link if it can be pressed.
      return hasAttr(el, "href") || hasAttr(el, "xlink:href") || attr(el, "onclick") || getComputedStyle(el).cursor === "pointer" ? "link" : "generic";
    case "input": {
      const type = inputType(el);
      if (hasAttr(el, "list") && /^(?:text|search|tel|url|email|)$/.test(type)) return "combobox";
      return inputRoles[type] ?? "textbox";
    }
    case "select": return el instanceof HTMLSelectElement && (el.multiple || el.size > 1) ? "listbox" : "combobox";
    case "img": return attr(el, "alt") === "" && !named(el) ? "presentation" : "img";
    case "header": return scoped(el) ? "generic" : "banner";
    case "footer": return scoped(el) ? "generic" : "contentinfo";
    case "section": return named(el) ? "region" : "generic";
    case "form": return named(el) ? "form" : "generic";
    case "td": case "th": {
      if (tag === "th") return attr(el, "scope") === "row" ? "rowheader" : "columnheader";
      const role = tableRole(el);
      return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
    }
  }
  return simple[tag] ?? "generic";
}

export function explicitRole(el: Element): string {
  const r = attr(el, "role");
  if (r === null) return "";
  for (const one of r.toLowerCase().split(/\s+/)) if (known.has(one)) return one === "image" ? "img" : one;
  return "";
}

/** Rows, without such a role, of a list that a field opened (fieldlist.ts). */
export const drawnOptions = new WeakSet<Element>();

/** Native roles of elements that a page may draw as a switch. */
const silentRoles = new Set(["generic", "button", "link", "listitem"]);

export function roleOf(el: Element): string {
  const given = explicitRole(el);
  if (given === "none" || given === "presentation") {
    // A control keeps its role: it would be lost to the user otherwise.
    const own = native(el);
    return widgetRoles.has(own) ? own : "generic";
  }
  if (given) return given;
  if (drawnOptions.has(el)) return "option";
  const own = native(el);
  if (own === "generic" && isEditingHost(el)) return "textbox";
  return silentRoles.has(own) && isDrawnSwitch(el) ? "switch" : own;
}

/** The outermost element of an editable region. */
export function isEditingHost(el: Element): boolean {
  if (!editableContent(el)) return false;
  const p = parentOf(el);
  return p === null || !editableContent(p) || localName(el) === "body";
}

/** Selects headings. */
export const headings = "h1,h2,h3,h4,h5,h6,[role=heading]";
/** Selects headings and the titles of field sets. */
export const headingsAndLegends = `${headings},legend`;

export function levelOf(el: Element): number | undefined {
  const l = Number(attr(el, "aria-level"));
  if (l > 0) return l;
  const m = /^h([1-6])$/.exec(localName(el));
  return m ? Number(m[1]) : undefined;
}

/** Whether an element is a row of a table or a grid. */
export const isRow = (e: Element): boolean => localName(e) === "tr" || attr(e, "role") === "row";
