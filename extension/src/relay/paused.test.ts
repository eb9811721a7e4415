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

test("of a body the host gets what it judges", () => {
  const p = new Paused(async () => undefined);
  const told = (postData?: string, postDataEntries?: { bytes: string }[]): unknown =>
    (p.begins({ tabId: 1 }, { requestId: "a", request: { method: "POST", postData, postDataEntries } }) as { request: unknown }).request;
  assert.deepEqual(told("x".repeat(3e6), [{ bytes: "eA==" }]), { method: "POST", postData: "x".repeat(100_000), postDataEntries: undefined });
  assert.deepEqual(told(undefined, [{ bytes: "eA==" }, { bytes: "e".repeat(3e6) }]), { method: "POST", postData: undefined, postDataEntries: [{ bytes: "eA==" }] });
});

test("a request that only fetches and has waited for long was asked about", () => {
  const ended: string[] = [];
  const p = new Paused(async (_source, method) => void ended.push(method));
  const now = Date.now;
  try {
    Date.now = () => now() - 5000;
    p.begins({ tabId: 1 }, { requestId: "a", request: { method: "GET" } });
  } finally {
    Date.now = now;
  }
  p.lost();
  assert.deepEqual(ended, ["Fetch.failRequest"]);
});
