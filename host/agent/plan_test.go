package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// planned is a reply with words, whose first call has the plan beside it.
func planned(text, fields string, cs ...llm.Call) func(llm.Request) (*llm.Reply, error) {
	if fields != "" {
		cs[0].Args = json.RawMessage(strings.TrimSuffix(string(cs[0].Args), "}") + "," + fields + "}")
	}
	return func(llm.Request) (*llm.Reply, error) {
		return &llm.Reply{Text: text, Calls: cs, Usage: llm.Usage{Input: 100, Output: 10}}, nil
	}
}

// marks is a plan in short: x done, > now, o to do, - dropped.
func marks(steps []wire.PlanStep) string {
	short := map[string]string{wire.PlanDone: "x", wire.PlanDoing: ">", wire.PlanTodo: "o", wire.PlanDropped: "-"}
	var out []string
	for _, s := range steps {
		out = append(out, short[s.State]+s.Text)
	}
	return strings.Join(out, "|")
}

// What a model gives as steps, and what is kept of it.
func TestStepsOfAPlan(t *testing.T) {
	for name, c := range map[string]struct {
		steps []string
		want  string
	}{
		"a list":               {[]string{"search for mugs", "open the cheapest"}, "osearch for mugs|oopen the cheapest"},
		"numbers in the list":  {[]string{"1. search", "2) open", "3、告诉用户", "- tell"}, "osearch|oopen|o告诉用户|otell"},
		"one text of lines":    {[]string{"1. search\n2. tell\n"}, "osearch|otell"},
		"a price is no number": {[]string{"12.50 is the most", "3 mugs"}, "o12.50 is the most|o3 mugs"},
		"nothing":              {[]string{"", "  "}, ""},
	} {
		if got := marks(stepsOf(c.steps)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	long := stepsOf(slices.Repeat([]string{strings.Repeat("x", 1000)}, 50))
	if len(long) != planSteps || len([]rune(long[0].Text)) > planWords+1 {
		t.Errorf("%d steps, the first of %d characters", len(long), len(long[0].Text))
	}
}

// A plan is read beside an action, in its parameters, and in a call of its own; the
// model is not reminded of the fields.
func TestThePlanIsTakenOutOfTheCalls(t *testing.T) {
	for name, c := range map[string]struct {
		call llm.Call
		want planUpdate
		left string
	}{
		"beside the action": {
			llm.Call{Name: action.FunctionName, Args: json.RawMessage(`{"action":"click","params":{"index":3},"plan":["a","b"],"done_steps":[1]}`)},
			planUpdate{[]string{"a", "b"}, []int{1}},
			`{"action":"click","params":{"index":3}}`,
		},
		"in the parameters": {
			llm.Call{Name: action.FunctionName, Args: json.RawMessage(`{"action":"click","params":{"index":3,"done_steps":[2]}}`)},
			planUpdate{nil, []int{2}},
			`{"action":"click","params":{"index":3}}`,
		},
		"a call of its own": {llm.Call{Name: "plan", Args: json.RawMessage(`{"steps":["a"],"done_steps":[]}`)}, planUpdate{[]string{"a"}, []int{}}, `{"steps":["a"],"done_steps":[]}`},
		"what is no list":   {llm.Call{Name: action.FunctionName, Args: json.RawMessage(`{"action":"click","params":{},"plan":{"a":1},"done_steps":"x"}`)}, planUpdate{}, `{"action":"click","params":{}}`},
		"another's steps":   {llm.Call{Name: "click", Args: json.RawMessage(`{"steps":["a"],"plan":["b"]}`)}, planUpdate{}, `{"steps":["a"],"plan":["b"]}`},
	} {
		got, rest := planOf([]llm.Call{c.call})
		if fmt.Sprint(got) != fmt.Sprint(c.want) || string(rest[0].Args) != c.left {
			t.Errorf("%s: %+v, left %s", name, got, rest[0].Args)
		}
	}
	_, rest := planOf([]llm.Call{{Name: "click"}, {Name: "plan", Args: json.RawMessage(`{}`)}, {Name: "type"}})
	if rest[0].Name != "plan" || rest[1].Name != "click" || rest[2].Name != "type" {
		t.Errorf("%v", rest)
	}
}

// Steps are ticked off by their numbers, and by nothing else.
func TestStepsAreTickedByNumber(t *testing.T) {
	for want, u := range map[string]planUpdate{
		">search|oopen|otell": {Done: []int{0, 4, -1}},
		"xsearch|>open|otell": {Done: []int{1}},
		"xsearch|xopen|>tell": {Done: []int{2, 1, 1}},
		"xsearch|xopen|xtell": {Done: []int{1, 2, 3}},
		// The numbers beside a new plan are its own.
		"-open|xsearch|xlook|>tell": {Steps: []string{"search", "look", "tell"}, Done: []int{1, 2}},
	} {
		var p plan
		p.update(planUpdate{Steps: []string{"search", "open", "tell"}})
		p.update(u)
		if got := marks(p.steps); got != want {
			t.Errorf("%+v: %s, want %s", u, got, want)
		}
	}
}

// A plan that the page proved wrong is replaced; what was done stays in sight.
func TestAPlanIsRevised(t *testing.T) {
	var p plan
	p.update(planUpdate{Steps: []string{"search", "open the first", "buy"}})
	p.update(planUpdate{Done: []int{1}})
	p.update(planUpdate{Steps: []string{"open the second", "Buy."}})
	if got := marks(p.steps); got != "xsearch|-open the first|>open the second|oBuy." {
		t.Errorf("revised: %s", got)
	}
	if p.words() != "1. search\n2. open the second\n3. Buy." {
		t.Errorf("the model is reminded of %q", p.words())
	}
	p.update(planUpdate{Done: []int{2}}) // the number in what it was reminded of
	if got := marks(p.steps); got != "xsearch|-open the first|xopen the second|>Buy." {
		t.Errorf("ticked: %s", got)
	}
	if changed, _ := p.update(planUpdate{Steps: []string{"open the second", "buy"}}); changed && marks(p.steps) != "xsearch|-open the first|xopen the second|>buy" {
		t.Errorf("the same plan again: %s", marks(p.steps))
	}
}

// The plan is shown when it is written, ticked off as the work proceeds, and is
// done with the task; no request is made for it.
func TestThePlanIsShownAndTicked(t *testing.T) {
	m := &fakeModel{script: script{
		planned("I search.", `"plan":["search for blue mug","read the price"]`, act("type", `{"index":1,"text":"blue mug"}`)),
		planned("I read.", `"done_steps":[1]`, act("scroll", `{"direction":"down"}`)),
		done("It costs $12."),
	}}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		return action.Result{Action: c.Name, Text: "OK", Line: "Did " + c.Name, Effect: "the page changed", PageRev: 1}
	}}
	rec := try(t, m, h, nil)
	var plans, thoughts []string
	for _, e := range rec.events {
		switch e.Type {
		case wire.EvPlan:
			plans = append(plans, marks(e.Plan))
		case wire.EvThinking:
			thoughts = append(thoughts, e.Text)
		}
	}
	want := []string{">search for blue mug|oread the price", "xsearch for blue mug|>read the price", "xsearch for blue mug|xread the price"}
	if !slices.Equal(plans, want) {
		t.Errorf("plans %q, want %q", plans, want)
	}
	if !slices.Equal(thoughts, []string{"I search.", "I read."}) {
		t.Errorf("thoughts %q", thoughts)
	}
	if len(m.reqs) != 3 {
		t.Errorf("%d requests", len(m.reqs))
	}
	last := m.reqs[2].Messages
	for _, msg := range last {
		for _, c := range msg.Calls {
			if strings.Contains(string(c.Args), "plan") || strings.Contains(string(c.Args), "done_steps") {
				t.Errorf("it is reminded of the fields: %s", c.Args)
			}
		}
	}
	if !strings.Contains(last[0].PlainText(), "1. search for blue mug") || !strings.Contains(last[len(last)-1].PlainText(), "step 2 of 2: read the price. If it is done already, call done.") {
		t.Errorf("the model is not reminded:\n%s", last[len(last)-1].PlainText())
	}
}

// planWord is no part of the random word that marks what the page says.
var planWord = regexp.MustCompile(`(?i)\bplan\b`)

// Nobody is asked for a plan, and a small model is not told where one stands.
func TestNoPlanIsAskedFor(t *testing.T) {
	for _, size := range llm.Sizes() {
		var s script
		for i := range 5 {
			s = append(s, calls(act("click", `{"index":`+string(rune('1'+i))+`}`)))
		}
		s = append(s, planned("", `"plan":["buy","tell"]`, act("click", `{"index":9}`)), done("ok"))
		m := &fakeModel{caps: llm.Capabilities{Size: size, Context: 16384}, script: s}
		try(t, m, &fakeHands{}, nil)
		for i, r := range m.reqs {
			text := r.Messages[len(r.Messages)-1].PlainText()
			if stands := strings.Contains(text, "Plan: step 1 of 2: buy"); planWord.MatchString(text) != stands || stands != (i == 6 && size != llm.SizeTiny && size != llm.SizeSmall) {
				t.Errorf("%s, request %d:\n%s", size, i, text)
			}
		}
	}
}

// A model with a function per action gives its plan with the first act: it takes no
// step of the budget and no request of its own.
func TestThePlanComesWithTheFirstAct(t *testing.T) {
	call := func(name, args string) llm.Call {
		return llm.Call{ID: "id_" + name, Name: name, Args: json.RawMessage(args)}
	}
	m := &fakeModel{caps: llm.Capabilities{Size: llm.SizeLarge, Context: 16384}, script: script{
		calls(call("plan", `{"steps":["pay","tell"]}`), call("click", `{"index":1}`)),
		calls(call("done", `{"success":true,"answer":"Paid."}`), call("plan", `{"done_steps":[1]}`)),
	}}
	h := &fakeHands{}
	rec := try(t, m, h, nil)
	if got := h.names(); !slices.Equal(got, []string{"click", "done"}) || rec.last().Type != wire.EvComplete || rec.last().Usage.Steps != 2 || len(m.reqs) != 2 {
		t.Errorf("did %v in %d requests: %+v", got, len(m.reqs), rec.last())
	}
	var plans []string
	for _, e := range rec.events {
		if e.Type == wire.EvPlan {
			plans = append(plans, marks(e.Plan))
		}
	}
	if !slices.Equal(plans, []string{">pay|otell", "xpay|>tell", "xpay|xtell"}) {
		t.Errorf("%q", plans)
	}
	answered := 0
	for _, msg := range m.reqs[1].Messages {
		if msg.Role == llm.RoleTool {
			answered++
		}
	}
	if answered != 2 {
		t.Errorf("%d of two calls were answered", answered)
	}
	if !slices.ContainsFunc(m.reqs[0].Tools, func(t llm.Tool) bool { return t.Name == "plan" }) {
		t.Error("there is no function plan")
	}
}

// A plan and nothing else is answered, and does not go on for ever.
func TestAPlanAloneIsNoWork(t *testing.T) {
	only := calls(llm.Call{ID: "1", Name: "plan", Args: json.RawMessage(`{"steps":["pay"]}`)})
	m := &fakeModel{caps: llm.Capabilities{Size: llm.SizeLarge, Context: 16384}, script: script{only, only, only}}
	rec := try(t, m, &fakeHands{}, nil)
	if e := rec.last().Error; e == nil || e.Code != CodeNotDone {
		t.Errorf("%+v", rec.last())
	}
	messages := m.reqs[1].Messages
	if text := messages[len(messages)-2].PlainText(); !strings.Contains(text, "Noted") {
		t.Errorf("the call is answered with %q", text)
	}
}

// The user's plan holds: it is shown at once, reaches the model with the next
// request, and what the model then writes takes nothing out of it.
func TestThePersonsPlanHolds(t *testing.T) {
	rec := newRecord()
	desk := NewUserChannel(rec)
	edited := []wire.PlanStep{{Text: "search"}, {Text: "compare delivery times"}, {Text: "tell"}}
	m := &fakeModel{script: script{
		planned("", `"plan":["search","tell"]`, act("click", `{"index":1}`)),
		planned("", `"plan":["search","tell"]`, act("click", `{"index":2}`)),
		planned("", `"plan":["search","open the shop's help page","compare delivery times","tell"]`, act("click", `{"index":3}`)),
		done("ok"),
	}}
	n := 0
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		if n++; n == 1 {
			if err := desk.EditPlan(edited); err != nil {
				t.Error(err)
			}
		}
		return action.Result{Action: c.Name, Text: "OK", Line: "Did it", Effect: "x", PageRev: 1}
	}}
	try(t, m, h, func(o *Options) { o.User, o.Record = desk, rec })
	var plans []wire.Event
	for _, e := range rec.events {
		if e.Type == wire.EvPlan {
			plans = append(plans, e)
		}
	}
	if len(plans) < 2 || plans[1].Level != LevelUser || marks(plans[1].Plan) != ">search|ocompare delivery times|otell" {
		t.Fatalf("the edit was not shown at once: %+v", plans)
	}
	second, third := m.reqs[1].Messages, m.reqs[2].Messages
	if text := second[len(second)-1].PlainText(); !strings.Contains(text, "The user changed the plan") || !strings.Contains(text, "compare delivery times") {
		t.Errorf("the model was not told:\n%s", text)
	}
	if text := third[len(third)-1].PlainText(); !strings.Contains(text, "your plan left out what the user wants") {
		t.Errorf("a plan without the user's step was taken:\n%s", text)
	}
	if !strings.Contains(third[0].PlainText(), "The plan, as the user wants it:\n1. search\n2. compare delivery times") {
		t.Errorf("the first message holds %q", third[0].PlainText())
	}
	if got := marks(plans[len(plans)-1].Plan); got != "xsearch|xopen the shop's help page|xcompare delivery times|xtell" {
		t.Errorf("a plan that adds a step was not taken: %s", got)
	}
}
