// The side panel. It draws the state that the host sends (store.ts, reduce.ts) and
// passes the user's words on; nothing that matters is kept here.

import { effect } from "@preact/signals";
import { render } from "preact";
import { prefer, prefs, watchPrefs } from "./prefs";
import "./css/base.css";
import "./css/chat.css";
import "./css/card.css";
import "./css/composer.css";
import "./css/conversations.css";
import "./css/settings.css";
import { t } from "./i18n";
import { screen } from "./screen";
import * as store from "./store";
import { Chat } from "./ui/Chat";
import { Composer } from "./ui/Composer";
import { Conversations } from "./ui/Conversations";
import { Header } from "./ui/Header";
import { Programs } from "./ui/Programs";
import { watchPage } from "./tabs";
import { FirstRun, needed } from "./ui/FirstRun";
import { Flow } from "./ui/Flow";
import { Settings } from "./ui/Settings";
import { PolicyFault } from "./ui/Sites";
import { Connecting, Elsewhere, HostMissing, MissingBanner, NoModel, PageNote, VersionBanner, Welcome } from "./ui/States";

function App() {
  if (screen.value === "settings") return <><Header /><Waits /><PolicyFault /><Settings /></>;
  if (screen.value === "conversations") return <><Header /><Waits /><Conversations /></>;
  return <><Header /><VersionBanner /><Elsewhere /><Programs /><PolicyFault /><Flow /><Body /><PageNote /><Composer /></>;
}

/** A banner over the other screens while a question waits in the chat. */
function Waits() {
  const state = store.state.value;
  if (state !== "confirming" && state !== "asking") return null;
  return (
    <div class="banner" role="alert" data-testid="waits">
      <span>{t.waiting}</span>
      <button type="button" class="small" onClick={() => (screen.value = "chat")}>{t.show}</button>
    </div>
  );
}

function Body() {
  const missing = store.phase.value === "missing";
  const chat = store.chat.value;
  const here = chat.some((v) => v.items.length > 0) || (chat.length > 0 && !store.reading.value);
  if (store.sending.value || (here && store.settled.value)) return <>{missing && <MissingBanner />}<Chat /></>;
  if (!missing && (chat.length > 0 || !store.loaded.value || !store.settled.value)) return <Connecting />;
  if (needed()) return <FirstRun />;
  if (missing) return <HostMissing />;
  return store.canStart.value ? <Welcome /> : <NoModel />;
}

store.start(); // first, so that the connection is opened while the panel is drawn
watchPrefs();
const root = document.createElement("div");
root.id = "app";
document.getElementById("app")?.replaceWith(root); // the shell; App draws the same in its place
render(<App />, root);
watchPage();
// A user who has had a task needs no first run, even if no task is kept.
effect(() => {
  if (store.tasks.value.length > 0 && !prefs.peek().welcomed) prefer({ welcomed: true });
});
