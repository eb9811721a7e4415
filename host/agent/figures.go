package agent

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// figure is a number or a code in a text: as it stands there, and in the forms
// in which it may stand elsewhere.
type figure struct {
	text  string
	forms []string
	value float64 // of a number
	money bool    // a sign of a currency stands beside it
	code  bool    // letters and digits: BM-20418
	whole bool    // without decimals
}

var (
	codeText   = regexp.MustCompile(`\b[A-Za-z]{1,8}[-_#]?\d[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*\b`)
	numberText = regexp.MustCompile(`([$€£¥￥₹]\s?)?(\d(?:[\d., '\x{00a0}\x{202f}]*\d)?)(\s?(?:[$€£¥￥₹元%]|USD|EUR|GBP|CNY|RMB|[kKmM万亿]\b|[万亿]))?`)
	multiples  = map[string]float64{"k": 1e3, "m": 1e6, "万": 1e4, "亿": 1e8}
)

// figuresIn finds the figures of a text, in their order.
func figuresIn(text string) []figure {
	var out []figure
	for _, m := range codeText.FindAllString(text, -1) {
		if len(m) >= 4 && strings.ContainsAny(m, "0123456789") {
			out = append(out, figure{text: m, code: true, forms: []string{strings.ToLower(m)}})
		}
	}
	for _, m := range numberText.FindAllStringSubmatch(text, -1) {
		for _, part := range splitNumber(m[2]) {
			f := readNumber(part)
			f.money = strings.TrimSpace(m[1]) != "" || strings.ContainsAny(m[3], "$€£¥￥₹元%") || len(strings.TrimSpace(m[3])) == 3
			f.text = strings.TrimSpace(m[1] + part + m[3])
			if by, ok := multiples[strings.ToLower(strings.TrimSpace(m[3]))]; ok {
				f.forms = append(f.forms, form(f.value*by))
			}
			out = append(out, f)
		}
	}
	return out
}

// splitNumber divides a text into its numbers: "12, 13 14" is three,
// "1,299.00" and "1 299" are one.
func splitNumber(s string) []string {
	var out []string
	for _, word := range regexp.MustCompile(`,\s+|\.\s+|\s{2,}`).Split(s, -1) {
		parts := strings.FieldsFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '\u00a0' || r == '\u202f' })
		if len(parts) > 1 && isGroupedNumber(parts) {
			parts = []string{strings.Join(parts, "")}
		}
		out = append(out, parts...)
	}
	return out
}

// isGroupedNumber tells whether the parts are one number with spaces between its thousands.
func isGroupedNumber(parts []string) bool {
	if len(parts[0]) > 3 {
		return false
	}
	for _, p := range parts[1:] {
		whole, _, _ := strings.Cut(strings.ReplaceAll(p, ",", "."), ".")
		if len(whole) != 3 {
			return false
		}
	}
	return true
}

// readNumber reads a number whichever of point and comma is its decimal mark.
// Where it can be read in two ways, both are forms of it.
func readNumber(s string) figure {
	s = strings.Trim(strings.ReplaceAll(s, "'", ""), ".,")
	plain := strings.NewReplacer(",", "", ".", "").Replace(s)
	dot, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	at := max(dot, comma)
	whole := figure{whole: true}
	whole.value, _ = strconv.ParseFloat(plain, 64) // digits alone
	whole.forms = []string{form(whole.value), strings.ToLower(plain)}
	if at < 0 {
		return whole
	}
	mark := s[at : at+1]
	decimals := len(s) - at - 1
	both := dot >= 0 && comma >= 0
	if !both && strings.Count(s, mark) > 1 {
		return whole // 1.299.000
	}
	fraction := figure{}
	fraction.value, _ = strconv.ParseFloat(strings.NewReplacer(",", "", ".", "").Replace(s[:at])+"."+s[at+1:], 64)
	fraction.forms = []string{form(fraction.value)}
	if !both && decimals == 3 {
		whole.forms = append(whole.forms, fraction.forms...)
		return whole
	}
	return fraction
}

// form returns a number as text without trailing zeros.
func form(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// tells tells whether a page must show the figure: a code, an amount, a
// number with decimals or of three digits and more that is no year.
func (f figure) tells() bool {
	switch {
	case f.code || f.money || !f.whole:
		return true
	case f.value >= 1900 && f.value <= 2100:
		return false
	}
	return f.value >= 100
}

// mostNamed is of how many figures each two are looked at.
const mostNamed = 60

// follows tells whether a figure follows from others: the sum or the mean of all, or of
// those of its kind; a sum, a difference, a product or a share of two; a multiple.
func follows(f figure, from []figure) bool {
	if f.code {
		return false
	}
	near := func(v float64) bool { return math.Abs(v-f.value) < 0.006*math.Max(1, math.Abs(f.value)/1000) }
	adds := func(of []figure) bool {
		total := 0.0
		for _, o := range of {
			total += o.value
		}
		return len(of) > 1 && (near(total) || near(total/float64(len(of))))
	}
	like := slices.DeleteFunc(slices.Clone(from), func(o figure) bool { return (o.money || !o.whole) != (f.money || !f.whole) })
	if adds(from) || adds(like) {
		return true
	}
	from = from[:min(len(from), mostNamed)]
	for i, x := range from {
		a := x.value
		for times := 2.0; times <= 12; times++ { // "two are $25.00"
			if near(a * times) {
				return true
			}
		}
		for k, y := range from {
			b := y.value
			if i != k && (near(a+b) || near(a-b) || near(a*b) || b != 0 && (near(a/b) || math.Abs(a/b*100-f.value) < 1 || math.Abs((a-b)/b*100-f.value) < 1)) {
				return true
			}
		}
	}
	return false
}
