package llm

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// AnswerParam names the action that ends a task, and its parameter that has the
// answer to the user.
type AnswerParam struct{ Action, Param string }

// callReader reads the thought and the answer from the JSON of a call while it
// streams, to show them to the user. It is lenient about the JSON. It returns an
// answer only once the action is known to be the one that ends a task.
type callReader struct {
	want AnswerParam
	// thought and answer are what was read since the last feed.
	thought, answer strings.Builder

	began   bool   // the first brace has come
	head    int    // bytes before it
	known   bool   // the action is the wanted one
	held    string // the answer, until the action is known
	stack   []byte // the open braces and brackets
	isKey   bool   // the next string is a key …
	first   bool   // … and the first of its object
	key     string // key of the next value
	inside  stringKind
	name    strings.Builder // the key, or the action
	pending string          // text that is not decoded yet
}

type stringKind int

const (
	noString stringKind = iota
	keyString
	otherString
	actionString
	thoughtString
	answerString
)

// maxHead is how many bytes may come before the first brace, and are kept of a key or
// an action's name. maxHeld is how many are kept of an answer whose action is not
// known.
const (
	maxHead = 80
	maxHeld = 64 << 10
)

var (
	thoughtKey = regexp.MustCompile(`^(?:thoughts?|thinking|reasoning)$`)
	actionKey  = regexp.MustCompile(`^(?:action|name|tool|function)$`)
)

// setName tells the reader the name of the function or action that is called.
func (c *callReader) setName(name string) {
	if c != nil && name != "" && name == c.want.Action {
		c.known = true
	}
}

// feed reads the next piece, and returns what it adds to the thought and the answer.
func (c *callReader) feed(text string) (thought, answer string) {
	c.thought.Reset()
	c.answer.Reset()
	if !c.began {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			c.head += len(text)
		}
		if at < 0 || c.head+at > maxHead {
			return "", ""
		}
		text, c.began = text[at:], true
	}
	c.pending += text
	for c.pending != "" && c.step() {
	}
	if c.known && c.held != "" {
		held := c.held
		c.held = ""
		return c.thought.String(), held + c.answer.String()
	}
	return c.thought.String(), c.answer.String()
}

// step reads one character or escape. It returns false if it needs more text.
func (c *callReader) step() bool {
	r, n := utf8.DecodeRuneInString(c.pending)
	if r == utf8.RuneError && !utf8.FullRuneInString(c.pending) {
		return false
	}
	if c.inside != noString {
		return c.inString(r, n)
	}
	c.pending = c.pending[n:]
	switch r {
	case '{', '[':
		if len(c.stack) == 0 && r == '{' {
			c.held = ""
		}
		c.stack = append(c.stack, byte(r))
		c.isKey, c.first = r == '{', r == '{'
	case '}', ']':
		if len(c.stack) > 0 {
			c.stack = c.stack[:len(c.stack)-1]
		}
		c.isKey = false
	case ',':
		c.isKey, c.first = len(c.stack) > 0 && c.stack[len(c.stack)-1] == '{', false
	case ':':
		c.isKey = false
	case '"':
		c.name.Reset()
		c.inside = c.kind()
	}
	return true
}

// kind returns the kind of the string that begins here.
func (c *callReader) kind() stringKind {
	switch {
	case c.isKey:
		return keyString
	case actionKey.MatchString(c.key):
		return actionString
	case len(c.stack) == 1 && c.first && thoughtKey.MatchString(c.key):
		return thoughtString
	case c.want.Param != "" && c.key == c.want.Param:
		return answerString
	default:
		return otherString
	}
}

func (c *callReader) inString(r rune, n int) bool {
	switch r {
	case '"':
		c.pending = c.pending[n:]
		switch c.inside {
		case keyString:
			c.key = c.name.String()
		case actionString:
			c.setName(c.name.String())
		}
		c.inside = noString
		return true
	case '\\':
		// The longest escape is a pair of surrogates.
		if len(c.pending) < 2 || c.pending[1] == 'u' && len(c.pending) < 12 && !strings.Contains(c.pending[2:], `"`) {
			return false
		}
		var b strings.Builder
		l := &lenient{s: c.pending}
		if l.escape(&b) != nil {
			return false
		}
		c.give(b.String())
		c.pending = c.pending[l.i:]
	default:
		c.give(c.pending[:n])
		c.pending = c.pending[n:]
	}
	return true
}

func (c *callReader) give(text string) {
	switch c.inside {
	case keyString, actionString:
		if c.name.Len() < maxHead {
			c.name.WriteString(text)
		}
	case thoughtString:
		c.thought.WriteString(text)
	case answerString:
		if c.known {
			c.answer.WriteString(text)
		} else if len(c.held) < maxHeld {
			c.held += text
		}
	case noString, otherString:
	}
}
