package recall

import (
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	got := Parse(`URL: https://shop.test/
Title: Mugs [2]
## main: Inbox
- row "Ida Lind [Acme] 10:32" unread attachment
  checkbox "Select" checked [12]
  link "Say \"hi\" [now]" → /mail/7?x=[1] [13]
- row "Arne" selected [14]
  button [15]
- row "May": gridcell "1" [16] "2" current [17]
## below the fold
link "Terms" [90]
… 12 more links`)
	want := []Line{
		{Index: 12, Role: "checkbox", Name: "Select", Rest: "checked", Group: "main: Inbox", Row: "Ida Lind [Acme] 10:32"},
		{Index: 13, Role: "link", Name: `Say "hi" [now]`, Rest: "→ /mail/7?x=[1]", Group: "main: Inbox", Row: "Ida Lind [Acme] 10:32"},
		{Index: 14, Role: "row", Name: "Arne", Rest: "selected", Group: "main: Inbox", Row: "Arne"},
		{Index: 15, Role: "button", Group: "main: Inbox", Row: "Arne"},
		{Index: 16, Role: "gridcell", Name: "1", Group: "main: Inbox", Row: "May"},
		{Index: 17, Role: "gridcell", Name: "2", Rest: "current", Group: "main: Inbox", Row: "May"},
		{Index: 90, Role: "link", Name: "Terms", Group: "below the fold", Below: true},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestCompare(t *testing.T) {
	view := []Element{
		{Node: 1, Role: "button", Name: "Add  to cart", Heard: true},
		{Node: 2, Role: "button", Name: "Delete", Heard: true},
		{Node: 3, Role: "button", Name: "Delete", Heard: true},
		{Node: 4, Role: "link", Name: "Help \ue000", Heard: true},
		{Node: 5, Role: "checkbox", Name: "Agree", Heard: true},
		{Node: 6, Role: "link", Name: "A report on the rivers of the north and what became of them in the long years of the dam", Heard: true},
		{Node: 7, Name: "Glue 12 sticks"}, // only its cursor tells
		{Node: 8, Role: "textbox", Name: "Town", Heard: true},
	}
	lines := []Line{
		{Index: 1, Role: "button", Name: "ADD TO CART"},
		{Index: 2, Role: "button", Name: "Delete"}, // of two that are alike, one
		{Index: 4, Role: "link", Name: "help"},
		{Index: 5, Role: "switch", Name: "Agree"},
		{Index: 6, Role: "link", Name: "A report on the rivers of the north and what…"},
		{Index: 7, Role: "clickable", Name: "Glue"},
		{Index: 8, Role: "textbox", Name: "City"},
	}
	got := Compare(view, lines, map[int]int64{1: 1, 2: 2, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8})
	want := Score{InView: 8, Told: 5, Listed: 7, Named: 6, Missed: []Miss{
		{Kind: "absent", Role: "button", Name: "Delete"},
		{Kind: "role", Role: "checkbox", Name: "Agree", Text: `switch "Agree"`},
		{Kind: "name", Role: "textbox", Name: "Town", Text: `textbox "City"`},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
