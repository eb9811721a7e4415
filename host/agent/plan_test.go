package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/host/native"
	"tabwright/llm"
)

// planned is a reply with words beside its calls.
func planned(text string, cs ...llm.Call) func(llm.Request) (*llm.Reply, error) {
	return func(llm.Request) (*llm.Reply, error) {
		return &llm.Reply{Text: text, Calls: cs, Usage: llm.Usage{Input: 100, Output: 10}}, nil
	}
}

// marks is a plan in short: x done, > now, o to do, - dropped.
func marks(steps []native.PlanStep) string {
	short := map[string]string{native.PlanDone: "x", native.PlanDoing: ">", native.PlanTodo: "o", native.PlanDropped: "-"}
	var out []string
	for _, s := range steps {
		out = append(out, short[s.State]+s.Text)
	}
	return strings.Join(out, "|")
}

// Plans as models of all sizes write them.
func TestPlansAreReadHoweverTheyAreWritten(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"numbered lines":        {"Plan:\n1. search for mugs\n2. open the cheapest\n3. buy it\n\nI begin.", "osearch for mugs|oopen the cheapest|obuy it"},
		"bold, bullets":         {"**Plan:**\n- search for mugs\n- buy one", "osearch for mugs|obuy one"},
		"bold without colon":    {"## Updated plan\n* look\n* tell", "olook|otell"},
		"one line, numbers":     {"Plan: 1. search 2. read the results 3) tell", "osearch|oread the results|otell"},
		"one line, semicolons":  {"Plan: search; read; tell.\nI type the words.", "osearch|oread|otell"},
		"one line, then":        {"Plan: search for blue mug, then read the results.", "osearch for blue mug|oread the results"},
		"one line, arrows":      {"plan: search → read -> tell", "osearch|oread|otell"},
		"one step":              {"Plan: read the price and tell it.", "oread the price and tell it"},
		"boxes":                 {"Plan:\n- [x] search\n- [ ] read\n- [-] compare", "xsearch|oread|-compare"},
		"states behind":         {"Plan:\n1. search (done)\n2. read - in progress\n3. tell", "xsearch|oread|otell"},
		"steps by name":         {"Here is my plan:\nStep 1: search\nStep 2: tell", "osearch|otell"},
		"lines without marks":   {"Plan:\nsearch for mugs\nopen the first\n\nGo.", "osearch for mugs|oopen the first"},
		"Chinese, lines":        {"计划：\n1. 搜索蓝色杯子\n2. 看结果\n\n现在搜索。", "o搜索蓝色杯子|o看结果"},
		"Chinese, one line":     {"计划：1、搜索杯子 2、比较价格 3、告诉用户", "o搜索杯子|o比较价格|o告诉用户"},
		"Chinese, in words":     {"计划：搜索蓝色杯子，然后看结果。", "o搜索蓝色杯子|o看结果"},
		"the newest counts":     {"Plan: a thing\n\nNo.\n\nPlan:\n1. first\n2. second", "ofirst|osecond"},
		"stops at code":         {"Plan:\n1. search\n```json\n{\"action\":\"click\"}\n```", "osearch"},
		"stops at the action":   {"Plan: 1. search 2. tell\nAction: type", "osearch|otell"},
		"a price is no number":  {"Plan: find a mug under 12.50 and tell it", "ofind a mug under 12.50 and tell it"},
		"an echo of our words":  {"Plan: step 2 of 4: open the cart.", ""},
		"no plan":               {"I plan to search. The floor plan: see page.", ""},
		"a word in the middle":  {"My subscription plan is free.", ""},
		"list after a lead-in":  {"Plan: as follows\n1. search\n2. tell", "osearch|otell"},
		"items of several rows": {"Plan:\n1. search for\n   blue mugs\n2. tell", "osearch for blue mugs|otell"},
	} {
		steps, _ := parsePlan(c.text)
		if got := marks(steps); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	steps, rest := parsePlan("I look.\nPlan:\n1. search\n2. tell\n\nNow I type.")
	if len(steps) != 2 || strings.Contains(rest, "search") || !strings.Contains(rest, "I look.") || !strings.Contains(rest, "Now I type.") {
		t.Errorf("the rest of the text is %q", rest)
	}
	if steps, _ := parsePlan("Plan:\n" + strings.Repeat("- a step\n", 50)); len(steps) != planSteps {
		t.Errorf("%d steps of fifty", len(steps))
	}
}

func FuzzParsePlan(f *testing.F) {
	f.Add("Plan:\n1. search\n2. tell")
	f.Add("计划：1、看 2、说")
	f.Fuzz(func(t *testing.T, text string) {
		var p plan
		p.heard(text)
		p.heard("Done: 1-99 " + text)
		if len(p.steps) > planSteps {
			t.Errorf("%d steps", len(p.steps))
		}
		for _, s := range p.steps {
			if strings.TrimSpace(s.Text) == "" || len([]rune(s.Text)) > planWords+1 {
				t.Errorf("step %q", s.Text)
			}
		}
	})
}

// How a model says that steps are done.
func TestStepsAreTickedByWords(t *testing.T) {
	for text, want := range map[string]string{
		"Done: 1":                               "xsearch|>open|otell",
		"done: 1, 2. Now I tell.":               "xsearch|xopen|>tell",
		"Done: 1-3":                             "xsearch|xopen|xtell",
		"Step 1 is done, I go on.":              "xsearch|>open|otell",
		"Step 3: tell the price":                "xsearch|xopen|>tell",
		"Plan: step 2 of 3: open":               "xsearch|>open|otell",
		"[x] 1 [x] 2":                           "xsearch|xopen|>tell",
		"完成：1、2":                                "xsearch|xopen|>tell",
		"第1步已完成":                                "xsearch|>open|otell",
		"I am done with 12 of 20 mugs":          ">search|oopen|otell",
		"Plan:\n[x] search\n[x] open\n[ ] tell": "xsearch|xopen|>tell",
		"Done: 7":                               ">search|oopen|otell",
	} {
		p := plan{}
		p.edit([]native.PlanStep{{Text: "search"}, {Text: "open"}, {Text: "tell"}})
		p.persons = false
		for i := range p.steps {
			p.steps[i].State = native.PlanTodo
		}
		p.heard(text)
		if got := marks(p.steps); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// What an act plainly was is ticked off without a word of the model.
func TestStepsAreTickedByActs(t *testing.T) {
	type act struct {
		name, params, line, effect string
		fails                      bool
	}
	for name, c := range map[string]struct {
		plan string
		act  act
		want string
	}{
		"the search":              {"1. search for blue mug\n2. read the results", act{"type", `{"text":"blue mug"}`, `Typed "blue mug" into Search`, "the page changed", false}, "xsearch for blue mug|>read the results"},
		"the next step":           {"1. read the results\n2. open the Blue mug page", act{"click", `{}`, `Clicked "Blue mug, small"`, "navigated", false}, "xread the results|xopen the Blue mug page"},
		"without an effect":       {"1. search for blue mug\n2. tell", act{"type", `{"text":"blue mug"}`, "Typed", action.NoEffect, false}, ">search for blue mug|otell"},
		"that failed":             {"1. search for blue mug\n2. tell", act{"type", `{"text":"blue mug"}`, "Typed", "x", true}, ">search for blue mug|otell"},
		"of another kind":         {"1. search for blue mug\n2. tell", act{"click", `{}`, `Clicked "Blue mug"`, "x", false}, ">search for blue mug|otell"},
		"on something else":       {"1. add the blue mug\n2. tell", act{"click", `{}`, `Clicked "Newsletter"`, "x", false}, ">add the blue mug|otell"},
		"two deeds in a step":     {"1. search mugs and open the first\n2. tell", act{"type", `{"text":"mugs"}`, "Typed mugs", "x", false}, ">search mugs and open the first|otell"},
		"the step after the next": {"1. compare\n2. think\n3. open the cart", act{"click", `{}`, `Clicked "Cart"`, "x", false}, ">compare|othink|oopen the cart"},
		"Chinese":                 {"1. 搜索蓝色杯子\n2. 看结果", act{"type", `{"text":"蓝色杯子"}`, "输入“蓝色杯子”", "页面变化", false}, "x搜索蓝色杯子|>看结果"},
	} {
		var p plan
		p.heard("Plan:\n" + c.plan)
		res := action.Result{Line: c.act.line, Effect: c.act.effect}
		if c.act.fails {
			res.Err = &action.Error{Code: action.NotFound, Message: "gone"}
		}
		p.acted(action.Call{Name: c.act.name, Params: json.RawMessage(c.act.params)}, res)
		if got := marks(p.steps); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A plan that the page proved wrong is replaced; what was done stays in sight.
func TestAPlanIsRevised(t *testing.T) {
	var p plan
	p.heard("Plan:\n1. search\n2. open the first\n3. buy")
	p.heard("Done: 1")
	p.heard("The first is sold out.\nPlan:\n1. open the second\n2. buy")
	if got := marks(p.steps); got != "xsearch|-open the first|>open the second|obuy" {
		t.Errorf("revised: %s", got)
	}
	if p.words() != "1. search\n2. open the second\n3. buy" {
		t.Errorf("the model is reminded of %q", p.words())
	}
	p.heard("Done: 2") // the number in what it was reminded of
	if got := marks(p.steps); got != "xsearch|-open the first|xopen the second|>buy" {
		t.Errorf("ticked: %s", got)
	}
}

// The plan is shown when it is written, ticked off as the work proceeds, and is
// done with the task; no request is made for it.
func TestThePlanIsShownAndTicked(t *testing.T) {
	m := &fakeModel{script: script{
		planned("Plan:\n1. search for blue mug\n2. read the price\n\nI search.", act("type", `{"index":1,"text":"blue mug"}`)),
		planned("I read.", act("scroll", `{"direction":"down"}`)),
		done("It costs $12."),
	}}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		return action.Result{Action: c.Name, Text: "OK", Line: "Did " + c.Name, Effect: "the page changed", PageRev: 1}
	}}
	rec := try(t, m, h, nil)
	var plans, thoughts []string
	for _, e := range rec.events {
		switch e.Type {
		case native.EvPlan:
			plans = append(plans, marks(e.Plan))
		case native.EvThinking:
			thoughts = append(thoughts, e.Text)
		}
	}
	want := []string{">search for blue mug|oread the price", "xsearch for blue mug|>read the price", "xsearch for blue mug|xread the price"}
	if !slices.Equal(plans, want) {
		t.Errorf("plans %q, want %q", plans, want)
	}
	if !slices.Equal(thoughts, []string{"I search.", "I read."}) {
		t.Errorf("thoughts %q: the plan is shown as a plan", thoughts)
	}
	if len(m.reqs) != 3 {
		t.Errorf("%d requests", len(m.reqs))
	}
	last := m.reqs[2].Messages
	if !strings.Contains(last[0].PlainText(), "1. search for blue mug") || !strings.Contains(last[len(last)-1].PlainText(), "step 2 of 2: read the price") {
		t.Errorf("the model is not reminded:\n%s", last[len(last)-1].PlainText())
	}
}

func TestAPlanIsAskedForOnce(t *testing.T) {
	var s script
	for i := range 5 {
		s = append(s, calls(act("click", `{"index":`+string(rune('1'+i))+`}`)))
	}
	m := &fakeModel{script: append(s, done("ok"))}
	try(t, m, &fakeHands{}, nil)
	asked := 0
	for _, r := range m.reqs {
		if strings.Contains(r.Messages[len(r.Messages)-1].PlainText(), "there is no plan yet") {
			asked++
		}
	}
	if asked != 1 {
		t.Errorf("asked for a plan %d times", asked)
	}
}

// The person's plan holds: it is shown at once, reaches the model with the next
// request, and what the model then writes takes nothing out of it.
func TestThePersonsPlanHolds(t *testing.T) {
	rec := newRecord()
	desk := NewDesk(rec)
	edited := []native.PlanStep{{Text: "search"}, {Text: "compare delivery times"}, {Text: "tell"}}
	m := &fakeModel{script: script{
		planned("Plan:\n1. search\n2. tell", act("click", `{"index":1}`)),
		planned("Plan:\n1. search\n2. tell", act("click", `{"index":2}`)),
		planned("Plan:\n1. search\n2. open the shop's help page\n3. compare delivery times\n4. tell", act("click", `{"index":3}`)),
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
	try(t, m, h, func(o *Options) { o.Desk, o.Record = desk, rec })
	var plans []native.Event
	for _, e := range rec.events {
		if e.Type == native.EvPlan {
			plans = append(plans, e)
		}
	}
	if len(plans) < 2 || plans[1].Level != LevelPerson || marks(plans[1].Plan) != ">search|ocompare delivery times|otell" {
		t.Fatalf("the edit was not shown at once: %+v", plans)
	}
	second, third := m.reqs[1].Messages, m.reqs[2].Messages
	if text := second[len(second)-1].PlainText(); !strings.Contains(text, "The user changed the plan") || !strings.Contains(text, "compare delivery times") {
		t.Errorf("the model was not told:\n%s", text)
	}
	if text := third[len(third)-1].PlainText(); !strings.Contains(text, "your plan left out what the user wants") {
		t.Errorf("a plan without the person's step was taken:\n%s", text)
	}
	if !strings.Contains(third[0].PlainText(), "The plan, as the user wants it:\n1. search\n2. compare delivery times") {
		t.Errorf("the first message holds %q", third[0].PlainText())
	}
	if got := marks(plans[len(plans)-1].Plan); got != "xsearch|xopen the shop's help page|xcompare delivery times|xtell" {
		t.Errorf("a plan that adds a step was not taken: %s", got)
	}
}
