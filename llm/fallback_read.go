package llm

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

// errNotACall is the error for JSON that is no call, such as an example or data.
var errNotACall = errors.New("not a call")

type readNote struct {
	mends  []string
	closed bool
}

// read returns the calls of one segment.
func (s segment) read(tools []Tool) ([]Call, readNote, error) {
	switch s.kind {
	case kindXML:
		return readXML(s, tools)
	case kindPython:
		return readPython(s.body, tools)
	case kindTag:
		return readTag(s, tools)
	case kindBare, kindFence:
	}
	return readLoose(s.body, tools)
}

// readLoose reads a fence or bare JSON. The error is errNotACall if it is no call.
func readLoose(body string, tools []Tool) ([]Call, readNote, error) {
	trimmed := strings.TrimLeft(body, " \t\n")
	if trimmed == "" {
		return nil, readNote{}, errNotACall
	}
	if startsWithElement(trimmed) || strings.HasPrefix(trimmed, "<") {
		if segs := tagSegments(trimmed, tools); len(segs) > 0 {
			return readAll(segs, tools)
		}
		return nil, readNote{}, errNotACall
	}
	if c := trimmed[0]; c != '{' && c != '[' && c != '"' && !strings.HasPrefix(trimmed, "//") && !strings.HasPrefix(trimmed, "/*") {
		if segs := pythonSegments(trimmed, tools); len(segs) > 0 {
			return readAll(segs, tools)
		}
		if m := namedJSON.FindStringSubmatch(trimmed); m != nil {
			if _, _, err := resolveName(m[1], tools); err == nil {
				return readNamed(m[1], trimmed[len(m[0])-1:], tools)
			}
		}
		return readYAML(trimmed, tools)
	}
	values, note, err := readValues(body)
	if err != nil {
		if !callish.MatchString(trimmed) {
			return nil, note, errNotACall
		}
		return nil, note, unreadable(err)
	}
	calls, mends, err := interpretAll(values, tools)
	note.mends = append(note.mends, mends...)
	return calls, note, err
}

func readAll(segs []segment, tools []Tool) ([]Call, readNote, error) {
	var calls []Call
	var note readNote
	for _, s := range segs {
		c, n, err := s.read(tools)
		if err != nil {
			return nil, note, err
		}
		calls = append(calls, c...)
		note.mends = append(note.mends, n.mends...)
		note.closed = note.closed || n.closed
	}
	return calls, note, nil
}

// readValues reads one or more JSON values in a row.
func readValues(body string) ([]any, readNote, error) {
	var values []any
	var note readNote
	l := &lenient{s: body}
	if esc := strings.TrimLeft(body, " \t\n"); strings.HasPrefix(esc, `{\"`) || strings.HasPrefix(esc, `[{\"`) {
		l.s = strings.ReplaceAll(strings.ReplaceAll(esc, `\"`, `"`), `\\`, `\`)
		note.mends = append(note.mends, "escaped JSON unescaped")
	}
	for {
		v, err := l.value()
		if err != nil {
			return nil, note, err
		}
		if s, ok := v.(string); ok { // the whole object as a JSON string
			inner := &lenient{s: s}
			if v, err = inner.value(); err != nil {
				return nil, note, err
			}
			note.mends = append(note.mends, "JSON in a string unpacked")
		}
		values = append(values, v)
		l.space()
		for strings.IndexByte(",;", l.peek()) >= 0 && !l.eof() {
			l.i++
			l.space()
		}
		if strings.Trim(l.s[l.i:], "}]; \t\n") == "" {
			if strings.ContainsAny(l.s[l.i:], "}]") {
				l.mend("bracket too many removed")
			}
			break
		}
		if c := l.peek(); c != '{' && c != '[' {
			return nil, note, l.errorf("text follows the JSON: %q", l.next(20))
		}
	}
	note.mends = append(note.mends, l.mends...)
	note.closed = l.closed
	return values, note, nil
}

var (
	innerFence = regexp.MustCompile("^\\s*(?:```\\w*|<tool_code>)\\s*|\\s*(?:```|</tool_code>)\\s*$")
	// namedJSON matches a name before its arguments, get_time {"a":1}, also with
	// what Mistral ([ARGS], [CALL_ID]), Kimi and DeepSeek put between the two.
	namedJSON = regexp.MustCompile("^(?:function\\s*<｜tool▁sep｜>|to=)?\\s*([A-Za-z_][\\w.:/-]*)\\s*" +
		"(?:\\[CALL_ID\\]\\w*)?(?:\\[ARGS\\]|<\\|tool_call_argument_begin\\|>|<｜tool▁sep｜>|<\\|message\\|>|```\\w*|\\(|:|=)?\\s*\\{")
	argPair  = regexp.MustCompile(`(?s)<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>`)
	xmlParam = regexp.MustCompile(`<(?:\w+:)?parameter(?:=([\w.-]+)|\s+name="([\w.-]+)"[^>]*)>`)
	xmlPair  = regexp.MustCompile(`(?s)^<(?:name|tool_name)>\s*([\w.:-]+)\s*</(?:name|tool_name)>\s*<(?:arguments|parameters|args|params)>(.*?)(?:</(?:arguments|parameters|args|params)>|$)`)
)

// readTag reads the body of a tag, which is certainly a call.
func readTag(s segment, tools []Tool) ([]Call, readNote, error) {
	body := innerFence.ReplaceAllString(s.body, "")
	trimmed := strings.TrimLeft(body, " \t\n")
	if s.name != "" {
		return readNamed(s.name, trimmed, tools)
	}
	if strings.HasPrefix(trimmed, "[") && len(pythonSegments(trimmed, tools)) > 0 {
		return readPython(trimmed, tools)
	}
	switch {
	case strings.HasPrefix(trimmed, "{"), strings.HasPrefix(trimmed, "["), strings.HasPrefix(trimmed, `"`):
		values, note, err := readValues(body)
		if err != nil {
			values, err = firstValue(body, err)
		}
		if err != nil {
			return nil, note, unreadable(err)
		}
		calls, mends, err := interpretAll(values, tools)
		note.mends = append(note.mends, mends...)
		if errors.Is(err, errNotACall) {
			err = badReply("the tool call names no tool: it should be {\"name\": …, \"arguments\": {…}}")
		}
		return calls, note, err
	case argPair.MatchString(trimmed):
		name, _, _ := strings.Cut(trimmed, "<arg_key>")
		args := map[string]any{}
		for _, m := range argPair.FindAllStringSubmatch(trimmed, -1) {
			args[strings.TrimSpace(m[1])] = strings.TrimSpace(m[2])
		}
		return oneCall(strings.TrimSpace(name), args, tools)
	}
	if calls, note, err, ok := readOddTag(trimmed, tools); ok {
		return calls, note, err
	}
	if m := xmlPair.FindStringSubmatch(trimmed); m != nil {
		return readNamed(m[1], strings.TrimSpace(m[2]), tools)
	}
	if m := namedJSON.FindStringSubmatch(trimmed); m != nil {
		rest := strings.TrimRight(trimmed[len(m[0])-1:], ") \n\t`")
		return readNamed(m[1], rest, tools)
	}
	if segs := pythonSegments(trimmed, tools); len(segs) > 0 {
		return readAll(segs, tools)
	}
	if name := strings.TrimSpace(trimmed); bareName.MatchString(name) {
		return oneCall(name, map[string]any{}, tools)
	}
	return nil, readNote{}, badReply("the tool call can't be read: %q is neither JSON nor a known form", clip(strings.TrimSpace(trimmed), 60))
}

// firstValue reads the JSON at the beginning of a tag that was not closed, so
// that words follow. It returns cause if that is not the case.
func firstValue(body string, cause error) ([]any, error) {
	l := &lenient{s: body}
	v, err := l.value()
	if err != nil || l.closed || strings.ContainsAny(l.s[l.i:], "{}[]<>\"") {
		return nil, cause
	}
	return []any{v}, nil
}

var bareName = regexp.MustCompile(`^[A-Za-z_][\w.:-]*$`)

// readNamed reads the arguments of a call whose name is outside the JSON.
func readNamed(name, body string, tools []Tool) ([]Call, readNote, error) {
	if strings.TrimSpace(body) == "" {
		return oneCall(name, map[string]any{}, tools)
	}
	values, note, err := readValues(body)
	if err != nil {
		return nil, note, badReplyIn(name, err)
	}
	args, ok := values[0].(map[string]any)
	if !ok || len(values) != 1 {
		return nil, note, badReply("the arguments of %s should be one JSON object", name)
	}
	calls, more, err := oneCall(name, args, tools)
	note.mends = append(note.mends, more.mends...)
	return calls, note, err
}

func oneCall(name string, args map[string]any, tools []Tool) ([]Call, readNote, error) {
	calls, mends, err := resolveCalls(name, args, tools)
	return calls, readNote{mends: mends}, err
}

// functionEnd matches how Llama 3.1 sometimes closes a function.
var functionEnd = regexp.MustCompile(`\}\s*<function>\s*$`)

// readXML reads parameters that are elements, or JSON in an element
// (<function=name>{…}</function>). Values are text; CheckCall converts them.
//
// A parameter ends where the next one begins or the call ends, closed or not:
// parameters do not nest, and Qwen3-Coder forgets the closing tag in long tasks.
// If neither comes, the parameter was cut off.
func readXML(s segment, tools []Tool) ([]Call, readNote, error) {
	name, body := s.name, functionEnd.ReplaceAllString(s.body, "}")
	var note readNote
	if t := strings.TrimSpace(body); strings.HasPrefix(t, "{") {
		return readNamed(name, body, tools)
	}
	args := map[string]any{}
	all := xmlParam.FindAllStringSubmatchIndex(body, -1)
	for i, m := range all {
		limit := len(body)
		if i+1 < len(all) {
			limit = all[i+1][0]
		}
		key := ""
		for g := 2; g < 6; g += 2 {
			if m[g] >= 0 {
				key = body[m[g]:m[g+1]]
			}
		}
		value := body[m[1]:limit]
		end := strings.LastIndex(value, "</parameter>")
		if end < 0 {
			end = strings.LastIndex(value, ":parameter>")
			if end >= 0 {
				end = strings.LastIndexByte(value[:end], '<')
			}
		}
		switch {
		case end >= 0:
			value = value[:end]
		case i+1 < len(all) || s.closed:
			note.mends = append(note.mends, "missing </parameter> added")
		default:
			return nil, readNote{}, badReply("the call of %s is cut off inside the parameter %q", name, key)
		}
		value = strings.TrimSuffix(strings.TrimPrefix(value, "\n"), "\n")
		if _, twice := args[key]; twice {
			return nil, readNote{}, badReply("the call of %s gives the parameter %q twice", name, key)
		}
		args[key] = value
	}
	if len(all) == 0 && strings.TrimSpace(body) != "" {
		return nil, readNote{}, badReply("the call of %s can't be read: %q", name, clip(strings.TrimSpace(body), 60))
	}
	calls, more, err := oneCall(name, args, tools)
	note.mends = append(note.mends, more.mends...)
	return calls, note, err
}

// parseArgs reads the arguments of a native call from their text.
func parseArgs(text string) (map[string]any, []string, error) {
	if strings.TrimSpace(text) == "" || strings.TrimSpace(text) == "null" {
		return map[string]any{}, nil, nil
	}
	values, note, err := readValues(text)
	if err != nil {
		return nil, nil, err
	}
	if note.closed {
		return nil, nil, badReply("the arguments are cut off before their last bracket")
	}
	args, ok := values[0].(map[string]any)
	if !ok || len(values) != 1 {
		return nil, nil, badReply("the arguments should be one JSON object")
	}
	return args, note.mends, nil
}

func marshalArgs(args map[string]any) (json.RawMessage, error) {
	b, err := marshalPlain(args)
	if err != nil {
		return nil, badReply("the arguments can't be written as JSON: %v", err)
	}
	return b, nil
}

// marshalPlain is json.Marshal without the escapes for HTML, which cost tokens
// and confuse small models.
func marshalPlain(v any) ([]byte, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}
