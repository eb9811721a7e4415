package action

import (
	"regexp"
	"strings"
	"unicode"

	"tabwright/pagecontext"
)

var (
	// numberish matches a number with its separators; the units match what may be beside it.
	numberish = regexp.MustCompile(`^(?:\d[\d.,' ]*|[.,]\d+)$`)
	leftUnit  = regexp.MustCompile(`^(?:\p{L}+\.?|\p{Sc}|%|\s)+`)
	rightUnit = regexp.MustCompile(`(?:\p{L}+\.?|\p{Sc}|%|\s)+$`)
	letters   = regexp.MustCompile(`\p{L}`)
	bareDigit = regexp.MustCompile(`^\d+$`)
	// groups of an integer: by thousands, or as in India.
	grouped = map[string]*regexp.Regexp{
		".": regexp.MustCompile(`^[1-9]\d{0,2}(?:\.\d{3})+$`), "'": regexp.MustCompile(`^[1-9]\d{0,2}(?:'\d{3})+$`),
		" ": regexp.MustCompile(`^[1-9]\d{0,2}(?: \d{3})+$`), ",": regexp.MustCompile(`^[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}$`),
	}
)

// plainNumber converts digits and separators of other scripts and of typesetters to
// ASCII.
func plainNumber(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		for _, zero := range []rune{0x660, 0x6f0, 0x966, 0xff10} {
			if r >= zero && r <= zero+9 {
				return '0' + r - zero
			}
		}
		switch r {
		case '−', '‐', '‑', '–':
			return '-'
		case '’', '٬':
			return '\''
		case '٫':
			return '.'
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, s))
}

// splitSign removes the sign and the units from a possible number.
func splitSign(s string) (body string, negative bool) {
	if in, ok := strings.CutPrefix(s, "("); ok && strings.HasSuffix(in, ")") {
		s, negative = strings.TrimSuffix(in, ")"), true
	}
	for range 2 { // -€5, €-5
		if rest, ok := strings.CutPrefix(s, "-"); ok && !negative {
			s, negative = rest, true
		}
		s = rightUnit.ReplaceAllString(leftUnit.ReplaceAllString(s, ""), "")
	}
	if rest, ok := strings.CutSuffix(s, "-"); ok && !negative {
		s, negative = strings.TrimSpace(rest), true
	}
	return s, negative
}

// numbersIn returns the possible readings of a text as a number: none, one, or two if a
// separator before three digits may be a decimal sign or a thousands separator. units
// says that words may be beside it.
func numbersIn(s string, units bool) []string {
	s = plainNumber(s)
	if !units && letters.MatchString(s) {
		return nil
	}
	body, negative := splitSign(s)
	if !numberish.MatchString(body) {
		return nil
	}
	if !strings.ContainsAny(strings.TrimRight(body, ".,"), ".,' ") {
		body = strings.TrimRight(body, ".,") // the decimals are not typed yet
	}
	var out []string
	for _, point := range []string{"", ".", ","} {
		whole, part := body, ""
		if point != "" {
			if strings.Count(body, point) != 1 {
				continue
			}
			whole, part, _ = strings.Cut(body, point)
			if part != "" && !bareDigit.MatchString(part) {
				continue
			}
		}
		if !bareDigit.MatchString(whole) && (whole != "" || part == "") {
			sep := strings.Trim(whole, "0123456789")
			if sep == "" || sep[:1] == point || !grouped[sep[:1]].MatchString(whole) {
				continue
			}
			for g := range grouped {
				whole = strings.ReplaceAll(whole, g, "")
			}
		}
		n := strings.TrimLeft(whole, "0")
		if n == "" {
			n = "0"
		}
		if part = strings.TrimRight(part, "0"); part != "" {
			n += "." + part
		}
		if negative && n != "0" {
			n = "-" + n
		}
		out = append(out, n)
	}
	return out
}

// sameNumber tells whether a field holds the number that was typed, in the notation of
// any country. ok is false if the text is no number, or digits alone, such as a
// telephone or card number, that the field groups in its own way.
func sameNumber(holds, text string) (same, ok bool) {
	want := numbersIn(text, false)
	bare := bareDigit.MatchString(strings.TrimSpace(text))
	if len(want) == 0 || bare && len(text) > 3 && strings.HasPrefix(text, "0") {
		return false, false
	}
	is := numbersIn(holds, true)
	for _, n := range is {
		for _, m := range want {
			if n == m {
				return true, true
			}
		}
	}
	if bare && (len(is) == 0 || !strings.ContainsAny(plainNumber(holds), ".,'")) {
		return false, false
	}
	return len(is) == 0 && strings.Contains(pagecontext.Flatten(holds), pagecontext.Flatten(text)), true
}

// otherNotation returns a number with the other decimal sign, at least two decimals and
// no groups: for fields that drop the first sign, or fill from the right. It returns ""
// if the text is no number, or can be read as two.
func otherNotation(text string) string {
	n := numbersIn(text, false)
	if len(n) != 1 {
		return ""
	}
	point := ","
	if plain := plainNumber(text); strings.LastIndex(plain, ",") > strings.LastIndex(plain, ".") {
		point = "."
	}
	whole, part, _ := strings.Cut(n[0], ".")
	for len(part) < 2 {
		part += "0"
	}
	return whole + point + part
}
