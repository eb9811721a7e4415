package agent

import (
	"testing"

	"tabwright/host/action"
	"tabwright/pagecontext"
)

// What can't be the end of a task is not judged to be one, in no language.
func TestUnfinished(t *testing.T) {
	no, yes := false, true
	el := func(index int, role, name string) pagecontext.Element {
		return pagecontext.Element{Index: index, Tag: "div", Role: role, Name: name, IsEnabled: true, IsVisible: true}
	}
	expanded := func(e pagecontext.Element, to *bool) pagecontext.Element { e.Expanded = to; return e }
	checked := func(e pagecontext.Element, to string) pagecontext.Element { e.Checked = to; return e }
	list := func(els ...pagecontext.Element) *pagecontext.Listing { return &pagecontext.Listing{Elements: els} }
	digest := checked(el(3, "switch", "每周摘要邮件"), "true")
	box, other, agree := checked(el(5, "checkbox", "Select"), "false"), checked(el(6, "checkbox", "Select"), "false"), checked(el(7, "checkbox", "I agree"), "false")
	for _, tt := range []struct {
		name, task, action string
		target             pagecontext.Element
		was, is            *pagecontext.Listing
		want               bool
	}{
		{"a menu opened", "label it", "click", expanded(el(1, "button", "Label ▾"), &no), list(expanded(el(1, "button", "Label ▾"), &no)), list(expanded(el(1, "button", "Label ▾"), &yes), el(2, "generic", "Work")), true},
		{"a menu closed", "label it", "click", expanded(el(1, "button", "Label ▾"), &yes), list(expanded(el(1, "button", "Label ▾"), &yes)), list(expanded(el(1, "button", "Label ▾"), &no)), false},
		{"a row is selected", "archive the mail of Wang Fang", "check", box, list(box, other), list(box, other, el(8, "generic", "Archive")), true},
		{"a row is selected, and nothing came", "tick the first", "check", box, list(box, other), list(box, other), false},
		{"a box is ticked, and a field came", "gift-wrap it", "check", agree, list(agree, other), list(agree, other, el(8, "textbox", "Message")), false},
		{"a box of its own is ticked, and a button came", "agree", "check", agree, list(agree, other), list(agree, other, el(8, "button", "Next")), false},
		{"the task names a button", "关闭“每周摘要邮件”通知,并保存设置。", "click", digest, list(digest, el(9, "button", "保存")), list(digest, el(9, "button", "保存")), true},
		{"… in English", "Switch the digest off and save it.", "uncheck", digest, list(digest), list(digest, el(9, "button", "Save")), true},
		{"… as part of a word", "Switch the digest off for safety and savery.", "uncheck", digest, list(digest), list(digest, el(9, "button", "Save")), false},
		{"… and it is not the one of the page", "Switch the digest off.", "uncheck", digest, list(digest), list(digest, el(9, "button", "Save")), false},
		{"a press", "Save it.", "click", el(4, "link", "Settings"), list(), list(el(9, "button", "Save")), false},
	} {
		r := &run{Options: Options{Text: tt.task}, left: &action.Observation{Elements: tt.was}}
		r.proof.steps = []deed{{action: tt.action, acts: true, outcome: outcomeOK, target: tt.target}}
		now := action.Observation{Elements: tt.is}
		r.compare(now)
		if got := r.midway || r.leavesNamedButton(now); got != tt.want {
			t.Errorf("%s: unfinished is %v", tt.name, got)
		}
	}

	// Once the button was pressed, and after two times, the model is asked.
	r := &run{Options: Options{Text: "Switch the digest off, do not save it."}}
	save := el(9, "button", "Save")
	r.proof.steps = []deed{{action: "uncheck", target: digest}}
	for i, want := range []bool{true, true, false} {
		if got := r.leavesNamedButton(action.Observation{Elements: list(digest, save)}); got != want {
			t.Errorf("time %d: %v", i+1, got)
		}
	}
	r.unsaved, r.proof.steps = 0, []deed{{action: "click", target: save}, {action: "uncheck", target: digest}}
	if r.leavesNamedButton(action.Observation{Elements: list(digest, save)}) {
		t.Error("a button that was pressed is asked for")
	}
}

// What a small model says of a page in its own words is taken where one line has it.
func TestRetells(t *testing.T) {
	const accounts = "# Accounts\n\n## Everyday\n\n•••• 3803\n\n- Balance: £5,856.75\n- Available balance: £5,600.59\n\n## Holiday savings\n\n•••• 5826\n\n- Balance: £2,572.77\n- Available balance: £2,367.10\n"
	const table = "| Room | Price | Beds |\n|---|---|---|\n| Garden | 80 € | 2 |\n| Tower | 95 € | 1 |\n"
	const offers = "# What we offer\n\n#### Deep tissue massage\n\n45 minutes\n\nBook\n"
	const settings = "# Settings\n\nThe settings of version 2.x.\n\n| Setting | What it sets | Default |\n| --- | --- | --- |\n| `retry.max_delay` | The longest pause | 95 s |\n| `queue.max_delay` | The longest wait | 80 s |\n"
	const task = "What is the default of retry.max_delay in version 2.x?"
	for _, tt := range []struct {
		text, says, answer string
		want               bool
	}{
		{accounts, "The available balance of the Holiday savings account is £2,367.10", "The available balance is £2,367.10.", true},
		{accounts, "The available balance of the Holiday savings account is £5,600.59", "£5,600.59", false}, // of another account
		{accounts, "The available balance of the Holiday savings account is £2,572.77", "£2,572.77", false}, // another balance
		{accounts, "The available balance of the Holiday savings account is £2,999.00", "£2,999.00", false}, // nowhere
		{accounts, "The holiday savings are available", "They are available.", false},                       // no figure
		{table, "The price of the tower room is 95 €", "95 €", true},
		{table, "The price of the tower room is 80 €", "80 €", false},
		{offers, "The course that costs the most is Deep tissue massage, which costs $45.", "The deep tissue massage costs $45.", false}, // minutes
		{offers, "The deep tissue massage takes 45 minutes", "45 minutes", true},
		{"# Prices in EUR\n\n| Room | Price |\n|---|---|\n| Tower | 95 |\n", "The tower room is 95 €", "€95", true},
		{settings, "The default of retry.max_delay is 95 s", "In version 2.x it is 95 s.", true}, // the version stands over the table
		{settings, "The default of queue.max_delay is 95 s", "In version 2.x it is 95 s.", false},
		{settings, "The default of retry.max_delay is 95 s", "In version 3.x it is 95 s.", false},
	} {
		if got := retells(tt.text, task, tt.says, tt.answer); got != tt.want {
			t.Errorf("%q of the page: %v", tt.says, got)
		}
	}
}

// A quote is found by its words and figures, whatever marks stand between them.
func TestQuotedWithoutMarks(t *testing.T) {
	const text = "# Settings\n\n| Setting | Default |\n| --- | --- |\n| `retry.max_delay` | 95 s |\n| `queue.size` | 1 | 5 |\n\n**Open** from 10:30, *5 €*."
	for says, want := range map[string]bool{
		"retry.max_delay | 95 s": true, "retry.max_delay 95 s": true, "`retry.max_delay`: 95 s": true, "Open from 10:30, 5 €": true,
		"retry.max_delay 80 s": false, "retry.max_delay 9": false, "size 1.5": false, "open from 10:30, 5 $": false, "": false, "|": false,
	} {
		if got := quotes(text, says); got != want {
			t.Errorf("%q: %v", says, got)
		}
	}
}

// A button is named by the task only if its name stands there by itself, it is offered, and
// nothing has pressed or shown it yet.
func TestSmallDecisionsName(t *testing.T) {
	deeds := func(all ...deed) []deed { return all }
	el := func(index int, role, name string) pagecontext.Element {
		return pagecontext.Element{Index: index, Tag: "div", Role: role, Name: name, IsEnabled: true, IsVisible: true}
	}
	step := func(name string, target pagecontext.Element, effect string) deed {
		return deed{action: name, acts: true, outcome: outcomeOK, effect: effect, target: target}
	}
	box, other := el(1, "checkbox", "Select"), el(2, "checkbox", "Select")
	box.Checked, other.Checked = "false", "false"
	folder, archive, label := el(3, "generic", "Travel"), el(8, "generic", "Archive"), el(9, "generic", "Label ▾")
	field, comment := el(4, "textbox", "Comment"), el(5, "button", "Comment")
	save, shut := el(6, "button", "Save"), el(7, "button", "Save and close")
	type els = []pagecontext.Element
	tick := step("check", box, `new: clickable "Archive", clickable "Label ▾"`)
	for name, c := range map[string]struct {
		task  string
		steps []deed
		was   els
		is    els
		want  int
	}{
		"a word":                            {"Tick it and save.", deeds(tick), nil, els{save}, 6},
		"a part of a time":                  {"Come at 17:30.", deeds(tick), nil, els{el(10, "generic", "30")}, 0},
		"a day":                             {"Come on the 30.", deeds(tick), nil, els{el(10, "generic", "30")}, 10},
		"in a longer name":                  {"Tick it, then save and close.", deeds(tick), nil, els{save, shut}, 7},
		"in a quotation":                    {`Write "please save this".`, deeds(tick), nil, els{save}, 0},
		"as a quotation":                    {`Press "Save".`, deeds(tick), nil, els{save}, 6},
		"a field had that name":             {"Close it with the comment 3.", deeds(step("type", field, "")), nil, els{field, comment}, 0},
		"one whose name has it":             {"Tick it and save.", deeds(step("click", shut, ""), tick), nil, els{save}, 0},
		"an effect shows the word":          {`Put the label "Travel" on it.`, deeds(step("click", label, `text: + "Travel"`), tick), nil, els{folder}, 0},
		"an effect names the button":        {"Tick it and archive.", deeds(tick), nil, els{archive}, 8},
		"not among those for the row":       {`Put the label "Travel" on it.`, deeds(tick), els{folder, box, other}, els{folder, box, other, archive, label}, 0},
		"… among them":                      {`Archive it.`, deeds(tick), els{folder, box, other}, els{folder, box, other, archive, label}, 8},
		"it is the link to this page":       {"Tick it and save.", deeds(tick), nil, els{{Index: 6, Role: "button", Name: "Save", Href: "/a", Current: true, IsEnabled: true, IsVisible: true}}, 0},
		"nothing was set, only a menu shut": {"Save it.", deeds(step("click", label, "")), nil, els{save}, 0},
	} {
		r := &run{Options: Options{Text: c.task}}
		r.proof.steps = c.steps
		now := action.Observation{URL: "https://a.test/a", Elements: &pagecontext.Listing{Elements: c.is}}
		if c.was != nil {
			r.left = &action.Observation{Elements: &pagecontext.Listing{Elements: c.was}}
			r.compare(now)
		}
		got := 0
		if e := r.namedButton(now); e != nil {
			got = e.Index
		}
		if got != c.want {
			t.Errorf("%s: [%d], want [%d]", name, got, c.want)
		}
	}

	// The second row too: all is offered then, but the folder is not meant.
	r := &run{Options: Options{Text: `Put the label "Travel" on both.`}}
	for _, b := range []pagecontext.Element{box, other} {
		was := els{folder, box, other}
		if b.Index == other.Index {
			was = append(was, archive, label)
		}
		r.left = &action.Observation{Elements: &pagecontext.Listing{Elements: was}}
		r.proof.steps = append(r.proof.steps, step("check", b, `text "1" → "2"`))
		now := action.Observation{Elements: &pagecontext.Listing{Elements: els{folder, box, other, archive, label}}}
		r.compare(now)
		if e := r.namedButton(now); e != nil || !r.midway {
			t.Errorf("row [%d]: named %v, midway %v", b.Index, e, r.midway)
		}
	}
	if r.skip(action.Observation{})("click", folder) {
		t.Error("only the buttons for the rows are offered for ever")
	}
}

// A link to the page that is shown is not offered.
func TestSkipsTheCurrentPage(t *testing.T) {
	r := &run{}
	skip := r.skip(action.Observation{URL: "https://a.test/issues?state=closed#top"})
	for href, want := range map[string]bool{"/issues?state=closed": true, "https://a.test/issues?state=closed": true, "/issues": false, "": false} {
		if got := skip("click", pagecontext.Element{Index: 1, Role: "link", Href: href, Current: true}); got != want {
			t.Errorf("%q is left out: %v", href, got)
		}
	}
	if skip("click", pagecontext.Element{Index: 1, Role: "link", Href: "/issues?state=closed"}) {
		t.Error("a link that nothing marks as current is left out")
	}
}

// A task that names an element in quotes gets its index told until it was pressed.
func TestQuotedElement(t *testing.T) {
	link := pagecontext.Element{Index: 4, Role: "link", Name: "Login button overlaps the logo", IsEnabled: true, IsVisible: true}
	yes := pagecontext.Element{Index: 5, Role: "button", Name: "Yes", IsEnabled: true, IsVisible: true}
	now := &pagecontext.Listing{Elements: []pagecontext.Element{yes, link}}
	for task, want := range map[string]int{
		`Close the issue “Login button overlaps the logo”.`: 4,
		`Close the issue Login button overlaps the logo.`:   0, // no quotes
		`Answer Tom with "Yes".`:                            0, // what is to be written
	} {
		got := 0
		if e := (&run{Options: Options{Text: task}}).quotedElement(action.Observation{Elements: now}); e != nil {
			got = e.Index
		}
		if got != want {
			t.Errorf("%s: [%d]", task, got)
		}
	}
	r := &run{Options: Options{Text: `Close the issue "Login button overlaps the logo".`}}
	r.proof.steps = []deed{{action: "click", target: link}}
	if r.quotedElement(action.Observation{Elements: now}) != nil {
		t.Error("what was pressed is told again")
	}
}

// A dialog that was opened and closed again is not opened a second time at once.
func TestSkipsWhatWasUndone(t *testing.T) {
	button := pagecontext.Element{Index: 1, Tag: "button", Role: "button", Name: "Reschedule", IsEnabled: true, IsVisible: true}
	closer := pagecontext.Element{Index: 2, Tag: "button", Role: "button", Name: "Close", IsEnabled: true, IsVisible: true}
	page := func(els ...pagecontext.Element) action.Observation {
		return action.Observation{Elements: &pagecontext.Listing{Elements: els}, Summary: &pagecontext.Summary{Title: "Bookings"}}
	}
	r := &run{}
	step := func(target pagecontext.Element, was, is action.Observation) {
		r.left = &was
		r.proof.steps = append(r.proof.steps, deed{action: "click", acts: true, outcome: outcomeOK, effect: "something", target: target})
		r.compare(is)
	}
	shut, opened := page(button), page(button, closer)
	step(button, shut, opened)
	if r.skip(opened)("click", button) {
		t.Error("a press is left out before it is undone")
	}
	step(closer, opened, shut)
	if !r.skip(shut)("click", button) {
		t.Error("a press that was undone is offered at once")
	}
}
