package action

import (
	_ "image/jpeg"
	"strconv"
	"testing"

	_ "golang.org/x/image/webp"
)

// TestRealHardChoicesDates: a field that opens a calendar is typed into and the text
// entered, no arrow goes to it; what it did not take, or took otherwise, is an
// error that says what it holds; one that takes no text is not pressed at all; a
// dialog with a list in it is chosen from.
func TestRealHardChoicesDates(t *testing.T) {
	hard(t, "hard_choices.html", func(t *testing.T, l *live) {
		hasChosen(t, l.ok("select", p{"selector": "#day", "value": "2026-05-20"}), "2026-05-20")
		l.saw(choiceKinds, "day 2026-05-20")
		has(t, l.fails(NotFound, "select", p{"selector": "#day", "value": "someday"}).Text, "did not take", `holds "2026-05-20"`)
		l.saw(choiceKinds)
		if got := l.eval(`[day.value, days.hidden].join()`); got != `"2026-05-20,true"` {
			t.Errorf("left: %s", got)
		}
		hasChosen(t, l.ok("select", p{"selector": "#from", "value": "2026-06-01"}), "2026-06-01")
		l.saw(choiceKinds, "from 2026-06-01")
		has(t, l.fails(NotFound, "select", p{"selector": "#clock", "value": "2026-06-01"}).Text, "did not take", `holds "2031-11-30"`)
		l.took(".*", 0)
		has(t, l.fails(Unsupported, "select", p{"selector": "#when", "value": "2026-06-01"}).Text, "no list", "Click it, then")
		if got := l.took(".*", 0); len(got) > 0 {
			t.Errorf("sent to one that takes no text: %q", got)
		}
		hasChosen(t, l.ok("select", p{"selector": "#where", "value": "There"}), "There")
		l.saw(choiceKinds, "where There")
	})
}

// TestRealHardLibsRange: Enter in a field that moves the keyboard on as it is pressed did
// that, and nothing of it goes to the field or button where the keyboard is then.
func TestRealHardLibsRange(t *testing.T) {
	libs(t, "range", func(t *testing.T, l *live) {
		for i, tt := range [][2]string{{"from", "until"}, {"start", "end"}, {"over", "drop"}} {
			l.ok("click", p{"selector": "#" + tt[0]})
			has(t, l.ok("pressKey", p{"key": "Enter"}).Text, "pressed")
			l.gives("[document.activeElement.id, out.entered]", `["`+tt[1]+`",`+strconv.Itoa(i+1)+`]`)
		}
		l.gives("Object.keys(out)", `["entered"]`)
	})
}

// TestRealHardMoreDates: keys come when the timer of a field's focus has run.
func TestRealHardMoreDates(t *testing.T) {
	more(t, "dates", func(t *testing.T, l *live) {
		l.ok("type", p{"selector": "#day", "text": "11242026"})
		l.gives("day.value", `"11/24/2026"`)
	})
}
