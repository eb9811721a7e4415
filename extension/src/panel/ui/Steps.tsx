// The list of steps: a line each in plain words, with what is behind it on demand.

import type { StepItem, StepState } from "../reduce";
import { span, t } from "../i18n";
import { Ban, Check, Chevron, Cross, Dash, Question, Spinner } from "./icons";

export function Steps({ steps, lines }: { steps: readonly StepItem[]; lines: ReadonlyMap<number, string> }) {
  return <ol class="steps" aria-label={t.steps}>{steps.map((s) => <Step key={s.key} item={s} line={lines.get(s.key) ?? ""} />)}</ol>;
}

function Step({ item: { step, state }, line }: { item: StepItem; line: string }) {
  return (
    <li class={`step ${state}`} data-testid="step" data-state={state} data-action={step.action}>
      <details>
        <summary>
          <span class="state" title={t.stepStates[state]}><StateIcon state={state} /><span class="sr">{t.stepStates[state]}: </span></span>
          <span class="line">{line}</span>
          <Chevron size={12} class="chevron" />
        </summary>
        <dl>
          <Row name={t.action} value={call(step.action, step.params)} mono />
          <Row name={t.target} value={step.target} />
          <Row name={t.site} value={step.site} />
          <Row name={t.effect} value={step.effect} />
          <Row name={t.error} value={step.error?.message} />
          <Row name={t.took} value={step.millis ? span(step.millis) : undefined} />
        </dl>
      </details>
    </li>
  );
}

function Row({ name, value, mono }: { name: string; value: string | undefined; mono?: boolean }) {
  if (!value) return null;
  return <><dt>{name}</dt><dd class={mono ? "mono" : ""}>{value}</dd></>;
}

function call(action: string, params: unknown): string {
  const text = params === undefined || params === null ? "" : JSON.stringify(params);
  return text && text !== "{}" ? `${action} ${text.length > 300 ? text.slice(0, 300) + "…" : text}` : action;
}

function StateIcon({ state }: { state: StepState }) {
  switch (state) {
    case "running": return <Spinner />;
    case "ok": return <Check size={14} />;
    case "error": return <Cross size={14} />;
    case "denied": case "blocked": return <Ban size={14} />;
    case "unknown": return <Question size={14} />;
    case "stopped": return <Dash size={14} />;
  }
}
