package agent

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

const (
	// A page may still be on its way to showing what came of an act.
	evidenceLooks = 3
	evidenceWait  = 500 * time.Millisecond
	evidenceLines = 40 // that the model is shown
	outcomeOutput = 600
)

// inferOutcome looks on the page for evidence that an act was done. If done is false,
// the page does not show it.
func (r *run) inferOutcome(ctx context.Context, a journal.Act) (done bool, evidence string, err error) {
	var fresh, sure []string
	for look := range evidenceLooks {
		if look > 0 {
			select {
			case <-time.After(evidenceWait):
			case <-ctx.Done():
				return false, "", context.Cause(ctx)
			}
		}
		obs, err := r.observe(ctx)
		if err != nil {
			return false, "", err
		}
		fresh, sure = newLines(a, obs)
		if evidence, ok := shows(a, obs, sure); ok {
			return true, evidence, nil
		}
		if len(fresh) > 0 {
			break
		}
	}
	if quote := r.askOutcome(ctx, a, fresh); quote != "" {
		return true, quote, nil
	}
	if ctx.Err() != nil {
		return false, "", context.Cause(ctx)
	}
	return false, "", nil
}

// shows tells whether a page shows by itself that an act was done: what was
// acted on is gone, and another page, or words that surely are new, have come in
// its place.
func shows(a journal.Act, o action.Observation, sure []string) (evidence string, ok bool) {
	if o.Dialog != nil || o.Elements == nil || a.URL == "" || !targetGone(a, o) {
		return "", false
	}
	web := strings.HasPrefix(o.URL, "http://") || strings.HasPrefix(o.URL, "https://")
	switch {
	case !web:
		return "", false
	case bareURL(o.URL) != bareURL(a.URL):
		return strings.TrimSpace(o.URL + " " + o.Title), true
	case len(sure) > 0:
		return cut(sure[0], shrunkText), true
	}
	return "", false
}

// targetGone tells whether the whole page was read and has nothing with the name of
// the act's target.
func targetGone(a journal.Act, o action.Observation) bool {
	name := nameIn(a.Target)
	if name == "" || !o.Elements.Whole() {
		return false
	}
	for _, e := range o.Elements.Elements {
		if alike(name, e.Name) || alike(name, e.Text) {
			return false
		}
	}
	return true
}

func bareURL(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return u
}

// Marks of what is known of a look besides its lines. One that has none of them
// was written when lines were marked as the model reads them.
const (
	markSeen      = "\x00seen"
	markWholeList = "\x00list"
	markWholeText = "\x00text"
)

// plainOf returns a look in the form that is compared.
func plainOf(o action.Observation) pagecontext.Plain {
	p := pagecontext.PlainOf(o.Summary, o.Elements)
	if o.Summary == nil && o.Elements == nil { // a dialog, or a page that none can look at
		for line := range strings.SplitSeq(o.Text, "\n") {
			if line = strings.Join(strings.Fields(line), " "); line != "" {
				p.Page = append(p.Page, line)
			}
		}
	}
	return p
}

// marksOf returns the marks of a look for the record of an act: one for each line, and
// for each word of the text.
func marksOf(o action.Observation) []uint32 {
	p := plainOf(o)
	lines := slices.Concat([]string{markSeen}, p.Page, p.List, wordsOf(p.Text))
	if p.WholeList {
		lines = append(lines, markWholeList)
	}
	if p.WholeText {
		lines = append(lines, markWholeText)
	}
	out := make([]uint32, len(lines))
	for i, l := range lines {
		out[i] = markOf(l)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func markOf(line string) uint32 {
	f := fnv.New32a()
	_, _ = f.Write([]byte(line)) // a hash never fails to write
	return f.Sum32()
}

// wordsOf returns the words of a text; each character of a script without spaces is one.
func wordsOf(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) }) {
		from := 0
		for i, r := range w {
			if isSpaceless(r) {
				if from < i {
					out = append(out, w[from:i])
				}
				from = i + utf8.RuneLen(r)
				out = append(out, w[i:from])
			}
		}
		if from < len(w) {
			out = append(out, w[from:])
		}
	}
	return out
}

// isSpaceless tells whether a character is of a script without spaces between words.
func isSpaceless(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// sentencesOf divides a text into sentences.
func sentencesOf(text string) []string {
	var out []string
	from := 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		if strings.ContainsRune("。！？", r) || strings.ContainsRune(".!?", r) && (end == len(text) || text[end] == ' ') {
			out = append(out, strings.TrimSpace(text[from:end]))
			from = end
		}
	}
	return append(out, strings.TrimSpace(text[from:]))
}

// newLines returns the lines that a page did not show when the act began; none if that
// is not known. sure are those that were certainly not there: of a page that was seen
// only in part, others may have been there unseen.
func newLines(a journal.Act, o action.Observation) (fresh, sure []string) {
	had := func(s string) bool {
		_, ok := slices.BinarySearch(a.Lines, markOf(s))
		return ok
	}
	if !had(markSeen) {
		return nil, nil
	}
	add := func(line string, isSure bool) {
		if slices.Contains(fresh, line) {
			return
		}
		fresh = append(fresh, line)
		if isSure {
			sure = append(sure, line)
		}
	}
	p := plainOf(o)
	for _, l := range p.Page {
		if !had(l) {
			add(l, true)
		}
	}
	// Words rather than sentences: where one ends depends on what stands beside it.
	for _, s := range sentencesOf(p.Text) {
		if slices.ContainsFunc(wordsOf(s), func(w string) bool { return !had(w) }) {
			add(s, had(markWholeText))
		}
	}
	for _, l := range p.List {
		if !had(l) {
			add(l, had(markWholeList))
		}
	}
	return fresh, sure
}

// outcomeTool is the one function that the model may call for askOutcome.
var outcomeTool = llm.Tool{
	Name: "outcome", Description: "Say whether the step was carried out.",
	Schema: json.RawMessage(`{"type":"object","properties":{"outcome":{"type":"string","enum":["done","unclear"]},"quote":{"type":"string","description":"the line that says so, word for word"}},"required":["outcome"],"additionalProperties":false}`),
}

// askOutcome asks the model whether one of the lines that are new on the page
// says that the act was done, and returns its quote, which must be in one of
// them. Else it returns "".
func (r *run) askOutcome(ctx context.Context, a journal.Act, fresh []string) string {
	if len(fresh) == 0 {
		return ""
	}
	if len(fresh) > evidenceLines {
		fresh = fresh[:evidenceLines]
	}
	ask := prompts.Notice(prompts.OutcomeAsk, r.Lang, cut(r.Text, 2000), stepWords(a), prompts.Fence("page", nonce(), strings.Join(fresh, "\n")))
	reply, err := r.chat(ctx, llm.Request{
		System: prompts.Notice(prompts.OutcomeSystem, r.Lang), Messages: []llm.Message{llm.Text(llm.RoleUser, ask)},
		Tools: []llm.Tool{outcomeTool}, MaxOutput: outcomeOutput, NumCtx: r.window(), Brief: true,
	})
	r.count(reply)
	if err != nil || reply == nil {
		return "" // then it is not known
	}
	for _, c := range reply.Calls {
		var v struct {
			Outcome string `json:"outcome"`
			Quote   string `json:"quote"`
		}
		if json.Unmarshal(c.Args, &v) != nil || v.Outcome != "done" {
			continue
		}
		quote := strings.Join(strings.Fields(v.Quote), " ")
		for _, l := range fresh {
			if quote != "" && strings.Contains(l, quote) {
				return cut(quote, shrunkText)
			}
		}
	}
	return ""
}
