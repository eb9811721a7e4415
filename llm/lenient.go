package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lenient reads one JSON value and forgives slips of models: comments, trailing
// commas, single quotes, bare keys, Python's literals, line breaks and quotes
// inside strings, missing brackets at the end. It notes each in mends. It never
// guesses a continuation, as general JSON repairers do: text that breaks off
// inside a string or a number, before a value or after a comma is an error.
type lenient struct {
	s      string
	i      int
	depth  int
	mends  []string
	closed bool // brackets were missing at the end
	paren  bool // inside the parentheses of a call in Python's syntax
}

// maxDepth bounds the nesting: the text is not trusted.
const maxDepth = 100

// jsonError says why and where a text can't be read.
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

// peek returns the next byte, or 0 at the end.
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

// accept skips one of the tokens and reports whether it was there. A full-width
// one is noted in mends.
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

// end returns the error for a text that ends after a comma or an opening bracket.
func (l *lenient) end(afterComma bool) error {
	if afterComma {
		return l.cutf("the JSON is cut off after a comma")
	}
	return l.cutf("the JSON is cut off after an opening bracket")
}

// separator reads what follows a value: a comma, the closing bracket, the end
// of the text (brackets are missing), or a key or object on a new line (the
// comma is missing). more is true if another value follows.
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

// keyAhead reports whether a quoted key and its colon come next.
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

// word reads literals, Python's too, and a bare word, which is a string.
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
