package pagecontext

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The rules here are those of extension/src/extractor/samename.ts; one table
// (testdata/samename.json) is run through both.

var (
	money = regexp.MustCompile(`(?:(?:US|CA|AU|NZ|HK|NT|CN|JP|A|C|R|S)?[$€£¥₹₩₽₺฿₫₴₦₱₪]|\b(?:USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|RUB|CHF|CAD|AUD|NZD|HKD|TWD|SGD|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|AED|SAR|THB|Rs)\.?)\s?\d[\d.,' ]*|` +
		`\d[\d.,' ]*\s?(?:[€£¥₹₩₽₺฿₫₴₦₱₪$元円원]|(?:USD|EUR|GBP|JPY|CNY|RMB|INR|KRW|RUB|CHF|CAD|AUD|NZD|HKD|TWD|SGD|BRL|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|ZAR|AED|SAR|THB|kr|zł|Kč)\b)`)
	ampm     = regexp.MustCompile(`#\s*[ap]\.?m\b\.?`)
	digits   = regexp.MustCompile(`\d+(?:[.,:/\x{2019}'h-]\d+)*`)
	unit     = regexp.MustCompile(`#\s*(?:milliseconds?|seconds?|secs?|s|minutes?|mins?|min|m|hours?|hrs?|hr|h|days?|d|weeks?|w|months?|mo|years?|y|秒|分钟|分鐘|分|小时|小時|時間|天|日)(?:\s+ago|前)?(?:\P{L}|$)`)
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
		{"播放", "暂停"}, {"展开", "收起"}, {"显示", "隐藏"}, {"静音", "取消静音"}, {"点赞", "已点赞"}, {"收藏", "已收藏"},
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

// nameKey is what SameName compares: the name without what may change.
func nameKey(s string) string {
	s = norm.NFKC.String(Flatten(s))
	var amounts []string
	s = money.ReplaceAllStringFunc(s, func(m string) string {
		amounts = append(amounts, strings.Join(strings.Fields(m), ""))
		return " $ "
	})
	s = strings.ToLower(s)
	s = digits.ReplaceAllString(s, "#")
	s = ampm.ReplaceAllString(s, "#")
	s = justNow.ReplaceAllString(s, "#")
	s = unit.ReplaceAllString(s+" ", "# ")
	s = count.ReplaceAllString(s, " ")
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
