// What stands in the chat's place while there is no chat: the welcome, no
// program, no model.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import * as store from "../store";
import { Mark, Spinner } from "./icons";

export function Welcome() {
  return (
    <main class="state">
      <Mark size={44} />
      <h1>{t.helloTitle}</h1>
      <p>{t.helloText}</p>
      {!store.tour.value && (
        <div class="examples">
          {t.examples.map((e) => <button type="button" key={e} onClick={() => pick(e)}>{e}</button>)}
        </div>
      )}
      {store.models.value?.error && !store.tour.value && <p class="fine">{store.models.value.error.message}</p>}
      {store.standIn.value && <p class="fine">{t.standInNote}</p>}
    </main>
  );
}

function pick(example: string): void {
  store.draft.value = example;
  document.querySelector<HTMLTextAreaElement>("[data-testid=composer]")?.focus();
}

export function Connecting() {
  return <main class="state" aria-busy="true"><Spinner /><p>{t.connecting}</p></main>;
}

interface Advice { text: string; command: string }

/** What to do, by what Chrome says of the host. */
function advice(error: string): Advice {
  if (/forbidden/i.test(error)) return { text: t.missingForbidden, command: "tabwright install" };
  if (/not found/i.test(error)) return { text: t.missingInstall, command: "tabwright install" };
  return { text: t.missingExited, command: "tabwright doctor" };
}

export function HostMissing() {
  const error = store.hostError.value;
  const { text, command } = advice(error);
  return (
    <main class="state" data-testid="host-missing">
      <Mark size={44} />
      <h1>{t.missingTitle}</h1>
      <p>{text}</p>
      <Command text={command} />
      <button type="button" class="primary" data-testid="retry" onClick={store.retry}>{t.tryAgain}</button>
      {error && <p class="fine">{t.chromeSays}: “{error}”</p>}
    </main>
  );
}

/** The same over a chat that must stay in sight. */
export function MissingBanner() {
  const { command } = advice(store.hostError.value);
  return (
    <div class="banner" role="alert" data-testid="host-missing">
      <span>{t.missingBanner} <code>{command}</code></span>
      <button type="button" class="small" onClick={store.retry}>{t.tryAgain}</button>
    </div>
  );
}

function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="small" onClick={() => void copy()} aria-live="polite">{copied ? t.copied : t.copy}</button>
    </div>
  );
}

export function NoModel() {
  const error = store.models.value?.error;
  return (
    <main class="state" data-testid="no-model">
      <Mark size={44} />
      <h1>{error?.message ?? t.noModelTitle}</h1>
      {error?.hint && <p>{error.hint}</p>}
      <button type="button" class={store.tourOffered.value ? "quiet" : "primary"} data-testid="look-again" onClick={() => void store.lookForModels()}>{t.lookAgain}</button>
      {store.tourOffered.value && (
        <div class="offer">
          <p>{t.tourText}</p>
          <button type="button" class="primary" data-testid="tour" disabled={store.startingTour.value} onClick={() => void store.startTour()}>
            {store.startingTour.value ? t.tourStarting : t.tour}
          </button>
        </div>
      )}
    </main>
  );
}

/** A task that runs at another door, or in another conversation, while this chat is busy with its own or was chosen. */
export function Elsewhere() {
  const other = store.elsewhere.value;
  if (!other || !(store.running.value || store.pinned.value)) return null;
  return (
    <div class="banner quiet" role="status">
      <span>{other.state === "confirming" || other.state === "asking" ? t.elsewhereWaits : t.elsewhere}: {other.text}</span>
      <button type="button" class="small" onClick={() => void store.show(other)}>{t.show}</button>
    </div>
  );
}
