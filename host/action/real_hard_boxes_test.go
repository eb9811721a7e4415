package action

import (
	"strconv"
	"strings"
	"testing"

	"tabwright/host/browser"
)

// TestRealHardBoxes: a combobox whose field is transparent while its box says
// what is chosen stays what it is, two of a kind in a row too; an option that
// answers to the press itself is chosen with it; a press on a field over which its
// calendar comes has done what it does; what is written in an editor is told line
// by line, without its placeholder.
func TestRealHardBoxes(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_boxes.html")
		has(t, l.ok("select", p{"selector": "#fruit", "value": "Cherry"}).Text, `Chosen now: "Cherry"`)
		list := l.ok("getElements", p{}).Text
		has(t, list, `combobox "Fruit" value="Cherry"`)
		has(t, l.ok("snapshot", p{"interactive": true}).Text, `combobox "Fruit" value="Cherry" collapsed [`)
		index := l.found(p{"role": "combobox", "name": "Nut"}).Index
		has(t, l.ok("select", p{"index": index, "value": "Apple"}).Text, `Chosen now: "Apple"`)
		l.eval(`nut.blur(), 0`) // its list may stand there still
		has(t, l.ok("select", p{"index": index, "value": "Banana"}).Text, `Chosen now: "Banana"`)
		l.eval(`nut.blur(), 0`)
		if res := l.ok("select", p{"selector": "#fruit", "value": "Apple"}); !strings.Contains(res.Text, `Chosen now: "Apple"`) || strings.Contains(res.Effect, "gone: ") && strings.Contains(res.Effect, `combobox "Fruit"`) {
			t.Errorf("chosen once more: %s", res.Text)
		}
		has(t, l.ok("click", p{"selector": "#fruit"}).Effect, "expanded", "Banana")
		l.eval(`fruit.blur(), 0`)

		has(t, l.ok("click", p{"selector": "#day"}).Effect, "Month")
		if said := l.eval(`chosen.textContent`); strings.Contains(said, "let go") {
			t.Error("the release went to the calendar")
		}
		l.eval(`document.getAnimations().forEach((a) => a.finish()), 0`)
		has(t, l.ok("click", p{"selector": "#calendar button:nth-of-type(2)"}).Effect, "2026-11-25")

		if list = l.ok("snapshot", p{}).Text; strings.Contains(list, `"Message" `) && strings.Contains(list, `value="Write something"`) {
			t.Errorf("a placeholder is told as what is written:\n%s", list)
		}
		has(t, l.ok("type", p{"selector": "#editor", "text": "one line"}).Effect, `"one line"`)
		l.ok("pressKey", p{"key": "Enter"})
		has(t, l.ok("type", p{"selector": "#editor", "text": "another"}).Effect, `"one line another"`)

		// A field that lies under its box, and is seen while it has the keyboard.
		drink := l.found(p{"role": "combobox", "name": "Drink"}).Index
		for _, tree := range []string{l.ok("getElements", p{"query": "Pick"}).Text, l.ok("snapshot", p{"interactive": true}).Text} {
			if strings.Contains(tree, `clickable "Pick`) || strings.Contains(tree, `div "Pick`) {
				t.Errorf("its box stands beside it:\n%s", tree)
			}
		}
		has(t, l.ok("click", p{"index": drink}).Effect, "Milk")
		for _, name := range []string{"Milk", "Water", "Tea"} { // its list fades away meanwhile
			has(t, l.ok("select", p{"index": drink, "value": name}).Effect, name)
			if said := l.eval(`drunk.textContent`); said != strconv.Quote(name) {
				t.Errorf("chosen: %s, want %s", said, name)
			}
		}
		// What a list calls selected is not chosen where it is only what the pointer is at.
		went := func(want string) {
			t.Helper()
			if got := l.eval(`[...went.selectedOptions].map((o) => o.text).join()`); got != strconv.Quote(want) {
				t.Errorf("chosen in the page: %s, want %s", got, want)
			}
		}
		has(t, l.ok("select", p{"selector": "#towns", "value": "Oslo"}).Text, `Chosen now: "Oslo".`)
		went("Oslo")
		l.ok("select", p{"selector": "#towns", "value": "Rome"}) // the next one was lit up
		went("Rome,Oslo")
		res := l.do("select", p{"selector": "#towns", "value": "Bern"}) // nothing beside it to point at
		if res.Err == nil || res.Err.Code != Unsupported || !strings.Contains(res.Err.Hint, "click it") {
			t.Errorf("the last one: %v", res.Err)
		}
		went("Rome,Oslo")
		l.ok("click", p{"selector": "#oBern"})
		went("Rome,Oslo,Bern")
		for range 2 { // selected, and what the arrow keys are at: once more takes nothing away
			l.ok("select", p{"selector": "#breads", "value": "Rye"})
			if l.eval(`rye.ariaSelected`) != `"true"` {
				t.Error("Rye was let go")
			}
		}
	})
}
