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

// figure is a number or a code in a text: as it stands there, and in the forms
// in which it may stand elsewhere.
type figure struct {
	text  string
	forms []string
	value float64 // of a number
	money bool    // a sign of a currency stands beside it
	code  bool    // letters and digits: BM-20418
	whole bool    // without decimals
}

var (
	codeText   = regexp.MustCompile(`\b[A-Za-z]{1,8}[-_#]?\d[A-Za-z0-9]*(?:-[A-Za-z0-9]+)*\b`)
	numberText = regexp.MustCompile(`([$€£¥￥₹]\s?)?(\d(?:[\d., '\x{00a0}\x{202f}]*\d)?)(\s?(?:[$€£¥￥₹元%]|USD|EUR|GBP|CNY|RMB|[kKmM万亿]\b|[万亿]))?`)
	multiples  = map[string]float64{"k": 1e3, "m": 1e6, "万": 1e4, "亿": 1e8}
)

// figuresIn finds the figures of a text, in their order.
func figuresIn(text string) []figure {
	var out []figure
	for _, m := range codeText.FindAllString(text, -1) {
		if len(m) >= 4 && strings.ContainsAny(m, "0123456789") {
			out = append(out, figure{text: m, code: true, forms: []string{strings.ToLower(m)}})
		}
	}
	for _, m := range numberText.FindAllStringSubmatch(text, -1) {
		for _, part := range splitNumber(m[2]) {
			f := readNumber(part)
			f.money = strings.TrimSpace(m[1]) != "" || strings.ContainsAny(m[3], "$€£¥￥₹元%") || len(strings.TrimSpace(m[3])) == 3
			f.text = strings.TrimSpace(m[1] + part + m[3])
			if by, ok := multiples[strings.ToLower(strings.TrimSpace(m[3]))]; ok {
				f.forms = append(f.forms, form(f.value*by))
			}
			out = append(out, f)
		}
	}
	return out
}

// splitNumber takes apart what a list of numbers looks like: "12, 13 14" is
// three, "1,299.00" and "1 299" are one.
func splitNumber(s string) []string {
	var out []string
	for _, word := range regexp.MustCompile(`,\s+|\.\s+|\s{2,}`).Split(s, -1) {
		parts := strings.FieldsFunc(word, func(r rune) bool { return unicode.IsSpace(r) || r == '\u00a0' || r == '\u202f' })
		if len(parts) > 1 && isGroupedNumber(parts) {
			parts = []string{strings.Join(parts, "")}
		}
		out = append(out, parts...)
	}
	return out
}

// isGroupedNumber says that the parts are one number with spaces between its thousands.
func isGroupedNumber(parts []string) bool {
	if len(parts[0]) > 3 {
		return false
	}
	for _, p := range parts[1:] {
		whole, _, _ := strings.Cut(strings.ReplaceAll(p, ",", "."), ".")
		if len(whole) != 3 {
			return false
		}
	}
	return true
}

// readNumber reads a number whichever of point and comma is its decimal mark.
// Where it can be read in two ways, both are forms of it.
func readNumber(s string) figure {
	s = strings.Trim(strings.ReplaceAll(s, "'", ""), ".,")
	plain := strings.NewReplacer(",", "", ".", "").Replace(s)
	dot, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	at := max(dot, comma)
	whole := figure{whole: true}
	whole.value, _ = strconv.ParseFloat(plain, 64) // digits alone
	whole.forms = []string{form(whole.value), strings.ToLower(plain)}
	if at < 0 {
		return whole
	}
	mark := s[at : at+1]
	decimals := len(s) - at - 1
	both := dot >= 0 && comma >= 0
	if !both && strings.Count(s, mark) > 1 {
		return whole // 1.299.000
	}
	fraction := figure{}
	fraction.value, _ = strconv.ParseFloat(strings.NewReplacer(",", "", ".", "").Replace(s[:at])+"."+s[at+1:], 64)
	fraction.forms = []string{form(fraction.value)}
	if !both && decimals == 3 {
		whole.forms = append(whole.forms, fraction.forms...)
		return whole
	}
	return fraction
}

// form is a number as text without trailing zeros.
func form(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

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

// tells says that a figure is one that a page must show: a code, an amount, a
// number with decimals or of three digits and more that is no year.
func (f figure) tells() bool {
	switch {
	case f.code || f.money || !f.whole:
		return true
	case f.value >= 1900 && f.value <= 2100:
		return false
	}
	return f.value >= 100
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

// mostNamed is of how many figures each two are looked at.
const mostNamed = 60

// follows says that a figure follows from others: the sum or the mean of all, or of
// those of its kind; a sum, a difference, a product or a share of two; a multiple.
func follows(f figure, from []figure) bool {
	if f.code {
		return false
	}
	near := func(v float64) bool { return math.Abs(v-f.value) < 0.006*math.Max(1, math.Abs(f.value)/1000) }
	adds := func(of []figure) bool {
		total := 0.0
		for _, o := range of {
			total += o.value
		}
		return len(of) > 1 && (near(total) || near(total/float64(len(of))))
	}
	like := slices.DeleteFunc(slices.Clone(from), func(o figure) bool { return (o.money || !o.whole) != (f.money || !f.whole) })
	if adds(from) || adds(like) {
		return true
	}
	from = from[:min(len(from), mostNamed)]
	for i, x := range from {
		a := x.value
		for times := 2.0; times <= 12; times++ { // "two are $25.00"
			if near(a * times) {
				return true
			}
		}
		for k, y := range from {
			b := y.value
			if i != k && (near(a+b) || near(a-b) || near(a*b) || b != 0 && (near(a/b) || math.Abs(a/b*100-f.value) < 1 || math.Abs((a-b)/b*100-f.value) < 1)) {
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
