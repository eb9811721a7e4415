package action

import (
	"testing"

	"tabwright/pagecontext"
	"tabwright/safety"
)

// TestRowOfPart: a part that the list has under a heading is called by the heading, not by
// all that is in it; a row is called by its words.
func TestRowOfPart(t *testing.T) {
	box := pagecontext.RawElement{Role: "checkbox", Name: "Oliver Schmidt"}
	for _, c := range []struct{ group, row, item, want string }{
		{"main: Assignees", "", "Assignees Sarah Chen Oliver Schmidt", "Assignees"},
		{"main: New issue", "", "Assignees Sarah Chen", "Assignees Sarah Chen"},
		{"main", "", "Assignees Sarah Chen", "Assignees Sarah Chen"},
		{"main: Assign", "", "Assignees Sarah Chen", "Assignees Sarah Chen"},
		{"main: Assignees", "Sarah Chen, admin", "Assignees Sarah Chen", "Sarah Chen, admin"},
	} {
		a := &element{el: box, facts: safety.Target{Item: c.item}, entry: pagecontext.Entry{Group: c.group, Row: c.row}}
		if got := a.row(); got != c.want {
			t.Errorf("%q under %q: %q, want %q", c.item, c.group, got, c.want)
		}
	}
}

// TestRoleOfMatch: a form is called a form, though it has no role without a name.
func TestRoleOfMatch(t *testing.T) {
	for _, c := range []struct{ role, tag, want string }{
		{"generic", "form", "form"},
		{"generic", "div", "generic"},
		{"search", "form", "search"},
		{"", "p", "p"},
	} {
		if got := roleOfMatch(pagecontext.RawElement{Role: c.role, Tag: c.tag}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
