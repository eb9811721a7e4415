// The list of steps: a line each in plain words, with details on demand.

import type { Error as WireError, UsageInfo } from "../../gen/wire";
import { useEffect, useRef, useState } from "preact/hooks";
import { fromBase64 } from "../attach";
import type { Run } from "../blocks";
import { lang, span, t } from "../i18n";
import { memo } from "../memo";
import { named, reword } from "../reword";
import type { ConfirmItem, Spent, StepItem, StepState } from "../reduce";
import * as store from "../store";
import { Verdict } from "./Confirm";
import { Ban, Check, Cross, Dash, Question, Spinner } from "./icons";

export const Steps = memo(function Steps({ run, task }: { run: Run; task: string }) {
  return (
    <ol class={`steps ${run.more ? "more" : ""} ${run.far ? "far" : ""}`} aria-label={t.steps}>
      {run.steps.map((s, i) => <Step key={s.key} item={s} line={run.lines[i] ?? ""} no={run.noes[i]} task={task} />)}
    </ol>
  );
});

const NOTES: Partial<Record<StepState, () => string>> = {
  blocked: () => t.blockedNote, denied: () => t.deniedNote, stopped_after: () => t.stoppedAfterNote, unknown: () => t.unknownNote,
};

const Step = memo(function Step({ item, line, no, task }: { item: StepItem; line: string; no?: ConfirmItem | undefined; task: string }) {
  const { step, state } = item;
  const [open, setOpen] = useState(false);
  const note = no ? no.note && t.youSaid(no.note) : NOTES[state]?.();
  return (
    <li class={`step ${state}`} data-testid="step" data-state={state} data-action={step.action}>
      <details onToggle={(e) => setOpen(e.currentTarget.open)}>
        <summary>
          <span class="state" role="img" title={t.stepStates[state]} aria-label={t.stepStates[state]}><StateIcon state={state} /></span>
          <span class="line" data-testid={no && "confirm-answered"} data-answer={no?.confirm.answer}>{no ? <Verdict info={no.confirm} /> : line}{note && <small>{note}</small>}</span>
          {step.millis !== undefined && step.millis >= 1000 && <span class="time">{span(step.millis)}</span>}
        </summary>
        {open && <Behind item={item} task={task} />}
      </details>
    </li>
  );
});

function Behind({ item: { step, spent, began }, task }: { item: StepItem; task: string }) {
  const at = new Date(began).toLocaleTimeString(lang);
  return (
    <div class="behind">
      <dl>
        <Row name={t.action} value={call(step.action, step.params)} mono />
        <Row name={t.target} value={step.target && named(step.target, lang)} />
        <Row name={t.site} value={step.url ? undefined : step.site} />
        <Row name={t.page} value={step.url} />
        <Row name={t.effect} value={step.effect} />
        <Row name={t.error} value={step.error && worded(step.error)} />
        <Row name={t.took} value={step.millis ? `${span(step.millis)} (${at})` : at} />
        {spent && <Row name={t.tokens} value={t.tokensOf(count(spent.input), count(spent.output))} />}
        {spent?.outputRate && <Row name={t.speed} value={t.speedOf(count(Math.round(spent.inputRate ?? 0)), count(Math.round(spent.outputRate)))} />}
        {spent && <Row name={t.cost} value={cost(spent)} />}
      </dl>
      {step.thumb && <Thumb task={task} step={step.n} />}
    </div>
  );
}

/** A screenshot of the page after a step, painted on a canvas since the panel's policy loads no images. */
function Thumb({ task, step }: { task: string; step: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<"coming" | "there" | "none">("coming");
  useEffect(() => {
    let gone = false;
    const paint = async () => {
      const { data, mime } = await store.call("task.thumb", { task, step });
      const img = await createImageBitmap(fromBase64(data, mime));
      const c = canvas.current;
      if (gone || !c) return;
      c.width = img.width;
      c.height = img.height;
      c.getContext("2d")?.drawImage(img, 0, 0);
      setState("there");
    };
    paint().catch(() => !gone && setState("none"));
    return () => void (gone = true);
  }, [task, step]);
  return (
    <figure class={`thumb ${state}`} data-testid="thumb" data-state={state}>
      <canvas ref={canvas} role="img" aria-label={t.picture} />
      {state !== "there" && <figcaption>{state === "coming" ? t.loadingPicture : t.noPicture}</figcaption>}
    </figure>
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

function worded(e: WireError): string {
  const { text, detail } = reword(e, lang);
  return detail ? `${text} (${detail})` : text;
}

function count(n: number): string {
  return n.toLocaleString(lang);
}

function cost({ cost, local }: Spent): string | undefined {
  if (local) return t.costLocal;
  return cost === undefined ? undefined : money(cost);
}

/** Returns an amount without a currency, since the prices in the settings have none. */
function money(n: number): string {
  return n.toLocaleString(lang, { maximumSignificantDigits: 3 });
}

/** Returns the usage of a whole task, in one line. */
export function total(u: UsageInfo): string {
  const parts = [t.usage(u.steps, span(u.millis))];
  const tokens = u.inputTokens + u.outputTokens;
  if (tokens > 0) parts.push(`${t.tokens}${t.colon}${count(tokens)}`);
  if (u.outputRate) parts.push(t.perSecond(count(Math.round(u.outputRate))));
  if (u.local) parts.push(t.free);
  else if (u.cost !== undefined && u.cost !== null) parts.push(`${t.cost}${t.colon}${money(u.cost)}`);
  if (u.way) parts.push(t.ways[u.way] ?? u.way);
  if (u.mode === "hybrid") parts.push(t.withPictures);
  if (u.mode === "pointer") parts.push(t.byPointing);
  return parts.join(" · ");
}

function StateIcon({ state }: { state: StepState }) {
  switch (state) {
    case "running": return <Spinner />;
    case "ok": return <Check size={14} />;
    case "error": return <Cross size={14} />;
    case "denied": case "blocked": case "stopped_after": return <Ban size={14} />;
    case "unknown": return <Question size={14} />;
    case "stopped": return <Dash size={14} />;
  }
}
