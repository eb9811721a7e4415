package safety

import (
	"regexp"
	"strings"
	"unicode"
)

// item is a piece of a text that tells where it comes from.
type item struct {
	text string
	kind itemKind
}

type itemKind int

const (
	plain  itemKind = iota // one word: tells something only in a short value
	strong                 // an order number, a code, a key: tells it anywhere
	pair                   // two words, or four characters, in a row
)

// items are the pieces by which a text is remembered.
func items(text string) []item {
	text = asciiDigits(text)
	out := itemsOf(words(fold(text)))
	for _, n := range groupedNumbers(text, 200) {
		out = append(out, item{n, strong})
	}
	return out
}

// groupedNumber is a number with marks between its digits: 48,213.77.
var groupedNumber = regexp.MustCompile(`\d+(?:[.,'’\x{a0}\x{202f} ]\d+)+`)

// groupedNumbers gives the digits of the first such numbers that tell something.
func groupedNumbers(text string, most int) []string {
	if digitsIn(text) < strongDigits {
		return nil
	}
	var out []string
	for _, n := range groupedNumber.FindAllString(text, most) {
		if n = noSeparators(n); len(n) >= strongDigits {
			out = append(out, n)
		}
	}
	return out
}

// strongDigits is how many digits tell where a number was read.
const strongDigits = 5

func noSeparators(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

func itemsOf(ws []string) []item {
	out := make([]item, 0, 2*len(ws))
	next := wordFacts{}
	if len(ws) > 0 {
		next = factsOf(ws[0])
	}
	for i, w := range ws {
		f := next
		if it, ok := single1(w); ok {
			out = append(out, it)
		}
		if i+1 < len(ws) {
			next = factsOf(ws[i+1])
			if f.telling(next) {
				out = append(out, item{w + " " + ws[i+1], pair})
			}
			if f.grouped(next) {
				out = append(out, item{w + ws[i+1], strong})
			}
		}
		if f.cjk {
			out = append(out, runs(ws, i)...)
		}
	}
	return out
}

// wordFacts is what a word adds to a pair: of the words of a long text each is
// looked at once, not once for each neighbour.
type wordFacts struct {
	n, digits     int
	cjk, everyday bool
}

func factsOf(w string) wordFacts {
	f := wordFacts{n: len(w), cjk: cjk(w)}
	for _, r := range w {
		if unicode.IsDigit(r) {
			f.digits++
		}
	}
	f.everyday = f.n < 3 || common[w]
	return f
}

// single1 is what one word tells.
func single1(w string) (item, bool) {
	digits, n := 0, 0
	for _, r := range w {
		n++
		if unicode.IsDigit(r) {
			digits++
		}
	}
	switch {
	case digits > 0 && n >= 5, n >= 20:
		return item{w, strong}, true
	case n >= 4 && digits == 0 && !common[w]:
		return item{w, plain}, true
	}
	return item{}, false
}

// telling reports two words that are not both everyday ones.
func (a wordFacts) telling(b wordFacts) bool {
	return a.n+b.n >= 8 && !a.cjk && !b.cjk && !(a.everyday && b.everyday)
}

// grouped reports two groups of a number or a code, which is written with marks
// between them or without.
func (a wordFacts) grouped(b wordFacts) bool {
	return !a.cjk && !b.cjk && a.n+b.n <= 24 && a.digits+b.digits >= strongDigits
}

func cjk(w string) bool { return single(firstRune(w)) }

// runs are the two and four characters that begin at i, in scripts without
// spaces.
func runs(ws []string, i int) []item {
	var out []item
	for _, n := range []int{2, 4} {
		if i+n > len(ws) || !cjk(ws[i+n-1]) {
			break
		}
		kind := plain
		if n == 4 {
			kind = pair
		}
		out = append(out, item{strings.Join(ws[i:i+n], ""), kind})
	}
	return out
}

// outgoing gives the items of a text that leaves: those of a short value whole,
// of a longer one only what tells its origin anywhere. In what has no spaces of
// its own, words that were run together are found too; of those sure is false,
// since not every stretch of letters tells something.
func outgoing(text string, give func(text string, sure bool)) {
	text = asciiDigits(text)
	ws := words(fold(text))
	chars, letters := 0, 0
	for _, w := range ws {
		letters += len(w)
		if cjk(w) {
			chars++
		}
	}
	short := len(ws)-chars <= shortValue && chars <= 6
	for _, it := range itemsOf(ws) {
		if it.kind != plain || short {
			give(it.text, true)
		}
	}
	for _, n := range groupedNumbers(text, 50) {
		give(n, true)
	}
	// "johnsmith4711", "j o h n", "joh nsm ith"
	const shortest, longest, most = 7, 24, 400
	apart := len(ws) >= 5 && letters <= 2*len(ws) || len(ws) > 1 && len(ws) <= 10 && letters <= 5*len(ws)
	if !apart && strings.ContainsFunc(strings.TrimSpace(text), unicode.IsSpace) {
		return
	}
	s := strings.Join(ws, "")
	s = s[:min(len(s), most)]
	for i := range s {
		for n := shortest; n <= longest && i+n <= len(s); n++ {
			give(s[i:i+n], false)
		}
	}
}
