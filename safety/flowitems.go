package safety

import (
	"strings"
	"unicode"
)

// itemKind says how well a piece of a text identifies the site it comes from.
type itemKind int

const (
	plain  itemKind = iota // one word: counts only in a short value
	strong                 // an order number, a code, a key: counts anywhere
	pair                   // two words, or four characters, in a row
)

// eachItem calls give with the pieces by which Memory knows a text, in order. piece is
// valid only during the call.
func eachItem(text string, give func(piece []byte, kind itemKind)) {
	text = asciiDigits(text)
	eachOf(words(fold(text)), give)
	for _, n := range groupedNumbers(text, 200) {
		give([]byte(n), strong)
	}
}

// groupedNumbers gives the digits of the first numbers written with marks between
// them (48,213.77) and with strongDigits digits or more, at most most of them.
func groupedNumbers(text string, most int) []string {
	if digitsIn(text) < strongDigits {
		return nil
	}
	var out []string
	for i, found := 0, 0; i < len(text) && found < most; {
		if !isDigitByte(text[i]) {
			i++
			continue
		}
		from, grouped := i, false
		for {
			for i < len(text) && isDigitByte(text[i]) {
				i++
			}
			mark := markLen(text[i:])
			if mark == 0 || i+mark == len(text) || !isDigitByte(text[i+mark]) {
				break
			}
			i += mark
			grouped = true
		}
		if !grouped {
			continue
		}
		found++
		if n := noSeparators(text[from:i]); len(n) >= strongDigits {
			out = append(out, n)
		}
	}
	return out
}

func isDigitByte(b byte) bool { return b >= '0' && b <= '9' }

// markLen gives the length in bytes of the mark between groups of digits with which
// s begins, or 0.
func markLen(s string) int {
	for _, mark := range []string{".", ",", "'", " ", "’", "\u00a0", "\u202f"} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}

// strongDigits is how many digits make a number identify where it was read.
const strongDigits = 5

func noSeparators(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// eachOf is eachItem for a list of words. Page text is long, so all pieces share one
// buffer, and each word is examined once, not once for each neighbour.
func eachOf(ws []string, give func(piece []byte, kind itemKind)) {
	if len(ws) == 0 {
		return
	}
	b := make([]byte, 0, 128)
	next := factsOf(ws[0])
	for i, w := range ws {
		f := next
		if kind, ok := f.alone(); ok {
			b = append(b[:0], w...)
			give(b, kind)
		}
		if i+1 < len(ws) {
			next = factsOf(ws[i+1])
			if f.areDistinctive(next) {
				b = append(append(append(b[:0], w...), ' '), ws[i+1]...)
				give(b, pair)
			}
			if f.areOneNumber(next) {
				b = append(append(b[:0], w...), ws[i+1]...)
				give(b, strong)
			}
		}
		if f.cjk {
			b = giveRuns(ws[i:], b, give)
		}
	}
}

// giveRuns gives the two and four characters that words begin with, in scripts
// without spaces; b is room to write them in.
func giveRuns(ws []string, b []byte, give func(piece []byte, kind itemKind)) []byte {
	b = b[:0]
	for n, w := range ws[:min(len(ws), 4)] {
		b = append(b, w...)
		switch {
		case n == 1 && !cjk(w):
			return b
		case n == 1:
			give(b, plain)
		case n == 3 && cjk(w):
			give(b, pair)
		}
	}
	return b
}

// wordFacts are the counts and properties of a word.
type wordFacts struct {
	n, letters, digits int // n in bytes
	cjk, everyday      bool
}

func factsOf(w string) wordFacts {
	f := wordFacts{n: len(w), cjk: cjk(w)}
	for _, r := range w {
		f.letters++
		if unicode.IsDigit(r) {
			f.digits++
		}
	}
	f.everyday = f.n < 3 || common[w]
	return f
}

// alone gives the kind of a single word; false if it counts for nothing.
func (a wordFacts) alone() (itemKind, bool) {
	switch {
	case a.digits > 0 && a.letters >= 5, a.letters >= 20:
		return strong, true
	case a.letters >= 4 && a.digits == 0 && !a.everyday:
		return plain, true
	}
	return plain, false
}

// areDistinctive reports two words that are not both everyday ones.
func (a wordFacts) areDistinctive(b wordFacts) bool {
	return a.n+b.n >= 8 && !a.cjk && !b.cjk && !(a.everyday && b.everyday)
}

// areOneNumber reports two words that may be groups of one number or code, so that it
// is found with marks between the groups or without.
func (a wordFacts) areOneNumber(b wordFacts) bool {
	return !a.cjk && !b.cjk && a.n+b.n <= 24 && a.digits+b.digits >= strongDigits
}

func cjk(w string) bool { return single(firstRune(w)) }

// eachOutgoingWord gives the items of a text that leaves: those of a short value whole,
// of a longer one only what tells its origin anywhere. In what has no spaces of
// its own, words that were run together are found too; of those sure is false,
// since not every stretch of letters tells something.
func eachOutgoingWord(text string, give func(text string, sure bool)) {
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
	eachOf(ws, func(piece []byte, kind itemKind) {
		if kind != plain || short {
			give(string(piece), true)
		}
	})
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
