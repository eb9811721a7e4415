// The extractor: what the host calls in a frame's isolated world (api.ts).
// Evaluating it twice in one world changes nothing.

import type { Extractor, Rect } from "./api";
import { focus, scrollBy, selectOption, selectText, value } from "./act";
import { tree } from "./aria";
import { choose } from "./choose";
import { content } from "./content";
import { adoptRoot, isElement, parentOf } from "./dom";
import { details } from "./details";
import { effects, watch } from "./effects";
import { findBy, probe } from "./find";
import { arm, disarm } from "./guard";
import { idOf, nodeOf } from "./ids";
import { list } from "./list";
import { attribute, html, intoView, options, state, text, viewport } from "./read";
import { hits, ready } from "./ready";
import { check, resolve } from "./resolve";
import { pageFacts, summary } from "./summary";
import { mask } from "./secrets";
import { Look, toRect } from "./visibility";

function adopt(node: Node): { id: number; rect: Rect } {
  const el = node instanceof ShadowRoot ? adoptRoot(node) : isElement(node) ? node : parentOf(node);
  if (!el) return { id: 0, rect: { x: 0, y: 0, width: 0, height: 0 } };
  return { id: idOf(el), rect: toRect(new Look().box(el)) };
}

const extractor: Extractor = {
  version: "1", summary, list, details, resolve, check, pageFacts, ready, hits, arm, disarm, watch, effects, focus,
  selectText, mask, value, selectOption, scrollBy, node: (o) => nodeOf(o.id), adopt,
  text, attribute, html, state, options, intoView, viewport, findBy, probe, tree, content, choose,
};

const world = globalThis as unknown as { __tabwright?: Extractor };
world.__tabwright ??= extractor;
