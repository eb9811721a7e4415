// What stands where on a page: its parts, headings, rows and text around the elements of the list. `paths` are the XPaths of
// those, by their index. Gives a tree of {t, role, name, index, unread, current, kids}. It only reads.
((paths) => {
  const indexOf = new Map();
  for (const [index, path] of paths) {
    const el = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
    if (el) indexOf.set(el, index);
  }
  const holds = new Set();
  for (const el of indexOf.keys()) for (let e = el; e; e = e.parentElement) holds.add(e);
  const flat = (s) => s.replace(/\s+/g, " ").trim();
  const skipped = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "OPTION", "SVG", "svg"]);
  const seen = (el) => el.checkVisibility({ visibilityProperty: true });
  const role = (el) => el.getAttribute("role") ?? "";
  const called = (el) => {
    const by = el.getAttribute("aria-labelledby");
    const said = by ? by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ") : el.getAttribute("aria-label") ?? "";
    return flat(said) || (el.tagName === "FIELDSET" ? flat(el.querySelector("legend")?.textContent ?? "") : "");
  };
  const parts = { HEADER: "banner", NAV: "navigation", MAIN: "main", ASIDE: "complementary", FOOTER: "contentinfo", DIALOG: "dialog", FIELDSET: "group" };
  const roles = new Set([...Object.values(parts), "search", "region", "form", "toolbar", "tablist", "alertdialog", "radiogroup"]);
  const partOf = (el) => {
    const r = role(el) || parts[el.tagName] || "";
    if (roles.has(r)) return (r === "group" || r === "region" || r === "form") && !called(el) ? "" : r;
    if (el.tagName === "SECTION" && called(el)) return "region";
    const s = getComputedStyle(el);
    return s.position === "fixed" && +s.zIndex > 0 ? "dialog" : "";
  };
  const shape = (el) => `${el.tagName} ${role(el)} ${el.classList[0] ?? ""}`;
  const alike = (el) => el.parentElement ? [...el.parentElement.children].filter((c) => shape(c) === shape(el)) : [];
  const isRow = (el) => {
    if (indexOf.has(el)) return false;
    if (el.tagName === "TR" || el.tagName === "LI" || el.tagName === "ARTICLE" || ["row", "listitem", "article", "treeitem"].includes(role(el))) return true;
    if (["TD", "SPAN", "A", "BUTTON", "INPUT", "OPTION", "LABEL"].includes(el.tagName)) return false;
    return el.parentElement !== document.body && (el.classList.length > 0 || el.parentElement?.children.length > 2) && alike(el).filter((c) => holds.has(c)).length >= 3;
  };
  // The text of a row, but for that of its buttons and fields.
  const words = (el) => {
    const out = [];
    const read = (n) => {
      if (n.nodeType === 3) out.push(n.data);
      if (n.nodeType !== 1 || skipped.has(n.tagName) || !seen(n) || n.getAttribute("aria-hidden") === "true") return;
      const r = role(n);
      if (n !== el && indexOf.has(n) && (["BUTTON", "INPUT", "SELECT", "TEXTAREA"].includes(n.tagName) || ["button", "checkbox", "switch"].includes(r) || /^(#|javascript:)/.test(n.getAttribute("href") ?? ""))) return;
      for (const c of n.childNodes) read(c);
      out.push(" ");
    };
    read(el);
    return flat(out.join(""));
  };
  const bold = (el) => {
    const t = document.createTreeWalker(el, NodeFilter.SHOW_TEXT, (n) => flat(n.data).length > 1 && seen(n.parentElement) ? 1 : 3).nextNode();
    return t !== null && +getComputedStyle(t.parentElement).fontWeight >= 600;
  };
  const current = (el) => [el, ...(el.parentElement?.children.length === 1 ? [el.parentElement] : [])]
    .some((e) => [...e.classList].some((c) => /(^|[-_])(active|current|selected)$/.test(c)));
  const done = new Set();
  const walk = (el, inside, out) => {
    let text = "";
    const flush = () => {
      const t = flat(text);
      text = "";
      if (t && !inside) out.push({ t: "text", name: t });
    };
    for (const n of el.childNodes) {
      if (n.nodeType === 3) text += n.data;
      if (n.nodeType !== 1) continue;
      if (skipped.has(n.tagName) || !holds.has(n) && !seen(n)) continue;
      if (indexOf.has(n)) {
        flush();
        done.add(n);
        const node = { t: "element", index: indexOf.get(n), current: current(n), kids: [] };
        walk(n, true, node.kids);
        node.kids = node.kids.filter((k) => k.t !== "text");
        out.push(node);
        continue;
      }
      const part = partOf(n);
      const heading = /^H[1-6]$/.test(n.tagName) || role(n) === "heading";
      if (heading && !holds.has(n)) {
        flush();
        out.push({ t: "heading", name: flat(n.textContent) });
        continue;
      }
      let to = null;
      if (part) to = { t: "part", role: part, name: called(n), kids: [] };
      else if (holds.has(n) && isRow(n)) {
        const others = alike(n).filter((c) => holds.has(c));
        // Bold is what was not read yet, unless it is where one is.
        const marked = [...n.querySelectorAll("*")].some((e) => current(e) || e.hasAttribute("aria-current"));
        to = { t: "row", name: words(n), unread: !marked && others.length > 1 && bold(n) && others.some((c) => !bold(c)), kids: [] };
      }
      if (to) {
        flush();
        walk(n, inside, to.kids);
        out.push(to);
        continue;
      }
      const inner = [];
      walk(n, inside, inner);
      if (!inner.some((k) => k.t !== "text") && getComputedStyle(n).display.startsWith("inline")) {
        text += ` ${inner.map((k) => k.name).join(" ")} `;
        continue;
      }
      flush();
      out.push(...inner);
    }
    flush();
    return out;
  };
  const tree = walk(document.body, false, []);
  for (const [el, index] of indexOf) if (!done.has(el)) tree.push({ t: "element", index });
  return tree;
})
