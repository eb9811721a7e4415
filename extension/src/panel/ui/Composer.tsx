// The box where the user writes, with its attachments, and the controls to
// pause, stop or take over the running task.

import { useEffect, useRef, useState } from "preact/hooks";
import * as attach from "../attach";
import { span, t } from "../i18n";
import { checklist } from "../reduce";
import * as saved from "../saved";
import * as store from "../store";
import { AttachMenu, Chips } from "./Attach";
import { ArrowUp, Cross, Hand, Pause, Play, Square } from "./icons";
import { Refusal } from "./Refusal";
import { Composing, RunSaved, WorkflowMenu, menuOpen } from "./Workflows";

export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [over, setOver] = useState(false); // files are dragged over the composer
  const running = store.running.value;
  const ready = store.phase.value === "ready" && store.loaded.value;
  const usable = ready && (running || store.canStart.value);
  const text = store.draft.value;

  useEffect(() => {
    if (usable && document.activeElement === document.body) box.current?.focus();
  }, [usable]);
  useEffect(() => attach.listenToAsked(() => box.current?.focus()), []);

  const back = () => box.current?.focus();
  const onKeyDown = (e: KeyboardEvent) => {
    const empty = e.currentTarget instanceof HTMLTextAreaElement && e.currentTarget.value === "" && !e.isComposing;
    if (e.key === "/" && empty && !running && ready) {
      e.preventDefault();
      menuOpen.value = true;
      return;
    }
    if (e.key === "ArrowUp" && empty && !running && store.lastWords()) {
      e.preventDefault();
      store.draft.value = store.lastWords();
      return;
    }
    // While an input method is composing, Enter picks a character.
    if (e.key !== "Enter" || e.shiftKey || e.isComposing || e.keyCode === 229) return;
    e.preventDefault();
    void store.send();
  };
  const take = (e: Event, files: FileList | undefined) => {
    if (!usable || !files || files.length === 0) return;
    e.preventDefault();
    void attach.attachFiles(files);
  };
  return (
    <footer class={`composer ${over ? "over" : ""}`}
      onDragOver={(e) => { if (usable && e.dataTransfer?.types.includes("Files")) { e.preventDefault(); setOver(true); } }}
      onDragLeave={() => setOver(false)} onDrop={(e) => { setOver(false); take(e, e.dataTransfer?.files); }}>
      <Problem />
      <Tour />
      <Composing back={back} />
      {!running && <RunSaved back={back} />}
      {running && <Bar ready={ready} />}
      <div class="box">
        <Chips />
        {over && <p class="drop">{t.dropHere}</p>}
        <textarea ref={box} rows={1} data-testid="composer" aria-label={placeholder()} placeholder={placeholder()} value={text}
          disabled={!usable} onPointerDown={store.warm} onInput={(e) => { store.draft.value = e.currentTarget.value; store.warm(); }} onKeyDown={onKeyDown} onPaste={(e) => !written(e.clipboardData) && take(e, e.clipboardData?.files)} />
        <div class="tools">
          <AttachMenu disabled={!usable} />
          <WorkflowMenu disabled={!ready || running || saved.composing.value !== ""} back={back} />
          <span class="space" />
          <button type="button" class="send" data-testid="send" title={t.send} aria-label={t.send}
            disabled={!usable || !text.trim() || store.sending.value !== ""} onClick={() => void store.send()}><ArrowUp /></button>
        </div>
      </div>
    </footer>
  );
}

/** Reports whether text is pasted. An office program copies text together with a picture of it: the text is meant. */
function written(d: DataTransfer | null): boolean {
  return d !== null && d.types.includes("text/html") && d.getData("text/plain").trim() !== "";
}

/** The state of the running task, and its controls. */
function Bar({ ready }: { ready: boolean }) {
  const state = store.state.value;
  const hold = state === "running";
  const held = state === "paused";
  const asked = useStopKey();
  return (
    <div class="bar">
      <span class="doing" aria-live="polite">{asked ? t.stopKey : doing()}</span>
      <Elapsed />
      {hold && <button type="button" class="icon" data-testid="take-over" title={`${t.takeOver}. ${t.takeOverHint}`} aria-label={t.takeOver} disabled={!ready} onClick={() => void store.takeOver()}><Hand size={15} /></button>}
      {hold && <button type="button" class="icon" data-testid="pause" title={t.pause} aria-label={t.pause} disabled={!ready} onClick={() => void store.pause()}><Pause size={15} /></button>}
      {held && <button type="button" class="small strong" data-testid="resume" disabled={!ready} onClick={() => void store.resume()}><Play size={12} /> {t.continue}</button>}
      <button type="button" class="stop" data-testid="stop" disabled={store.stopping.value || !ready} onClick={() => void store.stop()}><Square size={12} /> {t.stop}</button>
    </div>
  );
}

/** How long the task has run, updated each second and hidden from screen readers. */
function Elapsed() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(tick);
  }, []);
  const began = store.current.value?.began ?? 0;
  if (began === 0 || now - began < 1000) return null;
  const time = span(now - began);
  return <span class="elapsed" data-testid="elapsed" title={t.sofar(time)} aria-hidden="true">{time}</span>;
}

/** The longest time between the two presses of Escape that stop the task, in ms. */
const TWICE_MS = 2000;

/** Stops the task on a double Escape, or on Ctrl+. or Cmd+.; returns true while it waits for the second Escape. */
function useStopKey(): boolean {
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    let last = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = (e: KeyboardEvent) => {
      if (!e.isTrusted || e.defaultPrevented || e.isComposing || e.repeat) return;
      const at = Date.now();
      const point = e.key === "." && (e.ctrlKey || e.metaKey);
      if (point || e.key === "Escape" && at - last < TWICE_MS) {
        e.preventDefault();
        setAsked(false);
        return void store.stop();
      }
      if (e.key !== "Escape") return;
      last = at;
      setAsked(true);
      clearTimeout(timer);
      timer = setTimeout(() => setAsked(false), TWICE_MS);
    };
    document.addEventListener("keydown", press);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", press);
    };
  }, []);
  return asked;
}

function doing(): string {
  if (store.stopping.value) return t.stopping;
  switch (store.state.value) {
    case "confirming": case "asking": return t.waiting;
    case "paused": return t.pausedState;
    case "queued": return t.queuedState;
    default: {
      const plan = checklist(store.current.value?.items ?? []).filter((s) => s.state !== "dropped");
      const at = plan.findIndex((s) => s.state === "doing");
      return at < 0 ? t.working : `${at + 1}/${plan.length} · ${plan[at]?.text}`;
    }
  }
}

function placeholder(): string {
  if (store.running.value) return store.state.value === "asking" ? t.placeholderAsk : t.placeholderSteer;
  return store.chat.value.length > 0 ? t.placeholderFollow : t.placeholder;
}

function Problem() {
  const p = store.problem.value;
  if (!p) return null;
  return (
    <div class="problem" role="alert" data-testid="problem">
      <div><Refusal error={p} /></div>
      <button type="button" class="icon" aria-label={t.dismiss} title={t.dismiss} onClick={() => (store.problem.value = undefined)}><Cross size={14} /></button>
    </div>
  );
}

function Tour() {
  if (!store.tour.value) return null;
  return <p class="tour-note" role="status">{t.tourReady}</p>;
}
