// The conversation: each task's items in order, runs of steps as lists.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Block, type Single, blocks } from "../blocks";
import { lang, span, t } from "../i18n";
import { memo } from "../memo";
import { type TaskView, live, pages, readable } from "../reduce";
import * as store from "../store";
import { ConfirmCard } from "./Confirm";
import { Info, Play, Spinner, Warn } from "./icons";
import { Markdown, StreamedMarkdown } from "./Markdown";
import { Plan } from "./Plan";
import { Refusal } from "./Refusal";
import { Steps, total } from "./Steps";
import { TaskEnd } from "./TaskEnd";

export function Chat() {
  const views = store.chat.value;
  const before = store.earlier.value.length;
  const scroller = useStickToEnd([views, store.sending.value, store.unheard.value]);
  return (
    <main class="chat" ref={scroller} tabIndex={-1}>
      <h1 class="sr">{store.title.value || t.agent}</h1>
      <div class="log" role="log" aria-live="polite" aria-relevant="additions" aria-busy={store.reading.value}>
        {before > 0 && <button type="button" class="small earlier" data-testid="earlier" disabled={store.reading.value} onClick={() => void store.openEarlier()}>{t.showEarlier(before)}</button>}
        {views.map((v, i) => <Task key={v.task} view={v} last={i === views.length - 1} />)}
        {store.unheard.value.map((text, i) => <Person key={i} text={text} pending />)}
        {store.sending.value && <Person text={store.sending.value} pending />}
      </div>
      <Now />
    </main>
  );
}

const Task = memo(function Task({ view, last }: { view: TaskView; last: boolean }) {
  const before = useRef<readonly Block[]>([]);
  const drawn = useMemo(() => (before.current = blocks(view.items, before.current, lang)), [view.items]);
  const editable = live(view.state);
  return (
    <section class="task" data-task={view.task}>
      {store.isStandIn(view.model) && <p class="stand-in"><Info size={14} /> {t.standInNote}</p>}
      {drawn.map((b) => ("item" in b
        ? <One key={b.key} item={b.item} task={view.task} editable={b.item.kind === "plan" && editable} />
        : <Steps key={b.key} run={b} task={view.task} />))}
      {view.streaming && readable(view.streaming) && <Agent text={readable(view.streaming)} streaming />}
      {view.answer && <Agent text={view.answer} streaming />}
      {view.state === "done" && <Pages view={view} />}
      {!live(view.state) && view.usage && <p class="usage" data-testid="usage">{total(view.usage)}</p>}
      {!live(view.state) && view.items.length > 0 && <TaskEnd view={view} last={last} />}
    </section>
  );
});

/** The sources of the answer: links to the pages that were used. */
function Pages({ view }: { view: TaskView }) {
  const all = pages(view);
  if (all.length === 0) return null;
  return (
    <details class="pages" data-testid="pages">
      <summary>{t.pagesUsed}{t.colon}{all.length}</summary>
      <ul>{all.map((url) => <li key={url}><a href={url} target="_blank" rel="noopener noreferrer" title={url}>{short(url)}</a></li>)}</ul>
    </details>
  );
}

function short(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : host + decodeURI(pathname);
}

const One = memo(function One({ item, task, editable }: { item: Single; task: string; editable: boolean }) {
  switch (item.kind) {
    case "person":
      return <Person text={item.text} />;
    case "agent":
      return <Agent text={item.text} final={item.final} />;
    case "plan":
      return <Plan item={item} task={task} editable={editable} />;
    case "confirm":
      return <ConfirmCard task={task} info={item.confirm} note={item.note} />;
    case "ask":
      return (
        <div class={`ask ${item.answered ? "answered" : ""}`} data-testid="ask">
          <b>{item.handover ? t.yourTurn : t.question}</b>
          <Markdown text={item.text} />
          {!item.answered && !item.handover && <small>{t.answerBelow}</small>}
          {!item.answered && item.handover && (
            <button type="button" class="primary" data-testid="hand-back" onClick={(e) => e.isTrusted && void store.handBack(task)}>{t.handBack}</button>
          )}
        </div>
      );
    case "notice": {
      const text = (item.in?.[lang] ?? item.text) || { paused: t.pausedState, interrupted: t.states["interrupted"], cancelled: t.cancelled, notify: "" }[item.what];
      return <p class={`notice ${item.warn ? "warn" : ""}`}>{item.warn ? <Warn size={14} /> : <Info size={14} />}<span>{text}</span></p>;
    }
    case "failure":
      return (
        <div class={`failure ${item.error.code === "not_done" ? "mild" : ""}`} role="alert" data-testid="failure">
          <b>{item.error.code === "not_done" ? t.notDone : t.failed}</b>
          <Refusal error={item.error} />
        </div>
      );
  }
});

function Person({ text, pending }: { text: string; pending?: boolean }) {
  return <div class={`person ${pending ? "pending" : ""}`} data-testid="message-user"><span class="sr">{t.you}: </span>{text}</div>;
}

function Agent({ text, final, streaming }: { text: string; final?: boolean; streaming?: boolean }) {
  return (
    <div class={`agent ${final ? "final" : ""} ${streaming ? "streaming" : ""}`} data-testid="message-agent" data-final={final ?? false}>
      <span class="sr">{t.agent}: </span>
      {streaming ? <StreamedMarkdown text={text} /> : <Markdown text={text} />}
    </div>
  );
}

/** The current activity, under the last message. */
function Now() {
  const v = store.current.value;
  const state = store.state.value;
  if (!v || !state) return null;
  if (state === "interrupted") {
    const resumable = store.resumable.value;
    return (
      <div class="under-way still" data-testid="interrupted">
        <span>{resumable ? t.interruptedResumable : t.interrupted}</span>
        {resumable && <button type="button" class="small strong" data-testid="resume" onClick={() => void store.resume()}><Play size={12} /> {t.goOn}</button>}
      </div>
    );
  }
  if (state !== "running") return null;
  return (
    <>
      <div class="under-way" data-testid="now"><Doing view={v} /></div>
      {v.thoughts && <Thoughts text={v.thoughts} />}
    </>
  );
}

const LINE_MOST = 48; // the last characters of the newest line, which are shown

/** The model's thoughts as they come: the newest line, and on demand all of them. */
function Thoughts({ text }: { text: string }) {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  const newest = line.length > LINE_MOST ? `…${line.slice(-LINE_MOST)}` : line;
  return (
    <details class="thoughts" data-testid="thoughts">
      <summary><span class="sr">{t.thoughts}{t.colon}</span>{newest}</summary>
      <p>{text.trim()}</p>
    </details>
  );
}

const PATIENCE_MS = 5000; // a longer wait is shown with its time …
const LONG_MS = 45_000; // … and a still longer one with a reason

function Doing({ view: v }: { view: TaskView }) {
  const waited = useWait(v.since);
  if (v.streaming && readable(v.streaming)) return null;
  const stepRuns = v.items.some((i) => i.kind === "step" && i.state === "running");
  if (stepRuns && !v.progress && waited < PATIENCE_MS) return null; // the step has a sign of its own
  const what = (v.progress && v.progressIn?.[lang]) || v.progress || (stepRuns ? t.working : t.thinking);
  return (
    <>
      <Spinner />
      <span>{waited < PATIENCE_MS ? what : t.stillWorking(what, span(waited))}{waited >= LONG_MS && <small data-testid="slow">{t.slow}</small>}</span>
    </>
  );
}

/** Returns the time since `since`, in milliseconds; updated each second. */
function useWait(since: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(tick);
  }, []);
  return since > 0 ? Math.max(0, now - since) : 0;
}

/** Scrolls to the end when the chat grows, unless the user scrolled up: in the frame that draws it, so that nothing jumps in sight. */
function useStickToEnd(changes: unknown[]) {
  const ref = useRef<HTMLElement>(null);
  const stick = useRef(true);
  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return;
    let last = el.scrollTop;
    // The event comes a frame late, when more may have been added below: only
    // a move upwards is the user's.
    const note = () => {
      if (el.scrollHeight - el.scrollTop - el.clientHeight < 48) stick.current = true;
      else if (el.scrollTop < last) stick.current = false;
      last = el.scrollTop;
    };
    const keep = () => stick.current && el.scrollTo({ top: el.scrollHeight });
    const sizes = new ResizeObserver(keep);
    sizes.observe(el);
    for (const part of el.children) sizes.observe(part);
    el.addEventListener("scroll", note, { passive: true });
    return () => {
      sizes.disconnect();
      el.removeEventListener("scroll", note);
    };
  }, []);
  useLayoutEffect(() => {
    if (stick.current) ref.current?.scrollTo({ top: ref.current.scrollHeight });
  }, changes);
  return ref;
}
