// The programs (MCP clients, the command line) that work in this browser
// without a model of ours: their names, which tab of the user they may
// use, and how to pause or stop them.

import type { SessionInfo } from "../../gen/wire";
import { t } from "../i18n";
import * as store from "../store";
import { Pause, Play, Square } from "./icons";

export function Programs() {
  const list = store.programs.value;
  if (list.length === 0 || store.phase.value !== "ready") return null;
  return (
    <section class="programs" aria-label={t.programs}>
      {list.map((s) => <Program key={s.session} session={s} />)}
    </section>
  );
}

function Program({ session: s }: { session: SessionInfo }) {
  const tab = store.here.value;
  const who = s.client ?? s.session;
  const uses = s.tabs?.includes(tab) ?? false;
  return (
    <div class="program" data-testid="program" data-session={s.session}>
      <span class="who" title={who}>{who}{s.paused && <small>{t.programPaused}</small>}</span>
      {tab > 0 && (uses
        ? <button type="button" class="small" data-testid="program-take" onClick={() => void store.takeBack(s.session, tab)}>{t.takeBack}</button>
        // Only a user's own click may give a page away.
        : <button type="button" class="small" data-testid="program-hand" onClick={(e) => e.isTrusted && void store.letUse(s.session, tab)}>{t.letUse}</button>)}
      {s.paused
        ? <button type="button" class="icon" data-testid="program-resume" title={t.resumeProgram(who)} aria-label={t.resumeProgram(who)} onClick={(e) => e.isTrusted && void store.resumeProgram(s.task)}><Play size={14} /></button>
        : <button type="button" class="icon" data-testid="program-pause" title={t.pauseProgram(who)} aria-label={t.pauseProgram(who)} onClick={() => void store.pauseProgram(s.task)}><Pause size={14} /></button>}
      <button type="button" class="icon" data-testid="program-stop" title={t.stopProgram(who)} aria-label={t.stopProgram(who)} onClick={() => void store.stopProgram(s.task)}><Square size={12} /></button>
    </div>
  );
}
