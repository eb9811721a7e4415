package action

import (
	_ "image/jpeg"
	"net/http"
	"net/http/httptest"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

func TestRealWaitFor(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "")
		for name, params := range map[string]p{
			"text": {"text": "ready NOW"}, "selector": {"selector": "#done"}, "gone": {"text": "Loading", "gone": true},
			"selector gone": {"selector": "#old", "gone": true}, "url": {"url": "*step=2"}, "function": {"function": "() => window.ready"},
			"all": {"text": "Ready", "selector": "#done", "url": "step=2", "state": "load", "function": "ready"},
		} {
			t.Run(name, func(t *testing.T) {
				l.ok("navigate", p{"url": l.at("a.test", "wait.html?when=250")})
				l.person.cards = nil
				l.ok("waitFor", params)
				if got := l.eval("window.ready === true"); got != "true" {
					t.Errorf("came too early: %s", got)
				}
				if asked := len(l.person.cards); (asked > 0) != (params["function"] != nil) {
					t.Errorf("%d cards", asked)
				}
			})
		}
		l.ok("navigate", p{"url": l.at("a.test", "wait.html?when=10")})
		l.ok("waitFor", p{"state": "stable"})
		if got := l.eval("n"); got != "13" {
			t.Errorf("stable while the page still changes: %s", got)
		}
		has(t, l.fails(Timeout, "waitFor", p{"text": "Never", "timeoutMs": 300}).Text, `"Never"`)
		l.fails(InvalidParams, "waitFor", p{})
		l.fails(InvalidParams, "waitFor", p{"gone": true, "state": "load"})
		l.fails(InvalidParams, "waitFor", p{"selector": "###"})
		l.fails(Unsupported, "waitFor", p{"function": "nope.nope"})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "waitFor", p{"function": "1"})
	})
}

// TestRealNetworkIdle: what scripts asked a server for before is waited for too.
func TestRealNetworkIdle(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		answer, asked := make(chan struct{}), make(chan struct{})
		slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			close(asked)
			<-answer
		}))
		defer slow.Close()
		l.eval(`fetch("` + slow.URL + `", { mode: "no-cors" }), 0`)
		<-asked
		for _, state := range []string{"networkidle", "stable"} {
			l.fails(Timeout, "waitFor", p{"state": state, "timeoutMs": 700})
		}
		close(answer)
		for _, state := range []string{"networkidle", "stable"} {
			l.ok("waitFor", p{"state": state})
		}
	})
}
