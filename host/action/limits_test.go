package action

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tabwright/host/action/page"
	"tabwright/host/browser"
)

// TestTimeLimit: what is looked for on a page that changes for ever ends by itself,
// and says that its time is up.
func TestTimeLimit(t *testing.T) {
	for name, params := range map[string]string{
		"scrollUntil":   `{"text":"never there","maxScrolls":500}`,
		"loadMoreUntil": `{"text":"never there","maxLoads":500}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t)
				begin := time.Now()
				r.main.says = map[string]func() any{
					"probe":    func() any { return map[string]any{"nodes": int(time.Since(begin) / time.Second)} },
					"scrollBy": func() any { return page.Scrolled{} },
					"drawn":    func() any { return map[string]bool{"frames": true} },
				}
				res := r.do(name, params)
				wantCode(t, res, "")
				if data, _ := res.Data.(map[string]any); data["stopReason"] != stopTime || !strings.HasPrefix(res.Text, "OK: "+stopTime) {
					t.Errorf("%v, %s", res.Data, res.Text)
				}
				if d := time.Since(begin); d < untilTime || d > untilTime+10*time.Second {
					t.Errorf("it took %s", d)
				}
			})
		})
	}
}

// TestDownloadWithoutPath: where a browser says what it has downloaded but not
// where it lies, the name is given, and nothing is made up about the file.
func TestDownloadWithoutPath(t *testing.T) {
	r := newRig(t)
	r.o.TaskDir = t.TempDir()
	r.tab.state.Downloads = []browser.Download{{File: "prices.csv", State: "complete"}}
	res := r.do("download", `{"url":"https://shop.test/prices.csv"}`)
	wantCode(t, res, "")
	raw, err := json.Marshal(res.Data)
	if err != nil {
		t.Fatal(err)
	}
	if string(raw) != `{"name":"prices.csv"}` || !strings.Contains(res.Text, "prices.csv to the browser's own folder") || !strings.Contains(res.Text, "does not say where") {
		t.Errorf("%s, %s", raw, res.Text)
	}
	if files, err := os.ReadDir(r.o.TaskDir); err != nil || len(files) != 0 {
		t.Errorf("in the task's folder are %v, %v", files, err)
	}
}
