package agent

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/prompts"
)

// answerTool asks for a quote of the page first: a model that says at once whether the answer
// is there makes it up three times as often.
var answerTool = llm.Tool{
	Name: "found",
	Schema: json.RawMessage(`{"anyOf":[` +
		`{"type":"object","properties":{"says":{"type":"string"},"found":{"type":"boolean","enum":[true]},"answer":{"type":"string"}},"required":["says","found","answer"],"additionalProperties":false},` +
		`{"type":"object","properties":{"says":{"type":"string"},"found":{"type":"boolean","enum":[false]}},"required":["says","found"],"additionalProperties":false}]}`),
}

// answerText is how many characters of a page are read for an answer.
const answerText = 3000

// findAnswer asks whether the page tells what the user wants to know, once for each text
// of a page: shown a list of elements too, a small model goes on past the answer. Its quote
// must stand in the text or retell a line of it. A nil reply: the answer is not there, or
// the model could not say.
func (r *run) findAnswer(ctx context.Context, obs action.Observation) (*llm.Reply, error) {
	r.answerless = false
	text := r.pageToRead(ctx, obs)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if mark := markOf(text); text == "" || slices.Contains(r.readTexts, mark) {
		return nil, nil //nolint:nilnil // documented
	} else if r.readTexts = append(r.readTexts, mark); len(r.readTexts) > mostReadTexts {
		r.readTexts = r.readTexts[1:]
	}
	r.proof.saw(text)
	system, question, err := prompts.Answer(r.Lang, r.judgedTask(), nonce(), text)
	if err != nil {
		return nil, err
	}
	reply, said, err := r.askAside(ctx, answerTool, checkOutput, system, question)
	if err != nil || said == nil {
		return nil, err
	}
	var found struct {
		Says   string `json:"says"`
		Found  bool   `json:"found"`
		Answer string `json:"answer"`
	}
	if json.Unmarshal(said, &found) != nil {
		return nil, nil //nolint:nilerr,nilnil // documented
	}
	claims := found.Found && strings.TrimSpace(found.Answer) != ""
	if !claims || !quotes(text, found.Says) && !retells(text, r.judgedTask(), found.Says, found.Answer) {
		if r.answerless = true; claims {
			r.notices = append(r.notices, prompts.Notice(prompts.QuoteUnseen, r.Lang, cut(found.Says, shrunkText)))
		}
		return nil, nil //nolint:nilnil // documented
	}
	args, err := json.Marshal(action.DoneParams{Success: true, Answer: found.Answer})
	if err != nil {
		return nil, err
	}
	reply.Calls[0].Name, reply.Calls[0].Args = "done", args
	return reply, nil
}

// quotes tells whether a text has what says quotes: its words and figures in that order,
// whatever marks (of Markdown, of a table) stand between them.
func quotes(text, says string) bool {
	words := withoutMarks(says)
	return words != "" && (holdsQuote(flatten(text), bareQuote(says)) || containsPhrase(withoutMarks(text), words))
}

// withoutMarks returns the words and figures of a text, flat.
func withoutMarks(text string) string {
	return strings.Join(wordOrFigure.FindAllString(flatten(text), -1), " ")
}

var wordOrFigure = regexp.MustCompile(`\p{Sc}|\d+(?:[.,:/]\d+)*|[\p{L}\p{M}]+`)

// retells tells whether says retells a line of a text: the line has all figures of the
// answer, and the line or what stands over it (headings, the head of its table, the words
// before them) has each longer word of says that is in the text. A figure of the task may
// stand over the line too. An amount of money is not accepted from a text without any currency.
func retells(text, task, says, answer string) bool {
	given := figuresIn(task)
	figures := figuresIn(answer)
	isMoney := func(f figure) bool { return f.money }
	if len(figures) == 0 || slices.ContainsFunc(figures, isMoney) && !slices.ContainsFunc(figuresIn(text), isMoney) && !currency.MatchString(text) {
		return false
	}
	own := slices.DeleteFunc(slices.Clone(figures), func(f figure) bool { return f.among(given) })
	if len(own) == 0 {
		own = figures
	}
	whole := flatten(text)
	var headings []string    // by level
	var before, intro string // the last words outside of a table, and those right before this one
	var head string          // of a table, its first row
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		level := len(line) - len(strings.TrimLeft(line, "#"))
		switch {
		case level > 0:
			for len(headings) < level {
				headings = append(headings, "")
			}
			headings, before = append(headings[:level-1], line), ""
			continue
		case line == "":
			continue
		case !strings.HasPrefix(line, "|"):
			before, intro, head = line, "", ""
		case head == "":
			intro, head = before, line
		}
		over := strings.Join(append(slices.Clone(headings), intro, head), "\n")
		near := flatten(over + " " + line)
		if !holdsFigures(line, own) || !holdsFigures(over+"\n"+line, figures) {
			continue
		}
		if !slices.ContainsFunc(wordsOf(flatten(says)), func(w string) bool {
			return utf8.RuneCountInString(w) >= retoldWord && containsPhrase(whole, w) && !containsPhrase(near, w)
		}) {
			return true
		}
	}
	return false
}

// currency is a sign or a code of a currency, as in the head of a column of prices.
var currency = regexp.MustCompile(`\p{Sc}|元|\b(?:USD|EUR|GBP|CNY|RMB|JPY|INR|CHF|AUD|CAD)\b`)

// retoldWord is how many characters a word needs to tell one line from another.
const retoldWord = 4

// holdsFigures tells whether a line has each of the figures.
func holdsFigures(line string, figures []figure) bool {
	has := figuresIn(line)
	return !slices.ContainsFunc(figures, func(want figure) bool { return !want.among(has) })
}

// among tells whether one of the figures is the same.
func (f figure) among(figures []figure) bool {
	return slices.ContainsFunc(figures, func(o figure) bool {
		return slices.ContainsFunc(o.forms, func(form string) bool { return slices.Contains(f.forms, form) })
	})
}

// mostReadTexts is how many texts that were read are remembered.
const mostReadTexts = 100

// pageToRead returns the text of a page: of a long one the passages with words of the task,
// or its beginning. If it can't be read, it is the visible text of the look.
func (r *run) pageToRead(ctx context.Context, obs action.Observation) string {
	read := func(p map[string]any) *action.ContentData {
		params, err := json.Marshal(p)
		if err != nil {
			return nil
		}
		data, _ := r.Executor.Do(ctx, action.Call{Name: "extractContent", Params: params}).Data.(*action.ContentData)
		return data
	}
	head := "Title: " + obs.Title + "\n"
	data := read(map[string]any{"maxChars": answerText, "links": false})
	switch {
	case data == nil || strings.TrimSpace(data.Content) == "":
		if obs.Summary == nil || obs.Summary.VisibleText == "" {
			return ""
		}
		return head + obs.Summary.VisibleText
	case !data.More:
		return head + data.Content
	}
	if found := read(map[string]any{"maxChars": answerText, "links": false, "query": cut(r.Text, longestAsk)}); found != nil && found.Content != "" {
		return head + found.Content
	}
	return head + data.Content
}
