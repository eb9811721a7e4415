package action

import (
	_ "image/jpeg"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

// TestRealHardRadioKeys: an arrow key in a group of radio buttons presses the next
// one, and is judged as that.
func TestRealHardRadioKeys(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		for _, key := range []string{"ArrowDown", "ArrowRight", "ArrowUp"} {
			l.ok("focus", p{"selector": "#sizes :checked"})
			l.ok("pressKey", p{"key": key})
		}
		if got := l.eval("medium.checked"); got != "true" {
			t.Error("the other size is chosen")
		}
		l.person.answers = []Answer{{By: "panel"}}
		l.ok("focus", p{"selector": "#keep"})
		l.fails(Denied, "pressKey", p{"key": "ArrowDown"})
		l.saw("agreed")
	})
}

// TestRealHardLabel: a label hands the click on an option within it on to its
// field. That is the browser's own doing, and does not make the choice a failure.
func TestRealHardLabel(t *testing.T) {
	hard(t, "hard_label.html", func(t *testing.T, l *live) {
		for _, name := range []string{"Green", "Blue"} {
			res := l.ok("select", p{"selector": "#colours", "value": name})
			has(t, res.Text, `selected "`+name+`"`)
			l.saw("colour", "colour "+name)
		}
		if got := l.eval(`chosen.textContent`); got != `"Green Blue "` {
			t.Errorf("chosen: %s", got)
		}
		// A tick box is another matter: the label would tick it, and nobody judged that.
		// The choice was made all the same.
		l.ok("select", p{"selector": "#size", "value": "Large"})
		if got := l.eval(`agree.checked + size.textContent`); got != `"falseLarge"` {
			t.Errorf("ticked, and chosen: %s", got)
		}
	})
}

// TestRealDrawnSwitch: check and uncheck work a switch that is only drawn.
func TestRealDrawnSwitch(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		at := p{"index": l.index("switch", "Weekly news")}
		has(t, l.ok("check", at).Text, "is checked already")
		has(t, l.ok("uncheck", at).Text, `unchecked switch "Weekly news"`, " on → off.")
		has(t, l.ok("click", at).Effect, "off → on")
		has(t, l.ok("getElements", p{}).Text, `switch "Weekly news" on [`)
	})
}

func TestRealCheck(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "choose.html")
		l.ok("check", p{"selector": "#gift"})
		has(t, l.ok("check", p{"selector": "#gift"}).Text, "already")
		l.ok("uncheck", p{"selector": "#gift"})
		l.ok("check", p{"selector": "#sr"})
		l.ok("check", p{"selector": "#r2"})
		l.wantLog("gift true", "gift false", "sr true", "r2 true")
		l.ok("check", p{"selector": "#sw"})
		if got := l.eval("sw.ariaChecked"); got != `"true"` {
			t.Errorf("switch %s", got)
		}
		l.fails(Unsupported, "uncheck", p{"selector": "#r2"})
		l.fails(Unsupported, "check", p{"selector": "#stuck"})
		l.fails(Unsupported, "check", p{"selector": "#size"})
		if c := as[struct{ Checked, Mixed bool }](t, l.ok("isChecked", p{"selector": "#sw"})); !c.Checked || c.Mixed {
			t.Errorf("checked %+v", c)
		}
		l.fails(Unsupported, "isChecked", p{"selector": "#combo"})
		if e := as[struct{ Enabled bool }](t, l.ok("isEnabled", p{"selector": "#off"})); e.Enabled {
			t.Error("enabled")
		}
		if e := as[struct{ Enabled bool }](t, l.ok("isEnabled", p{"selector": "#gift"})); !e.Enabled {
			t.Error("disabled")
		}
	})
}
