package llm

import (
	"regexp"
	"sort"
	"strings"
)

// fenceSegments returns the fenced blocks. The last one may lack its end.
func fenceSegments(text string) []segment {
	var segs []segment
	pos := 0
	for pos < len(text) {
		start, mark := nextFence(text, pos)
		if start < 0 {
			break
		}
		lineEnd := strings.IndexByte(text[start:], '\n')
		bodyStart := start + len(mark)
		info := text[bodyStart:]
		if lineEnd >= 0 {
			info = text[bodyStart : start+lineEnd]
		}
		// The block may be on one line: ```json {"a":1}```, ```{"a":1}```.
		word := fenceWord.FindString(info)
		bodyStart += len(word)
		end := strings.Index(text[bodyStart:], mark)
		seg := segment{start: start, kind: kindFence, name: ""}
		if end < 0 {
			seg.body, seg.end = text[bodyStart:], len(text)
		} else {
			end = fenceEnd(text, bodyStart, mark)
			seg.body, seg.end = text[bodyStart:end], end+len(mark)
		}
		if data, ok := fenceLanguages[strings.ToLower(strings.TrimSpace(word))]; ok && data {
			segs = append(segs, seg)
		}
		pos = seg.end
	}
	return segs
}

// fenceWord matches the language at a fence.
var fenceWord = regexp.MustCompile(`^[ \t]*[A-Za-z_][\w+.-]*`)

// fenceLanguages are the languages of blocks that may have a call. A block in
// any other language is an example of code and ignored.
var fenceLanguages = map[string]bool{
	"": true, "json": true, "json5": true, "jsonc": true, "jsonl": true, "javascript": true, "js": true, "tool_call": true,
	"tool": true, "tool_code": true, "action": true, "text": true, "plaintext": true, "xml": true, "function": true, "python": true,
	"tool_calls": true, "browser_action": true, "output": true, "typescript": true, "ts": true, "markdown": true, "py": true, "yaml": true, "yml": true,
}

func nextFence(text string, from int) (int, string) {
	a := strings.Index(text[from:], "```")
	b := strings.Index(text[from:], "~~~")
	switch {
	case a >= 0 && (b < 0 || a < b):
		return from + a, "```"
	case b >= 0:
		return from + b, "~~~"
	}
	return -1, ""
}

// fenceEnd returns the position of the closing fence: preferably one at the
// beginning of a line, since a string in the block may contain the mark, else
// the first.
func fenceEnd(text string, from int, mark string) int {
	first := from + strings.Index(text[from:], mark)
	for at := first; ; {
		if lead := text[from:at]; blankLine(lead) {
			return at
		}
		next := strings.Index(text[at+len(mark):], mark)
		if next < 0 {
			return first
		}
		at += len(mark) + next
		// A line that opens a block of its own ends the search.
		if blankLine(text[from:at]) && fenceWord.MatchString(text[at+len(mark):]) {
			return first
		}
	}
}

// blankLine reports whether the last line of lead is blank and not its first.
func blankLine(lead string) bool {
	nl := strings.LastIndexByte(lead, '\n')
	return nl >= 0 && strings.TrimSpace(lead[nl+1:]) == ""
}

// maxCandidates bounds the work on a text with many brackets.
const maxCandidates = 64

// bareSegments returns the JSON objects and arrays in prose. It also returns
// text that looks like a call and can't be read, so that the reader can say
// why.
func bareSegments(text string, skip []segment) []segment {
	var segs []segment
	tries := 0
	for i := 0; i < len(text) && tries < maxCandidates; i++ {
		if c := text[i]; c != '{' && c != '[' {
			continue
		}
		if end := inside(skip, i); end > 0 {
			i = end - 1
			continue
		}
		if !plausible(text[i:]) {
			continue
		}
		tries++
		l := lenient{s: text, i: i}
		_, err := l.value()
		if err == nil {
			segs = append(segs, segment{start: i, end: l.i, body: text[i:l.i], kind: kindBare})
			i = l.i - 1
			continue
		}
		if callish.MatchString(text[i:]) {
			segs = append(segs, segment{start: i, end: len(text), body: text[i:], kind: kindBare})
			return segs
		}
	}
	return segs
}

func inside(segs []segment, i int) int {
	for _, s := range segs {
		if i >= s.start && i < s.end {
			return s.end
		}
	}
	return 0
}

// plausibleJSON matches the beginning of JSON, not brackets in prose ([12],
// {name}).
var plausibleJSON = regexp.MustCompile("^(?:\\[\\s*)?\\{\\s*(?:[\"'“‘`]|[A-Za-z_]\\w*\\s*:|//|/\\*|\\\\\"|\\})")

func plausible(s string) bool { return plausibleJSON.MatchString(s) }

// callish matches the beginning of an object that is meant as a call, even if
// unreadable.
var callish = regexp.MustCompile(`^(?:\[\s*)?\{\s*\\?["'“‘]?(?:action|name|function|tool|tool_name|tool_calls|actions|thought|thinking|params|parameters|arguments|current_state)\\?["'”’]?\s*[:：]`)

// The tags that models put around a call, which stay in the text if a template
// or a server does not know them. Closing tags are often missing.
var tagForms = []struct {
	open, close *regexp.Regexp
}{
	{ // Hermes, Qwen, GLM, MiniMax, Seed, LongCat, phi-4, InternLM, Claude-like
		regexp.MustCompile(`(?i)<\|?(?:\w+:)?(?:tool_?calls?|function_?calls?)\|?>`),
		regexp.MustCompile(`(?i)<[|]?/\|?(?:\w+:)?(?:tool_?calls?|function_?calls?)\|?>`),
	},
	{regexp.MustCompile(`<\|tool_call_begin\|>`), regexp.MustCompile(`<\|tool_call_end\|>`)}, // Kimi K2
	{regexp.MustCompile(`<\|tool_call_start\|>`), regexp.MustCompile(`<\|tool_call_end\|>`)}, // LFM2
	{regexp.MustCompile(`<｜tool▁call▁begin｜>`), regexp.MustCompile(`<｜tool▁call▁end｜>`)},     // DeepSeek
	{regexp.MustCompile(`<\|python_tag\|>`), regexp.MustCompile(`<\|eom_id\|>`)},             // Llama 3
	{regexp.MustCompile(`<\|python_start\|>`), regexp.MustCompile(`<\|python_end\|>`)},       // Llama 4
	{regexp.MustCompile(`\[TOOL_CALLS?\]`), regexp.MustCompile(`\[/TOOL_CALLS?\]`)},          // Mistral
	{regexp.MustCompile(`<\|plugin\|>`), regexp.MustCompile(`<\|action_end\|>`)},             // InternLM
	{regexp.MustCompile(`functools(?:\s*)(?:\[)`), nil},                                      // phi-4-mini; the bracket belongs to the body
}

var (
	functionTag = regexp.MustCompile(`<function=([\w.:-]+)>|<function name="([\w.:-]+)">`)
	invokeTag   = regexp.MustCompile(`<(?:\w+:)?invoke name="([\w.:-]+)">`)
	reactAction = regexp.MustCompile(`(?m)^\s*\**Action\**:\**\s*` + "`?" + `([\w.-]+)` + "`?" + `\s*\n+\s*\**Action Input\**:\**\s*`)
)

// tagSegments returns the calls in tags. A tag ends at its closing tag, at the
// next opening one, or at the end of the text.
func tagSegments(text string, tools []Tool) []segment {
	var segs []segment
	for _, form := range tagForms {
		opens := form.open.FindAllStringIndex(text, -1)
		for i, at := range opens {
			limit := len(text)
			if i+1 < len(opens) {
				limit = opens[i+1][0]
			}
			bodyStart := at[1]
			if form.close == nil {
				bodyStart--
			}
			end, next := limit, limit
			if form.close != nil {
				if c := form.close.FindStringIndex(text[at[1]:limit]); c != nil {
					end, next = at[1]+c[0], at[1]+c[1]
					end, next = pastString(text, at[1], end, next, form.close)
				}
			}
			body := text[bodyStart:end]
			if strings.TrimSpace(body) == "" { // <tool_calls><tool_call>
				continue
			}
			segs = append(segs, segment{start: at[0], end: next, body: body, kind: kindTag})
		}
	}
	segs = append(segs, elementSegments(text, functionTag, "</function>")...)
	segs = append(segs, elementSegments(text, invokeTag, "</invoke>")...)
	for _, m := range reactAction.FindAllStringSubmatchIndex(text, -1) {
		name := text[m[2]:m[3]]
		if _, _, err := resolveName(name, tools); err != nil {
			continue
		}
		l := lenient{s: text, i: m[1]}
		end := len(text)
		if _, err := l.value(); err == nil {
			end = l.i
		}
		segs = append(segs, segment{start: m[0], end: end, name: name, body: text[m[1]:end], kind: kindTag})
	}
	return outermost(append(segs, formSegments(text, tools)...))
}

// pastString returns the end of a tag's JSON and of the tag. They are after end
// and next if the closing tag there is inside a string of that JSON.
func pastString(text string, start, end, next int, closing *regexp.Regexp) (int, int) {
	body := strings.TrimLeft(text[start:end], " \t\n")
	if !strings.HasPrefix(body, "{") && !strings.HasPrefix(body, "[") || readable(body) {
		return end, next
	}
	l := lenient{s: text, i: start}
	if _, err := l.value(); err != nil || l.i <= end {
		return end, next
	}
	if c := closing.FindStringIndex(text[l.i:]); c != nil {
		return l.i + c[0], l.i + c[1]
	}
	return l.i, l.i
}

// elementSegments returns calls such as <function=name>…</function> and <invoke
// name="…">…
func elementSegments(text string, open *regexp.Regexp, closing string) []segment {
	var segs []segment
	all := open.FindAllStringSubmatchIndex(text, -1)
	for i, m := range all {
		limit := len(text)
		if i+1 < len(all) {
			limit = all[i+1][0]
		}
		name := ""
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 {
				name = text[m[g]:m[g+1]]
			}
		}
		seg := segment{start: m[0], name: name, kind: kindXML}
		if c := strings.Index(text[m[1]:limit], closing); c >= 0 {
			seg.body, seg.end, seg.closed = text[m[1]:m[1]+c], m[1]+c+len(closing), true
		} else {
			seg.body, seg.end = text[m[1]:limit], limit
		}
		segs = append(segs, seg)
	}
	return segs
}

// outermost sorts segments and drops those inside another one. If a tag
// contains elements (Qwen3-Coder, Claude-like), it drops the tag: the elements
// are the calls.
func outermost(segs []segment) []segment {
	kept := segs[:0]
	for _, s := range segs {
		if s.kind != kindTag || !startsWithElement(s.body) {
			kept = append(kept, s)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool {
		if kept[i].start != kept[j].start {
			return kept[i].start < kept[j].start
		}
		return kept[i].end > kept[j].end
	})
	var out []segment
	for _, s := range kept {
		if n := len(out); n == 0 || s.start >= out[n-1].end {
			out = append(out, s)
		}
	}
	return out
}

func startsWithElement(body string) bool {
	body = strings.TrimSpace(body)
	for _, re := range []*regexp.Regexp{functionTag, invokeTag} {
		if at := re.FindStringIndex(body); at != nil && at[0] == 0 {
			return true
		}
	}
	return false
}

// leftover matches tags around calls that stay in the prose.
var leftover = regexp.MustCompile(`(?i)</?\|?/?(?:\w+:)?(?:tool_?calls?|function_?calls?|function|invoke)\|?>|<[|｜]/?tool[\w▁]*[|｜]>|\[/?TOOL_CALLS?\]|<\|action_(?:start|end)\|>|<\|plugin\|>|<\|e[o]m_id\|>`)
