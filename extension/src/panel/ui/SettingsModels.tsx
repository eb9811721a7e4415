// The model settings: the models found, a test of one, and the providers' keys.

import { useId, useState } from "preact/hooks";
import type { CheckLine, KeyInfo, ModelInfo } from "../../gen/wire";
import { lang, t } from "../i18n";
import { found, reword } from "../reword";
import * as settings from "../settings";
import * as store from "../store";
import { explain } from "./trouble";
import { Pull } from "./Pull";
import { Check, Cross, Dash, Spinner, Warn } from "./icons";
import { Field, Lines, Row } from "./SettingsFields";

export function Models() {
  const models = (store.models.value?.models ?? []).filter((m) => !m.standIn);
  const error = store.models.value?.error;
  const using = store.models.value?.using ?? "";
  const provider = settings.setting("provider")?.value ?? "";
  const trouble = error && models.length === 0 ? explain(error) : undefined;
  return (
    <>
      <Provider />
      <fieldset class="found">
        <legend>{t.foundModels}</legend>
        {models.map((m) => <Found key={m.id} model={m} using={using} />)}
        {trouble && <p class="help">{trouble.title} {trouble.text} {trouble.command && <code>{trouble.command}</code>}</p>}
        {!trouble && models.length === 0 && <p class="help">{t.noneFound}</p>}
        <button type="button" class="small" data-testid="look-again" onClick={() => void store.lookForModels()}>{t.lookAgain}</button>
      </fieldset>
      <Pull />
      {using && <Learned model={models.find((m) => m.id === using)} />}
      {using && <Test id={using} />}
      <details class="more">
        <summary>{t.moreFields}</summary>
        <Field name="model" />
        <Field name="base_url" />
        <Field name="num_ctx" kind="number" />
        <Field name="size" />
        <Field name="vision" />
        <Field name="mode" />
        <Field name="family" />
      </details>
      <section class="keys" aria-labelledby="keys-head">
        <h3 id="keys-head">{t.keys}</h3>
        <p class="help">{t.keysNote}</p>
        {(settings.info.value?.keys ?? []).filter((k) => k.console || k.source || (k.provider === provider && provider !== "ollama")).map((k) => <Key key={k.provider} info={k} />)}
      </section>
    </>
  );
}

/** Chooses the provider, and resets server and model: another provider has others. */
function Provider() {
  const id = useId();
  const s = settings.setting("provider");
  if (!s) return null;
  const change = (provider: string) => {
    const values: Record<string, string> = { provider };
    for (const name of ["model", "base_url"]) if (!settings.setting(name)?.fixed) values[name] = "";
    void settings.set(values);
  };
  return (
    <Row id={id} label={t.fields["provider"] ?? s.name} help={s.fixed ? t.fixedBy[s.source] : undefined} name="provider">
      <select id={id} value={s.value} disabled={s.fixed} data-testid="set-provider" onChange={(e) => change(e.currentTarget.value)}>
        {(s.choices ?? []).map((p) => <option key={p} value={p}>{t.providers[p] ?? p}</option>)}
      </select>
    </Row>
  );
}

export function Found({ model: m, using }: { model: ModelInfo; using: string }) {
  const is = [m.size && t.gigabytes(m.size), m.parameters, m.quantization].filter(Boolean).join(" ");
  const can = [m.tools && t.canTools, m.vision && t.canVision, m.thinks && t.canThink, m.context && t.windowOf(m.context.toLocaleString(lang), m.maxContext?.toLocaleString(lang))].filter(Boolean).join(", ");
  const bad = m.problem && reword(m.problem, lang);
  return (
    <label class="model" data-recommended={m.recommended}>
      <input type="radio" name="model" value={m.id} checked={m.id === using} disabled={store.running.value} data-testid="found-model" onChange={() => void store.useModel(m.id)} />
      <span class="name">{m.id.slice(m.id.indexOf("/") + 1)}{m.recommended && <b class="badge">{t.recommended}</b>}{is && <small>{is}</small>}{can && <small>{can}</small>}{bad && <small class="refused">{bad.text} {bad.detail}</small>}</span>
      <span class="where">{m.local ? t.local : t.cloud}</span>
    </label>
  );
}

/** Shows what did not work with the model before, with a button to try it again. */
export function Learned({ model }: { model: ModelInfo | undefined }) {
  const bad = settings.refused.value["forget-model"];
  if (!model?.learned?.length) return null;
  const what = model.learned.map((x) => t.ways[x] ?? t.pictures);
  return (
    <div class="test" data-testid="learned">
      <p class="help">{t.learned(what)}</p>
      <button type="button" class="quiet" data-testid="forget-learned" disabled={store.running.value} onClick={() => void settings.forgetModel(model.id)}>{t.forgetLearned}</button>
      {bad && <p class="refused" role="alert">{bad}</p>}
    </div>
  );
}

export function Test({ id }: { id: string }) {
  const now = settings.check.value?.id === id ? settings.check.value : undefined;
  const bad = settings.refused.value["check"];
  return (
    <div class="test">
      <button type="button" class="quiet" data-testid="test-model" disabled={now !== undefined && !now.result} aria-describedby="test-note" onClick={() => void settings.checkModel(id)}>{t.testModel}</button>
      <p class="help" id="test-note">{t.testNote}</p>
      <div role="status">
        {now && !now.result && <p class="busy"><Spinner /> {t.testing}</p>}
        {now?.result && (
          <Lines>{(now.result.checks ?? []).map((c) => <Line key={c.name} line={c} name={t.checkNames[c.id ?? c.name] ?? c.name} />)}</Lines>
        )}
        {now?.result && (now.result.way ? <p class="help">{t.testWay(t.ways[now.result.way] ?? now.result.way)}</p> : <p class="refused">{t.testNone}</p>)}
      </div>
      {bad && <p class="refused" role="alert">{bad}</p>}
    </div>
  );
}

/** One check, with a hint. */
export function Line({ line: c, name, children }: { line: CheckLine; name: string; children?: preact.ComponentChildren }) {
  const state = c.skipped ? "skipped" : !c.ok ? "bad" : c.warning ? "warn" : "ok";
  const [text, hint] = found(c, lang);
  const Icon = { ok: Check, bad: Cross, warn: Warn, skipped: Dash }[state];
  return (
    <li class={state} data-testid="check" data-state={state}>
      <Icon size={15} />
      <div>
        <b>{name}</b><span class="sr"> {t.checkStates[state]}</span>
        {text && <p>{text}</p>}
        {hint && <p class="help">{hint}</p>}
        {children}
      </div>
    </li>
  );
}

function Key({ info: k }: { info: KeyInfo }) {
  const id = useId();
  const [text, setText] = useState("");
  const who = t.providers[k.provider] ?? k.provider;
  const name = `key.${k.provider}`;
  const save = async () => {
    const key = text;
    setText(""); // the key stays in the panel no longer than needed
    if (key.trim() && !(await settings.setKey(k.provider, key.trim()))) setText((now) => now || key); // for the user to correct
  };
  return (
    <form class="key" onSubmit={(e) => { e.preventDefault(); void save(); }}>
      <Row id={id} label={t.keyFor(who)} name={name}>
        <div class="line">
          {/* Not type=password: Chrome would offer to save it. */}
          <input id={id} class="secret" value={text} placeholder={t.pasteKey} autocomplete="off" spellcheck={false} data-testid={`set-${name}`} onInput={(e) => setText(e.currentTarget.value)} />
          <button type="submit" class="small" disabled={!text.trim()} aria-label={t.keySave(who)} data-testid={`save-${name}`}>{t.save}</button>
        </div>
        <div class="line under">
          <span class={`key-${k.source ?? "none"}`} data-testid={`state-${name}`}>{t.keyStates[k.source ?? "none"]}</span>
          {k.source === "stored" && <button type="button" class="link" aria-label={t.keyRemove(who)} onClick={() => void settings.removeKey(k.provider)}>{t.takeOut}</button>}
          {k.console && <a href={k.console} target="_blank" rel="noopener noreferrer" aria-label={t.getKey(who)}>{t.getKeyShort}</a>}
        </div>
      </Row>
    </form>
  );
}
