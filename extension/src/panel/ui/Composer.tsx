// Where the person writes, and the Stop button.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import * as store from "../store";
import { ArrowUp, Cross, Pause, Square } from "./icons";

export function Composer() {
  const box = useRef<HTMLTextAreaElement>(null);
  const running = store.running.value;
  const state = store.state.value;
  const ready = store.phase.value === "ready" && store.loaded.value;
  const usable = ready && (running || store.canStart.value);
  const text = store.draft.value;

  useEffect(() => {
    if (usable && document.activeElement === document.body) box.current?.focus();
  }, [usable]);

  const onKeyDown = (e: KeyboardEvent) => {
    // While an input method is composing, Enter picks a character.
    if (e.key !== "Enter" || e.shiftKey || e.isComposing || e.keyCode === 229) return;
    e.preventDefault();
    void store.send();
  };
  return (
    <footer class="foot">
      <Problem />
      <Tour />
      {running && (
        <div class="bar">
          <span class="doing" aria-live="polite">{store.stopping.value ? t.stopping : state === "confirming" || state === "asking" ? t.waiting : state === "paused" ? t.pausedState : t.working}</span>
          <span class="space" />
          {state === "running" && <button type="button" class="small" data-testid="pause" onClick={() => void store.pause()}><Pause size={12} /> {t.pause}</button>}
          <button type="button" class="stop" data-testid="stop" disabled={store.stopping.value || !ready} onClick={() => void store.stop()}><Square size={12} /> {t.stop}</button>
        </div>
      )}
      <div class="box">
        <textarea ref={box} rows={1} data-testid="composer" aria-label={placeholder()} placeholder={placeholder()} value={text}
          disabled={!usable} onInput={(e) => (store.draft.value = e.currentTarget.value)} onKeyDown={onKeyDown} />
        <button type="button" class="send" data-testid="send" title={t.send} aria-label={t.send}
          disabled={!usable || !text.trim() || store.sending.value !== ""} onClick={() => void store.send()}><ArrowUp /></button>
      </div>
    </footer>
  );
}

function placeholder(): string {
  if (!store.running.value) return t.placeholder;
  return store.state.value === "asking" ? t.placeholderAsk : t.placeholderSteer;
}

function Problem() {
  const p = store.problem.value;
  if (!p) return null;
  return (
    <div class="problem" role="alert" data-testid="problem">
      <div><p>{p.message}</p>{p.hint && <p class="hint">{p.hint}</p>}</div>
      <button type="button" class="icon" aria-label={t.dismiss} title={t.dismiss} onClick={() => (store.problem.value = undefined)}><Cross size={14} /></button>
    </div>
  );
}

function Tour() {
  if (!store.tour.value) return null;
  return <p class="tour-note" role="status">{t.tourReady}</p>;
}
