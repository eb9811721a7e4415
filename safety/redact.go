package safety

import (
	"strings"
	"unicode"
)

// masked replaces a card number.
const masked = "[card number]"

// Redact takes payment card numbers out of free text: 13 to 19 digits, in
// groups as cards are printed or in one, that pass the Luhn check and begin
// like a card. Phone, order and parcel numbers stay: over-masking is a bug as
// well.
func Redact(text string) string {
	if !strings.ContainsFunc(text, unicode.IsDigit) {
		return text
	}
	rs := []rune(text)
	var b strings.Builder
	for i := 0; i < len(rs); {
		if !unicode.IsDigit(rs[i]) || i > 0 && (unicode.IsLetter(rs[i-1]) || unicode.IsDigit(rs[i-1])) {
			b.WriteRune(rs[i])
			i++
			continue
		}
		n := cardAt(rs[i:])
		if n == 0 {
			// The rest of this run of digits is no start of a card.
			b.WriteRune(rs[i])
			i++
			continue
		}
		b.WriteString(masked)
		i += n
	}
	return b.String()
}

// cardAt gives the length in runes of the longest card number at the start of rs, 0
// if there is none.
func cardAt(rs []rune) int {
	digits := make([]byte, 0, 19)
	var sep rune
	groups := []int{0}
	best := 0
	for i, r := range rs {
		if d, ok := digitOf(r); ok {
			if len(digits) == 19 {
				break
			}
			digits = append(digits, d)
			groups[len(groups)-1]++
			if endsNumber(rs[i+1:]) && isCard(digits, groups) {
				best = i + 1
			}
			continue
		}
		next := i+1 < len(rs) && unicode.IsDigit(rs[i+1])
		if !strings.ContainsRune(" -.\u00a0\u202f\u2009", r) || !next || groups[len(groups)-1] == 0 || sep != 0 && sep != r {
			break
		}
		sep = r
		groups = append(groups, 0)
	}
	return best
}

// endsNumber reports that no letter or digit follows.
func endsNumber(rest []rune) bool {
	return len(rest) == 0 || !unicode.IsLetter(rest[0]) && !unicode.IsDigit(rest[0])
}

func isCard(digits []byte, groups []int) bool {
	return len(digits) >= 13 && cardGroups(groups) && cardPrefix(digits) && luhn(digits)
}

func digitOf(r rune) (byte, bool) {
	switch {
	case r >= '0' && r <= '9':
		return byte(r - '0'), true
	case r >= '０' && r <= '９':
		return byte(r - '０'), true
	case r >= '٠' && r <= '٩':
		return byte(r - '٠'), true
	case r >= '۰' && r <= '۹':
		return byte(r - '۰'), true
	}
	return 0, false
}

// cardGroups takes a number in one piece, in fours, or as American Express and
// Diners print theirs (4-6-5, 4-6-4).
func cardGroups(g []int) bool {
	if len(g) == 1 {
		return true
	}
	if len(g) == 3 && g[0] == 4 && g[1] == 6 && (g[2] == 5 || g[2] == 4) {
		return true
	}
	for i, n := range g {
		if n != 4 && (i != len(g)-1 || n > 4) {
			return false
		}
	}
	return len(g) >= 4
}

// cardPrefix knows the ranges of the big networks: Visa, Mastercard, Amex,
// Discover, Diners, JCB, UnionPay, Maestro, Mir.
func cardPrefix(d []byte) bool {
	two := int(d[0])*10 + int(d[1])
	four := two*100 + int(d[2])*10 + int(d[3])
	switch {
	case d[0] == 4, two >= 50 && two <= 58, four >= 2200 && four <= 2204, four >= 2221 && four <= 2720:
		return true
	case two == 34, two == 37, two == 35, two == 36, two == 38, two == 30:
		return true
	case two >= 60 && two <= 69, two == 81:
		return true
	}
	return false
}

func luhn(d []byte) bool {
	sum := 0
	for i := range d {
		n := int(d[len(d)-1-i])
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
