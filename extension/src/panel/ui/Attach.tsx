// Attachments of the user's words: the menu that adds them, and the chips that
// show them until they are sent.

import { useEffect, useRef } from "preact/hooks";
import type { Attachment } from "../../gen/wire";
import { attachFiles, attachScreenshot, attachSelection, attached, fromBase64, remove } from "../attach";
import { t } from "../i18n";
import { blind } from "../store";
import { Camera, Clip, Cross, Page, Quote } from "./icons";
import { Item, Menu } from "./Menu";

export function AttachMenu({ disabled }: { disabled: boolean }) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <>
      <Menu id="attach" label={t.attach} icon={<Clip />} disabled={disabled}>
        {(close) => (
          <>
            <Item id="attach-selection" icon={<Quote size={15} />} onPick={() => { close(); void attachSelection(); }}>{t.attachSelection}</Item>
            <Item id="attach-screenshot" icon={<Camera size={15} />} onPick={() => { close(); void attachScreenshot(); }}>{t.attachScreenshot}</Item>
            <Item id="attach-file" icon={<Page size={15} />} onPick={() => { close(); file.current?.click(); }}>{t.attachFile}</Item>
          </>
        )}
      </Menu>
      <input ref={file} type="file" multiple hidden data-testid="attach-input"
        onChange={(e) => { const input = e.currentTarget; void attachFiles([...input.files ?? []]).then(() => (input.value = "")); }} />
    </>
  );
}

export function Chips() {
  if (attached.value.length === 0) return null;
  return (
    <ul class="chips" aria-label={t.attach}>
      {attached.value.map(({ key, what }) => (
        <li key={key} data-testid="chip" data-kind={what.kind}>
          {what.kind === "screenshot" || what.picture ? <Picture what={what} /> : what.kind === "file" ? <Page size={14} /> : <Quote size={14} />}
          <span class="name" title={what.name ?? what.text ?? what.url}>{name(what)}</span>
          {note(what) && <small data-testid="chip-note">{note(what)}</small>}
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

/** Returns a note if the model gets nothing of the attachment, else "". */
function note(a: Attachment): string {
  if (a.kind === "screenshot") return blind.value ? t.notSeen : "";
  return a.kind === "selection" || a.text || a.picture && !blind.value ? "" : t.uploadsOnly;
}

/** A picture in a chip, painted on a canvas since the panel loads no images. */
function Picture({ what }: { what: Attachment }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const data = what.picture ?? what.data;
    if (!data) return;
    void createImageBitmap(fromBase64(data, what.picture ? "image/jpeg" : what.mime ?? "")).then((img) => {
      const c = canvas.current;
      if (!c) return;
      c.width = 56;
      c.height = 36;
      c.getContext("2d")?.drawImage(img, 0, 0, img.width, Math.min(img.height, (img.width * 36) / 56), 0, 0, 56, 36);
    });
  }, [what]);
  return <canvas ref={canvas} class="tiny" aria-hidden="true" />;
}
