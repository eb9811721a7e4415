// The side panel. It draws what the host tells (store.ts, reduce.ts) and hands
// over what the person says; nothing that matters is kept here.

import { render } from "preact";
import "./css/base.css";
import "./css/chat.css";
import "./css/card.css";
import "./css/composer.css";
import "./css/conversations.css";
import { lang, t } from "./i18n";
import { screen } from "./screen";
import * as store from "./store";
import { Chat } from "./ui/Chat";
import { Composer } from "./ui/Composer";
import { Conversations } from "./ui/Conversations";
import { Header } from "./ui/Header";
import { Programs } from "./ui/Programs";
import { Sites } from "./ui/Sites";
import { Connecting, Elsewhere, HostMissing, MissingBanner, NoModel, Welcome } from "./ui/States";

function App() {
  if (screen.value === "settings") return <><Header /><Waits /><Sites /></>;
  if (screen.value === "conversations") return <><Header /><Waits /><Conversations /></>;
  return <><Header /><Elsewhere /><Programs /><Sites /><Body /><Composer /></>;
}

/** Over the other screens: a question that waits in the chat. */
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
  if (store.chat.value.length > 0 || store.sending.value) return <>{missing && <MissingBanner />}<Chat /></>;
  if (missing) return <HostMissing />;
  if (!store.loaded.value) return <Connecting />;
  return store.canStart.value ? <Welcome /> : <NoModel />;
}

document.documentElement.lang = lang;
const root = document.getElementById("app");
if (root) render(<App />, root);
store.start();
