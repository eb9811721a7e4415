// Whether a changed name still means the same thing. The rules equal those of
// pagecontext/samename.go; both are tested with the same table
// (pagecontext/testdata/samename.json).

import { flat } from "../dom/strings";
import { anyDigit, bareNumber, money } from "../reading/money";

const times = "(?:milliseconds?|seconds?|secs?|s|minutes?|mins?|min|m|hours?|hrs?|hr|h|days?|d|weeks?|w|months?|mo|years?|y|秒|分钟|分鐘|分|小时|小時|時間|天|日)(?:\\s+ago|前)?(\\P{L}|$)";
const clock = /\d{1,2}:\d{2}(?::\d{2})?/g;
const ampm = /#\s*[ap]\.?m\b\.?/g;
const passing = new RegExp(`\\d+\\s*${times}|[(\\[]\\s*\\d+\\s*\\+?\\s*[)\\]]`, "gu");
const digits = /\d+(?:[.,:/\u2019'h-]\d+)*/g;
const justNow = /\b(?:just now|yesterday|today|a (?:second|minute|moment) ago|an? hour ago)\b|刚刚|昨天|今天/g;
const unit = new RegExp(`#\\s*${times}`, "gu");
const count = /\(\s*#?\s*\+?\s*\)|\[\s*#\s*\+?\s*\]|#\+/g;
const alone = /[\s·•|,:;–—-]*#[\s·•|,:;–—-]*/g;
// Without a currency a number is money if the words say so, or if it has
// cents.
const cents = /\d+[.,]\d{2}(?:\D|$)/;
const paying = /\b(?:pay|buy|transfer|send|bid|tip|donate|withdraw|deposit|purchase|order|checkout|refund|charge|bezahlen|kaufen|payer|acheter|pagar|comprar|pagare)\b|überweisen|оплатить|перевести|купить|支付|转账|轉帳|付款|购买|購買|下单|提现|充值|送金|支払|購入|결제|송금|구매/i;

const toggles = new Map<string, string>();
for (const group of [
  ["play", "pause"], ["show", "hide"], ["expand", "collapse"], ["mute", "unmute"], ["open", "close"],
  ["more", "less"], ["on", "off"], ["star", "unstar", "starred"], ["like", "unlike", "liked"],
  ["pin", "unpin", "pinned"], ["bookmark", "bookmarked"], ["select", "deselect", "selected"],
  ["check", "uncheck", "checked"], ["enter", "exit"], ["light", "dark"],
  ["播放", "暂停"], ["展开", "收起"], ["显示", "隐藏"], ["静音", "取消静音"], ["点赞", "已点赞"], ["收藏", "已收藏"],
]) for (const w of group) toggles.set(w, group[0] ?? w);

/** The constant part of a name: without digits, counts, times and a toggle's state; amounts of money stay. */
export function nameKey(name: string): string {
  const amounts: string[] = [];
  const plain = flat(name).normalize("NFKC");
  let s = (anyDigit.test(plain) ? plain.replace(money(), (m) => {
    amounts.push(m.replace(/\s+/g, ""));
    return " $ ";
  }) : plain).toLowerCase();
  s = `${s.replace(clock, "#").replace(ampm, "#")} `.replace(passing, "#$1");
  if (cents.test(s) || paying.test(s)) {
    s = s.replace(bareNumber(), (m) => {
      amounts.push(m);
      return " $ ";
    });
  }
  s = s.replace(digits, "#").replace(justNow, "#").replace(unit, "#$1").replace(count, "#").replace(alone, " ");
  const words = s.split(/\s+/).filter((w) => w !== "");
  for (const i of new Set([0, words.length - 1])) {
    const w = words[i];
    const t = w === undefined ? undefined : toggles.get(w.replace(/^[:.…!]+|[:.…!]+$/g, ""));
    if (t !== undefined) words[i] = t;
  }
  return words.join(" ") + "\0" + amounts.join("|");
}

export const sameName = (a: string, b: string): boolean => a === b || nameKey(a) === nameKey(b);
