// The confirm card. All it shows comes from the page and the policy, as the
// host read them. Only the user's own click allows: never Enter, never a
// script's event, and not before the user has had time to read the card.

import type { ConfirmInfo, DoubtInfo } from "../../gen/wire";
import { useEffect, useRef, useState } from "preact/hooks";
import { lang, t } from "../i18n";
import { named } from "../reword";
import * as store from "../store";
import { Ban, Check, Dash, Shield } from "./icons";

/** How long a card must be in sight before it can be allowed, in ms: a click meant for something else must not allow. */
const ARM_MS = 600;

export function ConfirmCard({ task, info, note }: { task: string; info: ConfirmInfo; note?: string }) {
  return info.answer ? <Answered info={info} note={note} /> : <Open task={task} info={info} />;
}

function Open({ task, info }: { task: string; info: ConfirmInfo }) {
  const card = useRef<HTMLDivElement>(null);
  const armed = useArmed(card);
  const [sent, setSent] = useState(false);
  const [wording, setWording] = useState(false); // a denial with a note is being written
  const [spoken, setSpoken] = useState("");
  const id = `card-${info.id}`;
  const title = t.confirmTitles[info.class] ?? t.confirmTitle;
  const site = info.site || host(info.url);
  const yes = info.yes?.[lang] || (info.remember ? t.allowOnce : t.allow);
  const reasons = (info.class === "repeat" && info.again ? [] : info.in?.[lang] ?? info.reasons) ?? [];

  useEffect(() => {
    card.current?.scrollIntoView({ block: "nearest" });
    // The card takes the focus unless the user is writing.
    const active = document.activeElement;
    // The card may have the focus when it goes: the box gets it then.
    const leave = () => {
      if (card.current?.contains(document.activeElement)) queueMicrotask(() => document.querySelector<HTMLElement>("[data-testid=composer]")?.focus());
    };
    const writing = (active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement) && active.value !== "";
    if (!writing) card.current?.focus({ preventScroll: true });
    else setSpoken(t.announce(title, deed(info), info.amount ?? "", site));
    return leave;
  }, []);

  const answer = async (e: Event, a: { allow: boolean; remember?: boolean; note?: string }) => {
    if (!e.isTrusted || sent || (a.allow && !armed)) return;
    setSent(true);
    if (!(await store.answer({ task, id: info.id, ...a }))) setSent(false);
  };
  const noEnter = (e: KeyboardEvent) => e.key === "Enter" && e.preventDefault();

  return (
    <div class={`card class-${info.class}`} ref={card} tabIndex={-1} role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-what`}
      data-testid="confirm-card" data-id={info.id} data-armed={armed}>
      <h2 id={`${id}-title`}><Shield size={16} />{title}</h2>
      <p class="sr" role="alert">{spoken}</p>
      <div id={`${id}-what`}>
        <p class="what">{t.verbs[info.action] ?? info.action}{/^\p{Script=Han}/u.test(named(info.target, lang)) ? "" : " "}<b>{named(info.target, lang)}</b></p>
        {info.amount && <p class="amount">{info.amount}</p>}
        <p class="site"><span class="host">{site}</span><span class="url" title={info.url}>{rest(info.url)}</span></p>
        {info.to && <p class="about">{t.to}{t.colon}<b>{info.to}</b></p>}
        {info.about && <p class="about">{t.about}{t.colon}<b>{info.about}</b></p>}
        {(info.details?.length ?? 0) > 0 && <ul class="details">{info.details?.map((d, i) => <li key={i}>{d}</li>)}</ul>}
      </div>
      {info.again && <Doubted of={info.again} site={site} />}
      {reasons.length > 0 && (
        <div class="why reasons"><span>{t.why}</span><ul>{reasons.map((r, i) => <li key={i}>{r}</li>)}</ul></div>
      )}
      {wording
        ? <Word deny={(e, note) => void answer(e, { allow: false, note })} close={() => { setWording(false); card.current?.focus(); }} sent={sent} />
        : <>
          <div class="answers">
            <button type="button" class="deny" data-testid="confirm-deny" disabled={sent} onClick={(e) => void answer(e, { allow: false })}>{t.deny}</button>
            <button type="button" class="allow" data-testid="confirm-allow" disabled={!armed || sent}
              onKeyDown={noEnter} onClick={(e) => void answer(e, { allow: true })}>{yes}</button>
          </div>
          <div class="answers also">
            <button type="button" class="link" data-testid="confirm-deny-note" disabled={sent} onClick={() => setWording(true)}>{t.denyWith}</button>
            {info.remember && <button type="button" class="link" data-testid="confirm-always" title={t.alwaysHint} disabled={!armed || sent}
              onKeyDown={noEnter} onClick={(e) => void answer(e, { allow: true, remember: true })}>{t.alwaysHere(site)}</button>}
          </div>
        </>}
      {info.expires ? <Countdown until={info.expires} /> : null}
    </div>
  );
}

/** The form for a denial that says what to do instead. Here Enter sends: it can only deny. */
function Word({ deny, close, sent }: { deny: (e: Event, note: string) => void; close: () => void; sent: boolean }) {
  const [note, setNote] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape") {
      e.preventDefault(); // it closes nothing else
      return close();
    }
    if (e.key !== "Enter" || e.shiftKey || e.isComposing || e.keyCode === 229) return;
    e.preventDefault();
    deny(e, note.trim());
  };
  return (
    <div class="deny-word">
      <textarea ref={box} rows={2} data-testid="confirm-note" aria-label={t.denyWord} placeholder={t.denyWord} value={note} disabled={sent}
        onInput={(e) => setNote(e.currentTarget.value)} onKeyDown={onKeyDown} />
      <div class="answers">
        <button type="button" class="deny" onClick={close} disabled={sent}>{t.cancelEdit}</button>
        <button type="button" class="deny strong" data-testid="confirm-deny-send" disabled={sent} onClick={(e) => deny(e, note.trim())}>{t.denySend}</button>
      </div>
    </div>
  );
}

/** The outcome of a card, in one line. */
export function Verdict({ info }: { info: ConfirmInfo }) {
  const by = info.by ? (info.answer === "allow" ? t.allowedBy : t.deniedBy)[info.by] : undefined;
  const who = info.answer === "void" ? undefined : by;
  return <><b>{who ?? t.answers[info.answer ?? ""] ?? info.answer}</b>{t.colon}{deed(info)}{info.amount ? `, ${info.amount}` : ""}</>;
}

function Answered({ info, note }: { info: ConfirmInfo; note?: string }) {
  const allowed = info.answer === "allow";
  const Icon = allowed ? Check : info.answer === "void" ? Dash : Ban;
  return (
    <p class={`answered ${info.answer}`} data-testid="confirm-answered" data-answer={info.answer}>
      <Icon size={14} />
      <span><Verdict info={info} />
        {note && <small>{t.youSaid(note)}</small>}</span>
    </p>
  );
}

/** Returns true once the card has been in sight for ARM_MS; coming back to the panel starts the time again. */
function useArmed(card: { current: HTMLElement | null }): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let inSight = false;
    const restart = () => {
      clearTimeout(timer);
      setArmed(false);
      if (inSight && document.visibilityState === "visible") timer = setTimeout(() => setArmed(true), ARM_MS);
    };
    const sight = new IntersectionObserver(([entry]) => {
      const now = entry?.isIntersecting ?? false;
      if (now === inSight) return;
      inSight = now;
      restart();
    });
    if (card.current) sight.observe(card.current);
    document.addEventListener("visibilitychange", restart);
    return () => {
      clearTimeout(timer);
      sight.disconnect();
      document.removeEventListener("visibilitychange", restart);
    };
  }, []);
  return armed;
}

/** The time left to answer, shown when it is two minutes or less. */
function Countdown({ until }: { until: number }) {
  const [left, setLeft] = useState(until - Date.now());
  useEffect(() => {
    const tick = setInterval(() => setLeft(until - Date.now()), 1000);
    return () => clearInterval(tick);
  }, [until]);
  if (left > 120_000) return null;
  const s = Math.max(0, Math.ceil(left / 1000));
  return <p class="expires">{t.expiresIn(`${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`)}</p>;
}

/** Returns an action in words: Click the “Pay” button. */
function deed(a: { action: string; target?: string | undefined; key?: string | undefined }): string {
  const verb = t.verbs[a.action] ?? a.action;
  const what = a.target ? named(a.target, lang) : a.key ?? "";
  return verb + (/^\p{Script=Han}/u.test(what) ? "" : " ") + what;
}

/** Names an action that may have been done already, and the meaning of either answer. */
function Doubted({ of: a, site }: { of: DoubtInfo; site: string }) {
  const at = a.started ? new Date(a.started).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" }) : "";
  return (
    <div class="why" data-testid="doubted">
      <span>{t.doubted}</span>
      <ul>
        <li><b>{deed(a)}</b>{t.doubtedAt(a.site || site, at)}</li>
        <li>{t.doubtedUnknown}</li>
        <li>{t.doubtedAllow}</li>
        <li>{t.doubtedDeny}</li>
      </ul>
    </div>
  );
}

function host(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** Returns the part of the address after the host. */
function rest(url: string): string {
  if (!URL.canParse(url)) return "";
  const u = new URL(url);
  return u.pathname + u.search;
}
