package llm

import (
	"errors"
	"regexp"
	"strings"
)

// The channels of gpt-oss ("Harmony"), which are in the text if a server does
// not parse them:
//
//	<|channel|>analysis<|message|>…<|end|><|start|>assistant<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>
var (
	harmonyHead = regexp.MustCompile(`<\|(?:start|channel)\|>`)
	harmonyEnd  = regexp.MustCompile(`<\|(?:end|call|return|start|channel)\|>`)
	harmonyTo   = regexp.MustCompile(`\bto=([\w.:-]+)`)
)

// fromHarmony reads such a text. It returns false if the text has no channels.
func fromHarmony(text string, tools []Tool) (found, bool) {
	if !strings.Contains(text, "<|message|>") || !strings.Contains(text, "<|channel|>") {
		return found{}, false
	}
	var f found
	var prose []string
	l := mendList{}
	calls := 0
	parts := strings.Split(text, "<|message|>")
	head := parts[0]
	for i, part := range parts[1:] {
		body, next, ended := part, "", i == len(parts)-2
		if at := harmonyEnd.FindStringIndex(part); at != nil {
			body, next, ended = part[:at[0]], part[at[0]:], true
		}
		// The head of this message is what follows the last mark before it.
		if at := harmonyHead.FindAllStringIndex(head, -1); len(at) > 1 {
			head = head[at[0][0]:]
		}
		to := harmonyTo.FindStringSubmatch(head)
		switch {
		case to != nil && to[1] != "assistant" && ended:
			calls++
			f.attempted = true
			got, note, err := readNamed(to[1], strings.TrimSpace(body), tools)
			if err != nil {
				f.err = err
				return f, true
			}
			f.calls = append(f.calls, got...)
			l.add(note.mends...)
			f.closed = f.closed || note.closed
		case strings.Contains(head, "analysis"):
			// thinking
		default:
			prose = append(prose, strings.TrimSpace(body))
		}
		head = next
	}
	f.mends = l.list
	f.rest = strings.TrimSpace(strings.Join(prose, "\n"))
	if calls == 0 {
		inner := findCalls(f.rest, tools)
		if f.rest == "" {
			inner.err = badReply("the reply holds only thinking and no action: after thinking, answer with the action")
		}
		return inner, true
	}
	return f, true
}

// pythonCall matches name( at the start of a call in Python's syntax.
var pythonCall = regexp.MustCompile(`([A-Za-z_][\w.]*)\(`)

// pythonSegments returns the text as a segment if it begins with a call in
// Python's syntax, name(key=value), in a list of calls, or in print(). Gemma and
// Llama 4 write such calls when they are told of functions.
func pythonSegments(text string, tools []Tool) []segment {
	trimmed := strings.TrimSpace(text)
	trimmed = strings.TrimPrefix(trimmed, "print(")
	trimmed = strings.TrimLeft(trimmed, "[ \n\t")
	m := pythonCall.FindStringSubmatchIndex(trimmed)
	if m == nil || m[0] != 0 {
		return nil
	}
	if _, _, err := resolveName(trimmed[m[2]:m[3]], tools); err != nil || len(tools) == 0 {
		return nil
	}
	return []segment{{start: 0, end: len(text), body: text, kind: kindPython}}
}

// readPython reads calls with keyword arguments, or with one object of them.
// Other positional arguments are an error: their parameters could only be
// guessed.
func readPython(body string, tools []Tool) ([]Call, readNote, error) {
	l := &lenient{s: strings.TrimSpace(body), paren: true, depth: 1}
	printed := strings.HasPrefix(l.s, "print(")
	if printed {
		l.i = len("print(")
	}
	listed := l.accept('[', "")
	var calls []Call
	var note readNote
	for {
		l.space()
		m := pythonCall.FindStringSubmatchIndex(l.s[l.i:])
		if m == nil || m[0] != 0 {
			return nil, note, badReply("a call can't be read at %q", l.next(20))
		}
		name := l.s[l.i+m[2] : l.i+m[3]]
		l.i += m[1]
		args, err := l.keywords()
		if err != nil {
			return nil, note, badReplyIn(name, err)
		}
		got, n, err := oneCall(name, args, tools)
		if err != nil {
			return nil, note, err
		}
		calls = append(calls, got...)
		note.mends = append(note.mends, n.mends...)
		l.space()
		if l.accept(',', "") || l.accept(';', "") {
			continue
		}
		if listed {
			l.accept(']', "")
		}
		if printed {
			l.accept(')', "")
		}
		l.space()
		if l.eof() {
			return calls, note, nil
		}
		if printed && strings.HasPrefix(l.s[l.i:], "print(") {
			l.i += len("print(")
			continue
		}
		if at := pythonCall.FindStringIndex(l.s[l.i:]); at == nil || at[0] != 0 {
			return nil, note, badReply("text follows the call: %q", l.next(20))
		}
	}
}

var errPositional = errors.New("arguments need their names, as in name(key=value)")

// onlyObject reads arguments that are one object, as in name({…}). It returns
// false if they are not.
func (l *lenient) onlyObject(before map[string]any) (map[string]any, bool) {
	if len(before) > 0 || l.peek() != '{' {
		return nil, false
	}
	probe := *l
	v, err := probe.value()
	obj, ok := v.(map[string]any)
	if probe.space(); err != nil || !ok || !probe.accept(')', "") {
		return nil, false
	}
	*l = probe
	return obj, true
}

func (l *lenient) keywords() (map[string]any, error) {
	args := map[string]any{}
	for {
		l.space()
		if l.accept(')', "") {
			return args, nil
		}
		if l.eof() {
			return nil, l.cutf("the call is cut off")
		}
		if obj, isObject := l.onlyObject(args); isObject {
			return obj, nil
		}
		start := l.i
		for !l.eof() && (l.s[l.i] == '_' || l.s[l.i] >= '0' && l.s[l.i] <= '9' || l.s[l.i]|32 >= 'a' && l.s[l.i]|32 <= 'z') {
			l.i++
		}
		key := l.s[start:l.i]
		l.space()
		if key == "" || !l.accept('=', "") {
			return nil, errPositional
		}
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		args[key] = v
		l.space()
		if !l.accept(',', "") && l.peek() != ')' {
			return nil, l.errorf("expected a comma or a closing parenthesis, found %q", l.next(12))
		}
	}
}
