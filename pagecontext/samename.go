package pagecontext

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The rules here are those of extension/src/extractor/listing/samename.ts; one table
// (testdata/samename.json) is run through both.

// times is a unit of time after a number, and what follows it.
const times = `(?:milliseconds?|seconds?|secs?|s|minutes?|mins?|min|m|hours?|hrs?|hr|h|days?|d|weeks?|w|months?|mo|years?|y|秒|分钟|分鐘|分|小时|小時|時間|天|日)(?:\s+ago|前)?(\P{L}|$)`

var (
	number = `(?:\d{1,3}(?:[ \x{a0}\x{202f}]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,'\x{2019}]\d+)*)`
	codes  = `USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|RUB|CHF|CAD|AUD|NZD|HKD|TWD|SGD|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|AED|SAR|THB`
	before = regexp.MustCompile(`(?:(?:US|CA|AU|NZ|HK|NT|CN|JP|A|C|R|S)?[$€£¥₹₩₽₺฿₫₴₦₱₪]|\b(?:` + codes + `|Rs)\.?)\s?` + number)
	after  = regexp.MustCompile(number + `\s?(?:[€£¥₹₩₽₺฿₫₴₦₱₪$元円원]|(?:` + codes + `|kr|zł|Kč)\b)`)
	// A number without a currency is still money if it has cents, or if a word
	// such as pay is in the name.
	cents    = regexp.MustCompile(`\d+[.,]\d{2}(?:\D|$)`)
	paying   = regexp.MustCompile(`(?i)\b(?:pay|buy|transfer|send|bid|tip|donate|withdraw|deposit|purchase|order|checkout|refund|charge|bezahlen|kaufen|payer|acheter|pagar|comprar|pagare)\b|überweisen|оплатить|перевести|купить|支付|转账|轉帳|付款|购买|購買|下单|提现|充值|送金|支払|購入|결제|송금|구매`)
	clock    = regexp.MustCompile(`\d{1,2}:\d{2}(?::\d{2})?`)
	ampm     = regexp.MustCompile(`#\s*[ap]\.?m\b\.?`)
	passing  = regexp.MustCompile(`\d+\s*` + times + `|[(\[]\s*\d+\s*\+?\s*[)\]]`)
	bare     = regexp.MustCompile(number)
	digits   = regexp.MustCompile(`\d+(?:[.,:/\x{2019}'h-]\d+)*`)
	unit     = regexp.MustCompile(`#\s*` + times)
	count    = regexp.MustCompile(`\(\s*#?\s*\+?\s*\)|\[\s*#\s*\+?\s*\]|#\+`)
	alone    = regexp.MustCompile(`[\s·•|,:;–—-]*#[\s·•|,:;–—-]*`)
	spaces   = regexp.MustCompile(`\s+`)
	justNow  = regexp.MustCompile(`\b(?:just now|yesterday|today|a (?:second|minute|moment) ago|an? hour ago)\b|刚刚|昨天|今天`)
	toggles  = map[string]string{}
	toggleOf = [][]string{
		{"play", "pause"},
		{"show", "hide"},
		{"expand", "collapse"},
		{"mute", "unmute"},
		{"open", "close"},
		{"more", "less"},
		{"on", "off"},
		{"star", "unstar", "starred"},
		{"like", "unlike", "liked"},
		{"pin", "unpin", "pinned"},
		{"bookmark", "bookmarked"},
		{"select", "deselect", "selected"},
		{"check", "uncheck", "checked"},
		{"enter", "exit"},
		{"light", "dark"},
		{"播放", "暂停"},
		{"展开", "收起"},
		{"显示", "隐藏"},
		{"静音", "取消静音"},
		{"点赞", "已点赞"},
		{"收藏", "已收藏"},
	}
)

func init() {
	for _, group := range toggleOf {
		for _, w := range group {
			toggles[w] = group[0]
		}
	}
}

// SameName reports whether two names of one node differ at most in digits,
// counts, times or a toggle's state: "Resend (29)" and "Resend", "Inbox (3)"
// and "Inbox (4)", "Play" and "Pause". Amounts of money are no such digits:
// "Pay $12" and "Pay $120" are two things.
func SameName(old, new string) bool {
	if old == new {
		return true
	}
	return nameKey(old) == nameKey(new)
}

// nameKey returns what SameName compares: the name without the parts that may change.
func nameKey(s string) string {
	s = norm.NFKC.String(Flatten(s))
	var amounts []string
	for _, money := range []*regexp.Regexp{before, after} {
		s = money.ReplaceAllStringFunc(s, func(m string) string {
			amounts = append(amounts, strings.Join(strings.Fields(m), ""))
			return " \x00 "
		})
	}
	s = strings.ToLower(s)
	s = clock.ReplaceAllString(s, "#")
	s = ampm.ReplaceAllString(s, "#")
	s = passing.ReplaceAllString(s+" ", "#$1")
	if cents.MatchString(s) || paying.MatchString(s) {
		s = bare.ReplaceAllStringFunc(s, func(m string) string {
			amounts = append(amounts, m)
			return " \x00 "
		})
	}
	s = digits.ReplaceAllString(s, "#")
	s = justNow.ReplaceAllString(s, "#")
	s = unit.ReplaceAllString(s, "#$1")
	s = count.ReplaceAllString(s, "#")
	s = alone.ReplaceAllString(s, " ")
	words := strings.Fields(spaces.ReplaceAllString(s, " "))
	for i, w := range words {
		// Only the word that leads or ends a name is its state: "Play music",
		// "Notifications: on". Elsewhere it belongs to the wording.
		if i == 0 || i == len(words)-1 {
			if t, ok := toggles[strings.Trim(w, ":.…!")]; ok {
				words[i] = t
			}
		}
	}
	return strings.Join(words, " ") + "\x00" + strings.Join(amounts, "|")
}
