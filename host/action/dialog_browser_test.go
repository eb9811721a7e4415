package action

import (
	"context"
	_ "image/jpeg"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/safety"
)

// TestRealHardSuitesVeil: of a dialog that comes when its veil is there, and goes
// when that is gone, the act that opened or closed it tells; what changes nothing that
// is seen, and sets no timer, is not waited for.
func TestRealHardSuitesVeil(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_suites.html")
		has(t, l.ok("click", p{"selector": "#ask"}).Effect, `button "Yes"`, "Sure?")
		has(t, l.ok("click", p{"selector": "#yes"}).Effect, "gone: ", `button "Yes"`)
		if e := l.ok("click", p{"selector": "#hush"}).Effect; e != NoEffect {
			t.Errorf("nothing to see: %s", e)
		}
	})
}

func TestRealDialogs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		res := l.ok("click", p{"selector": "#alert"})
		has(t, res.Effect, `an alert said "Hello" and was closed`)
		l.wantLog("alert")
		res = l.ok("click", p{"selector": "#confirm"})
		has(t, res.Effect, `a confirm dialog opened: "Proceed?"`)
		has(t, l.fails(DialogOpen, "click", p{"selector": "#nothing"}).Text, "Proceed?", "handleDialog")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
		if err != nil || o.Dialog == nil {
			t.Errorf("observation %+v, %v", o, err)
		}
		l.ok("handleDialog", p{"accept": true})
		l.wantLog("alert", "confirm", "answer true")

		if err := l.tab.Navigate(context.Background(), l.at("a.test", "dialogs.html")); err != nil {
			t.Fatal(err)
		}
		has(t, l.ok("click", p{"selector": "#ask"}).Effect, "a prompt dialog opened")
		has(t, l.ok("handleDialog", p{"accept": true, "text": "Ada"}).Effect, `"none" → "Ada"`)
		l.eval(`addEventListener("beforeunload", (e) => e.preventDefault()), 0`)
		has(t, l.fails(DialogOpen, "navigate", p{"url": l.at("a.test", "next.html")}).Text, "Leave the page?")
		l.ok("handleDialog", p{"accept": false})
		if got := l.eval("document.title"); got != `"Dialogs"` {
			t.Errorf("left for %s", got)
		}
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.ok("click", p{"selector": "#wipe"})
		l.fails(Denied, "handleDialog", p{"accept": true})
		if len(l.person.cards) != 1 || l.person.cards[0].Decision.Class != safety.Destroy {
			t.Errorf("cards %+v", l.person.cards)
		}
		has(t, l.ok("handleDialog", p{"accept": false}).Effect, `"false"`)
	})
}

// TestRealDialogsInARow: the answer to a dialog that opened late is told, and so is the
// next one, which opens late as well, and what comes of that.
func TestRealDialogsInARow(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "views.html")
		opened := func() {
			t.Helper()
			select {
			case <-l.tab.DialogOpened():
			case <-t.Context().Done():
				t.Fatal("no dialog opened")
			}
		}
		for _, e := range l.observe().Elements.Elements {
			if e.Name == "Twice" {
				l.ok("click", p{"index": e.Index})
			}
		}
		opened()
		l.ok("handleDialog", p{"accept": true})
		opened()
		res := l.ok("handleDialog", p{"accept": true})
		has(t, res.Effect, `"shown true"`)
	})
}
