// The settings, in parts, one shown at a time. The parts are tabs: arrow keys go
// from one to the next, Tab into the one shown; Escape leads back to the chat and
// to the element that had the focus.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { screen } from "../screen";
import * as settings from "../settings";
import * as store from "../store";
import { Spinner } from "./icons";
import { Sites } from "./Sites";
import { About, Budgets, Look, Privacy, Search, Uploads } from "./SettingsMore";
import { Models } from "./SettingsModels";

const PARTS = { models: Models, look: Look, budgets: Budgets, sites: Sites, search: Search, uploads: Uploads, privacy: Privacy, about: About };
/** The parts that need no host, or show its absence themselves. */
const ALONE: readonly settings.Section[] = ["look", "about"];

export function Settings() {
  const came = useRef<Element | null>(document.activeElement);
  const ready = store.phase.value === "ready";
  const now = settings.section.value;
  useEffect(() => {
    if (ready) void settings.load();
  }, [ready]);
  useEffect(() => () => {
    const back = came.current;
    if (back instanceof HTMLElement && back.isConnected) back.focus();
  }, []);
  const Part = PARTS[now];
  const fault = settings.refused.value[""];
  const leave = (e: KeyboardEvent) => {
    if (e.key === "Escape" && !e.defaultPrevented) screen.value = "chat";
  };
  return (
    <main class="settings" data-testid="settings" onKeyDown={leave}>
      <h1 class="sr">{t.settings}</h1>
      <Tabs />
      <div class="part" role="tabpanel" id="part" aria-labelledby={`tab-${now}`} data-part={now} tabIndex={-1}>
        <h2>{t.sections[now]}</h2>
        {fault && <p class="refused" role="alert">{fault}</p>}
        {fault && settings.mendable.value && <p class="help">{t.mendNote}</p>}
        {fault && (settings.mendable.value || !settings.info.value) && (
          <div class="line">
            {settings.mendable.value && <button type="button" class="quiet" data-testid="settings-mend" onClick={(e) => e.isTrusted && void settings.mend()}>{t.fixes[settings.mendable.value] ?? t.fixIt}</button>}
            <button type="button" class="quiet" data-testid="settings-again" onClick={() => void settings.load()}>{t.tryAgain}</button>
          </div>
        )}
        {!fault && settings.mended.value && <p class="help" role="status" data-testid="settings-mended">{t.mended(settings.mended.value)}</p>}
        {settings.info.value || ALONE.includes(now) ? <Part />
          : fault ? null : ready ? <p class="busy" role="status"><Spinner /> {t.settingsWait}</p> : <p class="help">{t.settingsOff}</p>}
        {settings.info.value && now !== "about" && now !== "sites" && now !== "look" && <p class="file">{t.inFile} <code>{settings.info.value.file}</code></p>}
      </div>
    </main>
  );
}

function Tabs() {
  const list = useRef<HTMLDivElement>(null);
  const now = settings.section.value;
  const go = (e: KeyboardEvent) => {
    const all = settings.SECTIONS;
    const at = all.indexOf(now);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    settings.section.value = all[(to + all.length) % all.length] ?? now;
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label={t.sectionList} ref={list} onKeyDown={go}>
      {settings.SECTIONS.map((s) => (
        <button type="button" key={s} role="tab" id={`tab-${s}`} aria-controls="part" aria-selected={s === now} tabIndex={s === now ? 0 : -1} data-testid={`tab-${s}`} onClick={() => (settings.section.value = s)}>{t.sections[s]}</button>
      ))}
    </div>
  );
}
