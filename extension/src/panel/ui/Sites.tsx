// The person's own rules for sites: what they allowed for good on a card or by
// a command, what they forbade, each to take back; and, loudly, a policy file
// that is not in force.

import type { GrantInfo } from "../../gen/wire";
import { lang, t } from "../i18n";
import * as store from "../store";
import { Warn } from "./icons";

export function Sites() {
  const p = store.policy.value;
  if (!p || store.phase.value !== "ready") return null;
  const grants = p.grants ?? [];
  return (
    <>
      {p.fault && <p class="fault" role="alert" data-testid="policy-fault"><Warn size={14} /> {t.policyFault} {p.fault}</p>}
      {grants.length > 0 && (
        <details class="grants" data-testid="grants">
          <summary>{t.sites(grants.length)}</summary>
          <ul>{grants.map((g) => <Grant key={g.id} grant={g} />)}</ul>
        </details>
      )}
    </>
  );
}

function Grant({ grant: g }: { grant: GrantInfo }) {
  const what = t.classes[g.class] ?? g.class;
  return (
    <li data-testid="grant">
      <span>{g.deny ? t.forbidden(what, g.site) : t.granted(what, g.site)} <small>{t.until(new Date(g.expires).toLocaleDateString(lang))}</small></span>
      {/* Taking back what is forbidden loosens, so it too is the person's own click. */}
      <button type="button" class="small" data-testid="grant-revoke" onClick={(e) => e.isTrusted && void store.revoke(g.id)}>{t.revoke}</button>
    </li>
  );
}
