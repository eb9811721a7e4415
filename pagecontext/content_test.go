package pagecontext_test

import (
	"maps"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

type content struct {
	Markdown, Title string
	More            bool
}

// Each kind of thing that a page has to read, as Markdown.
func TestContentKinds(t *testing.T) {
	tb := newTab(t)
	for _, tt := range []struct{ name, html, want string }{
		{"headings", `<h1>All</h1><p>One <b>bold</b> word.</p><h2>Part <a href=#p>¶</a></h2><div role=heading aria-level=3>Small</div>`, "# All\n\nOne bold word.\n\n## Part ¶\n\n### Small"},
		{"lists", `<ul><li>Blue<ul><li>Light</li></ul></li><li><p>Red</p></li></ul><ol start=3><li>Three<li>Four</ol>`, "- Blue\n  - Light\n- Red\n\n3. Three\n4. Four"},
		{"terms", `<dl><dt>Mug</dt><dd>A cup</dd><dd>A face</dd><div><dt>Lid</dt><dd>On top</dd></div></dl>`, "- Mug: A cup; A face\n- Lid: On top"},
		{
			"a table", `<table><caption>Prices</caption><thead><tr><th>Mug<th>Price<th>Left</thead><tr><td>Blue | big<td>$12<td>3<tr><td colspan=2>All<td>9<tr><td>Red</table>`,
			"Prices\n\n| Mug | Price | Left |\n| --- | --- | --- |\n| Blue \\| big | $12 | 3 |\n| All |  | 9 |\n| Red |  |  |",
		},
		{"a table for layout", `<table><tr><td><h2>Left</h2><p>Words</p></td><td><table><tr><td>a<td>b</table></td></tr></table>`, "## Left\n\nWords\n\n| a | b |\n| --- | --- |"},
		{"code", `<p>Call <code>run()</code> or <kbd>Ctrl</kbd>.</p><pre class=language-go><code>func main() {
	run()
}
</code></pre><pre>plain ` + "```" + ` text</pre>`, "Call `run()` or `Ctrl`.\n\n```go\nfunc main() {\n\trun()\n}\n```\n\n```\nplain ''' text\n```"},
		{"a quotation", `<blockquote><p>First</p><p>Second</p></blockquote>`, "> First\n\n> Second"},
		{"pictures", `<p>See <img alt="A mug" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width=20 height=20> here <img alt="" src=x></p>`, "See [image: A mug] here"},
		{"folded details", `<details><summary>More</summary>Folded words</details><details open><summary>Less</summary>Open words</details>`, "More\n\nLess\n\nOpen words"},
		{"what is not shown", `<p>Seen<span style="display:none"> gone</span><span style="visibility:hidden"> hid</span><span style="opacity:0"> clear</span><span aria-hidden=true> aside</span></p><script>var s</script><template>tpl</template><p hidden>away</p><p style="position:absolute;left:-9999px">far</p>`, "Seen"},
		{"furniture", `<nav><a href=/>Home</a></nav><main><p>` + strings.Repeat("The main part. ", 6) + `</p><aside>Beside</aside></main><footer>Imprint</footer>`, strings.TrimSpace(strings.Repeat("The main part. ", 6))},
		{
			"an order beside the main part", `<main><p>` + strings.Repeat("Where it goes. ", 5) + `</p></main><aside><h2>Order</h2><p>Mug $12</p><p>Total: $15</p></aside><aside>Others bought <p>Lamp $30</p></aside>`,
			strings.TrimSpace(strings.Repeat("Where it goes. ", 5)) + "\n\n## Order\n\nMug $12\n\nTotal: $15",
		},
		{
			"a sum without words, in what a button asks for", `<main><p>` + strings.Repeat("Where it goes. ", 5) + `</p><button>Send – $15</button><aside>Mug <b>$15</b></aside><aside>Lamp <b>$30</b></aside></main>`,
			strings.TrimSpace(strings.Repeat("Where it goes. ", 5)) + "\n\nMug $15",
		},
		{
			"a basket in the header is none", `<header><p>Total: $15</p></header><main><p>` + strings.Repeat("The main part. ", 6) + `</p></main>`,
			strings.TrimSpace(strings.Repeat("The main part. ", 6)),
		},
		{"shadow roots", `<p>Before</p><div id=h></div><script>h.attachShadow({mode:"open"}).innerHTML="<p>In the shadow <slot></slot></p>"</script>`, "Before\n\nIn the shadow"},
		{"other scripts", `<p>飞艇 和 ツェッペリン</p><p dir=rtl>منطاد</p>`, "飞艇 和 ツェッペリン\n\nمنطاد"},
	} {
		tb.goTo("<body>" + tt.html)
		if got := do[content](tb, "content", map[string]any{"max": 5000, "links": false}); got.Markdown != tt.want || got.More {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got.Markdown, tt.want)
		}
	}

	tb.goTo(`<body><p><a href="https://a.test/x?y=1">A link</a>, <a href="javascript:go()">a script</a>, <a href="mailto:a@b.test">a mail</a>, <a href="/rel">here</a></p>`)
	host := strings.TrimSuffix(inline().URL, "/")
	if got, want := do[content](tb, "content", map[string]any{"max": 5000, "links": true}).Markdown, "[A link](https://a.test/x?y=1), a script, a mail, [here]("+host+"/rel)"; got != want {
		t.Errorf("links:\n%s\nwant\n%s", got, want)
	}
}

// A query finds rows of a table with their head, items of a list and code.
func TestPassagesOfWhatIsShown(t *testing.T) {
	tb := open(t, `<body><h1>Shop</h1><h2>Prices</h2><table><tr><th>Mug<th>Price<tr><td>Blue<td>$12<tr><td>Café green<td>$14</table>
<h2>Colours</h2><ul><li>Blue for the sea<li>Red for the fire</ul><pre>paint("red")</pre><p style="display:none">A hidden red word</p>`)
	md := do[content](tb, "content", map[string]any{"max": 5000, "links": false}).Markdown
	for query, want := range map[string]string{
		"CAFE":     "## Shop › Prices\n\n| Mug | Price |\n| --- | --- |\n| Café green | $14 |",
		"fire":     "## Shop › Colours\n\n- Red for the fire",
		"paint":    "## Shop › Colours\n\n```\npaint(\"red\")\n```",
		"zeppelin": "",
	} {
		if got, _, _ := pagecontext.Passages(md, query, 500); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", query, got, want)
		}
	}
}

// Of a link to a place on its page only the fragment is said. One to the page
// itself, as a logo has at home, leads there anew and is no fragment.
func TestAddressesOnThePage(t *testing.T) {
	tb := open(t, `<body><a href="#part">Part</a><a href="#">Top</a><a href="">Here</a><a href="?utm_source=mail#part">Counted</a><a href="/">Home</a>`)
	path := tb.js(`location.pathname`).(string)
	got := map[string]string{}
	for _, e := range do[struct{ Elements []pagecontext.RawElement }](tb, "list", map[string]any{}).Elements {
		got[e.Name] = e.Href
	}
	want := map[string]string{"Part": "#part", "Top": "#", "Here": path, "Counted": "#part", "Home": "/"}
	if !maps.Equal(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
}
