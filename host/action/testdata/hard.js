// What reached the page, as the page itself saw it: "click save" for an event
// that landed on (or within) #save, with "!" after one that no person and no
// browser made. Pages in frames tell the top page, under the name of their frame.
(() => {
  const pointer = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
  const rest = ["keydown", "keyup", "beforeinput", "input", "change", "submit", "dragstart", "dragenter", "drop", "dragend", "toggle", "close"];
  const where = document.currentScript.dataset.frame ?? new URLSearchParams(location.search).get("frame") ?? "";
  if (top === self) window.seen = [];
  const put = (line) => { if (top === self) seen.push(line); else top.postMessage({ seen: line }, "*"); };
  if (top === self) addEventListener("message", (e) => { if (e.data?.seen) seen.push(e.data.seen); });
  window.note = put;
  // of: the root to listen at. A closed shadow root listens for itself.
  window.record = (of, kinds = [...pointer, ...rest]) => {
    for (const kind of kinds) {
      of.addEventListener(kind, (e) => {
        const on = e.composedPath().find((n) => n.id);
        if (on?.dataset?.closed !== undefined) return; // its root tells
        put(`${kind} ${where && where + ":"}${on?.id ?? e.target.localName ?? "page"}${e.isTrusted ? "" : "!"}`);
      }, true);
    }
  };
  // The document, not the window: what the guard stops at the window has not reached the page's controls.
  record(document);
})();
