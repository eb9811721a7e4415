// The extractor: what the host calls in a frame's isolated world (api.ts).
// Evaluating it twice in one world changes nothing.

import { tree } from "./a11y/aria";
import { mask } from "./a11y/secrets";
import { buttonsBeside, focus, leaveAndReturn, scrollBy, selectText, value } from "./acting/act";
import { choose } from "./acting/choose";
import { takesDrop } from "./acting/drop";
import { fileInput, setField, stepper } from "./acting/field";
import { followMouse } from "./acting/hovered";
import { chosen, options, pick, scrollList } from "./acting/options";
import { hits, placed, ready } from "./acting/ready";
import { check, nextRadio, resolve } from "./acting/resolve";
import { segments } from "./acting/segments";
import type { Extractor, Rect } from "./api";
import { toRect } from "./dom/box";
import { adoptRoot, firstIn, isElement, parentOf, unchanged } from "./dom/dom";
import { hidden } from "./dom/hosts";
import { idOf, nodeOf } from "./dom/ids";
import { hear, unheard } from "./dom/listeners";
import { painted } from "./dom/painted";
import { restoreStorage } from "./dom/storage";
import { LayoutCache } from "./dom/visibility";
import { effects, lookNow, newsNow, prime, takenUp, watch } from "./effects/effects";
import { pageLines } from "./effects/news";
import { awaitContent, isShell } from "./effects/pending";
import { arm, disarm, lastBox, movedOn, renew } from "./guard/guard";
import { listenToFields } from "./guard/setbyinput";
import { listenToUser } from "./guard/userinput";
import { details } from "./listing/details";
import { iframesAt, spots } from "./listing/hitpoints";
import { list } from "./listing/list";
import { pageFacts, summary } from "./listing/summary";
import { content } from "./reading/content";
import { findBy, probe } from "./reading/find";
import { attribute, html, intoView, state, text, viewport } from "./reading/read";
import { saying } from "./reading/saying";
import { again, ahead, begin, drop, readAhead } from "./schedule/prefetch";
import { drawn, madeRoom } from "./schedule/settle";

function adopt(node: Node): { id: number; rect: Rect } {
  const el = node instanceof ShadowRoot ? adoptRoot(node) : isElement(node) ? node : parentOf(node);
  if (!el) return { id: 0, rect: { x: 0, y: 0, width: 0, height: 0 } };
  drop(); // a look begun ahead has missed the content of the root
  return { id: idOf(el), rect: toRect(new LayoutCache().box(el)) };
}

/** Takes a report of listeners, as hear does; news in it begins a look ahead again. */
function heard(told: string): boolean {
  const { whole, isNews } = hear(told);
  if (isNews) again();
  return whole;
}

function looked<T>(out: T): T {
  if (out instanceof Promise) {
    warmed = true; // on a page this large, reading facts takes longer than compiling the code
    void out.then(prime, prime);
  } else {
    prime();
    warm();
  }
  return out;
}

let warmed = false;

/**
 * Reads the facts of some control, and drops them, when the page is idle: this
 * compiles the code that the first act in the document would wait for.
 */
function warm(): void {
  if (warmed) return;
  warmed = true;
  requestIdleCallback(() => {
    const el = firstIn(document, "button,a[href],input,select,textarea");
    if (el) placed(resolve({ id: idOf(el) }), "click");
  });
}

const extractor: Extractor = {
  version: "1", details, pageFacts,
  summary: (o) => looked(readAhead("summary", o) ?? summary(o)), list: (o) => looked(readAhead("list", o) ?? list(o)),
  resolve: (l) => unchanged(() => placed(resolve(l), l.ready)), check: (o) => unchanged(() => placed(check(o), o.ready)),
  ready, hits, arm, painted, renew, movedOn, lastBox, disarm, watch, effects, news: newsNow, pageLines: () => pageLines(lookNow()), focus,
  selectText, mask, value, buttonsBeside, nextRadio, segments, leaveAndReturn, scrollBy, drawn, awaitContent, isShell, takenUp, madeRoom, node: (o) => nodeOf(o.id), adopt,
  text, attribute, html, state, options, intoView, viewport, findBy, saying, probe, content, choose, chosen, pick, scrollList, setField,
  stepper, restoreStorage, fileInput, takesDrop, ahead, begin, tree: (o) => looked(readAhead("tree", o) ?? tree(o)), spots, iframesAt, hidden,
  hear: heard, unheard,
};

const world = globalThis as unknown as { __tabwright?: Extractor };
if (!world.__tabwright) {
  world.__tabwright = extractor;
  listenToUser();
  listenToFields();
  followMouse();
}
