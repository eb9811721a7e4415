// The user's own rules for sites: a list of what they allowed on a card or by a
// command, and of what they forbade, each with a button to remove it; a form for
// a new rule; and an alert if the policy file is not in force.

import { useId, useState } from "preact/hooks";
import type { GrantInfo } from "../../gen/wire";
import { lang, t } from "../i18n";
import * as settings from "../settings";
import * as store from "../store";
import { Warn } from "./icons";

/** The classes that can be allowed for a while; the others are asked about each time, and can only be denied. */
const GRANTABLE = ["read", "navigate", "write", "submit", "settings", "file", "legal", "communicate"];
const DENIABLE = ["all", ...GRANTABLE, "identity", "code", "destroy", "purchase"];
const DAYS = [1, 7, 30, 90, 365];

/** An alert over every screen if the user's policy file is not in force. */
export function PolicyFault() {
  const p = store.policy.value;
  if (!p?.fault || store.phase.value !== "ready") return null;
  return <p class="fault" role="alert" data-testid="policy-fault"><Warn size={14} /> {t.policyFault} {p.fault}</p>;
}

export function Sites() {
  const p = store.policy.value;
  const grants = p?.grants ?? [];
  return (
    <>
      <p class="help">{t.sitesNote}</p>
      {p && <p class="preset">{t.preset(t.presets[p.preset] ?? p.preset)}</p>}
      {grants.length === 0
        ? <p class="help">{t.noGrants}</p>
        : <ul class="grants" data-testid="grants">{grants.map((g) => <Grant key={g.id} grant={g} />)}</ul>}
      <AddRule />
    </>
  );
}

function Grant({ grant: g }: { grant: GrantInfo }) {
  const what = t.classes[g.class] ?? g.class;
  return (
    <li data-testid="grant">
      <span class="of"><b>{g.site}</b><small><span class={`verdict ${g.deny ? "deny" : "allow"}`}>{g.deny ? t.denied : t.allowed}</span> {t.ruleOf(what, new Date(g.expires).toLocaleDateString(lang))}</small></span>
      {/* Removing a denial loosens the policy, so it too needs the user's own click. */}
      <button type="button" class="small" data-testid="grant-revoke" aria-label={t.revokeFor(what, g.site)} onClick={(e) => e.isTrusted && void store.revoke(g.id)}>{t.revoke}</button>
    </li>
  );
}

function AddRule() {
  const [site, what, days, bad] = [useId(), useId(), useId(), useId()];
  const [deny, setDeny] = useState(true);
  const refused = settings.refused.value["grant"];
  const classes = deny ? DENIABLE : GRANTABLE;
  const send = async (e: SubmitEvent) => {
    e.preventDefault();
    if (!e.isTrusted) return;
    const form = e.currentTarget as HTMLFormElement;
    const f = new FormData(form);
    if (await settings.grant(String(f.get("site")).trim(), String(f.get("class")), deny, Number(f.get("days")))) form.reset();
  };
  return (
    <form class="rule" aria-label={t.addRule} onSubmit={(e) => void send(e as unknown as SubmitEvent)}>
      <h3>{t.addRule}</h3>
      <div class="field"><label for={site}>{t.siteName}</label>
        <input id={site} name="site" required placeholder="shop.example" spellcheck={false} autocomplete="off" data-testid="rule-site" aria-invalid={refused ? true : undefined} aria-describedby={refused ? bad : undefined} /></div>
      <fieldset class="choice"><legend class="sr">{t.addRule}</legend><div>
        <label><input type="radio" name="deny" checked={deny} onChange={() => setDeny(true)} data-testid="rule-deny" /><span>{t.denied}</span></label>
        <label><input type="radio" name="deny" checked={!deny} onChange={() => setDeny(false)} data-testid="rule-allow" /><span>{t.allowed}</span></label>
      </div></fieldset>
      <div class="pair">
        <div class="field"><label for={what}>{t.ruleWhat}</label>
          <select id={what} name="class" data-testid="rule-class">{classes.map((c) => <option key={c} value={c}>{t.classes[c] ?? c}</option>)}</select></div>
        <div class="field"><label for={days}>{t.ruleDays}</label>
          <select id={days} name="days" data-testid="rule-days">{DAYS.map((d) => <option key={d} value={d} selected={d === 30}>{t.days(d)}</option>)}</select></div>
      </div>
      {refused && <p class="refused" id={bad} role="alert">{refused}</p>}
      <button type="submit" class="quiet" data-testid="rule-add">{t.add}</button>
    </form>
  );
}
