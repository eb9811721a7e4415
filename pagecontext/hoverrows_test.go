package pagecontext

import (
	"fmt"
	"strings"
	"testing"
)

// mails is a list of rows with buttons that show on hover.
func mails(n int) *Listing {
	l := &Listing{SnapshotID: "snap_aaaaaa"}
	add := func(e Element) {
		e.Index, e.IsVisible, e.IsEnabled, e.Group, e.Row = len(l.Elements)+1, true, true, "main: Inbox", len(l.Rows)
		l.Elements = append(l.Elements, e)
	}
	for i := range n {
		l.Rows = append(l.Rows, Row{Role: "listitem", Text: fmt.Sprintf("Ida %d", i)})
		add(Element{Role: "checkbox", Name: "Select"})
		for _, name := range []string{"Archive", "Delete", fmt.Sprintf("Reply to Ida %d", i)} {
			add(Element{Role: "button", Name: name, OnHover: true})
		}
	}
	l.Total = len(l.Elements)
	return l
}

// TestHoverRows: what each row of a list shows on hover is said once, and is in no row
// missed by a cursor; what only one has, what was asked for, and a few stand in their rows.
func TestHoverRows(t *testing.T) {
	const want = `## main: Inbox
each row has, on hover: button "Archive", button "Delete" (query="a row's words" gives their indices)
- listitem "Ida 0"
  checkbox "Select" [1]
  button "Reply to Ida 0" (on hover) [4]
- listitem "Ida 1"
  checkbox "Select" [5]
  button "Reply to Ida 1" (on hover) [8]
`
	if got := Render(nil, mails(7), RenderOptions{}); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant at first\n%s", got, want)
	}
	few := Render(nil, mails(6), RenderOptions{})
	asked := mails(7)
	asked.hovers = true
	for name, text := range map[string]string{"few buttons": few, "asked for": Render(nil, asked, RenderOptions{})} {
		if strings.Contains(text, "each row has") || !strings.Contains(text, `  button "Archive" (on hover) [6]`) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	text, w := render(nil, mails(40), RenderOptions{Budget: 206})
	rows := strings.Count(text, "- listitem")
	if rows == 0 || rows == 40 || w.count != 4*rows || strings.Count(text, "each row has") != 1 {
		t.Errorf("%d rows of 4 are told and %d elements counted:\n%s", rows, w.count, text)
	}
}

// TestHoverRowsOfSome: what only some rows have is said so, what differs only by its
// description is said once too, and no line is written without a name.
func TestHoverRowsOfSome(t *testing.T) {
	l := mails(9)
	for i := range l.Elements {
		e := &l.Elements[i]
		if e.Name == "Archive" && e.Row > 5 {
			e.Name = "Restore"
		}
		if e.Name == "Delete" {
			e.Description = l.Rows[e.Row-1].Text
		}
	}
	const want = `each row has, on hover: button "Delete", in some button "Archive", in some button "Restore" (query="a row's words" gives their indices)`
	if got := Render(nil, l, RenderOptions{}); !strings.Contains(got, want+"\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for i := range l.Elements {
		if e := &l.Elements[i]; e.OnHover {
			e.Name = fmt.Sprintf("%s %d", e.Name, e.Row)
		}
	}
	if got := Render(nil, l, RenderOptions{}); strings.Contains(got, "each of") {
		t.Errorf("a line of nothing:\n%s", got)
	}
}

// TestAboveFirst: where all of a page is told, it is in its own order.
func TestAboveFirst(t *testing.T) {
	l := &Listing{Total: 3, Elements: []Element{
		{Index: 1, Role: "textbox", Name: "Title", IsEnabled: true, Rect: Rect{Y: -90, Height: 20}},
		{Index: 2, Role: "button", Name: "Save", IsEnabled: true, IsVisible: true},
		{Index: 3, Role: "link", Name: "Terms", IsEnabled: true, Rect: Rect{Y: 2000, Height: 20}},
	}}
	const want = "## above the view\n## page\ntextbox \"Title\" [1]\n## in view\n## page\nbutton \"Save\" [2]\n## below the fold\n## page\nlink \"Terms\" [3]"
	if got := Render(nil, l, RenderOptions{Budget: 400}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Render(nil, l, RenderOptions{Budget: 45}); !strings.HasPrefix(got, "## page\nbutton \"Save\"") {
		t.Errorf("with little room\n%s", got)
	}
}
