// The screen with the conversations, the newest first.

import { useEffect, useRef, useState } from "preact/hooks";
import type { ConvInfo } from "../../gen/wire";
import * as conversations from "../conversations";
import { lang, t } from "../i18n";
import { live } from "../reduce";
import { screen } from "../screen";
import * as store from "../store";
import { Back, Cross, Dots } from "./icons";
import { Refusal } from "./Refusal";

export function Conversations() {
  const changes = store.tasks.value;
  useEffect(() => void conversations.look(), [changes]);
  const list = conversations.found.value?.filter((c) => c.conversation !== conversations.leaving.value?.conversation);
  const rest = conversations.total.value - (conversations.found.value?.length ?? 0);
  return (
    <main class="convs" data-testid="conversations" onKeyDown={(e) => { if (e.key === "Escape" && !e.defaultPrevented) screen.value = "chat"; }}>
      <h1 class="sr">{t.conversations}</h1>
      <div class="top">
        <button type="button" class="icon" data-testid="back" title={t.back} aria-label={t.back} onClick={() => (screen.value = "chat")}><Back /></button>
        <input type="search" data-testid="conv-search" aria-label={t.search} placeholder={t.search} value={conversations.query.value}
          onInput={(e) => conversations.search(e.currentTarget.value)} autofocus />
      </div>
      <Problem />
      {list?.length === 0 && <p class="none">{conversations.query.value ? t.nothingFound(conversations.query.value) : t.noConversations}</p>}
      <ul>{list?.map((c) => <Row key={c.conversation} conv={c} />)}</ul>
      {rest > 0 && <p class="none">{t.more(rest)}</p>}
      <Leaving />
    </main>
  );
}

function Row({ conv: c }: { conv: ConvInfo }) {
  const [open, setOpen] = useState(false);
  const [naming, setNaming] = useState(false);
  const shown = store.conversation.value === c.conversation;
  const act = (f: () => void) => () => { setOpen(false); f(); };
  const busy = live(c.state);
  return (
    <li data-testid="conversation" data-id={c.conversation} class={shown ? "shown" : ""}>
      {naming ? <Name conv={c} close={() => setNaming(false)} /> : (
        <div class="row">
          <button type="button" class="open" data-testid="conv-open" aria-current={shown} onClick={() => void conversations.open(c)}>
            <b>{c.title}</b>
            {c.excerpt && <span class="excerpt">{c.excerpt}</span>}
            <small><span class={`state ${c.state}`}>{t.states[c.state] ?? c.state}</span>{[when(c.updated), c.count > 1 ? t.tasksIn(c.count) : "", ...(c.sites ?? []).slice(0, 2)].filter(Boolean).map((s) => <span key={s}>{s}</span>)}</small>
          </button>
          <button type="button" class="icon" data-testid="conv-menu" title={t.menuOf(c.title)} aria-label={t.menuOf(c.title)} aria-expanded={open} onClick={() => setOpen(!open)}><Dots /></button>
        </div>
      )}
      {open && (
        <div class="acts">
          <button type="button" class="small" data-testid="conv-rename" onClick={act(() => setNaming(true))}>{t.rename}</button>
          <button type="button" class="small" data-testid="conv-md" onClick={act(() => void conversations.save(c, "md"))}>{t.exportMarkdown}</button>
          <button type="button" class="small" data-testid="conv-json" onClick={act(() => void conversations.save(c, "json"))}>{t.exportJSON}</button>
          <button type="button" class="small danger" data-testid="conv-delete" disabled={busy} onClick={act(() => conversations.remove(c))}>{t.remove}</button>
        </div>
      )}
    </li>
  );
}

function Name({ conv, close }: { conv: ConvInfo; close: () => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.select(), []);
  const save = async () => void ((await conversations.rename(conv, box.current?.value ?? "")) && close());
  return (
    <form class="name" onSubmit={(e) => { e.preventDefault(); void save(); }}>
      <input ref={box} type="text" data-testid="conv-title" aria-label={t.rename} defaultValue={conv.title} maxLength={200}
        onKeyDown={(e) => { if (e.key === "Escape") { e.preventDefault(); close(); } }} />
      <button type="submit" class="small strong">{t.saveTitle}</button>
      <button type="button" class="icon" title={t.cancelEdit} aria-label={t.cancelEdit} onClick={close}><Cross size={14} /></button>
    </form>
  );
}

function Leaving() {
  const c = conversations.leaving.value;
  if (!c) return null;
  return (
    <div class="toast" role="status" data-testid="undo">
      <span>{t.removed(c.title)}</span>
      <button type="button" class="small" data-testid="conv-undo" onClick={conversations.undo}>{t.undo}</button>
    </div>
  );
}

function Problem() {
  const p = store.problem.value;
  if (!p) return null;
  return <div class="problem" role="alert"><div><Refusal error={p} /></div></div>;
}

/** Returns the time for today, the day for this year, else the full date. */
function when(millis: number): string {
  const at = new Date(millis);
  const now = new Date();
  if (at.toDateString() === now.toDateString()) return at.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
  return at.toLocaleDateString(lang, { day: "numeric", month: "short", ...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }) });
}
