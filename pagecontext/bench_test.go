package pagecontext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bigPage has about 10,000 nodes, a tenth of them controls: cards in a grid.
func bigPage() string {
	var b strings.Builder
	b.WriteString(`<style>.card{display:inline-block;width:200px;margin:4px;border:1px solid} .add{cursor:pointer}</style><body><nav>`)
	for i := range 40 {
		fmt.Fprintf(&b, `<a href="/c/%d">Category %d</a> `, i, i)
	}
	b.WriteString(`</nav><main><h1>All</h1>`)
	for i := range 900 {
		fmt.Fprintf(&b, `<article class=card><div><div><img alt="Mug %[1]d" width=10 height=10 src="data:,"></div><h3>Mug %[1]d</h3>
<p>A fine <b>blue</b> mug, <i>small</i></p><ul><li>one</li><li>two</li></ul><span>$%[1]d.99</span><a href="/p/%[1]d"><span>Details</span></a></div></article>`, i)
	}
	b.WriteString(`</main></body>`)
	return b.String()
}

// The time is the page's own, without the way there and back.
func BenchmarkList(b *testing.B) {
	tb := open(b, bigPage())
	b.Logf("nodes: %v", tb.js(`document.querySelectorAll('*').length`))
	f := tb.main().(*testFrame)
	world, err := f.world()
	tb.must(err)
	for _, call := range []string{"list({visible:true})", "list({})", "summary()", "watch()", "pageFacts({})", "resolve({selector:'a[href=\"/p/3\"]'})"} {
		b.Run(call[:strings.IndexByte(call, '(')]+map[bool]string{true: "Viewport"}[strings.Contains(call, "visible")], func(b *testing.B) {
			var times []float64
			for b.Loop() {
				var r struct{ Result struct{ Value float64 } }
				tb.must(tb.cdp("Runtime.evaluate", map[string]any{"contextId": world, "returnByValue": true, "awaitPromise": true, "expression": "(async()=>{const t=performance.now();await __tabwright." + call + ";return performance.now()-t})()"}, &r))
				times = append(times, r.Result.Value)
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "ms-in-page")
		})
	}
}

// BenchmarkLongestBlock is for how long a page of 100,000 nodes can do nothing
// else at a time while it is read, beside how long it waits when left alone.
func BenchmarkLongestBlock(b *testing.B) {
	tb := open(b, manyRows(100000/7+1))
	f := tb.main().(*testFrame)
	for _, call := range []string{"0", "summary({first: 250})", "list({})", "list({visible: true})", "tree({max: 200000})", "content({max: 4000000, links: false})"} {
		b.Run(call[:strings.IndexByte(call+"(", '(')]+map[bool]string{true: "Viewport"}[strings.Contains(call, "visible")], func(b *testing.B) {
			tb.t = b
			var longest []float64
			for b.Loop() {
				tb.js(heartbeat)
				expr := "__tabwright." + call
				if call == "0" {
					expr = "new Promise((done) => setTimeout(done, 1000))"
				}
				tb.must(f.eval("(async () => { await "+expr+"; return 0 })()", new(int)))
				longest = append(longest, tb.js("on = false, longest").(float64))
			}
			slices.Sort(longest)
			b.ReportMetric(longest[len(longest)/2], "ms-longest-block")
		})
	}
}
