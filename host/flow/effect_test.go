package flow

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
)

// still is a page on which one thing can be done: what comes of it is given.
type still struct {
	effect, value, text string
	clicked             []int
}

func (p *still) Do(_ context.Context, c action.Call) wire.SessionResult {
	var params struct {
		Index int    `json:"index"`
		Text  string `json:"text"`
		Name  string `json:"name"`
	}
	_ = json.Unmarshal(c.Params, &params)
	res := wire.SessionResult{Action: c.Name, Line: "Did " + c.Name}
	switch c.Name {
	case "find":
		res.Data = json.RawMessage(`{"elements":[{"index":7,"role":"button","name":"Save","isEnabled":true}]}`)
		if params.Name == "Name" {
			res.Data = json.RawMessage(`{"elements":[{"index":8,"role":"textbox","name":"Name","isEnabled":true}]}`)
		}
	case "waitFor":
		if !strings.Contains(p.text, params.Text) {
			res.Error = &wire.Error{Code: wire.Code(action.Timeout), Message: "waited in vain"}
		}
	case "getValue":
		res.Data = json.RawMessage(`{"value":` + string(mustJSON(p.value)) + `}`)
	default:
		p.clicked = append(p.clicked, params.Index)
		res.Effect = p.effect
	}
	return res
}

func (p *still) Observe(context.Context, action.ObserveOptions) wire.SessionResult {
	return wire.SessionResult{Text: `button "Save all" [9]`, URL: "https://a.test/", Data: json.RawMessage(
		`{"elements":{"elements":[{"index":9,"role":"button","name":"Save all","isEnabled":true}]}}`)}
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

type fixedMender struct {
	with  Amend
	asked []string
}

func (m *fixedMender) Amend(_ context.Context, q Question) (Amend, error) {
	m.asked = append(m.asked, q.Why)
	return m.with, nil
}

// A step that had an effect when it was recorded and has none now is noticed; a
// page that says it in other words is not held against it.
func TestAStepWithoutItsEffectIsNoticed(t *testing.T) {
	click := Step{Do: "click", Target: &Target{Role: "button", Name: "Save"}, Expect: &Expect{Text: "Saved"}}
	field := Step{Do: "type", Target: &Target{Role: "textbox", Name: "Name"}, With: map[string]any{"text": "{{who}}"}, Expect: &Expect{Value: "{{who}}"}}
	for name, c := range map[string]struct {
		step Step
		page still
		why  string
	}{
		"as recorded":               {click, still{effect: `new: "Saved"`, text: "Saved"}, ""},
		"in other words":            {click, still{effect: `new: "Stored"`}, ""},
		"there already":             {click, still{effect: action.NoEffect, text: "Saved"}, ""},
		"nothing":                   {click, still{effect: action.NoEffect}, `"Saved" did not come up`},
		"the field took it":         {field, still{effect: "value", value: "Ann"}, ""},
		"written in its own way":    {field, still{effect: "value", value: " ann "}, ""},
		"the field holds another":   {field, still{effect: "value", value: "Bob"}, `holds "Bob" instead of "Ann"`},
		"the field stayed as it is": {field, still{effect: action.NoEffect, value: ""}, `holds "" instead of "Ann"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := Replay{
				Recording: &Recording{Params: map[string]Param{"who": {Default: "Ann"}}, Steps: []Step{c.step}}, Hands: &c.page, Patience: time.Second,
			}
			_, err := r.Run(t.Context())
			if (c.why == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v, want %q", err, c.why)
			}
		})
	}
	// Nothing was to be seen of it, so another element may be meant.
	page := still{effect: action.NoEffect}
	m := &fixedMender{with: Amend{Index: 9}}
	r := Replay{Recording: &Recording{Steps: []Step{click}}, Hands: &page, Mend: m, Patience: time.Second}
	changes, err := r.Run(t.Context())
	if err == nil || len(m.asked) != 1 || len(page.clicked) != 2 || page.clicked[1] != 9 || len(changes) != 0 {
		t.Errorf("%v, asked %q, clicked %v: it has no effect either", err, m.asked, page.clicked)
	}
	m.with = Amend{Skip: true}
	changes, err = r.Run(t.Context())
	if err != nil || len(changes) != 1 || changes[0].Step == nil || changes[0].Step.Expect != nil {
		t.Errorf("%v %+v", err, changes)
	}
}

// Where a replay goes on, the steps before are not done again.
func TestAReplayGoesOnWhereItWas(t *testing.T) {
	page := still{effect: "saved", text: "Saved"}
	step := Step{Do: "click", Target: &Target{Role: "button", Name: "Save"}}
	var told []int
	r := Replay{
		Recording: &Recording{URL: "https://a.test/", Steps: []Step{step, step, step}}, Hands: &page, From: 2, Patience: time.Second,
		Next: func(done int) error { told = append(told, done); return nil },
	}
	if _, err := r.Run(t.Context()); err != nil || len(page.clicked) != 1 || len(told) != 2 || told[0] != 2 || told[1] != 3 {
		t.Errorf("%v, clicked %v, told %v", err, page.clicked, told)
	}
}

func TestWhatCameOfAStepIsRecorded(t *testing.T) {
	typed := mark("type", &Target{Role: "searchbox", Name: "Search"}, `{"index":3,"text":"blue mug"}`, false)
	typed.Value = "blue mug"
	secret := mark("type", &Target{Role: "textbox", Name: "Password"}, `{"index":4,"text":"•••"}`, true)
	secret.Value = "hunter2"
	clicked := mark("click", &Target{Role: "button", Name: "Add"}, `{"index":5}`, false)
	clicked.Appeared = []string{"1 blue mug in your cart"}
	r, _, err := Record("find a blue mug", "https://a.test/", []Mark{typed, secret, clicked})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := r.YAML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"value: '{{search}}'", "text: '{{search}} in your cart'"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("no %s in\n%s", want, raw)
		}
	}
	if strings.Contains(string(raw), "hunter2") {
		t.Errorf("a secret is in the file:\n%s", raw)
	}
}
