package action

import (
	"strings"
	"testing"

	"tabwright/host/action/page"
)

// TestAPartIsNotWhatAFieldHolds: of a long value the extractor tells the end, which
// may be the text that was to be the whole of it.
func TestAPartIsNotWhatAFieldHolds(t *testing.T) {
	r := newRig(t, node(1, "textbox", "Note"))
	for to, want := range map[string]string{"…more of it tail": "", "tail": "tail"} {
		r.main.changes = []page.Change{{Kind: "value", ID: 1, Role: "textbox", Name: "Note", From: "…more of it", To: to}}
		if res := r.do("type", `{"selector":"#n1","text":"tail"}`); res.Value != want {
			t.Errorf("%q is taken for the whole: %q", to, res.Value)
		}
		asked := r.main.called("value")
		r.do("type", `{"selector":"#n1","text":"tail","clear":true}`)
		if got := r.main.called("value") > asked; got != (want == "") {
			t.Errorf("after %q the field is asked what it holds: %v", to, got)
		}
	}
}

// TestWhatCameUp is told without what stood there, and without the sign of what was left out.
func TestWhatCameUp(t *testing.T) {
	long := strings.Repeat("alike ", 30)
	r := newRig(t, node(1, "button", "Send"))
	r.main.changes = []page.Change{
		{Kind: "text", From: "…" + long, To: "…" + long + "Your order came"},
		{Kind: "text", To: strings.Repeat("Many words ", 20)},
	}
	res := r.do("click", `{"selector":"#n1"}`)
	if len(res.Appeared) != 2 || res.Appeared[0] != "alike alike Your order came" || !strings.HasPrefix(strings.Repeat("Many words ", 20), res.Appeared[1]) || len(res.Appeared[1]) < 60 {
		t.Errorf("%q", res.Appeared)
	}
}
