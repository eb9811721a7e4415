package safety

import (
	"regexp"
	"strings"
	"unicode"
)

// money finds an amount as shops print it: the sign or code on either side; a
// coin's code before it only with decimals ("ETH 2" is as often a name).
var money = regexp.MustCompile(`(?i)(?:(?:US|CA|AU|NZ|HK|NT|MX|S|R)?\$|[€£¥￥₹₽₩₺₫฿₪₱₦₴₵₡₲₸৳₿]|\bS/|\b(?:CHF|USD|EUR|GBP|JPY|CNY|RMB|INR|MXN|BRL|AED|SAR|TWD|PLN|CZK|HUF|SEK|NOK|DKK|ILS|KRW|THB|IDR|Rp\.?|(?-i:RM)|Rs\.?|kr\.?)|` + arabicMoney + `)` + gap + num +
	`|\b(?:BTC|ETH|USDT|USDC|SOL)` + gap + `\d+[.,]\d+` +
	`|` + num + gap + `(?:[€£¥元円圆圓원₽₿₴₺₫₪৳]|руб\.?|р\.|грн|zł|Kč|Ft\b|lei\b|лв|रुपये|रु|kr\b|(?:CHF|USD|EUR(?:OS?)?|GBP|CNY|RMB|JPY|MXN|BRL|AED|SAR|PLN|CZK|SEK|NOK|DKK|KRW|TWD|BTC|ETH|USDT|USDC|SOL)\b|` + arabicMoney + `)`)

const (
	gap    = `[ \x{a0}\x{202f}\x{2009}]?`
	digits = `\d٠-٩۰-۹०-९০-৯０-９`
	dig    = `[` + digits + `]`
	num    = dig + `(?:[` + digits + `.,．，٫٬'’\x{a0}\x{202f}\x{2009}]*` + dig + `)?(?: ` + dig + `{3}\b)*`

	arabicMoney = `(?:درهم|دولار|ريال|دينار|جنيه|د\.إ|ر\.س|ج\.م|د\.ك)`
)

// Amounts finds money amounts in text, in order, as printed.
func Amounts(text string) []string {
	if !strings.ContainsFunc(text, unicode.IsNumber) {
		return nil
	}
	at := money.FindAllStringIndex(text, -1)
	var out []string
	for i, m := range at {
		next := len(text)
		if i+1 < len(at) {
			next = at[i+1][0]
		}
		s := text[m[0]:m[1]]
		if c := centsBehind.FindStringSubmatch(text[m[1]:next]); c != nil && wholeBefore.MatchString(s) {
			s += c[1]
		}
		out = append(out, strings.TrimRight(strings.TrimSpace(s), ".,'’"))
	}
	return out
}

// sumIn gives the first sum in a text.
func sumIn(text string) string {
	if !strings.ContainsFunc(text, unicode.IsNumber) {
		return ""
	}
	if found := money.FindString(text); found != "" {
		return strings.TrimRight(strings.TrimSpace(found), ".,'’")
	}
	if !hasCoinedPrefix(text) {
		return ""
	}
	for _, at := range coins.FindAllStringIndex(text, 8) {
		// "4 Points 20": there the name belongs to what follows; "•••• 4829 Credit" is a card.
		rest, before := strings.TrimLeft(text[at[1]:], " "), strings.TrimRight(text[:at[0]], " ")
		ofCard := strings.HasSuffix(before, "•") || strings.HasSuffix(before, "*") || strings.HasSuffix(before, "●")
		if !ofCard && (rest == "" || rest[0] < '0' || rest[0] > '9') {
			return text[at[0]:at[1]]
		}
	}
	return ""
}

// coins matches sums in a site's own currency.
var coins = regexp.MustCompile(`(?i)` + num + `[ ]?(?:` + coinNames + `)`)

// coinNames are names of such currencies, as parts of an expression.
var coinNames = strings.Join(listedWords("coin names"), "|")

// hasCoinedPrefix reports a text with a stem of such a name: a cheap test before coins.
func hasCoinedPrefix(text string) bool {
	return holdsPart(strings.ToLower(text), coinStems)
}

var coinStems = ruleWords("coin stems")

// cardEnd matches a stored card as pages write it: the last digits after dots or
// stars.
var cardEnd = regexp.MustCompile(`[•●∙·*xX…]{2,}[ -]?\d{2,4}\b|[•●]\d{4}\b`)

// periodic matches the period of a recurring price: "/month".
var periodic = regexp.MustCompile(`(?i)\d ?(?:/ ?|per |a |pro |im |par |al |por |ao |в |за )(?:mo|month|months|yr|year|hr|hour|monat|jahr|stunde|mois|an|heure|mes|año|hora|mês|ano|mese|anno|ora|месяц|мес|год|час)\b|\d ?[元円원]?/ ?(?:月|年|시간|월|년)`)

// centsBehind matches cents after the sign, as in French shops: 19€99, or 19€,99
// where they are superscript. wholeBefore matches the part before them.
var (
	centsBehind = regexp.MustCompile(`^([.,]?\d{2})(?:[^\d.,]|[.,](?:\D|$)|$)`)
	wholeBefore = regexp.MustCompile(`\d[€£]$`)
)
