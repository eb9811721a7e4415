package llm

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Some model families write a known form with their own characters: DeepSeek
// puts ｜DSML｜ into its tags, Gemma 4 has its own quotes, MiniMax loses angle
// brackets. undialect rewrites them into the form that the readers know. The
// rows of testdata/shapes say where each was seen.
func undialect(text string) string {
	text = dsmlTag.ReplaceAllString(text, "<$1")
	text = gemmaThought.ReplaceAllString(text, "<think>")
	text = strings.ReplaceAll(text, "<channel|>", "</think>")
	text = quoteMarks.ReplaceAllStringFunc(text, requote)
	text = strings.NewReplacer("<start_function_call>", "<tool_call>", "<end_function_call>", "</tool_call>").Replace(text)
	text = emptyInvoke.ReplaceAllString(text, `<invoke name="$1"></invoke>`)
	text = bareInvoke.ReplaceAllString(text, "$1")
	text = functionEquals.ReplaceAllString(text, "<function=$1>{")
	return withBrackets(bracketThinking(text))
}

var (
	dsmlTag      = regexp.MustCompile(`<(/?)(?:[｜‖|]{1,2}DSML[｜‖|]{1,2}|ifm\|)`)
	gemmaThought = regexp.MustCompile(`<\|channel>thought\b`)
	// quoteMarks matches strings in Gemma 4's quotes or in FunctionGemma's
	// escape marks.
	quoteMarks     = regexp.MustCompile(`(?s)<\|"\|>.*?<\|"\|>|<escape>.*?<escape>`)
	emptyInvoke    = regexp.MustCompile(`<invoke name="([\w.:-]+)"\s*/>`)
	bareInvoke     = regexp.MustCompile(`<invoke>\s*(<(?:tool_name|name)>)`)
	functionEquals = regexp.MustCompile(`<function=([\w.:-]+)=\s*\{`)
	lostBracket    = regexp.MustCompile(`(?m)^\s*invoke name="[\w.:-]+">`)
	openLost       = regexp.MustCompile(`(^|[^<\w/:])((?:invoke|parameter) name=")`)
)

// requote returns a string between such marks as a JSON string.
func requote(marked string) string {
	mark := `<|"|>`
	if strings.HasPrefix(marked, "<escape>") {
		mark = "<escape>"
	}
	quoted, err := marshalPlain(strings.TrimSuffix(strings.TrimPrefix(marked, mark), mark))
	if err != nil {
		return marked
	}
	return string(quoted)
}

// bracketThinking replaces Mistral's [THINK] by the usual tags, if the reply
// begins with it or if it is closed without having been opened.
func bracketThinking(text string) string {
	const open, end = "[THINK]", "[/THINK]"
	trimmed := strings.TrimLeft(text, " \t\n")
	if strings.HasPrefix(trimmed, open) {
		return strings.Replace("<think>"+trimmed[len(open):], end, "</think>", 1)
	}
	if i := strings.LastIndex(text, end); i >= 0 && !insideString(text[i+len(end):]) {
		return text[:i] + "</think>" + text[i+len(end):]
	}
	return text
}

// withBrackets restores the angle brackets that MiniMax M2 loses.
func withBrackets(text string) string {
	if strings.Contains(text, "<invoke") || !lostBracket.MatchString(text) {
		return text
	}
	text = openLost.ReplaceAllString(text, "$1<$2")
	for _, word := range []string{"parameter>", "invoke>"} {
		text = strings.ReplaceAll(text, word, "</"+word)
	}
	return text
}

// The forms in which a name comes before its arguments without a known tag.
// Each match ends with the arguments' opening bracket.
var namedForms = []*regexp.Regexp{
	regexp.MustCompile(`\[Calling tool:\s*([A-Za-z_][\w.-]*)\s*\(\s*\{`),
	regexp.MustCompile(`(?m)^\s*\**Action\**:\**\s*` + "`?" + `([A-Za-z_][\w.-]*)` + "`?" + `\s*\(\s*\{`),
	regexp.MustCompile(`\bto=(functions\.[\w-]+)[^{}\n]{0,40}\n?[^{}\n]{0,40}\{`),                     // Harmony without its marks
	regexp.MustCompile(`(?m)^\s*call:([A-Za-z_][\w.-]*)\s*\{`),                                        // Gemma 4 without its tag
	regexp.MustCompile(`(?:<(?:call|function)|declaration):(?:default_api:)?([A-Za-z_][\w.-]*)\s*\{`), // Gemini's, as text
	regexp.MustCompile(`(?m)^\s*([A-Za-z_][\w.-]*)>\s*\{`),                                            // <function= cut off
	regexp.MustCompile(`(?m)^([A-Za-z_][\w.-]*)[ \t]*\n\{`),                                           // GLM-4-0414
}

// formTail matches what may follow the arguments and is a part of the form.
var formTail = regexp.MustCompile(`^\s*(?:\)\s*\]?|</function>|/?>)`)

// formSegments returns the calls in those forms. Only names of tools count.
func formSegments(text string, tools []Tool) []segment {
	var segs []segment
	for _, form := range namedForms {
		for _, m := range form.FindAllStringSubmatchIndex(text, -1) {
			name := text[m[2]:m[3]]
			if _, _, err := resolveName(name, tools); err != nil || len(tools) == 0 {
				continue
			}
			l := lenient{s: text, i: m[1] - 1}
			end := len(text)
			if _, err := l.value(); err == nil {
				end = l.i
			}
			body := text[m[1]-1 : end]
			if tail := formTail.FindStringIndex(text[end:]); tail != nil {
				end += tail[1]
			}
			segs = append(segs, segment{start: m[0], end: end, name: name, body: body, kind: kindTag})
		}
	}
	for _, m := range bareArgPairs.FindAllStringSubmatchIndex(text, -1) {
		if _, _, err := resolveName(text[m[2]:m[3]], tools); err == nil && len(tools) > 0 {
			segs = append(segs, segment{start: m[0], end: m[1], body: text[m[0]:m[1]], kind: kindTag})
		}
	}
	for _, m := range attributeTag.FindAllStringSubmatchIndex(text, -1) {
		name, args := text[m[2]:m[3]], map[string]any{}
		for _, p := range attribute.FindAllStringSubmatch(text[m[4]:m[5]], -1) {
			args[p[1]] = p[2]
		}
		if raw, err := marshalPlain(args); err == nil && len(tools) > 0 && knowsAll(name, args, tools) {
			segs = append(segs, segment{start: m[0], end: m[1], name: name, body: string(raw), kind: kindTag})
		}
	}
	return append(segs, actionTags(text, tools)...)
}

// attributeTag matches <click index="5"/>, with the parameters as attributes.
var (
	attributeTag = regexp.MustCompile(`<([A-Za-z_]\w*)((?:\s+[A-Za-z_]\w*="[^"]*")+)\s*/>`)
	attribute    = regexp.MustCompile(`([A-Za-z_]\w*)="([^"]*)"`)
)

// bareArgPairs matches GLM's call without the tags around it.
var bareArgPairs = regexp.MustCompile(`(?s)\b([A-Za-z_][\w.-]*)\s*(?:<arg_key>.*?</arg_key>\s*<arg_value>.*?</arg_value>\s*)+`)

// actionTags returns calls such as <click><index>5</index></click>: the tag is
// the action, its elements are parameters that the action has. Other elements,
// such as select in HTML, are no calls.
func actionTags(text string, tools []Tool) []segment {
	var segs []segment
	for _, name := range allNames(tools) {
		open, end := "<"+name+">", "</"+name+">"
		for at := 0; ; {
			i := strings.Index(text[at:], open)
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(open)
			n := strings.Index(text[at:], end)
			if n < 0 {
				break
			}
			body := text[at : at+n]
			at += n + len(end)
			args, ok := elementArgs(body)
			if !ok || !knowsAll(name, args, tools) {
				continue
			}
			if raw, err := marshalPlain(args); err == nil {
				segs = append(segs, segment{start: start, end: at, name: name, body: string(raw), kind: kindTag})
			}
		}
	}
	return segs
}

func allNames(tools []Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(append(out, t.Name), schemaOf(t).actions...)
	}
	return out
}

// knowsAll reports whether the tool or action of that name has all the
// parameters.
func knowsAll(name string, args map[string]any, tools []Tool) bool {
	tool, action, err := resolveName(name, tools)
	if err != nil {
		return false
	}
	s := schemaOf(*tool)
	props := s.properties
	if p, ok := props["params"].(map[string]any); ok && action != "" {
		props, _ = p["properties"].(map[string]any)
	}
	for k := range args {
		if _, ok := props[k]; !ok {
			return false
		}
	}
	return true
}

var elementOpen = regexp.MustCompile(`^\s*<([A-Za-z_][\w-]*)>`)

// elementArgs reads a sequence of elements such as <index>5</index>. ok is
// false if there is anything else.
func elementArgs(body string) (map[string]any, bool) {
	args := map[string]any{}
	for strings.TrimSpace(body) != "" {
		m := elementOpen.FindStringSubmatch(body)
		if m == nil {
			return nil, false
		}
		body = body[len(m[0]):]
		end := strings.Index(body, "</"+m[1]+">")
		if end < 0 {
			return nil, false
		}
		if _, twice := args[m[1]]; twice {
			return nil, false
		}
		args[m[1]] = strings.Trim(body[:end], "\n")
		body = body[end+len(m[1])+3:]
	}
	return args, true
}

var (
	parenCall  = regexp.MustCompile(`(?s)^call:([A-Za-z_][\w.-]*)\s*\((.*)\)\s*$`)
	equalsCall = regexp.MustCompile(`^([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S+))+)\s*$`)
	equalsPair = regexp.MustCompile(`([A-Za-z_]\w*)=("[^"]*"|'[^']*'|\S+)`)
	namePair   = regexp.MustCompile(`(?s)^(?:<(?:tool_name|name)>)?\s*([\w.:-]+)\s*</(?:tool_name|name)>\s*<parameters>\s*(<.*>)\s*</parameters>`)
)

// readOddTag reads the rarer forms of a tag's body. ok is false for any other
// form.
func readOddTag(body string, tools []Tool) (calls []Call, note readNote, err error, ok bool) { //nolint:revive // err belongs to calls, ok to the form
	body = strings.TrimSpace(body)
	if m := parenCall.FindStringSubmatch(body); m != nil {
		calls, note, err = readNamed(m[1], "{"+m[2]+"}", tools)
		return calls, note, err, true
	}
	if m := equalsCall.FindStringSubmatch(body); m != nil {
		args := map[string]any{}
		for _, p := range equalsPair.FindAllStringSubmatch(m[2], -1) {
			args[p[1]] = strings.Trim(p[2], `"'`)
		}
		calls, note, err = oneCall(m[1], args, tools)
		return calls, note, err, true
	}
	if m := namePair.FindStringSubmatch(body); m != nil {
		if args, fine := elementArgs(m[2]); fine {
			calls, note, err = oneCall(m[1], args, tools)
			return calls, note, err, true
		}
	}
	return nil, note, nil, false
}

// absent reports whether a value is a word for no value: None, null, undefined.
func absent(v any) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	switch strings.TrimSpace(s) {
	case "None", "null", "undefined":
		return true
	}
	return false
}

// readable reports whether body is complete JSON, strict or lenient.
func readable(body string) bool {
	if json.Valid([]byte(body)) {
		return true
	}
	_, _, err := readValues(body)
	return err == nil
}
