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
		if got := r.midway || r.leavesNamedButton(now.Elements); got != tt.want {
			t.Errorf("%s: unfinished is %v", tt.name, got)
		}
	}

	// Once the button was pressed, and after two times, the model is asked.
	r := &run{Options: Options{Text: "Switch the digest off, do not save it."}}
	save := el(9, "button", "Save")
	r.proof.steps = []deed{{action: "uncheck", target: digest}}
	for i, want := range []bool{true, true, false} {
		if got := r.leavesNamedButton(list(digest, save)); got != want {
			t.Errorf("time %d: %v", i+1, got)
		}
	}
	r.unsaved, r.proof.steps = 0, []deed{{action: "click", target: save}, {action: "uncheck", target: digest}}
	if r.leavesNamedButton(list(digest, save)) {
		t.Error("a button that was pressed is asked for")
	}
}

// What a small model says of a page in its own words is taken where one line has it.
func TestRetells(t *testing.T) {
	const accounts = "# Accounts\n\n## Everyday\n\n•••• 3803\n\n- Balance: £5,856.75\n- Available balance: £5,600.59\n\n## Holiday savings\n\n•••• 5826\n\n- Balance: £2,572.77\n- Available balance: £2,367.10\n"
	const table = "| Room | Price | Beds |\n|---|---|---|\n| Garden | 80 € | 2 |\n| Tower | 95 € | 1 |\n"
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
	} {
		if got := retells(tt.text, tt.says, tt.answer); got != tt.want {
			t.Errorf("%q of the page: %v", tt.says, got)
		}
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
