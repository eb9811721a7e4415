package llm

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lenient reads one JSON value as a person would read what a model wrote:
// comments, trailing commas, single quotes, bare keys, Python's literals,
// line breaks and quotes inside strings, missing brackets at the end. Each
// slip it forgives is noted. It never completes: what breaks off inside a
// string or a number, before a value or after a comma, is an error, because
// the rest would be a guess. (A general JSON repairer guesses; hence this.)
type lenient struct {
	s      string
	i      int
	depth  int
	mends  []string
	closed bool // brackets were missing at the end
	paren  bool // inside the parentheses of a call in Python's manner
}

// maxDepth bounds nesting, since the text comes from outside.
const maxDepth = 100

// jsonError is why a text can't be read, and where.
type jsonError struct {
	pos int
	msg string
	cut bool // the text ends too early
}

func (e *jsonError) Error() string { return fmt.Sprintf("%s at character %d", e.msg, e.pos+1) }

func (l *lenient) errorf(format string, args ...any) error {
	return &jsonError{pos: l.i, msg: fmt.Sprintf(format, args...)}
}

func (l *lenient) cutf(format string, args ...any) error {
	return &jsonError{pos: l.i, msg: fmt.Sprintf(format, args...), cut: true}
}

func (l *lenient) mend(s string) {
	for _, m := range l.mends {
		if m == s {
			return
		}
	}
	l.mends = append(l.mends, s)
}

func (l *lenient) eof() bool { return l.i >= len(l.s) }

// peek gives the next byte, or 0 at the end.
func (l *lenient) peek() byte {
	if l.eof() {
		return 0
	}
	return l.s[l.i]
}

// space skips white space and comments.
func (l *lenient) space() {
	for !l.eof() {
		rest := l.s[l.i:]
		switch {
		case strings.HasPrefix(rest, "//"), rest[0] == '#':
			l.mend("comment removed")
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				l.i += n
			} else {
				l.i = len(l.s)
			}
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest, "*/")
			if n < 0 {
				return
			}
			l.mend("comment removed")
			l.i += n + 2
		default:
			r, n := utf8.DecodeRuneInString(rest)
			if !unicode.IsSpace(r) && r != '\u200b' && r != '\ufeff' {
				return
			}
			l.i += n
		}
	}
}

// accept skips one of the given tokens; a full-width one is a mend.
func (l *lenient) accept(plain byte, wide string) bool {
	if l.peek() == plain {
		l.i++
		return true
	}
	if wide != "" && strings.HasPrefix(l.s[l.i:], wide) {
		l.i += len(wide)
		l.mend("full-width punctuation replaced")
		return true
	}
	return false
}

func (l *lenient) value() (any, error) {
	l.depth++
	defer func() { l.depth-- }()
	if l.depth > maxDepth {
		return nil, l.errorf("the JSON is nested too deeply")
	}
	l.space()
	if l.eof() {
		return nil, l.cutf("the JSON is cut off where a value should stand")
	}
	switch c := l.peek(); {
	case c == '{':
		return l.object()
	case c == '[':
		return l.array()
	case l.atQuote():
		return l.str(false)
	case c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9':
		return l.number()
	}
	return l.word()
}

func (l *lenient) object() (any, error) {
	l.i++
	out := map[string]any{}
	for {
		l.space()
		if l.eof() {
			return out, l.end(len(out) > 0)
		}
		if l.accept('}', "") {
			return out, nil
		}
		key, err := l.key()
		if err != nil {
			return nil, err
		}
		l.space()
		if !l.accept(':', "：") {
			if l.eof() {
				return nil, l.cutf("the JSON is cut off after the key %q", clip(key, 40))
			}
			return nil, l.errorf("a colon is missing after the key %q", clip(key, 40))
		}
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		if old, twice := out[key]; twice && !sameJSON(old, v) {
			return nil, l.errorf("the key %q stands there twice with different values", clip(key, 40))
		}
		out[key] = v
		more, err := l.separator('}')
		if err != nil || !more {
			return out, err
		}
	}
}

func (l *lenient) array() (any, error) {
	l.i++
	out := []any{}
	for {
		l.space()
		if l.eof() {
			return out, l.end(len(out) > 0)
		}
		if l.accept(']', "") {
			return out, nil
		}
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		more, err := l.separator(']')
		if err != nil || !more {
			return out, err
		}
	}
}

// end is reached at the end of the text inside a bracket. When a comma or an
// opening bracket came last, more was to follow.
func (l *lenient) end(afterComma bool) error {
	if afterComma {
		return l.cutf("the JSON is cut off after a comma")
	}
	return l.cutf("the JSON is cut off after an opening bracket")
}

// separator reads what follows a value: a comma, the closing bracket, the end
// of the text (brackets are missing), or the next key on a line of its own
// (the comma is missing).
func (l *lenient) separator(closer byte) (more bool, err error) {
	before := l.i
	l.space()
	if l.eof() {
		l.closed = true
		l.mend("missing bracket at the end added")
		return false, nil
	}
	if l.accept(closer, "") {
		return false, nil
	}
	if l.accept(',', "，") {
		for l.space(); l.peek() == ','; l.space() {
			l.i++
			l.mend("doubled comma removed")
		}
		if l.peek() == closer {
			l.i++
			l.mend("trailing comma removed")
			return false, nil
		}
		return true, nil
	}
	if closer == '}' && strings.Contains(l.s[before:l.i], "\n") && l.keyAhead() {
		l.mend("missing comma added")
		return true, nil
	}
	if closer == ']' && strings.Contains(l.s[before:l.i], "\n") && l.peek() == '{' {
		l.mend("missing comma added")
		return true, nil
	}
	return false, l.errorf("expected a comma or %q, found %q", string(closer), l.next(12))
}

// keyAhead says whether a quoted key and its colon come next.
func (l *lenient) keyAhead() bool {
	if !l.atQuote() {
		return false
	}
	probe := lenient{s: l.s, i: l.i, depth: l.depth}
	if _, err := probe.str(true); err != nil {
		return false
	}
	probe.space()
	return probe.accept(':', "：")
}

func (l *lenient) next(n int) string { return clip(l.s[l.i:], n) }

func (l *lenient) key() (string, error) {
	if l.atQuote() {
		return l.str(true)
	}
	start := l.i
	for !l.eof() {
		r, n := utf8.DecodeRuneInString(l.s[l.i:])
		if r != '_' && r != '$' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		l.i += n
	}
	if l.i == start {
		return "", l.errorf("expected a key, found %q", l.next(12))
	}
	l.mend("unquoted key quoted")
	return l.s[start:l.i], nil
}

func (l *lenient) number() (any, error) {
	start := l.i
	for !l.eof() && strings.IndexByte("+-.0123456789eE", l.s[l.i]) >= 0 {
		l.i++
	}
	raw := l.s[start:l.i]
	if l.eof() && l.depth > 1 {
		return nil, l.cutf("the JSON is cut off inside or after the number %s", clip(raw, 20))
	}
	if r, _ := utf8.DecodeRuneInString(l.s[l.i:]); !l.eof() && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
		l.i = start
		return nil, l.errorf("%q is not a number", l.next(12))
	}
	fixed := strings.TrimPrefix(raw, "+")
	sign := ""
	if strings.HasPrefix(fixed, "-") {
		sign, fixed = "-", fixed[1:]
	}
	if strings.HasPrefix(fixed, ".") {
		fixed = "0" + fixed
	}
	fixed = sign + strings.TrimSuffix(fixed, ".")
	if !json.Valid([]byte(fixed)) {
		l.i = start
		return nil, l.errorf("%q is not a number", raw)
	}
	if fixed != raw {
		l.mend("number rewritten")
	}
	return json.Number(fixed), nil
}

// word reads the literals, Python's too, and a bare word as a string.
func (l *lenient) word() (any, error) {
	start := l.i
	for !l.eof() {
		r, n := utf8.DecodeRuneInString(l.s[l.i:])
		if r != '_' && r != '-' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		l.i += n
	}
	w := l.s[start:l.i]
	switch w {
	case "true", "false", "null":
	case "True", "False", "None":
		l.mend("Python literal replaced")
	case "", "undefined", "NaN", "Infinity":
		l.i = start
		return nil, l.errorf("expected a value, found %q", l.next(12))
	default:
		if l.eof() {
			return nil, l.cutf("the JSON is cut off inside the word %q", clip(w, 20))
		}
		at := l.i
		l.space()
		if c := l.peek(); c != ',' && c != '}' || l.depth < 2 {
			l.i = start
			return nil, l.errorf("expected a value, found %q", l.next(12))
		}
		l.i = at
		l.mend("unquoted word quoted")
		return w, nil
	}
	switch w {
	case "true", "True":
		return true, nil
	case "false", "False":
		return false, nil
	}
	return nil, nil
}

func sameJSON(a, b any) bool {
	x, err1 := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err1 == nil && err2 == nil && string(x) == string(y)
}

// quotes pairs the marks that open a string with those that close it.
var quotes = map[rune][]rune{
	'"': {'"'}, '\'': {'\''}, '`': {'`'}, '“': {'”', '“'}, '”': {'”'}, '‘': {'’'},
}

func (l *lenient) atQuote() bool {
	r, _ := utf8.DecodeRuneInString(l.s[l.i:])
	_, ok := quotes[r]
	return ok
}

// str reads a string. A closing quote counts only where a string may end;
// any other is part of the text, as in "say "hi" to her".
func (l *lenient) str(isKey bool) (string, error) {
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
		case isCloser(open, r):
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

func isCloser(open, r rune) bool {
	for _, c := range quotes[open] {
		if c == r {
			return true
		}
	}
	return false
}

// stringEnds looks at what follows a closing quote.
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
	// A value at the top may be followed by anything; a missing comma is
	// forgiven when the next line is a key.
	if l.depth <= 1 {
		return true
	}
	return strings.Contains(l.s[l.i:probe.i], "\n") && probe.depth < maxDepth && probe.looksLikeKey()
}

// looksLikeKey is keyAhead without recursion: a quote, no line end, a quote
// and a colon.
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

// escape reads one escape. One that JSON does not know keeps its backslash:
// a model that writes \d means the two characters.
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
	if c == '\n' { // a line continued, as in JavaScript
		l.mend("continued line joined")
		l.i += 2
		return nil
	}
	l.mend("stray backslash escaped")
	b.WriteByte('\\')
	l.i++
	return nil
}

// unicodeEscape reads \uXXXX and surrogate pairs of them.
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
