// What goes with the words: the menu it comes from, and the chips it stands in
// until it is sent.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Attachment } from "../../gen/wire";
import { attachFiles, attachScreenshot, attachSelection, attached, fromBase64, remove } from "../attach";
import { t } from "../i18n";
import { Camera, Clip, Cross, Page, Quote } from "./icons";

export function AttachMenu({ disabled }: { disabled: boolean }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const outside = (e: PointerEvent) => e.target instanceof Node && !root.current?.contains(e.target) && setOpen(false);
    document.addEventListener("pointerdown", outside);
    return () => document.removeEventListener("pointerdown", outside);
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.key === "Escape") return close();
    if (!step) return;
    e.preventDefault();
    const items = [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    items[(items.findIndex((i) => i === document.activeElement) + step + items.length) % items.length]?.focus();
  };
  const item = (id: string, icon: preact.JSX.Element, text: string, act: () => void) => (
    <button type="button" role="menuitem" data-testid={id} onClick={() => { close(); act(); }}>{icon}{text}</button>
  );
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <button type="button" ref={button} class="icon" data-testid="attach" title={t.attach} aria-label={t.attach} aria-haspopup="menu" aria-expanded={open}
        disabled={disabled} onClick={() => setOpen(!open)}><Clip /></button>
      {open && (
        <div class="items" role="menu" aria-label={t.attach}>
          {item("attach-selection", <Quote size={15} />, t.attachSelection, () => void attachSelection())}
          {item("attach-screenshot", <Camera size={15} />, t.attachScreenshot, () => void attachScreenshot())}
          {item("attach-file", <Page size={15} />, t.attachFile, () => file.current?.click())}
        </div>
      )}
      <input ref={file} type="file" multiple hidden data-testid="attach-input"
        onChange={(e) => { const input = e.currentTarget; void attachFiles([...input.files ?? []]).then(() => (input.value = "")); }} />
    </div>
  );
}

export function Chips() {
  if (attached.value.length === 0) return null;
  return (
    <ul class="chips" aria-label={t.attach}>
      {attached.value.map(({ key, what }) => (
        <li key={key} data-testid="chip" data-kind={what.kind}>
          {what.kind === "screenshot" ? <Picture what={what} /> : what.kind === "file" ? <Page size={14} /> : <Quote size={14} />}
          <span class="name" title={what.text ?? what.name ?? what.url}>{name(what)}</span>
          <button type="button" class="icon" data-testid="chip-remove" title={t.removeAttached(name(what))} aria-label={t.removeAttached(name(what))} onClick={() => remove(key)}><Cross size={12} /></button>
        </li>
      ))}
    </ul>
  );
}

function name(a: Attachment): string {
  if (a.kind === "file") return a.name ?? "";
  if (a.kind === "screenshot") return t.attachedScreenshot;
  return a.text ? `“${a.text.replace(/\s+/g, " ").slice(0, 60)}”` : t.attachedSelection;
}

/** A picture as small as a chip; painted, since the panel loads none. */
function Picture({ what }: { what: Attachment }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (!what.data) return;
    void createImageBitmap(fromBase64(what.data, what.mime ?? "")).then((img) => {
      const c = canvas.current;
      if (!c) return;
      c.width = 56;
      c.height = 36;
      c.getContext("2d")?.drawImage(img, 0, 0, img.width, Math.min(img.height, (img.width * 36) / 56), 0, 0, 56, 36);
    });
  }, [what]);
  return <canvas ref={canvas} class="tiny" aria-hidden="true" />;
}
