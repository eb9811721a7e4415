// An error in the panel's language, with what to do, and the program's own words
// where they say more.

import type { Error as WireError } from "../../gen/wire";
import { lang } from "../i18n";
import { reword } from "../reword";

export function Refusal({ error, brief }: { error: WireError; brief?: boolean }) {
  const { text, hint, detail } = reword(error, lang);
  return (
    <>
      <p>{text}</p>
      {!brief && hint && <p class="hint">{hint}</p>}
      {detail && <p class="detail" lang="en">{detail}</p>}
    </>
  );
}
