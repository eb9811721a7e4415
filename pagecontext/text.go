package pagecontext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Flatten returns a page's text as one line: control, format (zero-width, bidi)
// and tag characters are removed, and every run of white space becomes one
// space. The page can then fake no line of what the model reads.
func Flatten(s string) string {
	if isFlat(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' || r == '\u2800' || r == '\u3164' || r == '\uffa0':
			space = true
			continue
		case r == utf8.RuneError, unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Co, unicode.Cs),
			r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF, r == '\u034f', r == '\u115f', r == '\u1160':
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return b.String()
}

// isFlat tells quickly whether s is plain ASCII that Flatten leaves as it is.
func isFlat(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < 0x20 || c >= 0x7f || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return s == "" || last != ' '
}

// quote puts page text in quotes and escapes quotes in it, so that it can't end them.
func quote(s string) string { return string(appendQuoted(nil, s)) }

// quoteLines is quote for a value, whose line breaks are written as \n.
func quoteLines(s string) string {
	return `"` + eachLine(s, `\n`, func(l string) string { q := quote(l); return q[1 : len(q)-1] }) + `"`
}

// flattenLines is Flatten for each line of a text.
func flattenLines(s string) string {
	return strings.TrimSpace(eachLine(s, "\n", Flatten))
}

// eachLine returns what f makes of each line, joined by sep.
func eachLine(s, sep string, f func(string) string) string {
	if !strings.Contains(s, "\n") {
		return f(s)
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = f(l)
	}
	return strings.Join(lines, sep)
}

// appendQuoted is quote for a line that is being written.
func appendQuoted(line []byte, s string) []byte {
	s = Flatten(s)
	line = append(line, '"')
	for i := range len(s) {
		if s[i] == '\\' || s[i] == '"' {
			line = append(line, '\\')
		}
		line = append(line, s[i])
	}
	return append(line, '"')
}

// Cut shortens s to at most n runes and says so with an ellipsis.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	i, left := 0, max(n-1, 0)
	for i = range s {
		if left == 0 {
			break
		}
		left--
	}
	return strings.TrimSpace(s[:i]) + "…"
}

// leastEnd is the least room, in characters, for cutWithin to keep the end of a text.
const leastEnd = 40

// shortRoom is the room below which cutWithin gives the end a third, not two fifths.
const shortRoom = 60

// cutWithin cuts a text of more than n characters in its middle, between words. It keeps
// the end, where a row has sums and states.
func cutWithin(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n || n < leastEnd || strings.HasSuffix(s, "…") { // already cut at its end
		return Cut(s, n)
	}
	share := n * 2 / 5
	if n < shortRoom {
		share = n / 3
	}
	end := string(rs[len(rs)-share-1:])
	if _, after, ok := strings.Cut(end, " "); ok {
		end = after
	}
	head := strings.TrimSuffix(Cut(s, n-len([]rune(end))-1), "…")
	if at := strings.LastIndexByte(head, ' '); at > len(head)*2/3 && s[len(head)] != ' ' {
		head = head[:at]
	}
	return head + "… " + end
}

const (
	leastTold = 24 // characters that a name must have to be cut in a row
	keptTold  = 14 // characters of it that are kept at least
)

// cutRow is cutWithin for a row: if it can, it cuts the longest name of an element that is
// written under the row.
func cutRow(s string, n int, under []Element) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	longest := ""
	for i := range under {
		if name := Flatten(shownName(&under[i])); len(name) > len(longest) && strings.Contains(s, name) {
			longest = name
		}
	}
	before, after, _ := strings.Cut(s, longest)
	begin := wholeWords(longest, max(keptTold, n-utf8.RuneCountInString(before+after)-2))
	room := n - utf8.RuneCountInString(before+begin) - 1
	if utf8.RuneCountInString(longest) < leastTold || after == "" || room < n/2 {
		return cutWithin(s, n)
	}
	if rs := []rune(after); len(rs) > room {
		_, after, _ = strings.Cut(string(rs[len(rs)-room:]), " ")
	}
	return before + begin + "… " + strings.TrimSpace(after)
}

// wholeWords returns about the first n characters of a text, cut between words if it has
// several.
func wholeWords(s string, n int) string {
	begin := strings.TrimSuffix(Cut(s, n+1), "…")
	if at := strings.LastIndexByte(begin, ' '); at > 0 && len(begin) < len(s) && s[len(begin)] != ' ' {
		return begin[:at]
	}
	return begin
}

// cutMiddle shortens s, such as an address, to at most n runes and keeps both ends.
func cutMiddle(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	return string(rs[:n/2]) + "…" + string(rs[len(rs)-(n-n/2-1):])
}

// Tokens estimates how many tokens a model makes of s: a quarter for an ASCII
// character, two thirds for a wide one (CJK, emoji), half for any other. It
// errs upward: an overrun of the window costs more than a line left out.
func Tokens(s string) int {
	quarters, wide := 0, 0
	for _, r := range s {
		switch {
		case r < 0x80:
			quarters++
		case isWide(r):
			wide++
		default:
			quarters += 2
		}
	}
	return (quarters+3)/4 + (wide*2+2)/3
}

func isWide(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF || r >= 0x2E80 && r <= 0xD7AF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0xFF00 && r <= 0xFFEF || r >= 0x1F000
}

// Visible removes direction controls and tag characters, which a user does not see, from a
// text. Everything else stays: line breaks, joiners of scripts and emoji.
func Visible(text string) string {
	if !strings.Contains(text, "\xe2\x80") && !strings.Contains(text, "\xe2\x81") && !strings.Contains(text, "\xf3\xa0") {
		return text // it has no first bytes of those characters
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(turned, r) || r >= 0xE0000 && r <= 0xE007F {
			return -1
		}
		return r
	}, text)
}

const turned = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
