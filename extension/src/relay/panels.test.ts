import assert from "node:assert/strict";
import test from "node:test";
import { Panels } from "./panels";

const page = "chrome-extension://me/panel.html";
Object.assign(globalThis, { chrome: { runtime: { id: "me", getURL: (path: string) => `chrome-extension://me/${path}` } } });

/** Whether a port from there is taken on. */
function taken(url: string | undefined, id = "me", name = "panel"): boolean {
  const opened: string[] = [];
  const panels = new Panels({
    opened: (chan) => opened.push(chan), closed: () => undefined, message: () => undefined, retry: () => undefined,
    status: () => ({ connected: true, error: "" }),
  });
  let gone = false;
  const listeners = { addListener: () => undefined };
  panels.accept({
    name, sender: { id, url }, onMessage: listeners, onDisconnect: listeners,
    postMessage: () => undefined, disconnect: () => (gone = true),
  } as unknown as chrome.runtime.Port);
  assert.equal(gone, opened.length === 0, "a port is taken on or closed");
  return opened.length > 0;
}

test("the panel is taken on wherever in itself it was loaded anew", () => {
  for (const url of [page, `${page}?tab=3`, `${page}#settings/look`, `${page}?tab=3#settings`]) assert(taken(url), url);
});

test("nobody else is", () => {
  for (const url of [undefined, `${page}x`, "chrome-extension://me/other.html#panel.html", `https://a.example/?${page}`, "chrome-extension://you/panel.html"]) {
    assert(!taken(url), url);
  }
  assert(!taken(page, "you"));
  assert(!taken(page, "me", "else"));
});
