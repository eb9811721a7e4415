package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Distances in sizes of the font.
const (
	wordGap   = 0.17 // between letters: a space that no glyph stands for
	columnGap = 1.5  // between words: the next cell of a row
	sameLine  = 0.5  // how far the baselines of a line may be apart
	guessed   = 0.5  // the width of a letter that the document gives none for
)

// place is about where text is painted.
type place struct {
	text string
	x, y int
}

// again tells what is painted twice, to look bold.
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

// layOut makes lines of the glyphs of a page, in the order in which they are painted:
// that is the order of reading in nearly every document, and the only one known in
// those with columns.
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

// tidy takes apart ligatures, puts what runs from right to left into the order of
// reading, and takes away empty lines that follow one another.
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

// isForm tells the forms that Arabic letters have in print: a document that gives
// those gives them as they are painted, from left to right.
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
