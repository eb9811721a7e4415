// The attachments of the user's words: a selection of the page, a screenshot,
// files. They are chips in the box until they are sent, and the user can remove
// them.

import { signal } from "@preact/signals";
import type { Attachment } from "../gen/wire";
import { ASK, type Asked } from "./asked";
import { textOf } from "./filetext";
import { attempt } from "./host";
import { t } from "./i18n";
import { HostError } from "./link";
import { targetTab } from "./tabs";

/** The longest selection, in characters: the agent reads a longer text better from the page itself. */
const MAX_TEXT = 20_000;
/** The most characters of a file's text that are sent; no model reads more. The program cuts the text to fit the model. */
const MAX_FILE_TEXT = 200_000;
/** The size of all files and pictures together; base64 adds a third, and Chrome takes 64 MiB in a message. */
export const MAX_BYTES = 20 << 20;
/** The longest edge of a picture, in pixels; models scale larger ones down anyway. */
const MAX_EDGE = 1568;

export interface Attached {
  key: number;
  what: Attachment;
  bytes: number;
}

export const attached = signal<readonly Attached[]>([]);
let last = 0;

function add(what: Attachment, bytes = 0): void {
  const all = attached.value.reduce((n, a) => n + a.bytes, bytes);
  if (all > MAX_BYTES) throw new HostError({ code: "too_large", message: t.tooLarge(MAX_BYTES >> 20) });
  // The same attachment is added only once.
  if (attached.value.some((a) => a.what.kind === what.kind && a.what.text === what.text && a.what.data === what.data && a.what.name === what.name)) return;
  attached.value = [...attached.value, { key: ++last, what, bytes }];
}

export function remove(key: number): void {
  attached.value = attached.value.filter((a) => a.key !== key);
}

/** Attaches the selected text of the tab that the user looks at. */
export function attachSelection(): Promise<boolean> {
  return attempt(async () => {
    const tab = await page();
    const found = await chrome.scripting.executeScript({
      target: { tabId: tab.id, allFrames: true }, func: () => ({ text: getSelection()?.toString() ?? "", url: location.href }),
    });
    const best = found.map((f) => f.result).find((r) => r && r.text.trim());
    if (!best) throw new HostError({ code: "empty", message: t.nothingSelected });
    add({ kind: "selection", text: best.text.trim().slice(0, MAX_TEXT), url: best.url });
  });
}

/** Attaches a screenshot of the visible part of the page. */
export function attachScreenshot(): Promise<boolean> {
  return attempt(async () => {
    const tab = await page();
    const shot = await chrome.tabs.captureVisibleTab(tab.windowId, { format: "png" });
    const small = await shrink(fromBase64(shot.slice(shot.indexOf(",") + 1), "image/png"));
    add({ kind: "screenshot", url: tab.url, mime: small.type, data: await toBase64(small) }, small.size);
  });
}

export function attachFiles(files: Iterable<File>): Promise<boolean> {
  return attempt(async () => {
    for (const f of files) {
      if (f.size > MAX_BYTES) throw new HostError({ code: "too_large", message: t.tooLarge(MAX_BYTES >> 20) });
      add({ kind: "file", name: f.name, mime: f.type || "application/octet-stream", data: await toBase64(f), ...await content(f) }, f.size);
    }
  });
}

/** Returns the part of a file that the model gets: a picture, or its text. A file with neither is for uploads only. */
async function content(f: File): Promise<Pick<Attachment, "text" | "picture">> {
  if (f.type.startsWith("image/")) {
    try {
      return { picture: await toBase64(await shrink(f)) };
    } catch { /* a format that Chrome does not draw; an SVG is text */ }
  }
  const text = textOf(new Uint8Array(await f.arrayBuffer()), f.type.startsWith("text/") || /\.(?:csv|tsv|txt|md|markdown|log)$/i.test(f.name));
  return text?.trim() ? { text: text.slice(0, MAX_FILE_TEXT) } : {};
}

/** Takes the context menu's request to this window; returns false if there is none. */
async function takeAsked(): Promise<boolean> {
  const asked = (await chrome.storage.session.get(ASK))[ASK] as Asked | undefined;
  if (!asked) return false;
  const { id } = await chrome.windows.getCurrent();
  if (asked.windowId !== id) return false;
  await chrome.storage.session.remove(ASK);
  if (asked.text) add({ kind: "selection", text: asked.text.slice(0, MAX_TEXT), url: asked.url });
  return true;
}

/** Takes the context menu's requests, and calls then after each; returns a function that ends this. */
export function listenToAsked(then: () => void): () => void {
  const take = (): void => void takeAsked().then((any) => any && then());
  const changed = (changes: Record<string, chrome.storage.StorageChange>): void => void (changes[ASK]?.newValue && take());
  chrome.storage.session.onChanged.addListener(changed);
  take();
  return () => chrome.storage.session.onChanged.removeListener(changed);
}

interface Page { id: number; windowId: number; url: string }

async function page(): Promise<Page> {
  const id = await targetTab();
  const tab = id ? await chrome.tabs.get(id) : undefined;
  if (!tab?.id || !tab.url) throw new HostError({ code: "unsupported", message: t.noPageHere });
  return { id: tab.id, windowId: tab.windowId, url: tab.url };
}

/** Returns the picture as a JPEG with edges of at most MAX_EDGE. */
async function shrink(picture: Blob): Promise<Blob> {
  const img = await createImageBitmap(picture);
  const scale = Math.min(1, MAX_EDGE / Math.max(img.width, img.height));
  const c = new OffscreenCanvas(Math.round(img.width * scale), Math.round(img.height * scale));
  const on = c.getContext("2d");
  if (on) {
    on.fillStyle = "#fff"; // behind transparent parts, which a JPEG makes black
    on.fillRect(0, 0, c.width, c.height);
    on.drawImage(img, 0, 0, c.width, c.height);
  }
  img.close();
  return c.convertToBlob({ type: "image/jpeg", quality: 0.85 });
}

export function fromBase64(data: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], { type });
}

async function toBase64(b: Blob): Promise<string> {
  const bytes = new Uint8Array(await b.arrayBuffer());
  let s = "";
  for (let i = 0; i < bytes.length; i += 0x8000) s += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(s);
}
