// The actions for a task that has ended: copy its answer, send its words again,
// edit them first, keep it as a workflow.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import type { TaskView } from "../reduce";
import * as store from "../store";
import { saveTask } from "../flow";
import { Copy, Page, Pencil, Retry } from "./icons";
import { Keep } from "./Workflows";
import { w } from "../words/flow";

export function TaskEnd({ view, last }: { view: TaskView; last: boolean }) {
  const answer = view.items.findLast((i) => i.kind === "agent" && i.final);
  const asked = view.items.find((i) => i.kind === "person");
  const words = asked?.kind === "person" ? asked.text : "";
  const acted = view.model !== "" && view.items.some((i) => i.kind === "step");
  // A replay and a program's session have no model: their words can't be sent again as a task.
  const free = last && words !== "" && view.model !== "" && !store.running.value && store.phase.value === "ready";
  const edit = () => {
    store.draft.value = words;
    document.querySelector<HTMLTextAreaElement>("[data-testid=composer]")?.focus();
  };
  return (
    <div class="task-end">
      {answer?.kind === "agent" && <CopyAnswer text={answer.text} />}
      {free && <button type="button" class="icon" data-testid="again" title={t.again} aria-label={t.again} onClick={(e) => e.isTrusted && void store.again(words)}><Retry size={15} /></button>}
      {free && <button type="button" class="icon" data-testid="edit-words" title={t.editWords} aria-label={t.editWords} onClick={edit}><Pencil size={15} /></button>}
      {view.state === "done" && acted && <button type="button" class="icon" data-testid="save-workflow" title={w.taskFile} aria-label={w.taskFile} onClick={() => void saveTask(view.task)}><Page size={15} /></button>}
      {view.state === "done" && acted && <Keep what={{ task: view.task }} of={view.task} />}
    </div>
  );
}

/** Copies the answer as Markdown. */
function CopyAnswer({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <>
      <button type="button" class="icon" data-testid="copy-answer" title={t.copyAnswer} aria-label={t.copyAnswer} onClick={() => void copy()}><Copy size={15} /></button>
      <span role="status" class={copied ? "kept" : "sr"}>{copied ? t.copied : ""}</span>
    </>
  );
}
