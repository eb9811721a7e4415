package agent

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tabwright/host/action"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// evidence is what the task has seen and done. Answers are checked against it.
type evidence struct {
	figures map[string]struct{} // each figure that was seen, in one form
	pages   []string            // texts that were seen, in small letters, newest last
	size    int                 // bytes of pages
	cutOff  bool                // older texts were dropped
	picture bool                // a picture was seen: it may show what no text says
	steps   []deed
	// answered are the user's answers to questions. They may contain figures, and the
	// task's answer may be about them.
	answered []string
	before   []string // steps before the task was interrupted; their pages are not known
	// controls are the names and kinds of the elements that were seen.
	controls map[string]struct{}
}

// deed is a step with its result.
type deed struct {
	action  string
	line    string
	outcome string
	effect  string
	reason  string // message of an error
	code    action.Code
	changes bool                // the action is one that changes the page or the world
	acts    bool                // … or goes elsewhere
	target  pagecontext.Element // if it was in the list
	row     string              // the text of its row, where its name does not say it
	loaded  bool                // it loaded another document
	moved   bool                // … and at another address
	same    bool                // the page after it, or after a later step, is as before it
	before  uint32              // pageMark of the page before it; 0: none
}

// Limits of the evidence: bytes of text, and number of figures.
const (
	evidenceText    = 512 << 10
	evidenceFigures = 50_000
)

// saw keeps a text and its figures.
func (e *evidence) saw(text string) {
	if e.figures == nil {
		e.figures = map[string]struct{}{}
	}
	for _, f := range figuresIn(pagecontext.WithoutIndices(text)) { // indices are not figures
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

// look keeps the contents of a page.
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
			d.row = pagecontext.RowBeside(d.target.Role, d.target.Name, obs.Elements.RowOf(&d.target))
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

// indexOf returns the index of a call's target; 0 if it has none.
func indexOf(c action.Call) int {
	var p struct {
		Index int `json:"index"`
	}
	if json.Unmarshal(c.Params, &p) != nil {
		return 0
	}
	return p.Index
}

// hasEffect reports whether the step plainly changed something.
func (d deed) hasEffect() bool {
	return d.changes && d.outcome == outcomeOK && d.effect != action.NoEffect
}

// flatten returns a text in lower case with single spaces and plain quotes and dashes,
// so that quotations can be found in it.
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

// unseen returns the figures of an answer that the task has not seen and that do not
// follow from seen figures which the answer or its evidence names. Other figures are not
// tried: too many sums can be made of all figures of a page. Small counts, years and
// rounded figures pass.
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
	for more := true; more; { // a figure may follow from one that was just accepted
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
	if !f.code && f.whole && f.value >= 10 { // a rounded form of a seen figure
		for seen := range e.figures {
			if v, err := strconv.ParseFloat(seen, 64); err == nil && math.Abs(v-f.value) < 1 {
				return true
			}
		}
	}
	return false
}

// quoted finds quotations in an answer, whose marks are pairs: what stands between two
// quotations is none.
var quoted = regexp.MustCompile("“([^“”\n]*)”|„([^„“”\n]*)[“”]|«([^«»\n]*)»|「([^「」\n]*)」|『([^『』\n]*)』|\"([^\"\n]*)\"")

// shortestQuote and longestQuote bound the characters of a quotation that is held against the pages.
const shortestQuote, longestQuote = 3, 80

// quotesIn returns the quotations of an answer, flattened.
func quotesIn(answer string) []string {
	var out []string
	for _, m := range quoted.FindAllStringSubmatch(answer, -1) {
		q := flatten(strings.Join(m[1:], ""))
		if n := utf8.RuneCountInString(q); n >= shortestQuote && n <= longestQuote {
			out = append(out, q)
		}
	}
	return out
}

// falseQuotes returns the quotations that no seen page has.
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

// bareQuote returns a quotation without the punctuation around it, which may not be the
// page's.
func bareQuote(q string) string { return strings.Trim(flatten(q), " .,;:!?。，…") }

// holdsQuote reports whether a flat text has a bare quotation, also with escaped quotes.
func holdsQuote(text, bare string) bool {
	return strings.Contains(text, bare) || strings.Contains(strings.ReplaceAll(text, `\"`, `"`), bare)
}

// shows reports whether a seen page has a flat text.
func (e *evidence) shows(text string) bool {
	return slices.ContainsFunc(e.pages, func(page string) bool { return holdsQuote(page, text) })
}

// list returns at most n of the last steps, newest last, for a check.
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
		line := "- " + pagecontext.Mention(cut(d.line, 160), d.row, 0) + " → " + d.outcome
		if d.effect != "" {
			line += ": " + cut(strings.Join(strings.Fields(d.effect), " "), 160)
		} else if d.reason != "" && !strings.Contains(d.line, strings.TrimRight(d.reason, ".。")) {
			line += ": " + cut(d.reason, 160)
		}
		lines = append(lines, safety.Redact(line))
	}
	return strings.Join(lines, "\n")
}

// paramWords returns the texts and addresses in an action's parameters.
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

// notes keeps the names and roles of a page's elements.
func (e *evidence) notes(o action.Observation) {
	if e.controls == nil {
		e.controls = map[string]struct{}{}
	}
	note := func(role, name string) {
		if role == "link" { // a link's text is also content of the page
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
