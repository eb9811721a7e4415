package action

import (
	_ "image/jpeg"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/safety"
)

func TestRealRawMouse(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "mouse.html")
		l.fails(InvalidParams, "mouseUp", p{})
		l.ok("mouseMove", p{"selector": "#many"})
		l.ok("mouseDown", p{})
		l.fails(InvalidParams, "mouseDown", p{})
		l.ok("mouseUp", p{})
		l.wantLog("click0")
		l.eval("log.length = 0")
		l.ok("mouseDown", p{"selector": "#ball"})
		l.ok("mouseMove", p{"x": 250, "y": 170})
		l.ok("mouseMove", p{"x": 350, "y": 170})
		has(t, l.ok("mouseUp", p{"x": 350, "y": 170}).Text, "Basket")
		l.wantLog("ball on basket")

		// Down and up are judged as the click that they make.
		l.eval("log.length = 0")
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.fails(Denied, "mouseDown", p{"selector": "#wipe"})
		l.fails(Denied, "mouseUp", p{"selector": "#wipe"})
		l.wantLog()
		if len(l.person.cards) != 1 || l.person.cards[0].Decision.Class != safety.Destroy {
			t.Errorf("cards %+v", l.person.cards)
		}
	})
}
