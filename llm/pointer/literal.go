package pointer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// errCut is the error for text that ends in the middle of a value.
var errCut = errors.New("the reply is cut off in the middle of an action: answer more briefly")

// literal reads a value in the syntax of JSON or Python, which models mix.
type literal struct {
	s     string
	i     int
	depth int
}

// mostDepth bounds how deep values may be nested.
const mostDepth = 30

// object reads the object at the beginning of text, and returns where it ends.
func object(text string) (fields map[string]any, end int, err error) {
	l := literal{s: text}
	v, err := l.value()
	if err != nil {
		return nil, 0, err
	}
	fields, ok := v.(map[string]any)
	if !ok {
		return nil, 0, errors.New("an action is an object in {}")
	}
	return fields, l.i, nil
}

func (l *literal) space() {
	for l.i < len(l.s) && strings.ContainsRune(" \t\r\n", rune(l.s[l.i])) {
		l.i++
	}
}

// next skips spaces and returns the next character, 0 at the end.
func (l *literal) next() byte {
	if l.space(); l.i == len(l.s) {
		return 0
	}
	return l.s[l.i]
}

func (l *literal) value() (any, error) {
	if l.depth++; l.depth > mostDepth {
		return nil, errors.New("values lie too deep in each other")
	}
	defer func() { l.depth-- }()
	switch c := l.next(); c {
	case 0:
		return nil, errCut
	case '{':
		return l.object()
	case '[':
		return l.items(']')
	case '(':
		return l.items(')')
	case '"', '\'':
		return l.text()
	default:
		return l.word()
	}
}

func (l *literal) object() (any, error) {
	out := map[string]any{}
	for l.i++; ; {
		switch c := l.next(); c {
		case 0:
			return nil, errCut
		case '}':
			l.i++
			return out, nil
		case ',':
			l.i++
			continue
		case '"', '\'':
		default:
			return nil, fmt.Errorf("%q stands where the name of a field is expected", string(c))
		}
		name, err := l.text()
		if err != nil {
			return nil, err
		}
		if c := l.next(); c == 0 {
			return nil, errCut
		} else if c != ':' {
			return nil, fmt.Errorf("a colon is missing after %q", name)
		}
		l.i++
		if out[name], err = l.value(); err != nil {
			return nil, err
		}
		if c := l.next(); c != ',' && c != '}' && c != 0 {
			return nil, fmt.Errorf("a comma is missing after the value of %q", name)
		}
	}
}

func (l *literal) items(end byte) (any, error) {
	out := []any{}
	for l.i++; ; {
		switch c := l.next(); c {
		case 0:
			return nil, errCut
		case end:
			l.i++
			return out, nil
		case ',':
			l.i++
			continue
		}
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		if c := l.next(); c != ',' && c != end && c != 0 {
			return nil, errors.New("a comma is missing in a list")
		}
	}
}

func (l *literal) text() (string, error) {
	quote := l.s[l.i]
	var b strings.Builder
	for l.i++; l.i < len(l.s); {
		switch c := l.s[l.i]; c {
		case quote:
			l.i++
			return b.String(), nil
		case '\\':
			n, err := unescape(&b, l.s[l.i:])
			if err != nil {
				return "", err
			}
			l.i += n
		default:
			b.WriteByte(c)
			l.i++
		}
	}
	return "", errCut
}

// unescape writes the character that the escape at the beginning of s stands
// for, and returns the length of the escape.
func unescape(b *strings.Builder, s string) (int, error) {
	if len(s) < 2 {
		return 0, errCut
	}
	switch s[1] {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'u':
		if len(s) < 6 {
			return 0, errCut
		}
		n, err := strconv.ParseUint(s[2:6], 16, 32)
		if err != nil {
			return 0, fmt.Errorf("%q is no character", s[:6])
		}
		c := rune(n)
		if c >= 0xd800 && c < 0xdc00 && len(s) >= 12 && s[6] == '\\' && s[7] == 'u' { // the first of two halves
			if m, err := strconv.ParseUint(s[8:12], 16, 32); err == nil && m >= 0xdc00 && m < 0xe000 {
				b.WriteRune((c-0xd800)<<10 + rune(m) - 0xdc00 + 0x10000)
				return 12, nil
			}
		}
		b.WriteRune(c)
		return 6, nil
	default:
		c, n := utf8.DecodeRuneInString(s[1:])
		b.WriteRune(c)
		return 1 + n, nil
	}
	return 2, nil
}

// word reads a number or a word: true, false, null and their names in Python.
func (l *literal) word() (any, error) {
	from := l.i
	for l.i < len(l.s) && !strings.ContainsRune(" \t\r\n,:{}[]()\"'<", rune(l.s[l.i])) {
		l.i++
	}
	word := l.s[from:l.i]
	switch word {
	case "true", "True":
		return true, nil
	case "false", "False":
		return false, nil
	case "null", "None":
		return nil, nil //nolint:nilnil // it is what stands there
	}
	if n, err := strconv.ParseFloat(word, 64); err == nil {
		return n, nil
	}
	if l.i == len(l.s) {
		return nil, errCut
	}
	return nil, fmt.Errorf("%q is no value", word)
}
