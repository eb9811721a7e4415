package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

// decide answers in the form of a small decision.
func decide(t *testing.T, reply string) func(llm.Request) (*llm.Reply, error) {
	return func(r llm.Request) (*llm.Reply, error) {
		t.Helper()
		if r.Form == nil {
			t.Fatal("the model is asked for no small decision")
		}
		call, err := r.Form.Read(json.RawMessage(reply))
		if err != nil {
			t.Fatal(err)
		}
		return &llm.Reply{Calls: []llm.Call{call}, Way: llm.WaySchema, Usage: llm.Usage{Input: 100, Output: 10}}, nil
	}
}

// A tiny model is asked for one decision at a time: one message with the page, the
// task and what was done, and a form that fits.
func TestSmallDecisions(t *testing.T) {
	m := &fakeModel{
		caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192},
		script: script{
			decide(t, `{"task_done":false,"action":"click","element":"Pay [4]"}`),
			decide(t, `{"task_done":false,"action":"click","element":"Add [3]"}`),
			decide(t, `{"task_done":true,"answer":"The mug is in the cart."}`),
		},
	}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		if strings.Contains(string(c.Params), "4") {
			return action.Result{Action: c.Name, Line: "Could not click", Text: "ERROR disabled: Pay takes no clicks", Err: &action.Error{Code: action.Disabled, Message: "Pay takes no clicks"}}
		}
		return action.Result{Action: c.Name, Text: "OK: clicked button \"Add\".\n Effect: new text \"1 mug\"", Line: "Clicked", Effect: "new text", PageRev: 2}
	}}
	end := try(t, m, h, func(o *Options) { auto(o); o.Text = "put the mug into the cart" }).last()
	if end.Text != "The mug is in the cart." {
		t.Errorf("end: %+v", end)
	}
	for i, want := range []struct{ done, giveUp string }{
		{"Done so far: nothing.", "no"},
		{"1. ERROR disabled: Pay takes no clicks", "yes"},
		{"2. OK: clicked button \"Add\". Effect: new text \"1 mug\"", "no"},
	} {
		r := m.reqs[i]
		if len(r.Messages) != 1 || !strings.Contains(r.Form.System, "one action at a time") || !r.Form.Greedy {
			t.Fatalf("request %d: %+v", i, r)
		}
		text := r.Messages[0].PlainText()
		if !strings.Contains(text, want.done) || strings.Count(text, "put the mug into the cart") != 2 {
			t.Errorf("request %d:\n%s", i, text)
		}
		if got := strings.Contains(string(r.Form.Schema), `"done"`); got != (want.giveUp == "yes") {
			t.Errorf("request %d: may give up: %v\n%s", i, got, r.Form.Schema)
		}
	}
}

// A claim to be done that was sent back can't be made again at once.
func TestSmallDecisionAfterAClaim(t *testing.T) {
	m := &fakeModel{
		caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192},
		script: script{
			decide(t, `{"task_done":true,"answer":"I have put it into the cart."}`),
			func(r llm.Request) (*llm.Reply, error) {
				if strings.Contains(string(r.Form.Schema), "true") {
					t.Errorf("it may claim so again: %s", r.Form.Schema)
				}
				return decide(t, `{"task_done":false,"action":"click","element":"Add [3]"}`)(r)
			},
			decide(t, `{"task_done":true,"answer":"It is in the cart."}`),
		},
	}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		return action.Result{Action: c.Name, Text: "OK", Line: "Clicked", Effect: "new text", PageRev: 2}
	}}
	end := try(t, m, h, func(o *Options) { auto(o); o.Text = "put the mug into the cart" }).last()
	if end.Text != "It is in the cart." {
		t.Errorf("end: %+v", end)
	}
}

// Where something is to be changed, whether it is done is asked behind a step that may
// have done it, which typing is not, and without the page.
func TestSmallDecisionsAreJudged(t *testing.T) {
	page := &pagecontext.Listing{Elements: []pagecontext.Element{
		{Index: 1, Tag: "a", Role: "link", Name: "Mug", Href: "/mug", IsEnabled: true, IsVisible: true},
		{Index: 2, Tag: "button", Role: "button", Name: "Add", IsEnabled: true, IsVisible: true},
		{Index: 3, Tag: "input", Role: "textbox", Name: "Amount", IsEnabled: true, IsVisible: true},
		{Index: 4, Tag: "button", Role: "button", Name: "Save", IsEnabled: true, IsVisible: true},
	}}
	const (
		mug    = `{"task_done":false,"action":"click","element":"Mug [1]"}`
		amount = `{"task_done":false,"action":"type","element":"Amount [3]","text":"1"}`
		add    = `{"task_done":false,"action":"click","element":"Add [2]"}`
		save   = `{"task_done":false,"action":"click","element":"Save [4]"}`
		no     = `{"task_done":false}`
		yes    = `{"task_done":true,"answer":"The mug is in the cart."}`
	)
	for name, c := range map[string]struct {
		wants   string
		replies []string
		judged  string // j for each question whether it is done, else f for a form
	}{
		"a change":        {wantsChange, []string{mug, no, amount, add, no, save, yes}, "fjffjfj"},
		"something open":  {wantsOpen, []string{mug, yes}, "ff"},
		"something known": {wantsKnow, []string{mug, yes}, "ff"},
		"who knows":       {"", []string{mug, yes}, "ff"},
	} {
		m := &fakeModel{wants: c.wants, caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192}}
		for _, r := range c.replies {
			m.script = append(m.script, decide(t, r))
		}
		h := &fakeHands{
			observe: func() (action.Observation, error) {
				return action.Observation{Text: "link \"Mug\" [1]", Elements: page, PageRev: 1}, nil
			},
			do: func(_ context.Context, c action.Call) action.Result {
				return action.Result{Action: c.Name, Text: "OK: did it [7]. Effect: new: text", Line: "Did it", Effect: "new: text", PageRev: 2}
			},
		}
		if end := try(t, m, h, func(o *Options) { o.Text = "put the mug into the cart" }).last(); end.Text != "The mug is in the cart." {
			t.Errorf("%s: end: %+v", name, end)
		}
		var got string
		for i, r := range m.reqs {
			text := r.Messages[0].PlainText()
			if bytes.Equal(r.Form.Schema, judgeTool.Schema) {
				got += "j"
				if strings.Contains(text, "page>>>") || strings.Contains(text, "[7]") || !strings.Contains(text, "OK: did it. Effect: new: text") {
					t.Errorf("%s: the question whether it is done:\n%s", name, text)
				}
				continue
			}
			got += "f"
			if claims := strings.Contains(string(r.Form.Schema), "[true]"); claims != (c.wants == wantsKnow || c.wants == "" || c.wants == wantsOpen) {
				t.Errorf("%s, request %d: it may say that it is done: %v", name, i, claims)
			}
		}
		if got != c.judged {
			t.Errorf("%s: asked %s, want %s", name, got, c.judged)
		}
	}
}

// What the user wants to know is asked of the text of a page, once for each text, before
// anything else is decided. While it is not there the form has no place for a claim.
func TestSmallDecisionsReadForAnAnswer(t *testing.T) {
	list := &pagecontext.Listing{Elements: []pagecontext.Element{
		{Index: 1, Tag: "a", Role: "link", Name: "Hours", Href: "/hours", IsEnabled: true, IsVisible: true},
		{Index: 2, Tag: "a", Role: "link", Name: "More", Href: "#", IsEnabled: true, IsVisible: true},
	}}
	const (
		hours  = `{"action":"click","element":"Hours [1]"}`
		more   = `{"action":"click","element":"More [2]"}`
		no     = `{"says":"nothing about that","found":false}`
		yes    = `{"says":"open from 10","found":true,"answer":"It opens at 10."}`
		madeUp = `{"says":"It opens at 10","found":true,"answer":"It opens at 10."}`
		claim  = `{"task_done":true,"answer":"It opens at 10."}`
	)
	for name, c := range map[string]struct {
		texts   []string // that are read, one for each look; the last goes on
		replies []string
		asked   string // a for each question to a text, n for a form without a claim, c for one with it
	}{
		"on the first page": {[]string{"Open from 10 to 17"}, []string{yes}, "a"},
		"on the next page":  {[]string{"Welcome", "Open from 10 to 17"}, []string{no, hours, yes}, "ana"},
		"nowhere by itself": {[]string{"Welcome to 10", "Welcome to 10"}, []string{no, more, claim}, "anc"},
		"misquoted":         {[]string{"Welcome", "Open from 10 to 17"}, []string{madeUp, hours, yes}, "ana"},
		"nothing to read":   {[]string{""}, []string{claim}, "c"},
	} {
		m := &fakeModel{wants: wantsKnow, caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192}}
		for _, r := range c.replies {
			m.script = append(m.script, decide(t, r))
		}
		looks := 0
		h := &fakeHands{
			observe: func() (action.Observation, error) {
				looks++
				return action.Observation{Text: "link \"Hours\" [1]", Title: "Museum", Elements: list, PageRev: 1}, nil
			},
			do: func(_ context.Context, call action.Call) action.Result {
				if call.Name == "extractContent" {
					return action.Result{Data: &action.ContentData{Content: c.texts[min(looks, len(c.texts))-1]}}
				}
				return action.Result{Action: call.Name, Text: "OK", Line: "Did it", Effect: "new: text", PageRev: 2}
			},
		}
		if end := try(t, m, h, func(o *Options) { o.Text = "when does the museum open?" }).last(); end.Text != "It opens at 10." {
			t.Errorf("%s: end: %+v", name, end)
		}
		var got string
		for i, r := range m.reqs {
			text := r.Messages[0].PlainText()
			switch {
			case bytes.Equal(r.Form.Schema, answerTool.Schema):
				got += "a"
				if !strings.Contains(text, "page>>>") || !strings.Contains(text, c.texts[min(i, len(c.texts)-1)]) || strings.Contains(text, "[1]") {
					t.Errorf("%s: the question to the page:\n%s", name, text)
				}
			case strings.Contains(string(r.Form.Schema), "[true]"):
				got += "c"
			default:
				got += "n"
				if told := strings.Contains(text, `not taken: the page does not say "It opens at 10"`); told != (name == "misquoted") {
					t.Errorf("%s: why the answer was not taken:\n%s", name, text)
				}
			}
		}
		if got != c.asked {
			t.Errorf("%s: asked %s, want %s", name, got, c.asked)
		}
	}
}

// A form leaves out what was just done, or would undo what was.
func TestSmallDecisionsSkip(t *testing.T) {
	on, ok, sent := true, action.Result{Effect: "new: text"}, action.Result{Effect: "navigated", Loaded: true}
	nothing, failed := action.Result{Effect: action.NoEffect}, action.Result{Err: &action.Error{Code: action.Disabled}}
	paged := action.Result{Effect: "navigated to /list?page=2", Loaded: true}
	still := action.Result{Effect: "new: the same"}
	moved := action.Result{Err: &action.Error{Code: action.StaleRef}}
	type step struct {
		name   string
		target int
		res    action.Result
	}
	type el = pagecontext.Element
	add := el{Index: 1, Role: "button", Name: "Add"}
	more := el{Index: 2, Role: "link", Name: "More", Href: "/2"}
	off := false
	next := el{Index: 3, Role: "button", Name: "Next", Expanded: &on}
	anew := add
	anew.Index = 9
	for name, c := range map[string]struct {
		steps  []step
		action string
		el     el
		now    []el
		want   bool
	}{
		"nothing was done":                       {nil, "click", add, nil, false},
		"it failed":                              {[]step{{"click", 1, failed}}, "click", add, nil, true},
		"it failed, and another too":             {[]step{{"click", 1, failed}, {"click", 2, failed}}, "click", add, nil, true},
		"it failed, and another works":           {[]step{{"click", 1, failed}, {"click", 2, ok}}, "click", add, nil, false},
		"it failed by chance":                    {[]step{{"click", 1, moved}}, "click", add, nil, false},
		"it has no effect":                       {[]step{{"click", 1, nothing}}, "click", add, nil, true},
		"a step counts up":                       {[]step{{"click", 1, ok}, {"click", 1, ok}}, "click", add, nil, false},
		"… but not for ever":                     {[]step{{"click", 1, ok}, {"click", 1, ok}, {"click", 2, ok}, {"click", 1, ok}}, "click", add, nil, true},
		"… nor a link":                           {[]step{{"click", 2, ok}, {"click", 2, ok}, {"click", 2, ok}}, "click", more, nil, true},
		"the page is as it was":                  {[]step{{"click", 1, still}}, "click", add, nil, true},
		"… but for its index":                    {[]step{{"click", 1, still}}, "click", anew, []el{anew}, true},
		"it sent a form":                         {[]step{{"click", 1, sent}}, "click", add, nil, true},
		"… and led to the next page":             {[]step{{"click", 1, paged}}, "click", anew, []el{anew}, false},
		"… and was drawn anew":                   {[]step{{"click", 1, sent}}, "click", anew, []el{anew}, true},
		"… and another of the name is beside it": {[]step{{"click", 1, sent}}, "click", anew, []el{add, anew}, false},
		"… and one is in a dialog":               {[]step{{"click", 1, sent}}, "click", el{Index: 9, Role: "button", Name: "Add", Overlay: true}, nil, false},
		"… and another row has one":              {[]step{{"click", 1, sent}}, "click", el{Index: 9, Role: "button", Name: "Add", Near: "Tea"}, nil, false},
		"… but something else was pressed since": {[]step{{"click", 1, sent}, {"click", 2, ok}}, "click", add, nil, false},
		"a link led on":                          {[]step{{"click", 2, sent}}, "click", more, nil, false},
		"it opened: not closed again":            {[]step{{"click", 1, ok}}, "click", el{Index: 1, Role: "button", Name: "Add", Expanded: &on}, nil, true},
		"a switch that it turned":                {[]step{{"click", 1, ok}}, "click", el{Index: 1, Role: "switch", Name: "Add", Checked: "true"}, nil, true},
		"it opened, and something was done":      {[]step{{"click", 1, ok}, {"click", 2, ok}}, "click", el{Index: 1, Role: "button", Name: "Add", Expanded: &on}, nil, false},
		"an open one that steps":                 {[]step{{"click", 3, ok}}, "click", next, nil, false},
		"… but not for ever either":              {[]step{{"click", 3, ok}, {"click", 3, ok}, {"click", 3, ok}}, "click", next, nil, true},
		"… and that it closed":                   {[]step{{"click", 3, ok}}, "click", el{Index: 3, Role: "button", Name: "Next", Expanded: &off}, nil, true},
		"a tick that it made":                    {[]step{{"check", 1, ok}, {"type", 2, ok}}, "uncheck", el{Index: 1, Checked: "true"}, nil, true},
		"… that a press found wrong":             {[]step{{"check", 1, ok}, {"click", 2, ok}}, "uncheck", el{Index: 1, Checked: "true"}, nil, false},
		"… that was lost":                        {[]step{{"check", 1, ok}}, "check", el{Index: 1, Checked: "false"}, nil, false},
		"a tick that failed":                     {[]step{{"check", 1, failed}, {"click", 2, ok}}, "check", el{Index: 1, Checked: "false"}, nil, false},
		"a tick that stood there":                {[]step{{"check", 2, ok}}, "uncheck", el{Index: 1, Checked: "true"}, nil, false},
		"a field that holds what it typed":       {[]step{{"type", 1, ok}, {"type", 2, ok}}, "type", el{Index: 1, Value: "x"}, nil, true},
		"a field that lost it":                   {[]step{{"type", 1, ok}}, "type", el{Index: 1}, nil, false},
		"a field that a press found wrong":       {[]step{{"type", 1, ok}, {"click", 2, ok}}, "type", el{Index: 1, Value: "x"}, nil, false},
	} {
		e, page := evidence{}, action.Observation{Elements: &pagecontext.Listing{Elements: []el{add, more, next}}}
		for _, s := range c.steps {
			outcome := outcomeOK
			if s.res.Err != nil {
				outcome = outcomeError
			}
			e.did(action.Call{Name: s.name, Params: fmt.Appendf(nil, `{"index":%d}`, s.target)}, s.res, outcome, page)
			last := &e.steps[len(e.steps)-1]
			last.same, last.moved = s.res.Effect == still.Effect, s.res.Effect == paged.Effect
		}
		if got := e.skip(wantsChange, &pagecontext.Listing{Elements: c.now})(c.action, c.el); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// In a short window results shrink, then the oldest steps go; the task never does.
func TestSmallDecisionsFitTheWindow(t *testing.T) {
	h := history{task: "find the mug", lang: "en"}
	for range 60 {
		h.turns = append(h.turns, turn{did: []string{strings.Repeat("clicked a link. ", 30)}, lines: []string{"Clicked a link"}})
	}
	d := decisionData("find the mug")
	for _, room := range []int{9000, 4000, 1500} {
		ms := h.decision(d, nil, room)
		text := ms[0].PlainText()
		if got := estimate(ms); got > room || len(ms) != 1 || !strings.Contains(text, "60. clicked a link") || strings.Count(text, "find the mug") != 2 {
			t.Errorf("room %d: %d tokens in %d messages", room, got, len(ms))
		}
	}
}

// Models that call tools natively, and large ones, are asked as before.
func TestWhoDecides(t *testing.T) {
	for _, c := range []struct {
		size string
		way  llm.Way
		want bool
	}{
		{llm.SizeTiny, llm.WaySchema, true},
		{llm.SizeSmall, llm.WaySchema, true},
		{llm.SizeSmall, llm.WayNative, false},
		{llm.SizeTiny, llm.WayMarkdown, false},
		{llm.SizeLarge, llm.WaySchema, false},
	} {
		m := &fakeModel{caps: llm.Capabilities{Size: c.size, Way: c.way, Context: 8192}, script: script{calls(act("click", `{"index":1}`)), done("ok")}}
		try(t, m, &fakeHands{}, nil)
		if got := m.reqs[0].Form != nil; got != c.want {
			t.Errorf("%s, %s: %v", c.size, c.way, got)
		}
	}
}

func decisionData(task string) prompts.DecisionData {
	return prompts.DecisionData{Lang: "en", Nonce: "abcd2345", Ask: task, Page: "button \"Add\" [1]"}
}

// What the user answers is theirs: whole, and outside of what came from the page. A task
// that goes on is not told that nothing was done.
func TestSmallDecisionsKeepTheUsersWords(t *testing.T) {
	address := strings.Repeat("Mill Lane ", 60)
	h := history{task: "order tea", lang: "en", turns: []turn{{did: []string{"Where to?"}, said: []string{"Where to? " + address}, lines: []string{""}}}}
	text := h.decision(decisionData("order tea"), nil, 9000)[0].PlainText()
	before, _, _ := strings.Cut(text, "<<<page")
	if !strings.Contains(before, strings.TrimSpace(address)) || len(h.said) > 0 {
		t.Errorf("the user's words are not whole:\n%s", text)
	}
	h = history{task: "order tea", lang: "en", dropped: []string{"Clicked Add"}}
	text = h.decision(decisionData("order tea"), nil, 9000)[0].PlainText()
	_, now, _ := strings.Cut(text, "page>>>")
	if strings.Contains(now, "nothing") || !strings.Contains(text, "Clicked Add") {
		t.Errorf("a task that goes on:\n%s", text)
	}
}

// Going to an address is offered where the task has one, and where there is no page yet.
func TestSmallDecisionsNavigate(t *testing.T) {
	for text, want := range map[string]bool{
		"open example.com": true, "go to http://127.0.0.1:8080/a": true, "look at localhost": true, "打开 news.example.com.cn 看看": true,
		"open the message of Ida": false, "pay 12.50 to Tom": false, "Fixed in 2.4.1": false, "把数量改成 3.": false,
	} {
		if got := siteName.MatchString(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// Where a page is scrolled to makes it no other one.
func TestSamePage(t *testing.T) {
	page := func(text, link string, scroll float64) pagecontext.Plain {
		return plainOf(action.Observation{
			Summary:  &pagecontext.Summary{VisibleText: text, ScrollMax: pagecontext.Position{Y: scroll}},
			Elements: &pagecontext.Listing{Elements: []pagecontext.Element{{Index: 1, Tag: "a", Role: "link", Name: link, IsEnabled: true, IsVisible: true}}},
		})
	}
	if was := pageMark(page("Basket 0", "Pay", 0)); was != pageMark(page("Basket 0", "Pay", 9)) || was == pageMark(page("Basket 1", "Pay", 0)) || was == pageMark(page("Basket 0", "Back", 0)) {
		t.Error("the same page is another, or another the same")
	}
}

// From the choices of a menu that a press has opened one is chosen next; nobody asks
// whether that press was all.
func TestSmallDecisionsInAnOpenedMenu(t *testing.T) {
	button := pagecontext.Element{Index: 1, Tag: "button", Role: "button", Name: "Theme", IsEnabled: true, IsVisible: true}
	news := pagecontext.Element{Index: 2, Tag: "a", Role: "link", Name: "News", Href: "/news", IsEnabled: true, IsVisible: true}
	always := pagecontext.Element{Index: 3, Tag: "a", Role: "menuitem", Name: "File", IsEnabled: true, IsVisible: true}
	dark := pagecontext.Element{Index: 4, Tag: "div", Role: "menuitemradio", Name: "Dark", Checked: "false", IsEnabled: true, IsVisible: true}
	m := &fakeModel{wants: wantsChange, caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192}, script: script{
		decide(t, `{"action":"click","element":"Theme [1]"}`),
		func(r llm.Request) (*llm.Reply, error) {
			if s := string(r.Form.Schema); !strings.Contains(s, "Dark [4]") || strings.Contains(s, "News") || strings.Contains(s, "File") || strings.Contains(s, "Theme") {
				t.Errorf("offered in the menu: %s", s)
			}
			return decide(t, `{"action":"check","element":"Dark [4]"}`)(r)
		},
		decide(t, `{"task_done":true,"answer":"It is dark."}`),
	}}
	opened := false
	h := &fakeHands{
		observe: func() (action.Observation, error) {
			els := []pagecontext.Element{button, news, always}
			if opened {
				els = append(els, dark)
			}
			return action.Observation{Text: "button \"Theme\" [1]", Elements: &pagecontext.Listing{Elements: els}, PageRev: 1}, nil
		},
		do: func(_ context.Context, c action.Call) action.Result {
			opened = true
			return action.Result{Action: c.Name, Text: "OK", Line: "Did it", Effect: "new: menuitemradio \"Dark\"", PageRev: 1}
		},
	}
	if end := try(t, m, h, func(o *Options) { o.Text = "switch to dark" }).last(); end.Text != "It is dark." {
		t.Errorf("end: %+v", end)
	}
}

// What a step came to names no action that the form does not have, and a reply outside of the
// form is asked for again in its words.
func TestSmallDecisionsSpeakOfTheirForm(t *testing.T) {
	m := &fakeModel{
		caps: llm.Capabilities{Size: llm.SizeTiny, Way: llm.WaySchema, Context: 8192},
		script: script{
			decide(t, `{"task_done":false,"action":"click","element":"Pay [4]"}`),
			decide(t, `{"task_done":false,"action":"click","element":"Add [3]"}`),
			func(llm.Request) (*llm.Reply, error) {
				return &llm.Reply{Text: "I press Pay.", Way: llm.WaySchema}, nil
			},
			decide(t, `{"task_done":true,"answer":"The mug is in the cart."}`),
		},
	}
	h := &fakeHands{do: func(_ context.Context, c action.Call) action.Result {
		if strings.Contains(string(c.Params), "4") {
			err := &action.Error{Code: action.NotVisible, Message: "Pay is hidden", Hint: "Scroll a bit. Then call getElements."}
			return action.Result{Action: c.Name, Line: "Could not click", Text: err.Text(), Err: err}
		}
		return action.Result{Action: c.Name, Text: `OK: clicked button "Add". Effect: new: "find (it)"; and 9 more changes (extractContent reads the page).`, Line: "Clicked", Effect: "new text", PageRev: 2}
	}}
	try(t, m, h, func(o *Options) { auto(o); o.Text = "put the mug into the cart" })
	text := m.reqs[3].Messages[0].PlainText()
	for _, want := range []string{"1. ERROR not_visible: Pay is hidden. Scroll a bit.\n", `new: "find (it)"; and 9 more changes.`, "one JSON object, as in the examples"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	for _, other := range []string{"getElements", "extractContent", "params", "index\""} {
		if strings.Contains(text, other) {
			t.Errorf("it is told of %s:\n%s", other, text)
		}
	}
}

// A button that leads on to another address, such as the next page, may be pressed again; one
// that sent a form to the same page may not.
func TestSmallDecisionsSkipNoPager(t *testing.T) {
	button := pagecontext.Element{Index: 1, Tag: "button", Role: "button", Name: "Next", IsEnabled: true, IsVisible: true}
	page := func(url, text string) action.Observation {
		return action.Observation{URL: "https://a.test" + url, Elements: &pagecontext.Listing{Elements: []pagecontext.Element{button}}, Summary: &pagecontext.Summary{VisibleText: text}}
	}
	for url, want := range map[string]bool{"/list?page=2": false, "/list": true} {
		was, now := page("/list", "1 to 10"), page(url, "11 to 20")
		r := &run{wants: wantsChange, left: &was}
		r.proof.steps = []deed{{action: "click", acts: true, outcome: outcomeOK, effect: "navigated", loaded: true, target: button}}
		r.compare(now)
		if got := r.skip(now)("click", button); got != want {
			t.Errorf("%s: left out %v", url, got)
		}
	}
}
