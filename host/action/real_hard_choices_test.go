package action

import (
	"slices"
	"strconv"
	"testing"
)

const choiceKinds = "day|from|clock|when|where|marks|row|more|area|tongue|town|inner|escape"

// TestRealHardChoicesDates: a field that opens a calendar is typed into and the text
// entered, no arrow goes to it; what it did not take, or took otherwise, is an
// error that says what it holds; one that takes no text is not pressed at all; a
// dialog with a list in it is chosen from.
func TestRealHardChoicesDates(t *testing.T) {
	hard(t, "hard_choices.html", func(t *testing.T, l *live) {
		has(t, l.ok("select", p{"selector": "#day", "value": "2026-05-20"}).Text, `Chosen now: "2026-05-20"`)
		l.saw(choiceKinds, "day 2026-05-20")
		has(t, l.fails(NotFound, "select", p{"selector": "#day", "value": "someday"}).Text, "did not take", `holds "2026-05-20"`)
		l.saw(choiceKinds)
		if got := l.eval(`[day.value, days.hidden].join()`); got != `"2026-05-20,true"` {
			t.Errorf("left: %s", got)
		}
		has(t, l.ok("select", p{"selector": "#from", "value": "2026-06-01"}).Text, `Chosen now: "2026-06-01"`)
		l.saw(choiceKinds, "from 2026-06-01")
		has(t, l.fails(NotFound, "select", p{"selector": "#clock", "value": "2026-06-01"}).Text, "did not take", `holds "2031-11-30"`)
		l.took(".*", 0)
		has(t, l.fails(Unsupported, "select", p{"selector": "#when", "value": "2026-06-01"}).Text, "no list", "Click it, then")
		if got := l.took(".*", 0); len(got) > 0 {
			t.Errorf("sent to one that takes no text: %q", got)
		}
		has(t, l.ok("select", p{"selector": "#where", "value": "There"}).Text, `Chosen now: "There"`)
		l.saw(choiceKinds, "where There")
	})
}

// TestRealHardChoices: an option that is called selected as the arrow keys are at it
// is chosen all the same; lists that draw far ahead, or bring more at their end, are
// looked through to it; columns of menus are one list; a list within its control
// is not what the control says.
func TestRealHardChoices(t *testing.T) {
	hard(t, "hard_choices.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			by   p
			want []string
			says []string
		}{
			{p{"selector": "#marks input", "values": []string{"Xray", "Yank"}}, []string{"marks Xray", "marks Xray,Yank"}, []string{`Chosen now: "Xray Yank"`}},
			{p{"selector": "#row", "value": "Row 150"}, []string{"row Row 150"}, []string{`Chosen now: "Row 150"`}},
			{p{"selector": "#row", "value": "Row 199"}, []string{"row Row 199"}, nil},
			{p{"selector": "#row", "value": "Row 3"}, []string{"row Row 3"}, nil},
			{p{"selector": "#more", "value": "Piece 110"}, []string{"more Piece 110"}, nil},
			{p{"selector": "#area", "value": "France"}, nil, []string{"OK: opened", "Paris, Lyon"}},
			{p{"selector": "#area", "value": "Lyon"}, []string{"area Lyon"}, []string{`Chosen now: "Lyon"`}},
			{p{"selector": "#area", "values": []string{"Luxembourg", "Luxembourg"}}, []string{"area Luxembourg"}, []string{`Chosen now: "Luxembourg"`}},
			{p{"selector": "#tongue", "value": "Dutch"}, []string{"tongue Dutch"}, []string{`Chosen now: "Dutch"`}},
		} {
			has(t, l.ok("select", tt.by).Text, tt.says...)
			if got := l.took(choiceKinds, len(tt.want)); !slices.Equal(got, tt.want) {
				t.Errorf("%v: the page saw %q", tt.by, got)
			}
		}
	})
}

// TestRealHardChoicesLeft: what was typed in vain is taken back, and a list that is of
// no use is closed, but not by a key that a dialog would hear too.
func TestRealHardChoicesLeft(t *testing.T) {
	hard(t, "hard_choices.html", func(t *testing.T, l *live) {
		has(t, l.fails(NotFound, "select", p{"selector": "#town", "value": "Kiwi"}).Text, `its field holds "Rome"`)
		if got := l.eval(`[town.value, town.ariaExpanded].join()`); got != strconv.Quote("Rome,false") {
			t.Errorf("left in the field: %s", got)
		}
		l.fails(NotFound, "select", p{"selector": "#row", "value": "Row 1000"})
		l.saw(choiceKinds, "escape row")
		if got := l.eval(`row.ariaExpanded`); got != `"false"` {
			t.Errorf("the list is left open: %s", got)
		}
		has(t, l.fails(NotFound, "select", p{"selector": "#inner", "value": "Two"}).Text, "it is open now")
		l.saw(choiceKinds)
	})
}
