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

// A live region whose text stays unseen is not waited for, after a form, if the page before had it as well.
func TestNoticesThatStayUnseen(t *testing.T) {
	tb := open(t, `<div role=status style="opacity:0">Copied</div><div aria-live=polite style="position:absolute;top:-1000px">Loaded</div><p>Words</p>`)
	waited := func(unseen string) (ms float64) {
		w, err := tb.main().(*testFrame).world()
		tb.must(err)
		var got struct {
			Result struct{ Value float64 }
		}
		tb.must(tb.cdp("Runtime.evaluate", map[string]any{
			"contextId": w, "returnByValue": true, "awaitPromise": true,
			"expression": `(async () => { const before = __tabwright.pageLines(), began = performance.now();
				await __tabwright.news({ ...before, unseen: ` + unseen + `, again: true, same: true, sent: true });
				return performance.now() - began; })()`,
		}, &got))
		return got.Result.Value
	}
	if ms := waited("before.unseen"); ms > 500 {
		t.Errorf("what the page before held back was waited for for %.0f ms", ms)
	}
	if ms := waited(`["Copied"]`); ms < 900 {
		t.Errorf("a notice that the page before had not was waited for for %.0f ms", ms)
	}
}
