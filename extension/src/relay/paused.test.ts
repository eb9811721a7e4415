import assert from "node:assert/strict";
import test from "node:test";
import { Paused } from "./paused";

test("when the host goes, what waits for it and can write is given up, and what fetches goes on", () => {
  const ended: string[] = [];
  const p = new Paused(async (source, method, params) => {
    ended.push(`${source.sessionId ?? ""} ${method} ${JSON.stringify(params)}`);
    throw new Error("the page gave it up");
  });
  p.begins({ tabId: 1 }, { requestId: "a", request: { method: "GET" } });
  p.begins({ tabId: 1, sessionId: "f" }, { requestId: "b", request: { method: "DELETE" } });
  p.begins({ tabId: 1 }, { requestId: "c", request: { method: "POST" } });
  p.begins({ tabId: 1 }, { requestId: "d", request: { method: "POST" } });
  p.sent("Fetch.continueRequest", { requestId: "c" });
  p.sent("Fetch.failRequest", { requestId: "d" });
  p.sent("Page.enable", { requestId: "b" });
  p.lost();
  p.lost();
  assert.deepEqual(ended, [
    ' Fetch.continueRequest {"requestId":"a"}',
    'f Fetch.failRequest {"requestId":"b","errorReason":"Aborted"}',
  ]);
});
