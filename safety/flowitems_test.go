package safety

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

type givenItem struct {
	text string
	kind itemKind
}

// everyItem is what eachItem gives, word by word and with an expression for
// numbers.
func everyItem(text string) []givenItem {
	text = asciiDigits(text)
	var out []givenItem
	ws := words(fold(text))
	at := func(i int) string {
		if i < len(ws) {
			return ws[i]
		}
		return ""
	}
	digits := func(w string) int {
		return strings.Count(strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return '0'
			}
			return 'x'
		}, w), "0")
	}
	for i, w := range ws {
		n, next := utf8.RuneCountInString(w), at(i+1)
		switch {
		case digits(w) > 0 && n >= 5, n >= 20:
			out = append(out, givenItem{w, strong})
		case n >= 4 && digits(w) == 0 && !common[w]:
			out = append(out, givenItem{w, plain})
		}
		everyday := func(w string) bool { return len(w) < 3 || common[w] }
		if next != "" && !cjk(w) && !cjk(next) {
			if len(w)+len(next) >= 8 && !(everyday(w) && everyday(next)) {
				out = append(out, givenItem{w + " " + next, pair})
			}
			if len(w)+len(next) <= 24 && digits(w)+digits(next) >= strongDigits {
				out = append(out, givenItem{w + next, strong})
			}
		}
		if cjk(w) && cjk(next) {
			out = append(out, givenItem{w + next, plain})
			if cjk(at(i + 3)) {
				out = append(out, givenItem{strings.Join(ws[i:i+4], ""), pair})
			}
		}
	}
	for _, n := range groupedNumber.FindAllString(text, 200) {
		if n = noSeparators(n); len(n) >= strongDigits {
			out = append(out, givenItem{n, strong})
		}
	}
	return out
}

var groupedNumber = regexp.MustCompile(`\d+(?:[.,'’\x{a0}\x{202f} ]\d+)+`)

// madeText is a text of words, numbers and signs of several scripts.
func madeText(rnd *rand.Rand, most int) string {
	pieces := []string{
		"Order", "the", "account", "Kontoauszug", "iPhone14Pro", "48", "213", "7", "77", "4711", "٤٨", "４２", "付款", "日期", "한국", "การ", "é", "straße", "ΣΑΣ", "a", "x9", "Müller",
		"supercalifragilisticexpialidocious", "INV-2024-00017", "\u200b", "\xff", "🛒", "ー", "字",
	}
	marks := []string{" ", " ", " ", ".", ",", "'", "’", "\u00a0", "\u202f", "\n", "", "", "-", " , ", "..", "  "}
	var b strings.Builder
	for range rnd.IntN(most) {
		b.WriteString(pieces[rnd.IntN(len(pieces))] + marks[rnd.IntN(len(marks))])
	}
	return b.String()
}

func TestItemsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	kinds := map[itemKind]int{}
	for i := range 5000 {
		text := madeText(rnd, 24)
		if i == 0 { // of more numbers than are taken
			for n := range 300 {
				text += fmt.Sprintf(" %d,%03d.%02d x", 10+n, n, n%100)
			}
		}
		var got []givenItem
		eachItem(text, func(piece []byte, kind itemKind) { got = append(got, givenItem{string(piece), kind}) })
		want := everyItem(text)
		if !slices.Equal(got, want) {
			t.Fatalf("%q:\n%v, want\n%v", text, got, want)
		}
		for _, it := range want {
			kinds[it.kind]++
		}
	}
	if kinds[plain] < 100 || kinds[strong] < 100 || kinds[pair] < 100 {
		t.Errorf("too few to say anything: %v", kinds)
	}
}

// TestSawAgain: what is seen again is remembered as if each look was taken in
// anew, over several sites and after older things were forgotten.
func TestSawAgain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 9))
	m, every := NewMemory(""), NewMemory("")
	every.seed = m.seed
	texts := make([]string, 20) // on three sites, in two ways: more than are noted
	for i := range texts {
		texts[i] = madeText(rnd, 40)
	}
	same := func(what string) {
		t.Helper()
		if !maps.Equal(m.seen, every.seen) || !slices.Equal(m.ring, every.ring) || m.next != every.next || !slices.Equal(m.sites, every.sites) {
			t.Fatalf("%s: %d items, want %d", what, len(m.seen), len(every.seen))
		}
	}
	skipped, emptied := 0, 0
	look := func(site, text string, own bool) {
		clear(every.noted)
		every.Saw(site, text, own)
		before := len(m.noted)
		switch m.Saw(site, text, own); {
		case len(m.noted) == before:
			skipped++
		case len(m.noted) < before:
			emptied++
		}
	}
	for i := range 1000 {
		look(fmt.Sprintf("s%d.test", rnd.IntN(3)), texts[rnd.IntN(len(texts))], rnd.IntN(2) == 0)
		if i%40 == 0 {
			same("few")
		}
	}
	same("few")
	if skipped < 200 || emptied == 0 {
		t.Errorf("%d of 1000 looks were known, and what is noted was emptied %d times", skipped, emptied)
	}
	for i := range 12 { // more than is kept
		var b strings.Builder
		for n := range 6000 {
			fmt.Fprintf(&b, "w%dx%d ", i, n)
		}
		for _, text := range []string{texts[i%len(texts)], b.String(), texts[i%len(texts)], b.String(), texts[(i+1)%len(texts)]} {
			look("s0.test", text, true)
		}
		same("many")
	}
	if len(m.ring) < maxSeen {
		t.Errorf("only %d items: nothing was forgotten", len(m.ring))
	}
}

// TestFoldASCII: the short way of fold for plain letters is the long one.
func TestFoldASCII(t *testing.T) {
	for r := rune(0); r < unicode.MaxLatin1; r++ {
		if v, ok := letterVariants[r]; ok && r < utf8.RuneSelf {
			t.Errorf("%q is written %q", r, v)
		}
		if r > ' ' && r < 0x7F && (invisible(r) || stripMark(r) || unicode.IsSpace(r) || unicode.ToLower(r) != rune(lowerByte(byte(r)))) {
			t.Errorf("%q is not what it is", r)
		}
		if got, want := invisible(r), unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && !unicode.IsSpace(r); got != want {
			t.Errorf("%q is invisible: %t", r, got)
		}
	}
}
