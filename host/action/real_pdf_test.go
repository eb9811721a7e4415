package action

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
	"tabwright/safety"
)

// TestRealClickInPDF: what is meant for a PDF in the browser's viewer, which takes
// nothing, is not sent, and is told as what it is.
func TestRealClickInPDF(t *testing.T) {
	startChromium(t)
	f := newFair(t)
	l := &live{t: t, person: &person{answers: []Answer{{Allow: true, By: "panel"}}}, diary: &diary{}}
	hosts := []string{"a.test"}
	l.begin(chromium.d, Options{TaskDir: t.TempDir(), Policy: safety.Context{Sites: hosts, LocalHosts: hosts}}, "")
	l.ok("navigate", p{"url": f.at("a.test", "/doc.pdf")})
	for _, target := range []p{{"selector": "embed"}, {"x": 200, "y": 200}} {
		if res := l.fails(Unsupported, "click", target); res.Sent || !strings.Contains(res.Err.Message, "PDF") || !strings.Contains(res.Err.Hint, "screenshot") {
			t.Errorf("%v: sent %v, %s; %s", target, res.Sent, res.Err.Message, res.Err.Hint)
		}
	}
	l.fails(Unsupported, "pressKey", p{"key": "PageDown"})
	l.ok("scroll", p{"direction": "down"})
	// Around one that a page shows, its own elements are as ever.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	shown := func() bool {
		fs, err := l.tab.Frames(ctx)
		return err == nil && slices.ContainsFunc(fs, func(f *browser.Frame) bool { return strings.HasPrefix(f.URL(), "chrome-extension://") })
	}
	for _, path := range []string{"/around", "/embeds"} {
		l.ok("navigate", p{"url": f.at("a.test", path)})
		for !shown() {
			if !pause(ctx, pollTime) {
				t.Fatal("the viewer does not come")
			}
		}
		res := l.ok("click", p{"selector": `button:has-text("Go")`})
		if !strings.Contains(res.Effect, "Went") {
			t.Error(res.Text)
		}
		l.ok("click", p{"selector": "body"})
		l.ok("pressKey", p{"key": "PageDown"})
	}
	l.fails(Unsupported, "click", p{"selector": "embed"})
	cards := len(l.person.cards)
	l.fails(Unsupported, "dragDrop", p{"from": p{"selector": "#pay"}, "to": p{"selector": "embed"}})
	l.fails(Unsupported, "type", p{"selector": "embed", "text": "4111 1111 1111 1111"})
	if n := len(l.person.cards); n != cards {
		t.Errorf("the person was asked %d times about what can't be done", n-cards)
	}
	// A frame that may not show the viewer is none.
	l.ok("navigate", p{"url": f.at("a.test", "/noviewer")})
	l.ok("click", p{"selector": "body"})
}
