// The conversation: each task's items in order, runs of steps as one list.

import { useEffect, useMemo, useRef } from "preact/hooks";
import { lines, live, readable, type Item, type StepItem, type TaskView } from "../reduce";
import { span, t } from "../i18n";
import { html } from "../markdown";
import * as store from "../store";
import { ConfirmCard } from "./Confirm";
import { Info, Play, Spinner, Warn } from "./icons";
import { Steps } from "./Steps";

export function Chat() {
  const views = store.chat.value;
  const scroller = useStickToEnd([views, store.sending.value, store.unheard.value]);
  return (
    <main class="chat" ref={scroller} tabIndex={-1}>
      <div class="log" role="log" aria-live="polite" aria-relevant="additions">
        {views.map((v) => <Task key={v.task} view={v} />)}
        {store.unheard.value.map((text, i) => <Person key={i} text={text} pending />)}
        {store.sending.value && <Person text={store.sending.value} pending />}
      </div>
      <Now />
    </main>
  );
}

function Task({ view }: { view: TaskView }) {
  const said = lines(view.items);
  return (
    <section class="task" data-task={view.task}>
      {store.isStandIn(view.model) && <p class="stand-in"><Info size={14} /> {t.standInNote}</p>}
      {group(view.items).map((g) => (Array.isArray(g) ? <Steps key={g[0]?.key} steps={g} lines={said} /> : <One key={g.key} item={g} view={view} />))}
      {view.streaming && readable(view.streaming) && <Agent text={readable(view.streaming)} streaming />}
      {view.state === "done" && view.usage && <p class="usage">{t.usage(view.usage.steps, span(view.usage.millis))}</p>}
    </section>
  );
}

/** Steps that follow each other stand in one list. */
function group(items: readonly Item[]): (Exclude<Item, StepItem> | StepItem[])[] {
  const out: (Exclude<Item, StepItem> | StepItem[])[] = [];
  for (const i of items) {
    const last = out.at(-1);
    if (i.kind !== "step") out.push(i);
    else if (Array.isArray(last)) last.push(i);
    else out.push([i]);
  }
  return out;
}

function One({ item, view }: { item: Exclude<Item, StepItem>; view: TaskView }) {
  switch (item.kind) {
    case "person":
      return <Person text={item.text} />;
    case "agent":
      return <Agent text={item.text} final={item.final} />;
    case "plan":
      return <div class="plan"><b>{t.plan}</b><Markdown text={item.text} /></div>;
    case "confirm":
      return <ConfirmCard task={view.task} info={item.confirm} />;
    case "ask":
      return (
        <div class={`ask ${item.answered ? "answered" : ""}`} data-testid="ask">
          <b>{item.handover ? t.yourTurn : t.question}</b>
          <Markdown text={item.text} />
          {!item.answered && !item.handover && <small>{t.answerBelow}</small>}
          {!item.answered && item.handover && (
            <button type="button" class="primary" data-testid="hand-back" onClick={(e) => e.isTrusted && void store.handBack(view.task)}>{t.handBack}</button>
          )}
        </div>
      );
    case "notice": {
      const text = item.text || (item.what === "paused" ? t.pausedState : t.cancelled);
      return <p class={`notice ${item.warn ? "warn" : ""}`}>{item.warn ? <Warn size={14} /> : <Info size={14} />}<span>{text}</span></p>;
    }
    case "failure":
      return (
        <div class={`failure ${item.error.code === "not_done" ? "mild" : ""}`} role="alert" data-testid="failure">
          <b>{item.error.code === "not_done" ? t.notDone : t.failed}</b>
          <p>{item.error.message}</p>
          {item.error.hint && <p class="hint">{item.error.hint}</p>}
        </div>
      );
  }
}

function Person({ text, pending }: { text: string; pending?: boolean }) {
  return <div class={`person ${pending ? "pending" : ""}`} data-testid="message-user"><span class="sr">{t.you}: </span>{text}</div>;
}

function Agent({ text, final, streaming }: { text: string; final?: boolean; streaming?: boolean }) {
  return (
    <div class={`agent ${final ? "final" : ""} ${streaming ? "streaming" : ""}`} data-testid="message-agent" data-final={final ?? false}>
      <span class="sr">{t.agent}: </span>
      <Markdown text={text} />
    </div>
  );
}

function Markdown({ text }: { text: string }) {
  const safe = useMemo(() => html(text), [text]); // a long chat is drawn anew with every event
  return <div class="md" dangerouslySetInnerHTML={{ __html: safe }} />;
}

/** What goes on right now, under the last message. */
function Now() {
  const v = store.current.value;
  const state = store.state.value;
  if (!v || !state) return null;
  if (state === "interrupted" || state === "paused") {
    return (
      <div class="now">
        <span>{state === "paused" ? t.pausedState : t.interrupted}</span>
        {state === "paused" && <button type="button" class="small" data-testid="resume" onClick={() => void store.resume()}><Play size={12} /> {t.resume}</button>}
      </div>
    );
  }
  if (!live(state) || state === "asking" || state === "confirming") return null;
  if (v.streaming && readable(v.streaming)) return null;
  const stepRuns = v.items.some((i) => i.kind === "step" && i.state === "running");
  if (stepRuns && !v.progress) return null;
  return <div class="now" data-testid="now"><Spinner /><span>{v.progress || t.thinking}</span></div>;
}

/** Follows what is new, unless the person scrolled up to read. */
function useStickToEnd(changes: unknown[]) {
  const ref = useRef<HTMLElement>(null);
  const stick = useRef(true);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    let last = el.scrollTop;
    // The event comes a frame late, when more may have been added below: only
    // a move upwards is the person's.
    const note = () => {
      if (el.scrollHeight - el.scrollTop - el.clientHeight < 48) stick.current = true;
      else if (el.scrollTop < last) stick.current = false;
      last = el.scrollTop;
    };
    const keep = () => stick.current && el.scrollTo({ top: el.scrollHeight });
    const sizes = new ResizeObserver(keep);
    sizes.observe(el);
    if (el.firstElementChild) sizes.observe(el.firstElementChild);
    el.addEventListener("scroll", note, { passive: true });
    return () => {
      sizes.disconnect();
      el.removeEventListener("scroll", note);
    };
  }, []);
  useEffect(() => {
    if (stick.current) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, changes);
  return ref;
}
