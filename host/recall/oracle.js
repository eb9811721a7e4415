// What a user could operate in the viewport, by the page alone: native controls, roles,
// tabindex, contenteditable, and the outermost elements under a pointer cursor that show a
// word or an icon. Each has to be hit by the pointer somewhere in the view. Gives the
// elements first, then one record for each.
(() => {
  const roles = new Set(("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox " +
    "textbox searchbox slider spinbutton treeitem listbox").split(" "));
  const regions = new Set("dialog alertdialog tabpanel region main document application navigation feed log grid".split(" "));
  const els = [], about = [];
  const parentOf = (e) => e.assignedSlot ?? e.parentElement ?? (e.getRootNode() instanceof ShadowRoot ? e.getRootNode().host : null);
  const holds = (a, b) => { for (let e = b; e; e = parentOf(e)) if (e === a) return true; return false; };
  const flat = (s) => (s ?? "").replace(/\s+/g, " ").trim();

  const isNative = (e) => {
    switch (e.localName) {
      case "a": return e.hasAttribute("href");
      case "button": case "select": case "textarea": return true;
      case "input": return e.type !== "hidden";
      case "summary": return e.parentElement?.localName === "details" && e.parentElement.querySelector(":scope > summary") === e;
    }
    return e.isContentEditable && !(e.parentElement?.isContentEditable);
  };
  const roleOf = (e) => (e.getAttribute("role") ?? "").trim().split(/\s+/)[0].toLowerCase();
  const isOff = (e) => e.matches(":disabled") || e.closest("[aria-disabled=true],[inert]") !== null;
  const hasIcon = (e) => {
    const is = (c) => /^(svg|img|i|canvas|picture|use)$/.test(c.localName) || getComputedStyle(c).backgroundImage !== "none" ||
      !["none", "normal", ""].includes(getComputedStyle(c, "::before").content.replace(/^["']\s*["']$/, ""));
    return is(e) || [...e.querySelectorAll("*")].slice(0, 60).some(is);
  };
  // What an icon font draws as a sign is no word to who sees it.
  const signsIn = (e) => [...e.querySelectorAll("*")].slice(0, 60).filter((c) => !c.firstElementChild && /icons?\b|symbols?\b/i.test(getComputedStyle(c).fontFamily))
    .map((c) => flat(c.textContent)).filter((t) => /^[a-z][a-z0-9_]*$/.test(t));
  const alpha = (e) => { let a = 1; for (; e; e = parentOf(e)) a *= +getComputedStyle(e).opacity; return a; };

  const scan = (doc, dx, dy, clip, over) => {
    const view = doc.defaultView;
    // What the pointer hits at a place of this document; nothing where what the frame stands in covers it.
    const hit = (x, y) => {
      if (!over(x + dx, y + dy)) return null;
      let e = doc.elementFromPoint(x, y);
      while (e?.shadowRoot) {
        const inner = e.shadowRoot.elementFromPoint(x, y);
        if (!inner || inner === e) break;
        e = inner;
      }
      return e;
    };
    const isHit = (e, at) => {
      let n = 0;
      for (const r of at.getClientRects()) {
        const l = Math.max(r.left, clip.l - dx), t = Math.max(r.top, clip.t - dy), rt = Math.min(r.right, clip.r - dx), b = Math.min(r.bottom, clip.b - dy);
        if (rt - l < 2 || b - t < 2) continue;
        for (const [fx, fy] of [[.5, .5], [.25, .3], [.75, .7], [.1, .5], [.9, .5]]) {
          const h = hit(l + (rt - l) * fx, t + (b - t) * fy);
          if (h && holds(at, h)) return true;
          // a field under the glass of its own label
          if (h && e.labels && [...e.labels].some((x) => holds(x, h))) return true;
        }
        if (++n === 6) break;
      }
      return false;
    };
    const isShown = (e) => {
      if (getComputedStyle(e).visibility === "visible" && alpha(e) > 0.05 && isHit(e, e)) return true;
      return [...(e.labels ?? [])].some((l) => getComputedStyle(l).visibility === "visible" && alpha(l) > 0.05 && isHit(e, l));
    };
    const take = (e, how) => { els.push(e); about.push({ how, tag: e.localName, type: e.type ?? "", text: "" }); };
    const walk = (root) => {
      for (const e of root.querySelectorAll("*")) {
        if (e.shadowRoot) walk(e.shadowRoot);
        if (/^i?frame$/.test(e.localName)) {
          let inner = null;
          try { inner = e.contentDocument; } catch { /* another site's */ }
          const r = e.getBoundingClientRect();
          if (inner?.body && r.width > 4 && r.height > 4 && getComputedStyle(e).visibility === "visible") {
            const x = r.left + e.clientLeft + dx, y = r.top + e.clientTop + dy;
            const box = { l: Math.max(clip.l, x), t: Math.max(clip.t, y), r: Math.min(clip.r, x + e.clientWidth), b: Math.min(clip.b, y + e.clientHeight) };
            scan(inner, x, y, box, (px, py) => hit(px - dx, py - dy) === e);
          }
          continue;
        }
        const role = roleOf(e);
        const native = isNative(e);
        const tab = e.hasAttribute("tabindex") && e.tabIndex >= 0 && !regions.has(role);
        const pointer = getComputedStyle(e).cursor === "pointer" && (!parentOf(e) || getComputedStyle(parentOf(e)).cursor !== "pointer");
        if (!native && !roles.has(role) && !tab && !pointer) continue;
        if (isOff(e) || !isShown(e)) continue;
        take(e, native ? "native" : roles.has(role) ? "role" : tab ? "tabindex" : "pointer");
      }
    };
    walk(doc);
    void view;
  };
  scan(document, 0, 0, { l: 0, t: 0, r: innerWidth, b: innerHeight }, () => true);

  // What only shows by its cursor or its place in the tab order, and holds or stands in something
  // that says more of itself, or names a field, is no control of its own.
  const set = new Set(els);
  const within = (e) => { for (let p = parentOf(e); p; p = parentOf(p)) if (set.has(p) && about[els.indexOf(p)].how !== "tabindex") return true; return false; };
  const around = new Set();
  for (const e of els) for (let p = parentOf(e); p; p = parentOf(p)) around.add(p);
  const keep = els.map((e, i) => {
    const how = about[i].how;
    if (how === "native" || how === "role") return true;
    if (around.has(e)) return false;
    if (how === "pointer" && (within(e) || e.closest("label")?.control || e.localName === "label" && e.control || e.localName === "option")) return false;
    about[i].text = flat(e.innerText);
    return about[i].text !== "" || hasIcon(e);
  });
  const left = els.filter((_, i) => keep[i]), said = about.filter((_, i) => keep[i]);
  left.forEach((e, i) => { if (!e.isContentEditable && !/^(input|select|textarea)$/.test(e.localName)) said[i].text ||= flat(e.innerText); said[i].title = flat(e.getAttribute("title")); said[i].signs = signsIn(e); said[i].outer = left.findIndex((o) => o !== e && holds(o, e)); });
  return [...left, JSON.stringify(said)];
})()
