package llm

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// quotes pairs the marks that open a string with those that close it.
var quotes = map[rune][]rune{
	'"': {'"'}, '\'': {'\''}, '`': {'`'}, '“': {'”', '“'}, '”': {'”'}, '‘': {'’'},
}

func (l *lenient) atQuote() bool {
	r, _ := utf8.DecodeRuneInString(l.s[l.i:])
	_, ok := quotes[r]
	return ok
}

// str reads a string. A closing quote counts only where a string may end; any
// other is part of the text, as in "say "hi" to her".
func (l *lenient) str(isKey bool) (string, error) {
	start := l.i
	s, err := l.strUntil(isKey, quotes)
	var je *jsonError
	if err == nil || !errors.As(err, &je) || !je.cut || isKey || l.s[start] != '"' {
		return s, err
	}
	// Llama 3 and Mixtral open strings with a straight quote and close them
	// with a curly one. That counts only if no other quote ends the string.
	again := lenient{s: l.s, i: start, depth: l.depth, paren: l.paren}
	if curly, cerr := again.strUntil(isKey, curlyClosed); cerr == nil && !strings.ContainsAny(curly, "“”") {
		l.i = again.i
		l.mend("quotes replaced")
		return curly, nil
	}
	return s, err
}

// curlyClosed are the quotes of a string that a curly quote closes.
var curlyClosed = map[rune][]rune{'"': {'”'}}

func (l *lenient) strUntil(isKey bool, quotes map[rune][]rune) (string, error) {
	open, n := utf8.DecodeRuneInString(l.s[l.i:])
	start := l.i
	l.i += n
	if open != '"' {
		l.mend("quotes replaced")
	}
	var b strings.Builder
	inner := 0
	for !l.eof() {
		r, n := utf8.DecodeRuneInString(l.s[l.i:])
		switch {
		case r == '\\':
			if err := l.escape(&b); err != nil {
				return "", err
			}
			continue
		case isCloser(quotes, open, r):
			l.i += n
			if l.stringEnds(isKey) {
				if open == '"' && inner%2 == 1 {
					l.i = start
					return "", l.errorf("a quote inside a string is not escaped")
				}
				return b.String(), nil
			}
			inner++
			l.mend("quote inside a string escaped")
			b.WriteRune(r)
			continue
		case r == '\n' || r == '\t' || r < 0x20:
			if isKey && r == '\n' {
				return "", l.errorf("a key is not closed")
			}
			l.mend("line break or tab inside a string escaped")
		}
		b.WriteString(l.s[l.i : l.i+n])
		l.i += n
	}
	return "", l.cutf("the JSON is cut off inside the string %q", clip(b.String(), 40))
}

func isCloser(quotes map[rune][]rune, open, r rune) bool {
	for _, c := range quotes[open] {
		if c == r {
			return true
		}
	}
	return false
}

// stringEnds reports, by what follows, whether a quote closes the string.
func (l *lenient) stringEnds(isKey bool) bool {
	probe := lenient{s: l.s, i: l.i, depth: l.depth}
	probe.space()
	if probe.eof() {
		return true
	}
	if isKey {
		return probe.accept(':', "：")
	}
	switch probe.peek() {
	case ',', '}', ']':
		return true
	case ')':
		return l.paren
	}
	if strings.HasPrefix(probe.s[probe.i:], "，") {
		return true
	}
	// Anything may follow a value at the top level. A missing comma is forgiven
	// if the next line is a key.
	if l.depth <= 1 {
		return true
	}
	return strings.Contains(l.s[l.i:probe.i], "\n") && probe.depth < maxDepth && probe.looksLikeKey()
}

// looksLikeKey is keyAhead without recursion: it looks for a quote, no line
// end, a quote and a colon.
func (l *lenient) looksLikeKey() bool {
	if l.peek() != '"' && l.peek() != '\'' {
		return false
	}
	q := l.peek()
	for j := l.i + 1; j < len(l.s) && j < l.i+80; j++ {
		switch l.s[j] {
		case '\n':
			return false
		case q:
			return strings.HasPrefix(strings.TrimLeft(l.s[j+1:], " \t"), ":")
		}
	}
	return false
}

var simpleEscapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '\'': '\'', '`': '`'}

// escape reads one escape. An escape that JSON does not have keeps its
// backslash: a model that writes \d means the two characters.
func (l *lenient) escape(b *strings.Builder) error {
	if l.i+1 >= len(l.s) {
		return l.cutf("the JSON is cut off inside an escape")
	}
	c := l.s[l.i+1]
	if plain, ok := simpleEscapes[c]; ok {
		if c == '\'' || c == '`' {
			l.mend("needless escape removed")
		}
		b.WriteByte(plain)
		l.i += 2
		return nil
	}
	if c == 'u' {
		if r, n := unicodeEscape(l.s[l.i:]); n > 0 {
			b.WriteRune(r)
			l.i += n
			return nil
		}
		if len(l.s)-l.i < 6 {
			return l.cutf("the JSON is cut off inside an escape")
		}
	}
	if c == '\n' { // a continued line, as in JavaScript
		l.mend("continued line joined")
		l.i += 2
		return nil
	}
	l.mend("stray backslash escaped")
	b.WriteByte('\\')
	l.i++
	return nil
}

// unicodeEscape reads \uXXXX or a surrogate pair. It returns the rune and how
// many bytes it read, 0 if there is no such escape.
func unicodeEscape(s string) (rune, int) {
	one := func(s string) (rune, bool) {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(s[2:6], 16, 32)
		return rune(v), err == nil //nolint:gosec // four hex digits fit
	}
	r, ok := one(s)
	if !ok {
		return 0, 0
	}
	if r >= 0xD800 && r < 0xDC00 {
		if low, ok := one(s[6:]); ok && low >= 0xDC00 && low < 0xE000 {
			return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, 12
		}
	}
	if r >= 0xD800 && r < 0xE000 {
		return utf8.RuneError, 6
	}
	return r, 6
}
