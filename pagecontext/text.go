package pagecontext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Flatten makes one line of a page's text: control, format (zero-width, bidi)
// and tag characters go, and every run of white space becomes one space. The
// page can then fake neither a line nor a delimiter of what the model reads.
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

// isFlat is the quick way out for plain ASCII that needs nothing done.
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

// quote puts page text between quotes that the text itself can't end.
func quote(s string) string { return string(appendQuoted(nil, s)) }

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

// leastEnd is the least room in which the end of a text is kept as well.
const leastEnd = 40

// shortRoom is what a text has to have room for to keep more of its end than a third.
const shortRoom = 60

// cutWithin cuts a text of more than n characters in its middle, between words, so that
// it keeps its end: of a row that is where sums and states stand.
func cutWithin(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n || n < leastEnd || strings.HasSuffix(s, "…") { // whose end is not known
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
	leastTold = 24 // characters of a name that is worth being left out
	keptTold  = 14 // and what stays of it at least
)

// cutRow is cutWithin for a row: the cut is made, where it can be, in the longest name of
// an element that is written under it.
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

// wholeWords is the beginning of a text of more than n characters, without half a word
// where it has several.
func wholeWords(s string, n int) string {
	begin := strings.TrimSuffix(Cut(s, n+1), "…")
	if at := strings.LastIndexByte(begin, ' '); at > 0 && len(begin) < len(s) && s[len(begin)] != ' ' {
		return begin[:at]
	}
	return begin
}

// cutMiddle shortens s to at most n runes and keeps both ends, as of an address.
func cutMiddle(s string, n int) string {
	rs := []rune(s)
	if len(rs) <= n {
		return s
	}
	return string(rs[:n/2]) + "…" + string(rs[len(rs)-(n-n/2-1):])
}

// Tokens estimates how many tokens a model makes of s: four Latin letters are
// about one, a CJK character is about one and a half tokens' worth of two
// thirds; the estimate errs upward, as a window overrun costs more than a
// line left out.
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

// Visible leaves out of a text what turns it around and the tag characters, which nobody
// sees; everything else stays, line breaks and the joiners of scripts and pictures too.
func Visible(text string) string {
	if !strings.Contains(text, "\xe2\x80") && !strings.Contains(text, "\xe2\x81") && !strings.Contains(text, "\xf3\xa0") {
		return text // none of them begins so
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(turned, r) || r >= 0xE0000 && r <= 0xE007F {
			return -1
		}
		return r
	}, text)
}

const turned = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
