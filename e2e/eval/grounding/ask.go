package grounding

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tabwright/llm"
)

// The ways to answer, each by a schema.
const (
	AnswerIndex   = "index"   // the index alone
	AnswerEnum    = "enum"    // … which must be one of the page's
	AnswerThought = "thought" // a short thought before it
	AnswerName    = "name"    // role and name of what is chosen before it
)

// Answers are all ways to answer.
var Answers = []string{AnswerIndex, AnswerEnum, AnswerThought, AnswerName}

// window is how many tokens a page with its question may take.
const window = 8192

// Record is the result of one question.
type Record struct {
	Model    string  `json:"model"`
	Form     string  `json:"form"`
	Answer   string  `json:"answer"`
	Page     string  `json:"page"`
	Question string  `json:"question"`
	Kind     string  `json:"kind"`
	Text     string  `json:"text"`
	Truth    []int   `json:"truth"`
	Chosen   int     `json:"chosen"`
	Said     string  `json:"said"`
	Right    bool    `json:"right"`
	Beside   bool    `json:"beside"`   // wrong, but in the row of a right one
	Outside  bool    `json:"outside"`  // no element of the list
	Unread   bool    `json:"unread"`   // nothing that could be read
	Untold   bool    `json:"untold"`   // the list did not tell the right element
	Below    bool    `json:"below"`    // the right element is below the fold
	Elements int     `json:"elements"` // of the page
	Input    int     `json:"input"`    // tokens, by the server's count
	Output   int     `json:"output"`
	Seconds  float64 `json:"seconds"`
}

// key identifies a record.
func (r Record) key() string {
	return strings.Join([]string{r.Model, r.Form, r.Answer, r.Question}, "|")
}

// Chat is the model as it is needed here.
type Chat interface {
	Chat(ctx context.Context, req llm.Request, sink func(llm.Delta)) (*llm.Reply, error)
}

// Ask asks one question of a page. An error means that the model could not be
// asked; an answer that can't be read is a record.
func Ask(ctx context.Context, m Chat, f Form, answer string, c *Capture, q Question) (Record, error) {
	text := f.Text(c)
	counts := f.Occurrences(text)
	r := Record{Form: f.Name, Answer: answer, Page: q.Page, Question: q.ID, Kind: q.Kind, Text: q.Text, Truth: c.Truth[q.ID], Elements: len(c.Elements), Untold: true, Below: true}
	for _, i := range r.Truth {
		r.Untold = r.Untold && counts[i] == 0
		r.Below = r.Below && !c.Elements[i].IsVisible
	}
	begun := time.Now()
	reply, err := m.Chat(ctx, request(f, answer, text, counts, q), nil)
	r.Seconds = time.Since(begun).Seconds()
	if reply != nil {
		r.Input, r.Output = reply.Usage.Input, reply.Usage.Output
	}
	if err != nil && (llm.CodeOf(err) != llm.CodeBadReply || reply == nil) {
		return r, err
	}
	if err != nil || len(reply.Calls) == 0 {
		r.Unread, r.Said = true, cut(reply.Text, 200)
		return r, nil //nolint:nilerr // it is counted
	}
	r.Said = cut(string(reply.Calls[0].Args), 200)
	if r.Chosen, err = chosen(reply.Calls[0].Args); err != nil {
		r.Unread = true
		return r, nil //nolint:nilerr // it is counted
	}
	r.Right = slices.Contains(r.Truth, r.Chosen)
	r.Beside = !r.Right && beside(c.Tree, r.Chosen, r.Truth)
	r.Outside = counts[r.Chosen] == 0
	return r, nil
}

// beside reports whether an element is in the same row as one of others.
func beside(ns []Node, index int, others []int) bool {
	for _, n := range ns {
		if beside(n.Kids, index, others) || n.T == "row" && holds(n, index) && slices.ContainsFunc(others, func(i int) bool { return holds(n, i) }) {
			return true
		}
	}
	return false
}

func holds(n Node, index int) bool {
	return n.T == "element" && n.Index == index || slices.ContainsFunc(n.Kids, func(k Node) bool { return holds(k, index) })
}

// chosen reads the index out of {"index": 12} or {"ref": "e12"}.
func chosen(args json.RawMessage) (int, error) {
	var a struct {
		Index *int    `json:"index"`
		Ref   *string `json:"ref"`
	}
	if err := json.Unmarshal(args, &a); err != nil {
		return 0, err
	}
	switch {
	case a.Index != nil:
		return *a.Index, nil
	case a.Ref != nil:
		return strconv.Atoi(strings.TrimLeft(strings.TrimPrefix(strings.Trim(*a.Ref, "[]@ "), "ref="), "e"))
	}
	return 0, fmt.Errorf("neither index nor ref in %s", args)
}

// request writes the page first, then the question and how to answer, so that a
// server which keeps the beginning of a prompt reads each page once.
func request(f Form, answer, text string, counts map[int]int, q Question) llm.Request {
	what, example := "index", `{"index": N}`
	if f.Ref {
		what, example = "ref", `{"ref": "eN"}`
	}
	rule := "Reply with JSON, the " + what + " of the one element to act on: " + example
	switch answer {
	case AnswerThought:
		rule = "Reply with JSON, first a short thought, then the " + what + " of the one element to act on: " + strings.Replace(example, "{", `{"thought": "…", `, 1)
	case AnswerName:
		rule = "Reply with JSON, first the role and name of the one element to act on, then its " + what + ": " + strings.Replace(example, "{", `{"name": "…", `, 1)
	}
	return llm.Request{
		System:    "You find the element of a web page that a step of a task is about.\n" + f.Legend,
		Messages:  []llm.Message{llm.Text(llm.RoleUser, text+"\n\nStep: "+q.Text+"\n"+rule)},
		Tools:     []llm.Tool{{Name: "choose", Description: "Choose an element.", Schema: schema(what, answer, counts)}},
		Notes:     map[llm.Way]string{llm.WaySchema: ""},
		NumCtx:    window,
		MaxOutput: 120,
		NoThought: true,
	}
}

func schema(what, answer string, counts map[int]int) json.RawMessage {
	kind := map[string]any{"type": "integer"}
	if what == "ref" {
		kind = map[string]any{"type": "string", "pattern": "^e[0-9]{1,4}$"}
	}
	if answer == AnswerEnum {
		var all []any
		for _, i := range slices.Sorted(maps.Keys(counts)) {
			if what == "ref" {
				all = append(all, fmt.Sprintf("e%d", i))
			} else {
				all = append(all, i)
			}
		}
		delete(kind, "pattern")
		kind["enum"] = all
	}
	first := ""
	switch answer {
	case AnswerThought:
		first = `"thought":{"type":"string","maxLength":160},`
	case AnswerName:
		first = `"name":{"type":"string","maxLength":100},`
	}
	k, err := json.Marshal(kind)
	if err != nil {
		panic(err) // it is made of strings and numbers
	}
	required := `"` + what + `"`
	if first != "" {
		required = `"` + answer + `",` + required
	}
	return json.RawMessage(`{"type":"object","properties":{` + first + `"` + what + `":` + string(k) + `},"required":[` + required + `],"additionalProperties":false}`)
}
