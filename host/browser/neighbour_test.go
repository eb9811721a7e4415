package browser_test

import (
	"strconv"
	"strings"
	"testing"

	"tabwright/host/browser/direct"
)

// TestWebsiteCantDrive: a page that knew the DevTools address of a launched
// browser could neither join it nor read its list of tabs.
func TestWebsiteCantDrive(t *testing.T) {
	d := connectDirect(t, direct.Options{})
	s := newSite(t, map[string]string{"/": "<p>website"})
	tab := openTab(t, d, s.url("a.test", "/"))
	ws := startChromium(t).URL()
	got := evaluate[string](t, tab, `new Promise((done) => {
		const s = new WebSocket(`+strconv.Quote(ws)+`);
		s.onopen = () => done("open"); s.onerror = () => done("refused");
	})`)
	if got != "refused" {
		t.Errorf("WebSocket: %s", got)
	}
	list := "http://" + strings.SplitN(strings.TrimPrefix(ws, "ws://"), "/", 2)[0] + "/json/list"
	got = evaluate[string](t, tab, `fetch(`+strconv.Quote(list)+`).then((r) => r.text()).then(() => "read", () => "refused")`)
	if got != "refused" {
		t.Errorf("list of tabs: %s", got)
	}
}
