package action

import (
	"strings"
	"testing"

	"tabwright/safety"
)

// TestRealPrintWithoutWindow: a headless browser opens no window to print, and
// nobody waits for one.
func TestRealPrintWithoutWindow(t *testing.T) {
	startChromium(t)
	f := newFair(t)
	l := &live{t: t, person: &person{answers: []Answer{{Allow: true, By: "panel"}}}, diary: &diary{}}
	hosts := []string{"a.test"}
	l.begin(chromium.d, Options{TaskDir: t.TempDir(), Policy: safety.Context{Sites: hosts, LocalHosts: hosts}}, "")
	l.ok("navigate", p{"url": f.at("a.test", "/prints")})
	if res := l.ok("click", p{"selector": "button"}); !strings.Contains(res.Effect, "Printed") {
		t.Error(res.Text)
	}
	l.ok("wait", p{"ms": 100}) // more than a window takes to be told of
	l.ok("getElements", p{})
}
