// Amounts of money as pages print them.

const codes = "USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|RUB|CHF|CAD|AUD|NZD|HKD|TWD|SGD|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|AED|SAR|EGP|QAR|KWD|THB";
/** Coins. They count behind any number, but before one only if it has decimals: "ETH 2" is as often a name. */
const coins = "BTC|ETH|USDT|USDC|SOL";
const arabic = "(?:درهم|دولار|ريال|دينار|جنيه|د\\.إ|ر\\.س|ج\\.م|د\\.ك)";
const before = `(?:(?:US|CA|AU|NZ|HK|NT|CN|JP|MX|A|C|R|S)?[$€£¥₹₩₽₺฿₫₴₦₱₪]|\\b(?:${codes}|Rs)\\.?|\\b(?:${coins})(?=\\s?\\d+[.,]\\d)|${arabic})`;
const after = `(?:[€£¥₹₩₽₺฿₫₴₦₱₪$元円원₿]|(?:${codes}|${coins}|kr|zł|Kč)(?![\\wÀ-ž])|${arabic})`;
const digit = "[\\d٠-٩۰-۹]";
/** A digit, which every amount has. */
export const anyDigit = new RegExp(digit);
const number = `(?:${digit}{1,3}(?:[ \\u00a0\\u202f]${digit}{3})+(?:[.,٫]${digit}{1,2})?|${digit}+(?:[.,٫٬'\u2019]${digit}+)*)`;
/** The cents behind the sign, as French shops write them: 19€99, and 19€,99 where they are raised. */
const euros = `\\d+[€£][.,]?\\d{2}(?![€£\\d]|\\s[€£]|[.,]\\d)`;
/** A sign that touches the number before it belongs to that number, even if another number follows a space. */
const touching = `${number}${after}(?=\\s)`;
const source = `${euros}|${before}\\s?${number}|${touching}|${number}\\s?${after}(?!\\s?${digit})`;

/** Whether a text may hold an amount: a sign or a code of a currency stands in it. */
export const currency = new RegExp(`${before}|${after}`);

/** The parts of amounts: a currency before a number, a currency behind one, a digit, a number. */
export const signs = { before, after, digit, number };

/** A new expression for amounts: a global one has state. */
export const money = (): RegExp => new RegExp(source, "g");

/** A number without a currency. */
export const bareNumber = (): RegExp => new RegExp(number, "g");

/** Words of a line with the sum to pay. */
const latin = /(?:grand |order |sub)?total|amount due|balance due|due (?:now|today)|to pay|you(?:'ll)? pay|payable|gesamt(?:summe|betrag)?|summe|zu zahlen|montant|total à payer|importe|totale|a pagar|totaal|suma|do zapłaty|toplam/.source;
const others = /итого|к оплате|合计|合計|总计|總計|总额|總額|应付|應付|实付|實付|お支払い|합계|총액|결제 ?금액|الإجمالي|المجموع|कुल/.source;
export const totalWords = new RegExp(`\\b(?:${latin})\\b|${others}`, "i");

/** The same words in a text joined from many, which has no word boundaries between them. */
export const totalWordsWithin = new RegExp(`${latin}|${others}`, "i");

export function amountsIn(text: string): string[] {
  if (!anyDigit.test(text)) return [];
  return (text.match(money()) ?? []).map((m) => m.trim());
}
