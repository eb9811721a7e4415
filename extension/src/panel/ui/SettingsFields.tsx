// One setting as a field: its name above, its help below, saved as soon as the
// user leaves it. A setting of the environment or a flag can't be changed here.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { t } from "../i18n";
import * as settings from "../settings";

interface FieldProps { name: string; kind?: "text" | "number"; step?: string; help?: string }

/** Label, help and refusal around a control. */
export function Row({ id, label, help, name, children }: { id: string; label: string; help?: string | undefined; name: string; children: ComponentChildren }) {
  const bad = settings.refused.value[name];
  return (
    <div class="field">
      <label for={id}>{label}{name !== "" && settings.savedNow.value === name && <span class="saved">{t.saved}</span>}</label>
      {children}
      {help && <p class="help" id={`${id}-help`}>{help}</p>}
      {bad && (
        <p class="refused" id={`${id}-bad`} role="alert">{bad}
          {settings.drafts.value[name] !== undefined && <span class="also">{t.notSaved} <button type="button" class="link" data-testid={`back-${name}`} onClick={() => settings.putBack(name)}>{t.putBack}</button></span>}
        </p>
      )}
    </div>
  );
}

/** A setting of the host: a list if its values are fixed, else a text field. */
export function Field({ name, kind = "text", step, help }: FieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>(); // until it is saved: an update by another field must not undo it
  const s = settings.setting(name);
  if (!s) return null;
  const keep = async (text: string) => {
    await settings.set({ [name]: text.trim() });
    setTyped((now) => (now === text ? undefined : now));
  };
  const notes = [
    s.fixed ? t.fixedBy[s.source] : help ?? t.help[name],
    !s.fixed && s.default && !s.choices ? t.byDefault(s.default) : "",
  ].filter(Boolean).join(" ");
  const about = { id, disabled: s.fixed, "aria-describedby": `${notes ? `${id}-help` : ""} ${settings.refused.value[name] ? `${id}-bad` : ""}`.trim() || undefined };
  const choices = s.choices ?? [];
  const value = settings.drafts.value[name] ?? s.value;
  return (
    <Row id={id} label={t.fields[name] ?? s.name} help={notes} name={name}>
      {choices.length > 0 ? (
        <select {...about} data-testid={`set-${name}`} value={value} aria-invalid={settings.refused.value[name] ? true : undefined} onChange={(e) => void settings.set({ [name]: e.currentTarget.value })}>
          {!choices.includes("") && !s.default && <option value="">{t.choices[`${name}.`] ?? t.asItIs}</option>}
          {choices.map((c) => <option key={c} value={c}>{t.choices[`${name}.${c}`] ?? (c || t.asItIs)}</option>)}
        </select>
      ) : (
        <input {...about} data-testid={`set-${name}`} inputMode={kind === "number" ? (step ? "decimal" : "numeric") : "text"} value={typed ?? value} spellcheck={false} autocomplete="off"
          aria-invalid={settings.refused.value[name] ? true : undefined}
          onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()} onInput={(e) => setTyped(e.currentTarget.value)}
          onBlur={() => typed === value && setTyped(undefined)} onChange={(e) => void keep(e.currentTarget.value)} />
      )}
    </Row>
  );
}

/** A choice among a few values, as radio buttons in a row. */
export function Choice<T extends string>({ label, name, value, all, words, onPick }: {
  label: string; name: string; value: T; all: readonly T[]; words: Record<string, string>; onPick: (v: T) => void;
}) {
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div>
        {all.map((v) => (
          <label key={v}>
            <input type="radio" name={name} value={v} checked={v === value} data-testid={`${name}-${v}`} onChange={() => onPick(v)} />
            <span>{words[v] ?? v}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A list of checks. */
export function Lines({ children }: { children: ComponentChildren }) {
  return <ul class="checks">{children}</ul>;
}
