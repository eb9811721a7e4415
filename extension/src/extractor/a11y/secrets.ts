// Which fields hold secrets: their values never leave the page. Over-masking is
// a bug as well: an e-mail, a name, a phone or an order number is none.

import { all, attr, byId, hasAny, isElement, localName, parentOf, previousSibling, rootOf, scopes, textContent } from "../dom/dom";
import { flat } from "../dom/strings";
import { labelsOf } from "./labels";

export type Secret = "password" | "otp" | "cvc" | "card" | "government";

const typed = new Set(["text", "password", "tel", "number", "search", "email", "url", ""]);

// Each pattern is matched against words: camelCase, - and _ are split first.
const patterns: [Secret, RegExp][] = [
  ["cvc", /\b(?:cvc2?|cvv2?|cvn|cid|csc)\b|\bcard (?:security|verification|validation)\b|\b(?:security|verification) (?:code|number) .*\bcard\b|安全码|安全碼|セキュリティコード|prufnummer|prüfnummer|cryptogramme|codigo de seguridad|código de segur/],
  ["otp", /\bone time\b|\b(?:otp|totp|2fa|mfa|tan|passcode)\b|\b(?:verification|authentication|authenticator|auth|sms|login|sign in|security|confirmation|backup|recovery) code\b|\b(?:two factor|2 step|two step)\b|验证码|驗證碼|校验码|动态码|確認コード|認証コード|인증 ?번호|인증 ?코드|code de (?:verification|vérification|confirmation)|codigo de verificac|código de verifica|bestatigungscode|bestätigungscode|код подтверждения|проверочный код|رمز التحقق|सत्यापन कोड/],
  ["password", /\b(?:password\d?|passwd\d?|passwort\d?|passphrase|pass word|pwd\d?|pass\d?|kennwort|contrasena|contraseña|mot de passe|senha|parola|wachtwoord|hasło|pin|pincode secret|master key|seed phrase|recovery phrase|private key|secret key|api key|access token)\b|пароль|密码|密碼|口令|パスワード|暗証番号|비밀번호|كلمة (?:المرور|السر)|पासवर्ड/],
  ["card", /\b(?:card|cc|credit card|debit card) ?(?:number|num|no|nr)\b|\bccnum\b|\b(?:credit|debit|bank) card\b(?! (?:type|name|holder|expir))|\bcardnumber\b|银行卡号|信用卡号|卡号|卡號|カード番号|카드 ?번호|kartennummer|num(?:e|é)ro de (?:la )?carte|n(?:u|ú)mero (?:de (?:la )?tarjeta|do cart(?:a|ã)o)|numero (?:della )?carta|номер карты|رقم البطاقة|कार्ड (?:नंबर|संख्या)/],
  ["government", /\b(?:ssn|social security|national (?:id|insurance|identity|identification)|nino|passport (?:no|num|number|id)|passport|tax (?:id|payer|number|identification)|taxpayer|itin|driver(?:s| s)? licen[cs]e|driving licen[cs]e|identity (?:card|number|document)|government id|cpf|cnpj|dni|nie|nif|curp|aadhaar|aadhar|personalausweis|steuer (?:id|nummer)|steuernummer|codice fiscale|sozialversicherungsnummer|bsn|pesel)\b|身份证|身分證|护照号|護照號|社会保障号|マイナンバー|パスポート番号|주민 ?등록|여권 ?번호|\bинн\b|снилс|номер паспорта|رقم الهوية|आधार/],
];

// Words that resemble those of secrets, but are harmless.
const harmless = /\b(?:forgot|hint|show|remember|reset link|pass(?:enger|port photo)|gift card (?:amount|value|message)|loyalty|membership|library|business|member|reward|order|tracking|discount|coupon|promo|voucher|zip|postal|post ?code|area|country|currency|language|source|color|colour|bar ?code|qr|error|dress|booking|referral|invite|product|item|pin ?code area)\b(?! ?(?:password|cvv|cvc))/;

const account = /\b(?:user ?name|user ?id|user|e ?mail|login(?: name| id)?|log in|account(?: name| id)?|benutzername|nutzername|identifiant|nom d utilisateur|usuario|utente|usuário|gebruikersnaam)\b|用户名|用戶名|账号|帳號|ユーザー名|아이디|логин|имя пользователя/;

/** Words that ask for account and password together, "your user name and password": they mark no single field as the password. */
const bothAsked = new RegExp(`(?:${account.source}).{0,20}?(?:\\b(?:and|or|und|oder|et|ou|y|o|e|en|of|и|или)\\b|[&+,、]|和|与|或|と|및).{0,20}?(?:pass|kennwort|mot de|contrase|senha|wachtwoord|пароль|密码|密碼|パスワード|비밀)`);

export function words(s: string): string {
  return flat(s.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_\-.:/[\]*()'’]+/g, " ")).toLowerCase();
}

const cache = new WeakMap<Element, { key: string; secret: Secret | "" }>();

/** The kind of secret a field holds, or "". */
export function secretOf(el: Element): Secret | "" {
  const tag = localName(el);
  const field = el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
  if (!field && tag !== "select" && attr(el, "contenteditable") === null && attr(el, "role") !== "textbox") return "";
  if (el instanceof HTMLInputElement && !typed.has(el.type) && el.type !== "hidden") return "";
  if (el instanceof HTMLInputElement && el.type === "password") return "password";
  const auto = byAutocomplete(el);
  if (auto !== null) return auto;
  if (tag === "select") return "";
  const hints = hintsOf(el);
  const known = cache.get(el);
  let kind: Secret | "";
  if (known && known.key === hints) kind = known.secret;
  else {
    kind = byWords(el, hints);
    cache.set(el, { key: hints, secret: kind });
  }
  if (kind) return kind;
  if (field && isCard(el.value)) return "card";
  if (field && dotted(el)) return "password";
  return boxOfCode(el) ? "otp" : "";
}

/** A text from the page with the values of secret fields masked. */
export function mask(o: { text: string }): { text: string } {
  let text = o.text;
  for (const scope of scopes()) for (const el of all(scope, "input,textarea")) {
    if (secretOf(el) === "") continue;
    const v = (el as HTMLInputElement).value;
    if (v.trim().length < 3) continue;
    for (const form of new Set([v, JSON.stringify(v).slice(1, -1), v.replace(/&/g, "&amp;").replace(/"/g, "&quot;")])) {
      // A short code is masked only as a whole word: "739" is also in 17390.
      const quoted = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      text = text.replace(new RegExp(form.length < 8 ? `(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])` : quoted, "gu"), "••••");
    }
  }
  return { text };
}

/** Whether el is an editable region with a secret: its text isn't read as text of the page. */
export const hushed = (el: Element): boolean =>
  (attr(el, "contenteditable") !== null || attr(el, "role") === "textbox") && secretOf(el) !== "";

/** Whether el is a combobox with a list: its library sets autocomplete to suppress the browser's suggestions (antd 6). */
const listed = (el: Element): boolean => attr(el, "role") === "combobox" && attr(el, "aria-haspopup") === "listbox";

function byAutocomplete(el: Element): Secret | "" | null {
  const tokens = (attr(el, "autocomplete") ?? "").toLowerCase().split(/\s+/);
  for (const t of tokens) {
    if ((t === "current-password" || t === "new-password") && !listed(el)) return "password";
    if (t === "one-time-code") return "otp";
    if (t === "cc-csc") return "cvc";
    if (t === "cc-number") return "card";
    if (/^(?:cc-(?:name|given-name|family-name|exp|exp-month|exp-year|type)|email|username|name|given-name|family-name|tel|tel-national|street-address|postal-code|country|address-line[123]|organization)$/.test(t)) return "";
  }
  return null;
}

function hintsOf(el: Element): string {
  const parts = [attr(el, "name"), attr(el, "id"), attr(el, "placeholder"), attr(el, "aria-label"), attr(el, "title"), attr(el, "data-testid")];
  const labels = labelsOf(el);
  for (const l of labels ?? []) parts.push(labelWords(l));
  const by = attr(el, "aria-labelledby");
  if (by) for (const id of by.split(/\s+/)) {
    const ref = id ? byId(rootOf(el), id) : null;
    if (ref) parts.push(textContent(ref));
  }
  // A field that itself asks for an account's name is not labelled by the heading over it: "Reset your password".
  const own = !(el instanceof HTMLInputElement && el.type === "email") && !parts.some((p) => account.test(words((p ?? "").slice(0, 120))));
  if (!labels?.length && !by && !attr(el, "aria-label") && own) parts.push(neighbour(el));
  // Each hint is judged alone, so that two of them don't form one phrase.
  return parts.filter((p) => p !== null && p !== "").map((p) => words((p ?? "").slice(0, 120))).join("\n");
}

const labelWords = (l: Node): string => (textContent(l) ?? "").slice(0, 120);

/** Text right before an unlabelled field: <td>Password</td><td><input></td>. */
function neighbour(el: Element): string {
  for (let e: Element | null = el, up = 0; e && up < 3; e = parentOf(e), up++) {
    let p: Node | null = previousSibling(e);
    while (p && !(textContent(p) ?? "").trim()) p = previousSibling(p);
    if (!p) continue;
    if (isElement(p) && (localName(p) === "input" || hasAny(p, "input,select,textarea"))) return "";
    const t = (textContent(p) ?? "").trim();
    return t.length <= 60 ? t : "";
  }
  return "";
}

function byWords(el: Element, hints: string): Secret | "" {
  for (const hint of hints.split("\n")) {
    if (hint === "" || harmless.test(hint) || bothAsked.test(hint)) continue;
    for (const [kind, pattern] of patterns) {
      if (!pattern.test(hint)) continue;
      // "Security code" beside a card number is the card's.
      if (kind === "otp" && /security code|verification code/.test(hint) && besideCard(el)) return "cvc";
      return kind;
    }
  }
  return "";
}

function besideCard(el: Element): boolean {
  let scope: Element | null = el;
  const inForm = (el as Partial<HTMLInputElement>).form instanceof HTMLFormElement;
  for (let up = 0; scope && up < (inForm ? 8 : 3); up++, scope = parentOf(scope)) {
    if (hasAny(scope, "input[autocomplete~=cc-number],input[name*=card i],input[id*=card i]")) return true;
    if (localName(scope) === "form") return false;
  }
  return false;
}

/** Whether el is in a row of boxes for one character each. */
function boxOfCode(el: Element): boolean {
  if (!(el instanceof HTMLInputElement) || el.maxLength !== 1) return false;
  const p = parentOf(parentOf(el) ?? el);
  if (!p) return false;
  const n = all(p, "input[maxlength='1']").length;
  return n >= 4 && n <= 8;
}

const dotted = (el: Element): boolean => {
  const s = getComputedStyle(el).getPropertyValue("-webkit-text-security");
  return s !== "" && s !== "none";
};

/** Whether s is a card number by its issuer's range, length and check digit. */
export function isCard(s: string): boolean {
  if (s.length > 30) return false;
  const d = s.replace(/[\s-]/g, "");
  if (!/^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|6(?:011|5\d\d|4[4-9]\d|2\d\d)\d{12,15}|35\d{14})$/.test(d)) return false;
  let sum = 0;
  for (let i = 0; i < d.length; i++) {
    let n = d.charCodeAt(d.length - 1 - i) - 48;
    if (i % 2 === 1 && (n *= 2) > 9) n -= 9;
    sum += n;
  }
  return sum % 10 === 0;
}
