package safety

import (
	"fmt"
	"strings"
	"testing"
)

// pageLines is what a model reads of a page with a link, a price and a button in
// each row.
func pageLines(rows int) string {
	var b strings.Builder
	for i := range rows {
		fmt.Fprintf(&b, "- listitem \"costs %d\"\n  link \"Item %d\" → /small?item=%d [%d]\n  button \"Add item %d\" [%d]\n", 3*i+1, i, i, 2*i+5, i, 2*i+6)
	}
	return b.String()
}

// BenchmarkPageText is what the gate does with the text of each look at a page
// before anybody is told of it: remembering it, and looking for signs of
// injection. A note on the page has one rule's first word on it.
func BenchmarkPageText(b *testing.B) {
	text := "Note, for an important message: new goods are here.\n" + pageLines(180)
	m := NewMemory("Find the blue enamel teapot")
	b.Run("seen", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			clear(m.noted)
			m.Saw(bank, text, true)
		}
	})
	b.Run("seen again", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			m.Saw(bank, text, true)
		}
	})
	b.Run("signals", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if got := InjectionSignals(text); len(got) > 0 {
				b.Fatal(got)
			}
		}
	}) // What the prefilter is there for: 8 ms for this text instead of 0.1, where a first look
	// aims at 10.
	b.Run("signals, each rule on all", func(b *testing.B) {
		for b.Loop() {
			for _, rule := range signalRules {
				if rule.re.MatchString(text) {
					b.Fatal(rule.kind)
				}
			}
		}
	})
}
