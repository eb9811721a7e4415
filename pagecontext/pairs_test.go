package pagecontext_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tabwright/pagecontext/corpus"
)

var (
	beforeScript = flag.String("before", "", "TestPairs: the extractor.js to compare with")
	pairRuns     = flag.Int("pairs", 15, "TestPairs: rounds")
	pairPages    = flag.String("pages", "encyclopedia-en,mui-en,news-en,shoplist-zh,mail-en,goods500,rows4000", "TestPairs: pages of the corpus, goodsN, rowsN")
	pairCalls    = flag.String("calls", "summary({first:250});list({});list({visible:true});tree({max:20000});content({max:200000,links:true})", "TestPairs: what is called, with ; between")
	profileDir   = flag.String("profile", "", "TestPairs: write there where the time goes, by function")
)

// TestPairs times two builds of the extractor by turns on the same pages, each
// in a world of its own: the least of all rounds counts, in milliseconds of
// processor time of the page's main thread, so that what else the machine does
// matters little. Times are no test: without -before it is left out.
//
//	go test ./pagecontext -run TestPairs -before old/extractor.js -v
func TestPairs(t *testing.T) {
	if *beforeScript == "" {
		t.Skip("wants -before")
	}
	old, err := os.ReadFile(*beforeScript)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(corpus.Handler())
	defer server.Close()
	tb := newTab(t)
	tb.must(tb.cdp("Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil))
	calls := strings.Split(*pairCalls, ";")
	for name := range strings.SplitSeq(*pairPages, ",") {
		took := map[string]*[2][]float64{}
		var world int
		// The world that was made second is some 5 % faster: each is second once.
		for turn := range 2 {
			tb.showForPairs(server.URL, name)
			var worlds [2]int // before, after
			for i := range worlds {
				which := (turn + i) % 2
				worlds[which] = pairWorld(tb, which, string(old))
			}
			for _, call := range calls {
				if took[call] == nil {
					took[call] = &[2][]float64{}
				}
				for range (*pairRuns + 1) / 2 {
					for which, w := range worlds {
						began := taskTime(tb)
						tb.callIn(w, "await __tabwright."+call)
						took[call][which] = append(took[call][which], taskTime(tb)-began)
					}
				}
			}
			world = worlds[1]
		}
		nodes := tb.js(`document.querySelectorAll("*").length`)
		for _, call := range calls {
			a, b := slices.Min(took[call][0]), slices.Min(took[call][1])
			t.Logf("%-16s %6v nodes %-34s before %7.1f after %7.1f × %.2f", name, nodes, call, a, b, b/a)
			if *profileDir != "" {
				profileOf(tb, world, call, filepath.Join(*profileDir, name+"-"+strings.NewReplacer("(", "-", ")", "", "{", "", "}", "", ":", "").Replace(call)+".txt"))
			}
		}
	}
}

// pairWorld gives a world with this build of the extractor (1), or with the other (0).
func pairWorld(tb *tab, which int, other string) int {
	f := tb.main().(*testFrame)
	if which == 1 {
		w, err := f.world()
		tb.must(err)
		return w
	}
	var w struct{ ExecutionContextID int }
	tb.must(tb.cdp("Page.createIsolatedWorld", map[string]any{"frameId": f.id, "worldName": "before"}, &w))
	tb.must(tb.cdp("Runtime.evaluate", map[string]any{"expression": other, "contextId": w.ExecutionContextID}, nil))
	return w.ExecutionContextID
}

// showForPairs opens a page of the corpus, or one of any length: goods500, rows4000.
func (tb *tab) showForPairs(site, name string) {
	tb.t.Helper()
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "goods")); err == nil {
		tb.goTo(goodsPage(n))
	} else if n, err := strconv.Atoi(strings.TrimPrefix(name, "rows")); err == nil {
		tb.goTo(manyRows(n / 7))
	} else {
		tb.show(site + "/" + name)
		readTruth(tb)
	}
}

func (tb *tab) callIn(world int, expr string) {
	tb.t.Helper()
	tb.must(tb.cdp("Runtime.evaluate", map[string]any{"contextId": world, "awaitPromise": true, "expression": "(async () => { " + expr + " })()"}, nil))
}

// taskTime is the processor time of the page's main thread so far, in ms.
func taskTime(tb *tab) float64 {
	var r struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	tb.must(tb.cdp("Performance.getMetrics", nil, &r))
	for _, m := range r.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value * 1000
		}
	}
	return 0
}

// goodsPage is a list of n goods with a link and a button each.
func goodsPage(n int) string {
	var b strings.Builder
	b.WriteString(`<h1>Goods</h1><ul>`)
	for i := range n {
		fmt.Fprintf(&b, `<li><a href="/small?item=%d">Item %d</a> <span>costs %d</span> <button>Add item %d</button></li>`, i, i, i*3+1, i)
	}
	return b.String() + `</ul>`
}

// cpuProfile is Profiler.Profile of the protocol.
type cpuProfile struct {
	Nodes []struct {
		ID        int
		CallFrame struct {
			FunctionName string
			LineNumber   int
		}
		Children []int
	}
	Samples    []int
	TimeDeltas []int // µs
}

const profiledRuns = 5

// profileOf writes where the time of a call goes, by function: in itself, and
// with what it calls, in ms a run.
func profileOf(tb *tab, world int, call, path string) {
	tb.t.Helper()
	tb.must(tb.cdp("Profiler.enable", nil, nil))
	tb.must(tb.cdp("Profiler.setSamplingInterval", map[string]any{"interval": 100}, nil))
	tb.must(tb.cdp("Profiler.start", nil, nil))
	tb.callIn(world, fmt.Sprintf("for (let i = 0; i < %d; i++) await __tabwright.%s", profiledRuns, call))
	var r struct{ Profile cpuProfile }
	tb.must(tb.cdp("Profiler.stop", nil, &r))
	self, with := r.Profile.times()
	var out strings.Builder
	for _, part := range []struct {
		what string
		ms   map[string]float64
	}{{"self", self}, {"with what it calls", with}} {
		fmt.Fprintf(&out, "%s: %s\n", call, part.what)
		names := slices.SortedFunc(maps.Keys(part.ms), func(a, b string) int { return cmp.Compare(part.ms[b], part.ms[a]) })
		for _, name := range names[:min(45, len(names))] {
			fmt.Fprintf(&out, "  %7.2f %s\n", part.ms[name], name)
		}
	}
	tb.must(os.WriteFile(path, []byte(out.String()), 0o644))
}

func (p *cpuProfile) times() (self, with map[string]float64) {
	self, with = map[string]float64{}, map[string]float64{}
	name, up := map[int]string{}, map[int]int{}
	for _, n := range p.Nodes {
		name[n.ID] = fmt.Sprintf("%s:%d", cmp.Or(n.CallFrame.FunctionName, "(anonymous)"), n.CallFrame.LineNumber+1)
		for _, c := range n.Children {
			up[c] = n.ID
		}
	}
	for i, s := range p.Samples {
		if i >= len(p.TimeDeltas) || strings.HasPrefix(name[s], "(idle)") || strings.HasPrefix(name[s], "(program)") {
			continue
		}
		ms := float64(p.TimeDeltas[i]) / 1000 / profiledRuns
		self[name[s]] += ms
		on := map[string]bool{}
		for id := s; id != 0; id = up[id] {
			if !on[name[id]] {
				on[name[id]] = true
				with[name[id]] += ms
			}
		}
	}
	return self, with
}
