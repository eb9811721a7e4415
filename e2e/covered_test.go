package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"tabwright/e2e/rig"
	"tabwright/host/action"
)

// coveredPage counts what arrives, in itself and in a frame of another site.
const coveredPage = `<!doctype html><title>covered</title><body style="height: 5000px"><p>Covered <input id=name aria-label="Name">
	<button id=count onclick="n++">Count</button> <button id=press onmousedown="presses++">Press</button>
	<div id=from draggable=true>Drag me</div><div id=to ondragover="event.preventDefault()" ondrop="drops++">Drop here</div>
	<iframe src="{frame}" height=60></iframe>
	<script>let n = 0, presses = 0, drops = 0, keys = "", inner = ""; addEventListener("keydown", (e) => keys += e.key);
	addEventListener("message", (e) => inner = e.data)</script>`

const coveredFrame = `<!doctype html>Within <input aria-label="Inner" oninput="parent.postMessage(this.value, '*')">`

// TestCoveredWindow: a user's own tab is in front of a window, where Chrome
// does not paint what is covered: it drops the keys and presses that come to a
// new document within a second, and says nothing. What is done at once in each
// new document arrives all the same, and as often as it was done.
func TestCoveredWindow(t *testing.T) {
	w := newWindow(t, newGate(3))
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		page := map[bool]string{true: coveredFrame, false: strings.ReplaceAll(coveredPage, "{frame}", "http://inner.test:"+port+"/frame")}
		_, _ = io.WriteString(w, page[r.URL.Path == "/frame"])
	}))
	t.Cleanup(pages.Close)
	front, err := w.rig.Open(w.ctx, pages.URL+"/front")
	w.must(err)
	w.must(w.rig.Driver.Activate(w.ctx, front.ID()))
	w.must(rig.Await(w.ctx, front, `document.hasFocus()`))
	s := session(t, w.rig.Driver, w.page.ID(), "inner.test")
	do := func(name, params string) action.Result {
		t.Helper()
		r := s.Do(w.ctx, action.Call{Name: name, Params: json.RawMessage(params)})
		if r.Err != nil {
			t.Errorf("%s: %v", name, r.Err)
		}
		return r
	}
	ref := regexp.MustCompile(`\[(\d+)\]`)
	for range 2 {
		for _, c := range []struct{ act, params, js, want string }{
			{"type", `{"selector": "#name", "text": "Ada"}`, `document.querySelector("#name").value`, "Ada"},
			{"type", `{"selector": "#name", "text": "Ada", "clear": true}`, `keys`, "Ada"},
			{"pressKey", `{"key": "z"}`, `keys`, "z"},
			{"keyDown", `{"key": "q"}`, `keys`, "q"},
			{"click", `{"selector": "#count"}`, `"" + n`, "1"},
			{"mouseDown", `{"selector": "#press"}`, `"" + presses`, "1"},
			{"dragDrop", `{"from": {"selector": "#from"}, "to": {"selector": "#to"}}`, `"" + drops`, "1"},
			{"scroll", `{"direction": "down", "amount": 500}`, `"" + scrollY`, "500"},
			{"type", `{"index": {}, "text": "Ben"}`, `inner`, "Ben"},
		} {
			do("navigate", `{"url": "`+pages.URL+`/"}`)
			if strings.Contains(c.params, "{}") {
				found := ref.FindStringSubmatch(do("find", `{"label": "Inner"}`).Text)
				if found == nil {
					t.Fatal("the field in the frame is not found")
				}
				c.params = strings.Replace(c.params, "{}", found[1], 1)
			}
			do(c.act, c.params)
			if got := w.ask(w.page, c.js); got != c.want {
				t.Errorf("%s %s at once in a new document: %q, want %q", c.act, c.params, got, c.want)
			}
			switch c.act {
			case "keyDown":
				do("keyUp", c.params)
			case "mouseDown":
				do("mouseUp", `{}`)
			}
		}
	}
}
