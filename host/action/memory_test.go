package action

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

var memoryFull = flag.Bool("memory", false, "TestMemory with 500 navigations and 5,000 lists")

// memoryRun is how often a page is gone to and listed.
type memoryRun struct{ navigations, lists, rows int }

// TestMemory goes to a page and lists it, again and again in one tab: neither
// the page nor the host may hold more in the end than in the beginning. Half of
// the lists are of one document in which the rows come and go. With -memory
// (make memory), or when nothing is to be left out, it does so 500 and 5,000 times.
func TestMemory(t *testing.T) {
	startChromium(t)
	run := memoryRun{navigations: 20, lists: 160, rows: 40}
	if *memoryFull || os.Getenv(everything) != "" {
		run = memoryRun{navigations: 500, lists: 5000, rows: 100}
	}
	l := openLive(t, chromium.d, "")
	m := &meter{live: l, heap: heapOf(t, chromium.b.URL(), string(l.Tabs()[0].ID))}

	// What is remembered of documents that are gone has a bound: it is reached first.
	for range 23 {
		m.navigate(300)
		m.list()
	}
	each := max(1, run.lists/2/run.navigations)
	for i := range run.navigations {
		m.navigate(run.rows)
		for range each {
			m.list()
		}
		if (i+1)%max(1, run.navigations/20) == 0 {
			m.sample()
		}
	}
	m.judge("navigations")
	for i := range run.lists - each*run.navigations {
		m.turn()
		m.list()
		if (i+1)%max(1, run.lists/40) == 0 {
			m.sample()
		}
	}
	m.judge("lists of one document")
	t.Logf("%d navigations, %d lists", m.navigations, m.lists)
}

// meter counts what is done and measures what is held after it, in bytes.
type meter struct {
	*live
	heap               func() (float64, error)
	page, host         []float64
	navigations, lists int
}

func (m *meter) navigate(rows int) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.t.Context(), time.Minute)
	defer cancel()
	params := fmt.Sprintf(`{"url":%q}`, m.at("a.test", fmt.Sprintf("memory.html?rows=%d", rows)))
	m.navigations++
	for range 3 { // a machine with much else to do
		res := m.Do(ctx, Call{Name: "navigate", Params: json.RawMessage(params)})
		if res.Err == nil {
			return
		}
		if res.Err.Code != Timeout {
			m.t.Fatal(res.Err)
		}
	}
	m.t.Fatal("the page does not load")
}

func (m *meter) list() {
	m.t.Helper()
	o := m.observe()
	if len(o.Elements.Elements) < 3*10 {
		m.t.Fatalf("%d elements in\n%s", len(o.Elements.Elements), o.Text)
	}
	m.lists++
}

func (m *meter) turn() {
	m.t.Helper()
	if _, err := m.tab.Evaluate(m.t.Context(), "turn()"); err != nil {
		m.t.Fatal(err)
	}
}

func (m *meter) sample() {
	m.t.Helper()
	page, err := m.heap()
	if err != nil {
		m.t.Fatal(err)
	}
	runtime.GC()
	runtime.GC() // what finalizers and pools held is free after the second
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	m.page, m.host = append(m.page, page), append(m.host, float64(s.HeapAlloc))
}

// judge holds the last quarter of what was measured against the first.
func (m *meter) judge(what string) {
	m.t.Helper()
	for _, side := range []struct {
		of  string
		got []float64
	}{{"the page", m.page}, {"the host", m.host}} {
		q := max(1, len(side.got)/4)
		first, last := median(side.got[:q]), median(side.got[len(side.got)-q:])
		m.t.Logf("%s: %s holds %.2f MB in the first quarter, %.2f MB in the last; all samples in kB: %.0f", what, side.of, first/mb, last/mb, inKB(side.got))
		if last > first*1.25+mb {
			m.t.Errorf("%s: %s grew from %.2f to %.2f MB", what, side.of, first/mb, last/mb)
		}
	}
	m.page, m.host = nil, nil
}

const mb = 1 << 20

func inKB(bytes []float64) []float64 {
	out := make([]float64, len(bytes))
	for i, b := range bytes {
		out[i] = b / 1024
	}
	return out
}

// heapOf asks a tab for the bytes that its scripts hold once what nobody needs
// is gone, on a connection of its own.
func heapOf(t *testing.T, browser, target string) func() (float64, error) {
	t.Helper()
	u, err := url.Parse(browser)
	if err != nil {
		t.Fatal(err)
	}
	ws, resp, err := websocket.DefaultDialer.DialContext(t.Context(), fmt.Sprintf("ws://%s/devtools/page/%s", u.Host, target), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	id := 0
	call := func(method string) (used float64, err error) {
		id++
		if err := ws.WriteJSON(map[string]any{"id": id, "method": method}); err != nil {
			return 0, err
		}
		_ = ws.SetReadDeadline(time.Now().Add(time.Minute))
		for {
			var m struct {
				ID     int
				Result struct{ UsedSize float64 }
				Error  *struct{ Message string }
			}
			switch err := ws.ReadJSON(&m); {
			case err != nil:
				return 0, err
			case m.ID != id:
			case m.Error != nil:
				return 0, fmt.Errorf("%s: %s", method, m.Error.Message)
			default:
				return m.Result.UsedSize, nil
			}
		}
	}
	return func() (float64, error) {
		// Finalizers and weak references let go of more with the second.
		for range 2 {
			if _, err := call("HeapProfiler.collectGarbage"); err != nil {
				return 0, err
			}
		}
		return call("Runtime.getHeapUsage")
	}
}
