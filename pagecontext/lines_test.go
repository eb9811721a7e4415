package pagecontext_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLinesInOneCell: the lines of a page that stands in one cell of a table, as pages
// of old do, are read as fast as those of any other, and are the same.
func TestLinesInOneCell(t *testing.T) {
	tb := newTab(t)
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "<div>Line %d</div>", i)
	}
	fmt.Fprintf(&text, "<p>%s</p>", strings.Repeat("and so on ", 4000))
	read := func(page string) (lines string, ms float64) {
		tb.goTo(page)
		w, err := tb.main().(*testFrame).world()
		tb.must(err)
		var got struct {
			Result struct {
				Value struct {
					Lines string
					MS    float64
				}
			}
		}
		tb.must(tb.cdp("Runtime.evaluate", map[string]any{
			"contextId": w, "returnByValue": true,
			"expression": `(() => {
				let lines, ms = Infinity;
				for (let i = 0; i < 5; i++) {
					document.body.append("!");
					const began = performance.now();
					lines = __tabwright.pageLines().lines.join("\n");
					ms = Math.min(ms, performance.now() - began);
				}
				return { lines, ms }; })()`,
		}, &got))
		return got.Result.Value.Lines, got.Result.Value.MS
	}
	want, usual := read("<main>" + text.String() + "</main>")
	got, ms := read("<table><tr><td>" + text.String() + "</td></tr></table>")
	if got != want || !strings.Contains(got, "\nLine 0\nLine 1\n") || !strings.Contains(got, "\nLine 299\n") {
		t.Errorf("the lines are %.200q, want %.200q", got, want)
	}
	if ms > 5*usual {
		t.Errorf("they are read within %.1f ms, elsewhere within %.1f ms", ms, usual)
	}
}
