// Downloads a model for Ollama, and shows the progress.

import { useId, useState } from "preact/hooks";
import type { PullInfo } from "../../gen/wire";
import { t } from "../i18n";
import { pull, pulls, stopPull } from "../pulls";
import * as store from "../store";
import { Cross } from "./icons";
import { Refusal } from "./Refusal";

export function Pull() {
  const id = useId();
  const suggested = store.models.value?.suggested;
  const has = (store.models.value?.models ?? []).some((m) => m.id === `ollama/${suggested}`);
  const [name, setName] = useState("");
  if (!suggested || store.models.value?.error?.code === "unreachable") return null; // another provider, or no Ollama that runs
  const wanted = name.trim() || (has ? "" : suggested);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (wanted && (await pull(wanted))) setName("");
  };
  return (
    <form class="pull field" onSubmit={(e) => void submit(e)}>
      <label for={id}>{t.pullLabel}</label>
      <div class="line">
        <input id={id} value={name} placeholder={has ? t.pullName : suggested} autocomplete="off" spellcheck={false} data-testid="pull-name" onInput={(e) => setName(e.currentTarget.value)} />
        <button type="submit" class="small" data-testid="pull" disabled={!wanted}>{t.pull}</button>
      </div>
      {pulls.value.map((p) => <One key={p.name} pull={p} />)}
    </form>
  );
}

function One({ pull: p }: { pull: PullInfo }) {
  const total = p.total ?? 0;
  const part = total > 0 ? (p.done ?? 0) / total : 0;
  const runs = p.state === "running";
  return (
    <div class="pulled" data-testid="pulled" data-state={p.state}>
      <span class="name">{p.name}</span>
      <button type="button" class="icon" aria-label={runs ? t.pullStop(p.name) : t.dismiss} title={runs ? t.pullStop(p.name) : t.dismiss} data-testid="pull-stop" onClick={() => void stopPull(p.name)}><Cross size={14} /></button>
      {runs && <progress max={1} {...(total > 0 && { value: part })} aria-label={p.name} />}
      <small role="status">
        {runs && (total > 0 ? t.pullAt(Math.floor(part * 100), t.gigabytes(p.done ?? 0), t.gigabytes(total)) : t.pullBegins)}
        {p.state === "done" && t.pullDone}
        {p.state === "stopped" && t.pullStopped}
      </small>
      {p.error && <div role="alert"><Refusal error={p.error} /></div>}
    </div>
  );
}
