// The smaller parts of the settings: look and language, limits, search,
// uploads, privacy, and about with the doctor.

import { useEffect, useId, useState } from "preact/hooks";
import type { CheckLine } from "../../gen/wire";
import { t } from "../i18n";
import { type Language, type Theme, prefer, prefs } from "../prefs";
import * as settings from "../settings";
import { version } from "../versions";
import { Spinner } from "./icons";
import { Choice, Field, Lines, Row } from "./SettingsFields";
import { Line } from "./SettingsModels";

export function Look() {
  const p = prefs.value;
  const speak = (lang: Language) => {
    prefer({ lang });
    location.hash = "settings/look"; // the words are read once: the panel reloads, and comes back here
    location.reload();
  };
  return (
    <>
      <Choice<Theme> label={t.theme} name="theme" value={p.theme} all={["system", "light", "dark"]} words={t.themes} onPick={(theme) => prefer({ theme })} />
      <label class="switch"><input type="checkbox" checked={p.contrast === "more"} data-testid="contrast" onChange={(e) => prefer({ contrast: e.currentTarget.checked ? "more" : "system" })} /> {t.contrast}</label>
      <Choice<Language> label={t.panelLanguage} name="lang" value={p.lang} all={["system", "en", "zh"]} words={t.panelLanguages} onPick={speak} />
      <Field name="lang" />
    </>
  );
}

export function Budgets() {
  return (
    <>
      <Field name="budgets.steps" kind="number" />
      <Field name="budgets.minutes" kind="number" step="any" />
      <Field name="budgets.tokens" kind="number" />
      <Field name="budgets.money" kind="number" step="any" />
      <Field name="validator" />
      <Field name="critic" />
    </>
  );
}

export function Search() {
  const id = useId();
  const s = settings.setting("search");
  const known = Object.keys(t.engines);
  const [own, setOwn] = useState(false);
  if (!s) return null;
  const value = settings.drafts.value["search"] ?? s.value;
  const other = own || !known.includes(value);
  const pick = (v: string) => {
    setOwn(v === "own");
    if (v !== "own") void settings.set({ search: v });
  };
  return (
    <>
      <Row id={id} label={t.fields["search"] ?? s.name} help={s.fixed ? t.fixedBy[s.source] : t.help["search"]} name={other ? "search.engine" : "search"}>
        <select id={id} disabled={s.fixed} value={other ? "own" : value} data-testid="search-engine" onChange={(e) => pick(e.currentTarget.value)}>
          {known.map((e) => <option key={e} value={e}>{t.engines[e]}</option>)}
          <option value="own">{t.ownEngine}</option>
        </select>
      </Row>
      {other && (
        <Row id={`${id}-own`} label={t.engineAddress} name="search">
          <input id={`${id}-own`} disabled={s.fixed} value={known.includes(value) ? "" : value} aria-invalid={settings.refused.value["search"] ? true : undefined} placeholder="https://search.example/?q={query}" spellcheck={false} data-testid="search-own"
            onChange={(e) => void settings.set({ search: e.currentTarget.value.trim() })} />
        </Row>
      )}
    </>
  );
}

export function Uploads() {
  const id = useId();
  const s = settings.setting("upload_dirs");
  if (!s) return null;
  const dirs = s.value ? s.value.split(":") : [];
  const keep = (all: string[]) => settings.set({ upload_dirs: all.join(":") });
  const add = async (form: HTMLFormElement) => {
    const dir = String(new FormData(form).get("dir")).trim();
    if (!dir) return;
    if (await keep([...dirs, dir])) form.reset();
    else settings.draft("upload_dirs", dir); // the typed folder, not the whole list
  };
  return (
    <>
      <p class="help">{t.uploadsNote}</p>
      {dirs.length === 0 ? <p class="help">{t.noFolders}</p> : (
        <ul class="dirs" aria-label={t.fields["upload_dirs"]}>
          {dirs.map((d) => (
            <li key={d} data-testid="folder"><code>{d}</code>
              <button type="button" class="small" disabled={s.fixed} aria-label={t.removeFolder(d)} onClick={() => void keep(dirs.filter((x) => x !== d))}>{t.takeOut}</button></li>
          ))}
        </ul>
      )}
      <form onSubmit={(e) => { e.preventDefault(); void add(e.currentTarget); }}>
        <Row id={id} label={t.folderPath} help={s.fixed ? t.fixedBy[s.source] : undefined} name="upload_dirs">
          <div class="line">
            <input id={id} name="dir" disabled={s.fixed} value={settings.drafts.value["upload_dirs"] ?? ""} aria-invalid={settings.refused.value["upload_dirs"] ? true : undefined} placeholder="/home/me/Documents/for-uploads" spellcheck={false} autocomplete="off" data-testid="folder-path" />
            <button type="submit" class="small" disabled={s.fixed} data-testid="folder-add">{t.add}</button>
          </div>
        </Row>
      </form>
    </>
  );
}

export function Privacy() {
  const [asked, setAsked] = useState(false);
  const [said, setSaid] = useState("");
  const forget = async () => {
    setAsked(false);
    const left = await settings.forgetAll();
    setSaid(left === undefined ? "" : left > 0 ? t.forgetLeft(left) : t.forgotten);
  };
  const bad = settings.refused.value["forget"];
  return (
    <>
      <p class="help">{t.privacyNote}</p>
      <Field name="history" />
      <div class="forget">
        {!asked && <button type="button" class="quiet danger" data-testid="forget-all" onClick={() => setAsked(true)}>{t.forgetAll}</button>}
        {asked && (
          <div class="sure" role="alertdialog" aria-label={t.forgetAll} onKeyDown={(e) => { if (e.key === "Escape") { e.stopPropagation(); setAsked(false); } }}>
            <p>{t.forgetSure}</p>
            <div class="line">
              <button type="button" class="quiet" ref={(b) => b?.focus()} onClick={() => setAsked(false)}>{t.cancel}</button>
              <button type="button" class="quiet danger" data-testid="forget-yes" onClick={(e) => e.isTrusted && void forget()}>{t.forgetYes}</button>
            </div>
          </div>
        )}
        <p role="status" class="help">{said}</p>
        {bad && <p class="refused" role="alert">{bad}</p>}
      </div>
    </>
  );
}

export function About() {
  useEffect(() => {
    if (!settings.report.value && !settings.examining.value) void settings.examine();
  }, [settings.report.value]);
  const r = settings.report.value;
  const checks = r?.checks ?? [];
  const faults = checks.filter((c) => !c.ok).length;
  const bad = settings.refused.value["doctor"];
  return (
    <>
      <p class="versions" data-testid="versions">{t.versions(version(), r?.version ?? "…")}</p>
      <div role="status">
        {settings.examining.value ? <p class="busy"><Spinner /> {t.checking}</p> : r && <p class={faults ? "verdict-line bad" : "verdict-line"}>{faults ? t.faults(faults) : t.allWell}</p>}
      </div>
      {bad && <p class="refused" role="alert">{bad}</p>}
      <Lines>{[...checks].sort((a, b) => Number(a.ok && !a.warning) - Number(b.ok && !b.warning)).map((c) => (
        <Line key={c.id ?? c.name} line={c} name={nameOf(c)}>
          {c.fix && <button type="button" class="small" data-testid={`fix-${c.fix}`} disabled={settings.examining.value} onClick={(e) => e.isTrusted && void settings.fix(c)}>{t.fixes[c.fix] ?? t.fixIt}</button>}
        </Line>
      ))}</Lines>
      <button type="button" class="quiet" data-testid="examine" disabled={settings.examining.value} onClick={() => void settings.examine()}>{t.runChecks}</button>
    </>
  );
}

/** Returns the name of a check, in the panel's language if it is known; its subject (a browser, a profile) stays. */
function nameOf(c: CheckLine): string {
  const kind = (c.id ?? "").split(".")[0] ?? "";
  const known = t.doctorNames[kind];
  const of = /(?:with|in|:) (.+)$/.exec(c.name)?.[1];
  return known ? (of && c.id?.includes(".") ? `${known}${t.colon}${of}` : known) : c.name;
}
