// The head of the panel: conversations, model, state of the connection, new chat.

import type { ModelInfo } from "../../gen/wire";
import { t } from "../i18n";
import * as store from "../store";
import { screen, toggle } from "../screen";
import { Gear, List, Plus } from "./icons";

export function Header() {
  const phase = store.phase.value === "ready" && !store.loaded.value ? "connecting" : store.phase.value;
  const status = phase === "ready" ? t.connected : phase === "connecting" ? t.connecting : t.disconnected;
  return (
    <header class="head">
      <button type="button" class="icon" data-testid="open-conversations" title={t.conversations} aria-label={t.conversations} aria-pressed={screen.value === "conversations"}
        onClick={() => toggle("conversations")}><List /></button>
      <Picker />
      {store.standIn.value && <span class="tag" title={t.standInNote}>{t.standInShort}</span>}
      <span class="space" />
      <span class={`dot ${phase}`} data-testid="status" data-phase={phase} data-state={store.state.value ?? "idle"} role="img" aria-label={status} title={status} />
      <button type="button" class="icon" data-testid="new-chat" title={t.newChat} aria-label={t.newChat}
        disabled={store.chat.value.length === 0 && !store.tour.value && screen.value === "chat"} onClick={() => { store.newChat(); screen.value = "chat"; }}><Plus /></button>
      <button type="button" class="icon" data-testid="open-settings" title={t.settings} aria-label={t.settings} aria-pressed={screen.value === "settings"}
        onClick={() => toggle("settings")}><Gear /></button>
    </header>
  );
}

function Picker() {
  const list = store.models.value;
  const using = store.modelID.value;
  const models = list?.models ?? [];
  if (models.length === 0) return <span class="brand">Tabwright</span>;
  const group = (label: string, ms: ModelInfo[]) =>
    ms.length > 0 && <optgroup label={label}>{ms.map((m) => <option key={m.id} value={m.id}>{name(m.id)}</option>)}</optgroup>;
  return (
    <select class="picker" data-testid="model-picker" aria-label={t.model} value={using} title={using}
      disabled={store.running.value} onChange={(e) => void store.useModel(e.currentTarget.value)}>
      {!models.some((m) => m.id === using) && <option value={using}>{using ? name(using) : t.noModel}</option>}
      {group(t.local, models.filter((m) => m.local && !m.standIn))}
      {group(t.cloud, models.filter((m) => !m.local && !m.standIn))}
      {group(t.standIn, models.filter((m) => m.standIn))}
    </select>
  );
}

/** Returns the id without its provider: qwen3:8b for ollama/qwen3:8b. */
function name(id: string): string {
  return id.slice(id.indexOf("/") + 1);
}
