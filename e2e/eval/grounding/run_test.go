package grounding

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"tabwright/llm"
	"tabwright/pagecontext"
)

// fake answers each question by what it is asked.
type fake struct {
	requests []llm.Request
	say      func(req llm.Request) (*llm.Reply, error)
}

func (f *fake) Chat(_ context.Context, req llm.Request, _ func(llm.Delta)) (*llm.Reply, error) {
	f.requests = append(f.requests, req)
	return f.say(req)
}

func args(s string) *llm.Reply {
	return &llm.Reply{Calls: []llm.Call{{Name: "choose", Args: json.RawMessage(s)}}, Usage: llm.Usage{Input: 100, Output: 5}}
}

// twoPages are captures of two pages with two buttons each.
func twoPages() ([]Question, map[string]*Capture) {
	out := map[string]*Capture{}
	var qs []Question
	for _, page := range []string{"a-en", "b-zh"} {
		c := &Capture{Page: page, Elements: map[int]pagecontext.Element{}, Truth: map[string][]int{page + "/1": {1}, page + "/2": {2}}, Order: []int{1, 2}}
		for i, name := range []string{"Edit", "Send"} {
			c.Elements[i+1] = pagecontext.Element{Index: i + 1, Role: "button", Name: name, IsVisible: true, IsEnabled: true}
			c.Tree = append(c.Tree, Node{T: "element", Index: i + 1})
		}
		out[page] = c
		qs = append(qs, Question{ID: page + "/1", Page: page, Kind: KindRow, Text: "one"}, Question{ID: page + "/2", Page: page, Kind: KindIcon, Text: "two"})
	}
	return qs, out
}

func TestRunGoesOn(t *testing.T) {
	qs, captures := twoPages()
	out := filepath.Join(t.TempDir(), "r.jsonl")
	stop := errors.New("stopped")
	m := &fake{}
	m.say = func(llm.Request) (*llm.Reply, error) {
		if len(m.requests) == 4 {
			return nil, stop
		}
		return args(`{"index": 1}`), nil
	}
	o := Options{Model: m, Name: "m", Forms: []string{"lines", "lines-flat"}, Answers: []string{AnswerIndex}, Out: out, Progress: io.Discard}
	if rs, err := run(t.Context(), o, qs, captures); !errors.Is(err, stop) || len(rs) != 3 {
		t.Fatalf("%d records, %v", len(rs), err)
	}
	// The forms of a page follow one another, and so do a form's questions.
	if first, second := m.requests[1], m.requests[2]; !strings.Contains(first.Messages[0].PlainText(), "Step: two") || second.System == first.System {
		t.Errorf("asked %q after %q", second.System, first.System)
	}
	m.say = func(llm.Request) (*llm.Reply, error) { return args(`{"index": 2}`), nil }
	rs, err := run(t.Context(), o, qs, captures)
	if err != nil || len(rs) != 8 || len(m.requests) != 4+5 {
		t.Fatalf("%d records, %d requests, %v", len(rs), len(m.requests), err)
	}
	if n := count(rs, isRight); n != 5 { // 1 of the first run, of the second one of the last of each page and form
		t.Errorf("%d are right", n)
	}
	table := Report(rs)
	for _, want := range []string{"| m | lines | index | 4 |", "| m | lines-flat | index | 4 |", " 100 | 100 | 0 | 0 | 0 |"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
}

func TestAsk(t *testing.T) {
	qs, captures := twoPages()
	ask := func(form, answer string, say func(llm.Request) (*llm.Reply, error)) (Record, llm.Request, error) {
		t.Helper()
		f, err := FormByName(form)
		if err != nil {
			t.Fatal(err)
		}
		m := &fake{say: say}
		r, err := Ask(t.Context(), m, f, answer, captures["a-en"], qs[0])
		return r, m.requests[0], err
	}
	for name, c := range map[string]struct {
		form, answer, reply  string
		err                  error
		right, out, unread   bool
		schema, system, last string
	}{
		"right":   {form: "lines", answer: AnswerIndex, reply: `{"index":1}`, right: true, schema: `{"type":"object","properties":{"index":{"type":"integer"}},"required":["index"],"additionalProperties":false}`, last: `{"index": N}`},
		"wrong":   {form: "lines", answer: AnswerIndex, reply: `{"index":2}`},
		"outside": {form: "lines", answer: AnswerIndex, reply: `{"index":7}`, out: true},
		"ref":     {form: "lines-e", answer: AnswerEnum, reply: `{"ref":"e1"}`, right: true, schema: `"enum":["e1","e2"]`, system: `{"ref": "eN"}`},
		"bare":    {form: "lines-e", answer: AnswerIndex, reply: `{"ref":"[1]"}`, right: true},
		"name":    {form: "lines", answer: AnswerName, reply: `{"name":"Edit","index":1}`, right: true, schema: `"required":["name","index"]`, system: `{"name": "…", "index": N}`},
		"thought": {form: "lines", answer: AnswerThought, reply: `{"thought":"","index":1}`, right: true, schema: `{"thought":{"type":"string","maxLength":160},"index":`},
		"none":    {form: "lines", answer: AnswerIndex, reply: `{}`, unread: true},
		"bad":     {form: "lines", answer: AnswerIndex, err: &llm.Error{Code: llm.CodeBadReply}, unread: true},
	} {
		t.Run(name, func(t *testing.T) {
			r, req, err := ask(c.form, c.answer, func(llm.Request) (*llm.Reply, error) {
				if c.err != nil {
					return &llm.Reply{Text: "I think it is the first."}, c.err
				}
				return args(c.reply), nil
			})
			if err != nil || r.Right != c.right || r.Outside != c.out || r.Unread != c.unread || r.Untold || r.Below {
				t.Errorf("%+v, %v", r, err)
			}
			text := req.Messages[0].PlainText()
			if !strings.Contains(string(req.Tools[0].Schema), c.schema) || !strings.Contains(text, c.system) || !strings.HasSuffix(text, c.last) || !strings.HasPrefix(text, "URL: ") {
				t.Errorf("%s\n%s\n%s", req.Tools[0].Schema, req.System, text)
			}
			if !req.NoThought {
				t.Error("a thought comes first")
			}
		})
	}
	if _, _, err := ask("lines", AnswerIndex, func(llm.Request) (*llm.Reply, error) { return nil, &llm.Error{Code: llm.CodeUnreachable} }); err == nil {
		t.Error("a server that is not there is no answer")
	}
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		k, n      int
		low, high float64
	}{{50, 100, 0.404, 0.596}, {0, 10, 0, 0.278}, {10, 10, 0.722, 1}, {0, 0, 0, 1}} {
		low, high := Wilson(c.k, c.n)
		if math.Abs(low-c.low) > 0.001 || math.Abs(high-c.high) > 0.001 {
			t.Errorf("%d of %d: %.3f–%.3f", c.k, c.n, low, high)
		}
	}
}
