// The first run, in three screens: the program, the model, and a tour where
// nothing is real. Each names the next step. They can be skipped from the second
// on; the box below works from the start.

import { useEffect, useState } from "preact/hooks";
import { t } from "../i18n";
import { prefer, prefs } from "../prefs";
import * as settings from "../settings";
import * as store from "../store";
import { Check, Mark, Spinner } from "./icons";
import { Pull } from "./Pull";
import { Found, Test } from "./SettingsModels";
import { Command, ModelTrouble, TourOffer, advice, openSettings } from "./States";

/** Reports whether the first run is due: a user who has tasks already needs none. */
export function needed(): boolean {
  return !prefs.value.welcomed && store.tasks.value.length === 0 && !store.tour.value;
}

export function FirstRun() {
  const [at, setAt] = useState<1 | 2>(1);
  const there = store.phase.value === "ready" && store.loaded.value;
  const step = there ? at : 0;
  return (
    <main class="full-state first" data-testid="first-run" data-step={step}>
      <Mark size={40} />
      <Progress at={step} />
      {step === 0 && <Host />}
      {step === 1 && <Model next={() => setAt(2)} />}
      {step === 2 && <Try back={() => setAt(1)} />}
    </main>
  );
}

function Progress({ at }: { at: number }) {
  return (
    <ol class="progress" aria-label={t.stepOf(at + 1, t.firstSteps.length, t.firstSteps[at] ?? "")}>
      {t.firstSteps.map((name, i) => (
        <li key={name} class={i < at ? "past" : i === at ? "now" : ""} aria-current={i === at ? "step" : undefined}>
          <span class="n" aria-hidden="true">{i < at ? <Check size={12} /> : i + 1}</span>{name}
        </li>
      ))}
    </ol>
  );
}

function Host() {
  const error = store.hostError.value;
  if (store.phase.value !== "missing") return <><h1>{t.firstHostTitle}</h1><p role="status" aria-busy="true"><Spinner /> {t.firstHostLook}</p></>;
  const { title, text, command } = advice(error, store.older.value);
  return (
    <section class="stack" data-testid="host-missing" data-older={store.older.value}>
      <h1>{store.older.value ? title : t.firstHostTitle}</h1>
      <p>{text}</p>
      <Command text={command} />
      <button type="button" class="primary" data-testid="retry" onClick={store.retry}>{t.tryAgain}</button>
      {error && !store.older.value && <p class="fine">{t.chromeSays}{t.colon}“{error}”</p>}
    </section>
  );
}

function Model({ next }: { next: () => void }) {
  const models = (store.models.value?.models ?? []).filter((m) => !m.standIn);
  const using = store.models.value?.using ?? "";
  useEffect(() => void settings.load(), []);
  if (models.length === 0 && !store.canStart.value) {
    return (
      <section class="stack" data-testid="no-model">
        <ModelTrouble />
        <Pull />
        <TourOffer />
        <Skip />
      </section>
    );
  }
  return (
    <section class="stack" data-testid="first-model">
      <h1>{t.firstModelTitle}</h1>
      <p>{t.firstModelLocal}</p>
      <fieldset class="found"><legend class="sr">{t.foundModels}</legend>{models.map((m) => <Found key={m.id} model={m} using={using} />)}</fieldset>
      {using && <Test id={using} />}
      <div class="row">
        <button type="button" class="primary" data-testid="first-next" onClick={next}>{t.firstModelNext}</button>
        <button type="button" class="quiet" data-testid="to-settings" onClick={() => openSettings("models")}>{t.firstModelOther}</button>
      </div>
      <Skip />
    </section>
  );
}

function Try({ back }: { back: () => void }) {
  return (
    <section class="stack" data-testid="first-try">
      <h1>{t.firstTryTitle}</h1>
      <TourOffer />
      <div class="row">
        <button type="button" class="quiet" onClick={back}>{t.stepBack}</button>
        <button type="button" class={store.tourOffered.value ? "quiet" : "primary"} data-testid="first-done" onClick={() => prefer({ welcomed: true })}>{t.firstDone}</button>
      </div>
    </section>
  );
}

function Skip() {
  return <button type="button" class="link" data-testid="first-skip" onClick={() => prefer({ welcomed: true })}>{t.firstSkip}</button>;
}
