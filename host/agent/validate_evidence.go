package agent

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tabwright/host/action"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// evidence is what the task has seen and done: against it an answer is checked.
type evidence struct {
	figures map[string]struct{} // each figure that was seen, in one form
	pages   []string            // texts that were seen, in small letters, newest last
	size    int                 // bytes of pages
	cutOff  bool                // older texts were dropped
	picture bool                // a picture was seen: it may show what no text says
	steps   []deed
	// answered are what the user said to a question: figures may stand in it, and an
	// answer may be about it.
	answered []string
	before   []string // steps before the task was interrupted: what they saw is not known
	// controls are the names and kinds of the elements that were seen.
	controls map[string]struct{}
}

// deed is a step with what came of it.
type deed struct {
	action  string
	line    string
	outcome string
	effect  string
	reason  string // of an error
	code    action.Code
	changes bool                // the action is one that changes the page or the world
	acts    bool                // … or goes elsewhere
	target  pagecontext.Element // where it has one that was in the list
	loaded  bool                // another document came
	same    bool                // the page was behind it, or behind a later step, as before it
	before  uint32              // pageMark of the look before it; 0: none
}

// Bounds of the evidence: bytes of text, and figures.
const (
	evidenceText    = 512 << 10
	evidenceFigures = 50_000
)

// saw keeps what stands in a text.
func (e *evidence) saw(text string) {
	if e.figures == nil {
		e.figures = map[string]struct{}{}
	}
	for _, f := range figuresIn(pagecontext.WithoutIndices(text)) { // an index is no figure
		if len(e.figures) >= evidenceFigures {
			e.cutOff = true
			break
		}
		for _, form := range f.forms {
			e.figures[form] = struct{}{}
		}
	}
	flat := flatten(text)
	if flat == "" || slices.Contains(e.pages, flat) {
		return
	}
	e.pages, e.size = append(e.pages, flat), e.size+len(flat)
	for e.size > evidenceText && len(e.pages) > 1 {
		e.size -= len(e.pages[0])
		e.pages, e.cutOff = e.pages[1:], true
	}
}

// look keeps what a page shows.
func (e *evidence) look(o action.Observation) {
	e.saw(o.Text)
	e.notes(o)
	e.picture = e.picture || len(o.Image) > 0 && poorList(o)
}

// did keeps a step.
func (e *evidence) did(c action.Call, res action.Result, outcome string, obs action.Observation) {
	d := deed{action: c.Name, line: res.Line, outcome: outcome, effect: res.Effect, loaded: res.Loaded}
	if n := indexOf(c); n != 0 && obs.Elements != nil {
		if i := slices.IndexFunc(obs.Elements.Elements, func(el pagecontext.Element) bool { return el.Index == n }); i >= 0 {
			d.target = obs.Elements.Elements[i]
		}
	}
	if d.line == "" {
		d.line = c.Name
	}
	if spec, ok := action.Default().Spec(c.Name); ok {
		d.acts = spec.MayChange && spec.Class != safety.Read || res.Handover != ""
		d.changes = d.acts && spec.Class != safety.Navigate
	}
	if res.Err != nil {
		d.reason, d.code = res.Err.Message, res.Err.Code
	}
	e.steps = append(e.steps, d)
	e.saw(res.Text)
	if !res.Secret {
		e.saw(paramWords(c.Params))
	}
	e.picture = e.picture || len(res.Image) > 0
}

// indexOf is the index that a call names its target by; 0: none.
func indexOf(c action.Call) int {
	var p struct {
		Index int `json:"index"`
	}
	if json.Unmarshal(c.Params, &p) != nil {
		return 0
	}
	return p.Index
}

// hasEffect says that the step plainly changed something.
func (d deed) hasEffect() bool {
	return d.changes && d.outcome == outcomeOK && d.effect != action.NoEffect
}

// flatten is a text in small letters with one space between words and plain
// quotes, so that a quotation is found in it.
func flatten(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case '“', '”', '„', '«', '»', '「', '」', '『', '』':
			return '"'
		case '‘', '’':
			return '\''
		case '–', '—', '‑':
			return '-'
		}
		return unicode.ToLower(r)
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// unseen gives the figures of an answer that stand nowhere the task has looked, and
// do not follow from figures that do, as the answer or its evidence names them. What
// follows from figures that it does not name is not searched for: among all figures
// of a page, too many sums can be had. Small counts, years and what is only rounded
// are let pass.
func (e *evidence) unseen(answer string, quotes []string) []string {
	var open, known, sources []figure
	for _, f := range figuresIn(answer) {
		switch {
		case f.tells() && !e.has(f):
			open = append(open, f)
		case !f.code:
			known = append(known, f)
		}
	}
	for _, f := range figuresIn(strings.Join(quotes, "\n")) {
		if !f.code && e.has(f) {
			sources = append(sources, f)
		}
	}
	for more := true; more; { // one may follow from another that does
		more = false
		open = slices.DeleteFunc(open, func(f figure) bool {
			ok := follows(f, known) || follows(f, sources) || follows(f, slices.Concat(known, sources))
			if ok {
				known, more = append(known, f), true
			}
			return ok
		})
	}
	var out []string
	for _, f := range open {
		if !slices.ContainsFunc(out, func(said string) bool { return strings.Contains(said, f.text) }) {
			out = append(out, f.text)
		}
	}
	return out
}

func (e *evidence) has(f figure) bool {
	for _, form := range f.forms {
		if _, ok := e.figures[form]; ok {
			return true
		}
	}
	if !f.code && f.whole && f.value >= 10 { // about as much as was seen
		for seen := range e.figures {
			if v, err := strconv.ParseFloat(seen, 64); err == nil && math.Abs(v-f.value) < 1 {
				return true
			}
		}
	}
	return false
}

// quoted finds what an answer quotes.
var quoted = regexp.MustCompile(`"([^"\n]{3,80})"`)

func quotesIn(answer string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(flatten(answer), -1) {
		out = append(out, m[1])
	}
	return out
}

// falseQuotes gives the quotations that no page has.
func (e *evidence) falseQuotes(quotes []string) []string {
	if e.cutOff || len(e.before) > 0 {
		return nil
	}
	var out []string
	for _, q := range quotes {
		q = flatten(q)
		if bare := bareQuote(q); len([]rune(bare)) >= 3 && !e.shows(bare) {
			out = append(out, q)
		}
	}
	return out
}

// bareQuote is a quotation without the marks around it, which are whoever's that quotes.
func bareQuote(q string) string { return strings.Trim(flatten(q), " .,;:!?。，…") }

// holdsQuote says that a flat text has a bare quotation, whose quotes it may escape.
func holdsQuote(text, bare string) bool {
	return strings.Contains(text, bare) || strings.Contains(strings.ReplaceAll(text, `\"`, `"`), bare)
}

// shows says that a page had a text, which is flat.
func (e *evidence) shows(text string) bool {
	return slices.ContainsFunc(e.pages, func(page string) bool { return holdsQuote(page, text) })
}

// list is the steps for whoever checks them, newest last, at most n of them.
func (e *evidence) list(n int) string {
	steps := e.steps
	lines := make([]string, 0, n+1)
	for _, b := range e.before[max(0, len(e.before)-n):] {
		lines = append(lines, safety.Redact("- "+b))
	}
	if len(steps) > n {
		lines = append(lines, "(…)")
		steps = steps[len(steps)-n:]
	}
	for _, d := range steps {
		line := "- " + cut(d.line, 160) + " → " + d.outcome
		if d.effect != "" {
			line += ": " + cut(strings.Join(strings.Fields(d.effect), " "), 160)
		} else if d.reason != "" {
			line += ": " + cut(d.reason, 160)
		}
		lines = append(lines, safety.Redact(line))
	}
	return strings.Join(lines, "\n")
}

// paramWords are the texts and addresses among the parameters of an action.
func paramWords(params json.RawMessage) string {
	var p map[string]any
	if json.Unmarshal(params, &p) != nil {
		return ""
	}
	var out []string
	for _, name := range []string{"text", "url", "query", "value", "key"} {
		if s, ok := p[name].(string); ok {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// control finds the elements in a page as it is written for the model.
var control = regexp.MustCompile(`(?m)^\s*(?:- )?([a-z]+)(?: "([^"]+)")?.* \[\d+\]$`)

// notes keeps what elements a page has.
func (e *evidence) notes(o action.Observation) {
	if e.controls == nil {
		e.controls = map[string]struct{}{}
	}
	note := func(role, name string) {
		if role == "link" { // its words are the page's content as well
			name = ""
		}
		for _, s := range []string{role, flatten(name)} {
			if len([]rune(s)) > 1 && len(e.controls) < evidenceFigures {
				e.controls[s] = struct{}{}
			}
		}
	}
	if o.Elements == nil {
		for _, m := range control.FindAllStringSubmatch(o.Text, -1) {
			note(m[1], m[2])
		}
		return
	}
	for _, el := range o.Elements.Elements {
		note(el.Role, el.Name)
	}
}
