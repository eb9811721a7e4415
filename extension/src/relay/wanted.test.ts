import assert from "node:assert/strict";
import test from "node:test";
import { Wanted, wantedPart } from "./wanted";

test("of the network the host hears of documents, and of what scripts ask for from begin to end", () => {
  const w = new Wanted();
  assert(w.has("Network.requestWillBeSent", { requestId: "1", type: "Fetch" }));
  assert(!w.has("Network.requestWillBeSent", { requestId: "2", type: "Image" }));
  assert(!w.has("Network.dataReceived", { requestId: "1" }));
  assert(!w.has("Network.responseReceived", { requestId: "2", type: "Image" }));
  assert(w.has("Network.responseReceived", { requestId: "3", type: "Document" }));
  assert(!w.has("Network.loadingFinished", { requestId: "2" }));
  assert(w.has("Network.loadingFailed", { requestId: "1" }));
  // Of one that began before this worker's life nobody knows what it is.
  assert(w.has("Network.loadingFinished", { requestId: "9" }));
});

test("an endless page does not fill the memory", () => {
  const w = new Wanted();
  for (let i = 0; i < 20_000; i++) assert(!w.has("Network.requestWillBeSent", { requestId: `${i}`, type: "Image" }));
  assert(!w.has("Network.loadingFinished", { requestId: "19999" }));
  assert(w.has("Network.loadingFinished", { requestId: "1" }));
});

test("of a document's log the host hears the first messages", () => {
  const w = new Wanted();
  const heard = () => Array.from({ length: 300 }, () => w.has("Runtime.consoleAPICalled", {})).filter(Boolean).length;
  assert.equal(heard(), 100);
  assert(w.has("Runtime.executionContextsCleared"));
  assert.equal(heard(), 100);
});

test("nodes and resizes stay in the browser; dialogs, frames and pauses do not", () => {
  const w = new Wanted();
  for (const m of ["DOM.attributeModified", "Page.frameResized", "Page.screencastFrame"]) assert(!w.has(m, {}), m);
  for (const m of ["Page.javascriptDialogOpening", "Page.frameNavigated", "Fetch.requestPaused", "Runtime.bindingCalled", "Page.fileChooserOpened", "Runtime.executionContextCreated", "Target.attachedToTarget"]) assert(w.has(m), m);
  assert(w.has("Page.lifecycleEvent", { name: "load" }));
  assert(!w.has("Page.lifecycleEvent", { name: "networkIdle" }));
});

test("of the messages over a socket the host hears that they were, not what they say", async () => {
  const w = new Wanted();
  const [sent, came] = ["Network.webSocketFrameSent", "Network.webSocketFrameReceived"];
  assert.deepEqual([sent, sent, came, came].map((m) => w.has(m, { requestId: "1" })), [true, false, true, false]);
  assert(w.has(sent, { requestId: "2" }));
  await new Promise((done) => setTimeout(done, 30));
  assert(w.has(came, { requestId: "1" }));
  assert.deepEqual(wantedPart(came, { requestId: "1", response: { payloadData: "long" } }), { requestId: "1" });
  assert.deepEqual(wantedPart("Page.frameNavigated", { frame: 1 }), { frame: 1 });
});
