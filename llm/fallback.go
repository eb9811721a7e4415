package llm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// found is what was found in a text. attempted means that the model tried to call
// something, even if that can't be read; closed that brackets were missing at the
// end.
type found struct {
	calls     []Call
	rest      string
	mends     []string
	attempted bool
	closed    bool
	talk      bool // the text talks about calls, but makes none
	err       error
}

// ParseFallback reads calls from text as models write it: JSON in fences or bare,
// with prose or thinking around it, arrays, tool calls in the tags of a dozen model
// families. rest is the prose, mends says what was corrected. Names are matched
// against tools. Arguments are JSON objects, which only CheckCall checks. If a call
// can't be read, the error is an *Error of code bad_reply that says why.
func ParseFallback(text string, tools []Tool) (calls []Call, rest string, mends []string, err error) {
	f := findCalls(text, tools)
	return f.calls, f.rest, f.mends, f.err
}

// segment is a part of the text that has one or more calls. name is set if the name
// is outside the JSON.
type segment struct {
	start, end int
	name       string
	body       string
	kind       segmentKind
	closed     bool // the closing tag was there
}

type segmentKind int

const (
	kindTag    segmentKind = iota // certainly a call
	kindXML                       // a call with parameters as elements
	kindFence                     // maybe a call
	kindBare                      // JSON in prose
	kindPython                    // name(key=value)
)

func findCalls(text string, tools []Tool) found {
	text = undialect(normalize(text))
	if found, ok := fromHarmony(text, tools); ok {
		return found
	}
	thought, body := splitReasoning(text)
	if !hasWords(body) {
		if f := closedIn(text, thought, tools); len(f.calls) > 0 {
			return f
		}
	}
	if strings.TrimSpace(body) == "" {
		if thought != "" {
			return found{err: badReply("the reply holds only thinking and no action: after thinking, answer with the action")}
		}
		return found{err: badReply("the reply is empty: answer with one action")}
	}
	fences := fenceSegments(body)
	tags := tagSegments(body, tools)
	inTags := readSegments(body, tags, fences, tools)
	if len(tags) > 0 && !inTags.talk {
		return inTags
	}
	fenced := readSegments(body, fences, fences, tools)
	if fenced.attempted && !fenced.talk {
		return fenced
	}
	if segs := pythonSegments(body, tools); len(segs) > 0 {
		return readSegments(body, segs, nil, tools)
	}
	f := readSegments(body, bareSegments(body, append(fences, tags...)), nil, tools)
	if calls, note, err := readYAML(body, tools); !f.attempted && err == nil {
		return found{calls: calls, mends: note.mends, attempted: true, closed: note.closed}
	}
	switch {
	case f.attempted:
		return f
	case inTags.talk:
		return inTags
	case fenced.talk:
		return fenced
	}
	f.err = badReply("no action was found in the reply: answer with one JSON object that names the action")
	return f
}

// closedIn reads a call that comes alone and last before a closing tag of thinking
// without an opening tag, and after which no words follow.
func closedIn(text, thought string, tools []Tool) found {
	if _, tag := openingTag(text); tag != "" {
		return found{}
	}
	last := -1
	if i := strings.LastIndex("\n"+thought, "\n{"); i >= 0 {
		last = i
	}
	if tags := tagSegments(thought, tools); len(tags) > 0 {
		tag := tags[len(tags)-1]
		alone := strings.TrimSpace(strayTag.ReplaceAllString(thought[strings.LastIndexByte(thought[:tag.start], '\n')+1:tag.start], "")) == ""
		if alone && !hasWords(strayTag.ReplaceAllString(thought[tag.end:], "")) {
			last = tag.start
		}
	}
	if blocks := fenceSegments(thought); len(blocks) > 0 && blocks[len(blocks)-1].end == len(thought) {
		last = blocks[len(blocks)-1].start
	}
	if last < 0 {
		return found{}
	}
	call := thought[last:]
	for _, tag := range thinkTags { // only one thought, or this would recur again and again
		if strings.Contains(call, "</"+tag+">") {
			return found{}
		}
	}
	if f := findCalls(call, tools); f.rest == "" {
		return f
	}
	return found{}
}

// normalize unifies line ends and removes the chat template's marks that leaked
// into the text.
func normalize(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.ReplaceAll(text, "\ufeff", "")
	text = strings.ToValidUTF8(text, "\uFFFD")
	for {
		before := text
		trimmed := strings.TrimRight(text, " \t\n")
		for _, mark := range []string{"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "</s>", "<|endoftext|>", "<end_of_turn>", "<|end_of_text|>", "<|user|>", "<|observation|>", "<｜end▁of▁sentence｜>", "<eos>"} {
			if strings.HasSuffix(trimmed, mark) {
				text = strings.TrimSuffix(trimmed, mark)
			}
		}
		lead := strings.TrimLeft(text, " \t\n")
		for _, mark := range []string{"<s>", "<|im_start|>assistant", "<|start_header_id|>assistant<|end_header_id|>", "<|assistant|>", "<start_of_turn>model"} {
			if strings.HasPrefix(lead, mark) {
				text = strings.TrimPrefix(lead, mark)
			}
		}
		if text == before {
			return text
		}
	}
}

var thinkTags = []string{"think", "thinking", "thought", "reasoning", "reflection", "seed:think", "mm:think"}

// splitReasoning separates thinking from the answer. A closing tag alone ends
// thinking that the chat template began. An opening tag alone means that the reply
// ended before the answer began. Tags in the middle of a line or in a JSON string
// are text.
func splitReasoning(text string) (thought, rest string) {
	var thoughts []string
	for {
		start, tag := openingTag(text)
		if tag == "" {
			break
		}
		after := start + len(tag) + 2
		end := strings.Index(text[after:], "</"+tag+">")
		if end < 0 {
			thoughts = append(thoughts, text[after:])
			text = text[:start]
			break
		}
		thoughts = append(thoughts, text[after:after+end])
		text = text[:start] + text[after+end+len(tag)+3:]
	}
	for _, tag := range thinkTags {
		mark := "</" + tag + ">"
		i := strings.LastIndex(text, mark)
		if i < 0 || insideString(text[i+len(mark):]) {
			continue
		}
		thoughts = append(thoughts, text[:i])
		text = text[i+len(mark):]
	}
	return strings.TrimSpace(strings.Join(thoughts, "\n")), strings.TrimSpace(text)
}

// openingTag returns the first thinking tag at the beginning of a line and its
// position, or
// -1 and "".
func openingTag(text string) (int, string) {
	first, which := -1, ""
	for _, tag := range thinkTags {
		from := 0
		for {
			i := strings.Index(text[from:], "<"+tag+">")
			if i < 0 {
				break
			}
			i += from
			lead := text[:i]
			if nl := strings.LastIndexByte(lead, '\n'); nl >= 0 {
				lead = lead[nl+1:]
			}
			if strings.TrimSpace(lead) == "" || strings.HasSuffix(strings.TrimSpace(lead), ">") {
				if first < 0 || i < first {
					first, which = i, tag
				}
				break
			}
			from = i + 1
		}
	}
	return first, which
}

// insideString guesses from the rest of the line whether a closing tag is inside a
// JSON string: then a quote comes before any opening bracket.
func insideString(after string) bool {
	line, _, _ := strings.Cut(after, "\n")
	q := strings.IndexByte(line, '"')
	o := strings.IndexAny(line, "{[<")
	return q >= 0 && (o < 0 || q < o)
}

// alternatives matches words that offer several blocks as a choice, not as a
// sequence.
var alternatives = regexp.MustCompile(`(?i)\b(or|alternatively|alternative|option \w+|instead)\b|或者|或是`)

// readSegments reads the calls of segs in order. A tag must be readable. A fence or
// bare JSON that names no tool is a part of the prose, and so is a call that the
// text only talks about. blocks are the fences of the text.
func readSegments(text string, segs, blocks []segment, tools []Tool) found {
	var f found
	talk := ""
	var firstErr error
	var groups [][]Call
	var used []segment
	l := mendList{}
	for i, s := range segs {
		calls, note, err := s.read(tools)
		if errors.Is(err, errNotACall) {
			continue
		}
		f.attempted = true
		if why := s.talkReason(text, blocks); why != "" && (i+1 == len(segs) || !sameSentence(text[s.end:segs[i+1].start])) {
			talk = why
			continue
		}
		if err != nil {
			if firstErr == nil {
				firstErr = err
			}
			continue
		}
		l.add(note.mends...)
		f.closed = f.closed || note.closed
		if len(groups) > 0 && sameCalls(groups[len(groups)-1], calls) {
			// A draft and the same again count as one action, so that it is not done
			// twice.
			l.add(mendRepeated)
			used = append(used, s)
			continue
		}
		groups = append(groups, calls)
		used = append(used, s)
	}
	if firstErr != nil {
		f.err = firstErr
		return f
	}
	if len(groups) == 0 && talk != "" {
		f.talk = true
		f.err = badReply("nothing was done: an action is named in the reply, but %s. To do it, answer with that one object alone", talk)
		return f
	}
	f.rest, f.err = proseAround(text, used)
	if f.err != nil {
		return f
	}
	for _, g := range groups {
		f.calls = append(f.calls, g...)
	}
	f.mends = l.list
	return f
}

// proseAround returns the text outside the used segments. It returns an error if
// that text offers them as a choice.
func proseAround(text string, used []segment) (string, error) {
	var prose []string
	at := 0
	for i, s := range used {
		between := strings.TrimSpace(text[at:s.start])
		if i > 0 && s.kind != kindTag && s.kind != kindXML {
			if alternatives.MatchString(between) {
				return "", badReply("the reply offers several actions as a choice: decide on one, and answer with that alone")
			}
			if s.kind == kindBare && strings.Trim(between, ",;\n ") != "" {
				return "", badReply("the reply holds several actions with text between them: answer with one JSON object, or with one array in the order they are to be done")
			}
		}
		if between != "" {
			prose = append(prose, between)
		}
		at = s.end
	}
	if tail := strings.TrimSpace(text[at:]); tail != "" {
		prose = append(prose, tail)
	}
	rest := strings.Join(prose, "\n")
	if len(used) > 0 {
		rest = leftover.ReplaceAllString(rest, "")
		rest = strings.Trim(rest, ",;")
	}
	return strings.TrimSpace(rest), nil
}

func sameCalls(a, b []Call) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || string(a[i].Args) != string(b[i].Args) {
			return false
		}
	}
	return true
}

// once drops a call that is the same as the one before it, and the second half of
// the calls if it repeats the first: done twice, it might buy twice. It reports
// whether it dropped any.
func once(calls []Call) ([]Call, bool) {
	var out []Call
	for _, c := range calls {
		if n := len(out); n == 0 || !sameCalls(out[n-1:], []Call{c}) {
			out = append(out, c)
		}
	}
	if half := len(out) / 2; half > 0 && len(out)%2 == 0 && sameCalls(out[:half], out[half:]) {
		out = out[:half]
	}
	return out, len(out) < len(calls)
}

const mendRepeated = "repeated call dropped"

// mendList keeps each mend once.
type mendList struct{ list []string }

func (m *mendList) add(notes ...string) {
	for _, n := range notes {
		seen := false
		for _, old := range m.list {
			seen = seen || old == n
		}
		if !seen {
			m.list = append(m.list, n)
		}
	}
}

func badReplyIn(name string, err error) *Error {
	var je *jsonError
	if errors.As(err, &je) {
		return badReply("the arguments of %s can't be read: %s", name, je.Error())
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return badReply("the arguments of %s can't be read: %v", name, err)
}

// unreadable returns a JSON error as an error for the model.
func unreadable(err error) *Error {
	var je *jsonError
	if errors.As(err, &je) && je.cut {
		return badReply("%s: answer again with the whole object", je.Error())
	}
	return badReply("the JSON can't be read: %s", fmt.Sprint(err))
}
