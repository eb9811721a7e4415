package pagecontext_test

import (
	"fmt"
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

func BenchmarkList(b *testing.B) {
	tb := open(b, bigPage())
	b.Logf("nodes: %v", tb.js(`document.querySelectorAll('*').length`))
	for _, c := range []struct {
		name string
		fn   string
		arg  any
	}{
		{"viewport", "list", map[string]any{"visible": true}},
		{"all", "list", map[string]any{}},
		{"summary", "summary", nil},
		{"watch", "watch", nil},
		{"pageFacts", "pageFacts", map[string]any{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			do[map[string]any](tb, c.fn, c.arg)
			for b.Loop() {
				do[map[string]any](tb, c.fn, c.arg)
			}
		})
	}
}
