// The screens in place of the chat: the welcome, no program, no model, a program
// or an extension that is too old. And the banners: a program that is older or
// newer, a page that can't be driven, a task elsewhere.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { screen } from "../screen";
import * as settings from "../settings";
import * as store from "../store";
import { undrivable } from "../tabs";
import { fromStore, restart } from "../versions";
import { Info, Mark, Spinner } from "./icons";
import { Pull } from "./Pull";
import { explain } from "./trouble";

export function Welcome() {
  return (
    <main class="full-state">
      <Mark size={44} />
      <h1>{t.helloTitle}</h1>
      <p>{t.helloText}</p>
      {!store.tour.value && (
        <div class="examples">
          {t.examples.map((e) => <button type="button" key={e} onClick={() => pick(e)}>{e}</button>)}
        </div>
      )}
      {store.models.value?.error && !store.tour.value && <p class="fine">{explain(store.models.value.error).title}</p>}
      {store.standIn.value && <p class="fine">{t.standInNote}</p>}
    </main>
  );
}

function pick(example: string): void {
  store.draft.value = example;
  document.querySelector<HTMLTextAreaElement>("[data-testid=composer]")?.focus();
}

export function Connecting() {
  return <main class="full-state" aria-busy="true"><Spinner /><p>{t.connecting}</p></main>;
}

interface Advice { title: string; text: string; command: string }

/** Returns what to do, by the side that is too old or by Chrome's error about the host. */
export function advice(error: string, older: string | undefined): Advice {
  if (older === "host") return { title: t.olderHostTitle, text: t.olderHostText, command: "tabwright install" };
  if (older === "extension" && fromStore()) return { title: t.olderExtTitle, text: t.olderExtStore, command: "chrome://extensions" };
  if (older === "extension") return { title: t.olderExtTitle, text: t.olderExtText, command: "tabwright install" };
  const title = t.missingTitle;
  if (/forbidden/i.test(error)) return { title, text: t.missingForbidden, command: "tabwright install" };
  if (/not found/i.test(error)) return { title, text: t.missingInstall, command: "tabwright install" };
  return { title, text: t.missingExited, command: "tabwright doctor" };
}

export function HostMissing() {
  const error = store.hostError.value;
  const { title, text, command } = advice(error, store.older.value);
  return (
    <main class="full-state" data-testid="host-missing" data-older={store.older.value}>
      <Mark size={44} />
      <h1>{title}</h1>
      <p>{text}</p>
      <Command text={command} />
      <div class="row">
        <button type="button" class="primary" data-testid="retry" onClick={store.retry}>{t.tryAgain}</button>
        {store.older.value === "extension" && <button type="button" class="quiet" data-testid="reload" onClick={() => void restart()}>{t.reload}</button>}
      </div>
      {error && !store.older.value && <p class="fine">{t.chromeSays}{t.colon}“{error}”</p>}
    </main>
  );
}

/** HostMissing as a banner over a chat that must stay in sight. */
export function MissingBanner() {
  const { command } = advice(store.hostError.value, store.older.value);
  return (
    <div class="banner" role="alert" data-testid="host-missing">
      <span>{t.missingBanner} <code>{command}</code></span>
      <button type="button" class="small" onClick={store.retry}>{t.tryAgain}</button>
    </div>
  );
}

/** A banner if host and extension differ in version but can still speak with each other. */
export function VersionBanner() {
  const order = store.hostOrder.value;
  if (order === 0 || store.phase.value !== "ready") return null;
  return (
    <div class="banner" role="status" data-testid="versions-differ" data-older={order < 0 ? "host" : "extension"}>
      <span>{order < 0 ? <>{t.olderHostNote} <code>tabwright install</code></> : fromStore() ? t.olderExtStoreNote : t.olderExtNote}</span>
      {order > 0 && <button type="button" class="small" data-testid="reload" onClick={() => void restart()}>{t.reload}</button>}
    </div>
  );
}

/** A note if the page beside the panel can't be driven. */
export function PageNote() {
  const what = undrivable.value;
  if (!what || store.running.value || store.phase.value !== "ready" || store.tour.value) return null;
  const text = { chrome: t.pageChrome, store: t.pageStore, pdf: t.pagePDF }[what];
  return <p class="page-note" role="status" data-testid="page-note" data-page={what}><Info size={14} /> <span>{text}</span></p>;
}

export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="small" aria-label={t.copyFor(text)} onClick={() => void copy()}>{copied ? t.copied : t.copy}</button>
      <span class="sr" role="status">{copied && t.copied}</span>
    </div>
  );
}

export function openSettings(to: settings.Section): void {
  settings.section.value = to;
  screen.value = "settings";
}

/** The hint if no model can be used. */
export function ModelTrouble() {
  const error = store.models.value?.error;
  const trouble = error ? explain(error) : { title: t.noModelTitle, text: "", settings: true };
  return (
    <>
      <h1>{trouble.title}</h1>
      {trouble.text && <p>{trouble.text}</p>}
      {"command" in trouble && trouble.command && <Command text={trouble.command} />}
      <div class="row">
        <button type="button" class={store.tourOffered.value ? "quiet" : "primary"} data-testid="look-again" onClick={() => void store.lookForModels()}>{t.lookAgain}</button>
        {trouble.settings && <button type="button" class="quiet" data-testid="to-settings" onClick={() => openSettings("models")}>{t.openSettings}</button>}
      </div>
    </>
  );
}

export function TourOffer() {
  if (!store.tourOffered.value) return null;
  return (
    <div class="offer">
      <p>{t.tourText}</p>
      <button type="button" class="primary" data-testid="tour" disabled={store.startingTour.value} onClick={() => void store.startTour()}>
        {store.startingTour.value ? t.tourStarting : t.tour}
      </button>
    </div>
  );
}

export function NoModel() {
  return (
    <main class="full-state" data-testid="no-model">
      <Mark size={44} />
      <ModelTrouble />
      <Pull />
      <TourOffer />
    </main>
  );
}

/** A banner for a task that runs elsewhere while this chat is busy with its own. */
export function Elsewhere() {
  const other = store.elsewhere.value;
  if (!other) return null;
  return (
    <div class="banner quiet" role="status" data-testid="elsewhere">
      <span>{other.state === "confirming" || other.state === "asking" ? t.elsewhereWaits : t.elsewhere}{t.colon}{other.text}</span>
      <button type="button" class="small" onClick={() => void store.show(other)}>{t.show}</button>
    </div>
  );
}
