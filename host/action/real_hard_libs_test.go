package action

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

// libs is a part of the page of what libraries of widgets do.
func libs(t *testing.T, part string, test func(t *testing.T, l *live)) {
	t.Helper()
	hard(t, "hard_libs.html?part="+part, test)
}

// gives holds what an expression of the page's gives against what it should.
func (l *live) gives(code, want string) {
	l.t.Helper()
	if got := l.eval("JSON.stringify(" + code + ") ?? ''"); got != strconv.Quote(want) {
		l.t.Errorf("%s: %s, want %q", code, got, want)
	}
}

// TestRealHardLibsStepper: a stepper that acts on the press has done all that it does when
// one number beside it has changed; its click is held back.
func TestRealHardLibsStepper(t *testing.T) {
	libs(t, "steps", func(t *testing.T, l *live) {
		for _, id := range []string{"alone", "many"} {
			l.took(".*", 0)
			l.ok("click", p{"selector": "#" + id + "up"})
			l.gives(id+".value", `"4"`)
			l.gives("out."+id, "")
			l.saw("mousedown|click", "mousedown "+id+"up")
		}
		l.ok("click", p{"selector": "#manyup"})
		l.gives("many.value", `"5"`)
	})
}

// TestRealHardLibsStepperMore: a press that changed anything more than that is told, and
// not pressed again.
func TestRealHardLibsStepperMore(t *testing.T) {
	libs(t, "steps", func(t *testing.T, l *live) {
		for _, tt := range []struct{ button, state, want string }{
			{"twoup", "[two.value, other.value, out.two]", `["4","8",null]`},
			{"wordyup", "[wordy.value, word.value, out.wordy]", `["4","more",null]`},
			{"textup", "[document.getElementById('text').value, out.texts, out.text]", `["many",1,null]`},
			{"namedup", "[named.value, out.named]", `["4",null]`},
			{"sentup", "[sent.value, out.sent, out.gone]", `["4",null,null]`},
		} {
			l.took(".*", 0)
			l.fails(StaleRef, "click", p{"selector": "#" + tt.button})
			l.gives(tt.state, tt.want)
			l.saw("mousedown|click|submit", "mousedown "+tt.button)
		}
	})
}

// TestRealHardLibsStepperPrice: so is one that changed the price beside it.
func TestRealHardLibsStepperPrice(t *testing.T) {
	libs(t, "priced", func(t *testing.T, l *live) {
		l.fails(StaleRef, "click", p{"selector": "#pieceup"})
		l.gives("[piece.value, cost.textContent, out.piece]", `["4","8 €",null]`)
		l.saw("mousedown|click", "mousedown pieceup")
	})
}

// TestRealHardLibsSearched: the field of a combobox that is searched lies under the words
// of what is chosen, and is worked all the same. What lies over it else is not pressed.
func TestRealHardLibsSearched(t *testing.T) {
	libs(t, "searched", func(t *testing.T, l *live) {
		team := l.index("combobox", "Team")
		has(t, l.ok("click", p{"index": team}).Effect, "expanded", "Charlie")
		l.gives("document.activeElement.id", `"team"`)
		l.eval("team.blur(), 0")
		l.ok("type", p{"index": team, "text": "cha"})
		l.gives("out.teamtyped", `"cha"`)
		l.eval("team.blur(), 0")
		has(t, l.ok("select", p{"index": team, "value": "Charlie"}).Text, `Chosen now: "Charlie"`)
		l.gives("out.team", `"Charlie"`)
		l.ok("select", p{"selector": "#team", "value": "Alfa"})
		l.gives("out.team", `"Alfa"`)

		// A cross over all of the field, one over its middle, and what is no part of it.
		l.took(".*", 0)
		has(t, l.fails(Covered, "click", p{"selector": "#club"}).Text, "Clear")
		l.ok("click", p{"selector": "#crew"})
		if got := l.took("click", 1); slices.Contains(got, "click crewx") {
			t.Errorf("the cross was pressed: %q", got)
		}
		l.eval("crew.blur(), 0")
		l.fails(Covered, "click", p{"selector": "#band"})
		l.fails(Covered, "select", p{"selector": "#band", "value": "Alfa"})
		l.gives("[out.cleared, out.club, out.band]", `[null,null,null]`)
		l.saw("mousedown|click")
	})
}

// TestRealHardLibsLong: a list that is drawn beside its listbox, in part, and scrolls by
// script only: its far options are found, and what it has not is said soon.
func TestRealHardLibsLong(t *testing.T) {
	libs(t, "long", func(t *testing.T, l *live) {
		has(t, l.ok("select", p{"selector": "#bigin", "value": "Item 97"}).Text, `Chosen now: "Item 97"`)
		l.gives("out.big", "97")
		began := time.Now()
		l.fails(NotFound, "select", p{"selector": "#bigin", "value": "Item 970"})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("in vain for %s", took)
		}
		l.gives("out.big", "97")
	})
}

// TestRealHardLibsLongScroll: such a list is scrolled by the box that it stands in.
func TestRealHardLibsLongScroll(t *testing.T) {
	libs(t, "long", func(t *testing.T, l *live) {
		l.ok("click", p{"selector": "#bigin"})
		l.ok("scroll", p{"selector": "#holder", "direction": "down"})
		l.gives("[holder.scrollTop > 100, scrollY]", "[true,0]")
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

// TestRealHardLibsLabelled: what a field opens within its label is no part of its name.
func TestRealHardLibsLabelled(t *testing.T) {
	libs(t, "labelled", func(t *testing.T, l *live) {
		l.ok("type", p{"index": l.index("textbox", "Born"), "text": "2026-11-24"})
		l.gives("out.day", `"2026-11-24"`)
		has(t, l.ok("getElements", p{}).Text, `textbox "Born" value="2026-11-24"`)
	})
}

// TestRealHardLibsReleased: a list that chooses as the button is let go, of which its
// combobox tells how many: the click behind that is held back.
func TestRealHardLibsReleased(t *testing.T) {
	libs(t, "released", func(t *testing.T, l *live) {
		l.ok("select", p{"selector": "#hue", "values": []string{"Red", "Blue"}})
		l.gives("[out.hues, hue.value]", `["Red,Blue","2 options selected"]`)
		l.ok("click", p{"index": l.index("option", "Green")})
		l.gives("[out.hues, out.clicked]", `["Red,Blue,Green",null]`)
	})
}

// TestRealHardLibsTabs: a component takes the presses of the button in it that lets the
// mouse through, and not those of another control that is given to it.
func TestRealHardLibsTabs(t *testing.T) {
	libs(t, "tabs", func(t *testing.T, l *live) {
		l.ok("click", p{"index": l.index("tab", "Second")})
		l.gives("out.tab", `"two2"`)
		l.fails(Covered, "click", p{"ref": l.found(p{"role": "tab", "name": "Third Away"}).Ref})
		l.gives("[out.tab, location.hash]", `["two2",""]`)
	})
}

// TestRealHardLibsMenu: of a menu that takes the keyboard the list that fills it is scrolled.
func TestRealHardLibsMenu(t *testing.T) {
	libs(t, "scrolled", func(t *testing.T, l *live) {
		l.ok("scroll", p{"selector": "#menu", "direction": "down"})
		l.gives("[items.scrollTop > 50, scrollY]", "[true,0]")
	})
}

// TestRealHardLibsBegun: a field is what it was where a word that came beside it is how
// another one begins.
func TestRealHardLibsBegun(t *testing.T) {
	libs(t, "begun", func(t *testing.T, l *live) {
		l.ok("click", p{"index": l.index("textbox", "Meet")})
		l.saw("mousedown|click", "mousedown meet", "click meet")
		l.ok("type", p{"index": l.index("textbox", "Meet"), "text": "Friday"})
		l.gives("out.meet", `"Friday"`)
	})
}
