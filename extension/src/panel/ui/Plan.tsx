// The plan: a short checklist that fills in, and that the user may change
// while the task runs.

import { useState } from "preact/hooks";
import type { PlanStep } from "../../gen/wire";
import { t } from "../i18n";
import type { PlanItem } from "../reduce";
import * as store from "../store";
import { ArrowUp, Check, Cross, Dash, Pencil, Plus } from "./icons";
import { Markdown } from "./Markdown";

export function Plan({ item, task, editable }: { item: PlanItem; task: string; editable: boolean }) {
  const [editing, setEditing] = useState(false);
  if (item.plan.length === 0) return <div class="plan told"><b>{t.plan}</b><Markdown text={item.text} /></div>;
  if (editing && editable) return <Editor plan={item.plan} task={task} close={() => setEditing(false)} />;
  const wanted = item.plan.filter((s) => s.state !== "dropped");
  const done = wanted.filter((s) => s.state === "done").length;
  return (
    <section class="plan" data-testid="plan" aria-label={t.plan}>
      <header>
        <b>{t.plan}</b><span class="count" data-testid="plan-count">{t.planDone(done, wanted.length)}</span>
        {editable && <button type="button" class="icon" data-testid="plan-edit" title={t.editPlan} aria-label={t.editPlan} onClick={() => setEditing(true)}><Pencil size={14} /></button>}
      </header>
      <ol>{item.plan.map((s, i) => <Line key={i} step={s} />)}</ol>
    </section>
  );
}

function Line({ step }: { step: PlanStep }) {
  const said = t.planStates[step.state] ?? step.state;
  return (
    <li class={step.state} data-testid="plan-step" data-state={step.state} aria-current={step.state === "doing" ? "step" : undefined}>
      <span class="mark" title={said}>{step.state === "done" ? <Check size={11} /> : step.state === "dropped" ? <Dash size={11} /> : null}</span>
      <span class="sr">{said}: </span><span>{step.text}</span>
    </li>
  );
}

interface Draft extends PlanStep { key: number }

/** Edits the plan: steps that are done stay as they are; others can be reworded, moved, dropped and added. */
function Editor({ plan, task, close }: { plan: readonly PlanStep[]; task: string; close: () => void }) {
  const [lines, setLines] = useState<readonly Draft[]>(() => plan.map((s, key) => ({ ...s, key })));
  const [sent, setSent] = useState(false);
  const word = (key: number, text: string) => setLines(lines.map((l) => (l.key === key ? { ...l, text } : l)));
  const up = (i: number) => setLines(lines.map((l, j) => (j === i - 1 ? lines[i] : j === i ? lines[i - 1] : l) as Draft));
  const save = async () => {
    setSent(true);
    const next = lines.map(({ text, state }) => ({ text: text.trim(), state })).filter((s) => s.text !== "");
    if (await store.editPlan(task, next)) close();
    else setSent(false);
  };
  return (
    <form class="plan edit" data-testid="plan-editor" aria-label={t.editPlan} onSubmit={(e) => { e.preventDefault(); void save(); }}>
      <ol>
        {lines.map((l, i) => (
          <li key={l.key} class={l.state}>
            {l.state === "done"
              ? <><span class="mark"><Check size={11} /></span><span>{l.text}</span></>
              : <>
                <span class="mark" />
                <textarea rows={1} data-testid="plan-line" aria-label={t.planStep(i + 1)} value={l.text} onInput={(e) => word(l.key, e.currentTarget.value)}
                  onKeyDown={(e) => { if (e.key === "Enter" && !e.isComposing) { e.preventDefault(); void save(); } }} />
                <button type="button" class="icon" title={t.moveUp} aria-label={`${t.moveUp}: ${l.text}`} disabled={i === 0 || lines[i - 1]?.state === "done"} onClick={() => up(i)}><ArrowUp size={12} /></button>
                <button type="button" class="icon" data-testid="plan-remove" title={t.removeStep} aria-label={`${t.removeStep}: ${l.text}`} onClick={() => setLines(lines.filter((x) => x.key !== l.key))}><Cross size={12} /></button>
              </>}
          </li>
        ))}
      </ol>
      <div class="row">
        <button type="button" class="small" data-testid="plan-add" onClick={() => setLines([...lines, { key: Math.max(0, ...lines.map((l) => l.key)) + 1, text: "", state: "todo" }])}><Plus size={12} /> {t.addStep}</button>
        <span class="space" />
        <button type="button" class="small" onClick={close}>{t.cancelEdit}</button>
        <button type="submit" class="small strong" data-testid="plan-save" disabled={sent}>{t.savePlan}</button>
      </div>
    </form>
  );
}
