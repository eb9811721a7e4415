package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Distances in font sizes.
const (
	wordGap   = 0.17 // between letters: a space without a glyph
	columnGap = 1.5  // between words: the next cell of a row
	sameLine  = 0.5  // the largest distance of baselines in a line
	guessed   = 0.5  // the width of a letter without one in the document
)

// place is the rounded position of painted text.
type place struct {
	text string
	x, y int
}

// again tells whether a glyph is painted a second time, to look bold.
func again(painted map[place]bool, g glyph, em float64) bool {
	at := place{g.text, int(math.Round(g.x / em * 16)), int(math.Round(g.y / em * 16))}
	for dx := -1; dx <= 1; dx++ {
		if painted[place{g.text, at.x + dx, at.y}] && strings.TrimSpace(g.text) != "" {
			return true
		}
	}
	painted[at] = true
	return false
}

// layOut makes lines of a page's glyphs, in the order of painting. That is the reading
// order in nearly every document, and the only order known in those with
// columns.
func layOut(glyphs []glyph) string {
	var b strings.Builder
	var last glyph
	end := 0.0
	painted := map[place]bool{}
	for _, g := range glyphs {
		if g.text == "" || strings.IndexFunc(g.text, isControl) >= 0 {
			continue
		}
		em := max(g.em, 1)
		if again(painted, g, em) {
			continue
		}
		switch down := math.Abs(g.y - last.y); {
		case last.text == "":
		case down > 2.2*em:
			b.WriteString("\n\n")
		case down > sameLine*em:
			b.WriteString("\n")
		case strings.TrimSpace(g.text) == "" || strings.TrimSpace(last.text) == "":
		case g.x-end > columnGap*em:
			b.WriteString("  ")
		case g.x-end > wordGap*em || g.x < last.x-em:
			b.WriteString(" ")
		}
		b.WriteString(g.text)
		last, end = g, g.x+g.wide
	}
	return tidy(b.String())
}

func isControl(r rune) bool { return r < ' ' && r != '\t' && r != '\n' || r == utf8.RuneError }

// tidy splits ligatures, puts right-to-left text into reading order, and removes
// repeated empty lines.
func tidy(s string) string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSpace(readable(line))
		if line != "" || len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, line)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// isForm tells whether r is a presentation form of an Arabic letter: a document that uses
// these has them in painting order, from left to right.
func isForm(r rune) bool { return r >= 0xFB50 && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC }

func readable(line string) string {
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		to, forms := i, 0
		for end := i; end < len(runes) && (isForm(runes[end]) || unicode.Is(unicode.Arabic, runes[end]) || forms > 0 && runes[end] == ' '); end++ {
			if runes[end] != ' ' {
				to = end + 1
			}
			if isForm(runes[end]) {
				forms++
			}
		}
		if forms > 0 {
			slices.Reverse(runes[i:to])
			i = to
		}
	}
	var b strings.Builder
	for _, r := range runes {
		if isForm(r) || r >= 0xFB00 && r <= 0xFB06 {
			b.WriteString(norm.NFKC.String(string(r)))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
