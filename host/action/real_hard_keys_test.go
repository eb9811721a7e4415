package action

import (
	"strings"
	"testing"
)

// TestRealHardHoles: what has a hole where its middle is, is a line, or is
// covered but for an edge is pressed where it takes a press.
func TestRealHardHoles(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.pressAll([]pressable{
			{role: "button", name: "Thin ring", selector: "#thin", id: "thin", noPoint: true},
			{role: "button", name: "Edge", selector: "#line", id: "line", noPoint: true},
			{role: "button", name: "Donut", selector: "#donut", id: "donut", noPoint: true},
			{role: "button", name: "Strip", selector: "#strip", id: "strip", noPoint: true},
			{role: "button", name: "Core", selector: "#core", id: "core"},
		})
	})
}

// TestRealHardSliders sets sliders and spin buttons of the page's own, which
// take keys only.
func TestRealHardSliders(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		now := func(id string) string { return strings.Trim(l.eval(id+".ariaValueNow"), `"`) }
		for _, tt := range []struct{ id, put, want string }{
			{"volume", "73", "73"},
			{"volume", "0", "0"},
			{"volume", "100%", "100"},
			{"volume", "58", "58"},
			{"heat", "-7.5", "-7.5"},
			{"back", "8", "8"},
			{"back", "3", "3"},
			{"size", "Large", "2"},
			{"size", "small", "0"},
			{"guests", "4", "4"},
		} {
			has(t, l.ok("type", p{"selector": "#" + tt.id, "text": tt.put, "clear": true}).Text, " into ")
			if got := now(tt.id); got != tt.want {
				t.Errorf("%s stands at %s, want %s", tt.id, got, tt.want)
			}
		}
		l.ok("select", p{"selector": "#volume", "value": "21"})
		if got := now("volume"); got != "21" {
			t.Errorf("volume stands at %s after select", got)
		}
		has(t, l.fails(InvalidParams, "type", p{"selector": "#volume", "text": "130", "clear": true}).Text, "stands at 21", "It takes 0 to 100")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#heat", "text": "1", "clear": true}).Text, "stands at 0", "-10 to 30")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#size", "text": "Tiny", "clear": true}).Text, "Huge")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#stuck", "text": "7", "clear": true}).Text, "stands at 5")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#volume", "text": "loud", "clear": true}).Text, "no number")
	})
}

// TestRealHardMasks: what stands in a field after it was filled is what was
// asked for, or an error that says what stands there.
func TestRealHardMasks(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		value := func(id string) string { return strings.Trim(l.eval(id+".value"), `"`) }
		for _, tt := range []struct{ id, put, want string }{
			{"phone", "5551234567", "(555) 123-4567"}, // overlooks the selection
			{"amount", "1234", "1,234 €"},             // adds signs of its own
			{"hex", "beef", "BEEF"},
			{"brief", "xyz", "xyz"},
			{"brief", "", ""},
			{"tag", "blue,", ""}, // gave it to the page
		} {
			l.ok("type", p{"selector": "#" + tt.id, "text": tt.put, "clear": true})
			if got := value(tt.id); got != tt.want {
				t.Errorf("%s holds %q, want %q", tt.id, got, tt.want)
			}
		}
		has(t, l.fails(Unsupported, "type", p{"selector": "#brief", "text": "123456", "clear": true}).Text, `holds "1234"`)
		has(t, l.fails(Unsupported, "type", p{"selector": "#hex", "text": "xyz", "clear": true}).Text, `holds ""`)
		// Nor is a text added to a field that takes no more.
		has(t, l.fails(Unsupported, "type", p{"selector": "#brief", "text": "56"}).Text, `holds "1234"`)
	})
}

// TestRealHardDesign: a page that is one editor by designMode is listed as one
// and can be written in.
func TestRealHardDesign(t *testing.T) {
	hard(t, "hard_design.html", func(t *testing.T, l *live) {
		list := l.observe().Elements.Elements
		if len(list) != 1 || list[0].Role != "textbox" {
			t.Fatalf("it lists %+v", list)
		}
		l.ok("type", p{"index": list[0].Index, "text": "New words", "clear": true})
		l.ok("type", p{"index": list[0].Index, "text": " and more"})
		if got := l.eval("document.body.innerText.trim()"); got != `"New words and more"` {
			t.Errorf("the page holds %s", got)
		}
	})
}

func TestHoldsText(t *testing.T) {
	for _, tt := range []struct {
		holds, text, before string
		want                bool
	}{
		{"abc", "abc", "", true},
		{"abc", "ABC", "x", true},
		{"(555) 123-4567", "5551234567", "(12", true},
		{"+1 555 123", "555123", "+1 9", true},
		{"1,234.00", "1234", "7", true},
		{"1.5", "1.50", "2", true},
		{"London", "Lon", "Paris", true},
		{"1234", "34", "12", false}, // behind what stood there
		{"3412", "34", "12", false}, // before it
		{"1234", "123456", "", false},
		{"", "xyz", "", false},
		{"12", "", "12", false},
		{"__/__", "", "12/26", true},
		{"👍", "👍", "x", true},
		{"!", "?", "", false},
	} {
		if got := holdsText(tt.holds, tt.text, tt.before); got != tt.want {
			t.Errorf("%q for %q over %q: %v", tt.holds, tt.text, tt.before, got)
		}
	}
}

// TestRealHardEdge: a press that came to the edge of a frame, and not into it,
// did not reach what is in the frame; it is stopped there, and followed.
func TestRealHardEdge(t *testing.T) {
	hard(t, "hard_edge.html", func(t *testing.T, l *live) {
		l.awaitFrames(`button "Press edge"`)
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Press edge"}).Index})
		l.saw(pressKinds, pressedOn("edge:hit")...)
	})
}

// TestRealHardRenames types into fields that the page names anew with the first
// character: they are the same fields.
func TestRealHardRenames(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.ok("type", p{"index": l.found(p{"role": "textbox", "name": "Draft"}).Index, "text": "ab c"})
		l.ok("type", p{"selector": "#memo", "text": "-new"})
		if got := l.eval("[draft.value, memo.value]"); got != `["ab c","old-new"]` {
			t.Errorf("they hold %s", got)
		}
		l.eval(`memo.ariaLabel = "Note"`)
		l.ok("type", p{"selector": "#memo", "text": "new", "clear": true})
		if got := l.eval("memo.value"); got != `"new"` {
			t.Errorf("memo holds %s", got)
		}
	})
}

// TestRealHardUnseen: a field out of sight takes text while it has the keyboard,
// and no other time.
func TestRealHardUnseen(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.fails(NotVisible, "type", p{"selector": "#cell", "text": "x"})
		l.ok("click", p{"selector": "#sheet"})
		l.ok("type", p{"selector": "#cell", "text": "12 茶"})
		if got := l.eval("cell.value"); got != `"12 茶"` {
			t.Errorf("the cell holds %s", got)
		}
		l.ok("type", p{"selector": "#cell", "text": "13", "clear": true})
		if got := l.eval("cell.value"); got != `"13"` {
			t.Errorf("the cell holds %s", got)
		}
	})
}

// TestRealHardChecked: a button that the page enables once it has checked what
// was written is waited for, also where a user is asked about it.
func TestRealHardChecked(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		l.fails(Disabled, "click", p{"selector": "#order"})
		if n := len(l.person.cards); n != 0 {
			t.Errorf("%d cards for a disabled button", n)
		}
		l.ok("type", p{"selector": "#who", "text": "Ann"})
		l.ok("click", p{"selector": "#order"})
		l.saw("click", "click order")
		if cards := l.person.cards; len(cards) != 1 || !strings.Contains(cards[0].Target, "Pay now") {
			t.Errorf("it was asked: %+v", cards)
		}
	})
}

// TestRealHardComponents names components by their own elements, and chooses from
// a list whose options are given to it from outside.
func TestRealHardComponents(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		has(t, l.ok("type", p{"selector": "#given", "text": "Ann"}).Text, `textbox "Given name"`)
		if got := l.eval("given.shadowRoot.querySelector('input').value"); got != `"Ann"` {
			t.Errorf("the field holds %s", got)
		}
		has(t, l.ok("getValue", p{"selector": "#given"}).Text, `is "Ann"`)
		l.ok("select", p{"selector": "#tier", "label": "Team"})
		l.saw("tier", "tier Team")
		// Enter goes where the text went, and is judged as pressed there.
		l.ok("type", p{"selector": "#chat", "text": "hi", "submit": true})
		l.saw("sent", "sent hi")
		if cards := l.person.cards; len(cards) != 1 || !strings.Contains(cards[0].Target, `textbox "Message"`) {
			t.Errorf("it was asked: %+v", cards)
		}
	})
}

// TestRealHardLog: what is added to a long text is told, not the text before it.
func TestRealHardLog(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		for l.eval("told.textContent.length < 190") == "true" {
			l.ok("click", p{"selector": "#say"})
		}
		has(t, l.ok("click", p{"selector": "#say"}).Effect, "goes on, the end\"")
	})
}

// TestRealHardListByName: a list that is named by selector is scrolled within
// until the text comes.
func TestRealHardListByName(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		res := l.ok("scrollUntil", p{"selector": "#rows", "text": "Row 43"})
		has(t, res.Text, stopText, "Row 43")
		if got := l.eval("rows.scrollTop > 300 && scrollY === 0"); got != "true" {
			t.Errorf("the list was not scrolled: %s", res.Text)
		}
		has(t, l.ok("scrollUntil", p{"selector": "#rows"}).Text, stopSelector)
		has(t, l.ok("scrollUntil", p{"selector": "#rows", "text": "Row 43"}).Text, "after 0 scrolls")
	})
}

// TestRealHardHidden: that a secret was written is told, and nothing of it.
func TestRealHardHidden(t *testing.T) {
	hard(t, "hard_keys.html", func(t *testing.T, l *live) {
		res := l.ok("type", p{"selector": "#pin", "text": "swordfish"})
		if !strings.Contains(res.Effect, `textbox "Password" [1] value changed`) || strings.Contains(res.Text, "swordfish") {
			t.Errorf("it is said: %s", res.Text)
		}
	})
}
