package pagecontext_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// What a user can't see is no text of the page: it is where instructions to
// an assistant hide.
func TestTextIsWhatAPersonReads(t *testing.T) {
	cases := []struct {
		html string
		read bool
	}{
		{`<p>WORD</p>`, true},
		{`<p>WO<b>RD</b></p>`, true},
		{`<p style="color:#777">WORD</p>`, true},
		{`<p style="color:#fff">WORD</p>`, false},
		{`<div style="background:#222"><p style="color:#222">WORD</p></div>`, false},
		{`<div style="background:#222"><p style="color:#fff">WORD</p></div>`, true},
		{`<p style="color:transparent">WORD</p>`, false},
		{`<p style="color:rgba(0,0,0,.01)">WORD</p>`, false},
		{`<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text;color:transparent">WORD</p>`, true},
		{`<p style="font-size:0">WORD</p>`, false},
		{`<p style="font-size:1px">WORD</p>`, false},
		{`<p style="opacity:0">WORD</p>`, false},
		{`<p style="visibility:hidden">WORD</p>`, false},
		{`<p style="display:none">WORD</p>`, false},
		{`<p hidden>WORD</p>`, false},
		{`<p hidden=until-found>WORD</p>`, false},
		{`<div hidden=until-found>x <p>WORD</p></div>`, false},
		{`<p style="position:absolute;left:-9999px">WORD</p>`, false},
		{`<p style="position:absolute;width:1px;height:1px;overflow:hidden">WORD</p>`, false},
		{`<p style="position:absolute;clip:rect(0,0,0,0)">WORD</p>`, false},
		{`<p style="clip-path:inset(100%)">WORD</p>`, false},
		{`<p style="transform:scale(0)">WORD</p>`, false},
		{`<div style="height:0;overflow:hidden"><p>WORD</p></div>`, false},
		{`<div style="height:40px;overflow:auto"><div style="height:400px"></div><p>WORD</p></div>`, true},
		{`<!-- WORD -->`, false},
		{`<meta name=description content=WORD>`, false},
		{`<img alt=WORD src="data:,">`, false},
		{`<p title=WORD aria-label=WORD>x</p>`, false},
		{"<p>W\u200bO\u200bR\u200bD</p>", true},
		{`<noscript>WORD</noscript><template>WORD</template><script>"WORD"</script><style>/*WORD*/</style>`, false},
		{`<div style="position:relative;height:30px"><p style="margin:0">WORD</p><div style="position:absolute;inset:0;opacity:0">x</div></div>`, true},
		{`<details><summary>s</summary>WORD</details>`, false},
		{`<select><option>WORD</select>`, false},
		{`<meter value=.5>WORD</meter><progress>WORD</progress><canvas>WORD</canvas><video controls>WORD</video>`, false},
		{`<p>WO<ruby>RD<rt>how it is read</rt></ruby></p>`, true},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo("<body>" + c.html + "</body>")
		text := do[struct{ Text string }](tb, "pageFacts", map[string]any{}).Text
		short := do[struct{ VisibleText string }](tb, "summary", nil).VisibleText
		if got := strings.Contains(text, "WORD"); got != c.read {
			t.Errorf("%s: in the page's text: %v", c.html, got)
		}
		if got := strings.Contains(short, "WORD"); got != c.read {
			t.Errorf("%s: in the summary: %v", c.html, got)
		}
	}
}

// An icon font draws a word as a sign: a user reads no word there, unless the sign fills a cell of a table, as a tick does.
func TestTextWithoutIcons(t *testing.T) {
	tb := open(t, `<body><main><p><i class=material-icons>account_balance_wallet</i>My <b class=material-symbols-outlined>expand_more</b> wallet</p><p>In <b class=currency-symbol>kr</b>, <b class=with-icon>paid</b></p>
		<table><tr><th>Who<th>Pays<th>May<tr><td>Ann<td><i class=material-icons>check</i><td>Read <i class=material-icons>info</i></table></main></body>`)
	const want = "My wallet\nIn kr, paid\nWho\nPays\nMay\nAnn\ncheck\nRead"
	if got := do[struct{ Text string }](tb, "text", map[string]any{"max": 500}).Text; got != want {
		t.Errorf("text: %q", got)
	}
	if got := do[struct{ VisibleText string }](tb, "summary", nil).VisibleText; got != strings.ReplaceAll(want, "\n", " ") {
		t.Errorf("summary: %q", got)
	}
	if got := do[struct{ Markdown string }](tb, "content", map[string]any{"max": 500}).Markdown; got != "My wallet\n\nIn kr, paid\n\n| Who | Pays | May |\n| --- | --- | --- |\n| Ann | check | Read |" {
		t.Errorf("content: %q", got)
	}
	tree := fmt.Sprint(do[any](tb, "tree", map[string]any{"max": 500}))
	for _, word := range []string{"account_balance_wallet", "expand_more", "info"} {
		if strings.Contains(tree, word) {
			t.Errorf("%s in the tree: %s", word, tree)
		}
	}
	if !strings.Contains(tree, "check") {
		t.Errorf("no tick in the tree: %s", tree)
	}
}

func TestViewportTextComesFirst(t *testing.T) {
	tb := open(t, `<body><p>Top</p><div style="height:3000px"></div><p id=m>Middle</p><div style="height:3000px"></div><p>Bottom</p></body>`)
	tb.js(`m.scrollIntoView({block:'center'})`)
	if s := do[struct{ VisibleText string }](tb, "summary", nil).VisibleText; s != "Middle Bottom" {
		t.Errorf("%q", s)
	}
}

// The whole way, from a page with frames, a dialog, a shadow root and a page
// that tries to write lines of its own, to what a model reads.
func TestShopAsAModelReadsIt(t *testing.T) {
	tb := open(t, "shop.html")
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	s, err := p.Summary(ctx)
	tb.must(err)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	text := p.Render(s, l, pagecontext.RenderOptions{Budget: 2000})
	golden(t, "shop.txt", steady(strings.ReplaceAll(text, strings.TrimPrefix(site().URL, "http://"), "shop.test"))+"\n")

	yes := true
	for name, c := range map[string]struct {
		q    pagecontext.Query
		want string
	}{
		"buttons":     {pagecontext.Query{Type: "button"}, "Add to cart|Add to cart|] \"x\" --- main --- [99] button \"Pay|Pay|Buy in shadow|Imprint button|Close"},
		"query":       {pagecontext.Query{Text: "red PLATE"}, "Red plate|Add to cart"},
		"in view":     {pagecontext.Query{Visible: &yes, Type: "link"}, "Home|Cart|Blue mug|Red plate"},
		"images":      {pagecontext.Query{Type: "image"}, "A blue mug"},
		"in a part":   {pagecontext.Query{Scope: "nav"}, "Home|Cart"},
		"in one part": {pagecontext.Query{Scope: "xpath=//article[2]"}, "Red plate|Add to cart"},
	} {
		l, err := p.Elements(ctx, c.q)
		tb.must(err)
		var got []string
		for _, e := range l.Elements {
			got = append(got, e.Name)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q, want %q", name, strings.Join(got, "|"), c.want)
		}
	}
}

// A query is written as its writer can: without the accents, the case and the
// width of what stands in the page, and by all that the lines say.
func TestQueryIsTolerant(t *testing.T) {
	tb := open(t, `<body>
<a href="/1">CAFÉ crème</a><a href="/2">Ｆｕｌｌ width</a><a href="/3">Straße</a><a href="/4">Ångström</a><a href="/5">ﬁne print</a>
<a href="/6">東京タワー</a><a href="/7">ﾊﾟｿｺﾝ</a><a href="/8">Ёлка</a><a href="/9">مُحَمَّد</a><a href="/10">Smørrebrød</a><a href="/11">İzmir</a>
<a href="/12">किताब</a><a href="/13">कताब</a>
<button><svg width=16 height=16 class="icon-trash"></svg></button>
<input placeholder="Préfixe"><select aria-label=Delivery><option>Standard<option>Exprès</select>
<label>Code <input aria-describedby=rule></label><span id=rule>Eight digits</span></body>`)
	p := pagecontext.New(tb, 0)
	for query, want := range map[string]string{
		"cafe CREME": "CAFÉ crème", "ＣＡＦＥ": "CAFÉ crème", "café": "CAFÉ crème", "full": "Ｆｕｌｌ width", "strasse": "Straße", "STRAẞE": "Straße",
		"angstrom": "Ångström", "Ångström": "Ångström", "fine": "ﬁne print", "タワー": "東京タワー", "パソコン": "ﾊﾟｿｺﾝ", "елка": "Ёлка", "محمد": "مُحَمَّد",
		"smorrebrod": "Smørrebrød", "izmir": "İzmir", "किताब": "किताब", "trash": "", "prefixe": "Préfixe", "express": "", "expres": "Delivery",
		"eight digits": "Code", "/4": "Ångström",
	} {
		l, err := p.Elements(t.Context(), pagecontext.Query{Text: query})
		tb.must(err)
		var names []string
		for _, e := range l.Elements {
			names = append(names, e.Name)
		}
		if got := strings.Join(names, "|"); got != want || (len(names) == 0) != (query == "express") {
			t.Errorf("%q finds %q, want %q", query, names, want)
		}
	}
	if els := do[struct{ Elements []pagecontext.RawElement }](tb, "findBy", map[string]any{"role": "link", "name": "creme"}).Elements; len(els) != 1 {
		t.Errorf("find by name: %+v", els)
	}
}

// What describes a field is told with it, if it is there to be seen; so is what
// stands around it.
func TestDescribed(t *testing.T) {
	tb := open(t, `<body><p style="position:absolute;left:-9999px">Parked words</p><p id=a>Eight <b>digits</b></p><p id=b hidden>Nobody sees this</p><p id=c>Wrong code</p>
<input aria-label=One aria-describedby="a b none"><input aria-label=Two aria-invalid=true aria-errormessage=c aria-describedby="c a">
<button aria-describedby=b>Three</button><button aria-describedby=d><span id=d>Four</span></button></body>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	ds, err := p.Details(t.Context(), []int{l.Elements[0].Index})
	tb.must(err)
	if around := ds[0].ParentText; !strings.HasPrefix(around, "Eight digits Wrong code") {
		t.Errorf("around it stands %q", around)
	}
	want := map[string]string{"One": "Eight digits", "Two": "Wrong code Eight digits", "Three": "", "Four": ""}
	for _, e := range l.Elements {
		if e.Description != want[e.Name] {
			t.Errorf("%s is described by %q, want %q", e.Name, e.Description, want[e.Name])
		}
	}
	if len(l.Elements) != len(want) {
		t.Errorf("%d elements", len(l.Elements))
	}
}

func TestARefOutlivesWhatDoesNotMatter(t *testing.T) {
	tb := open(t, `<body><ul id=u><li><button id=a>Resend (29)</button></li><li><button id=b>Other</button></li></ul></body>`)
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	a := l.Elements[0]
	tb.js(`a.textContent='Resend (3)'; u.append(a.parentNode); b.remove()`)
	if l, err = p.Elements(ctx, pagecontext.Query{}); err != nil || l.Elements[0].Index != a.Index || l.Elements[0].Name != "Resend (3)" {
		t.Fatalf("%+v %v", l, err)
	}
	// A framework redraws: the same words on a new node, in the same place.
	tb.js(`u.innerHTML=u.innerHTML`)
	if ds, err := p.Details(ctx, []int{a.Index}); err != nil || len(ds) != 1 || ds[0].Name != "Resend (3)" {
		t.Errorf("%+v %v", ds, err)
	}
	// Other words on a new node are something else.
	tb.js(`u.innerHTML='<li><button>Delete</button></li>'`)
	e, err := p.LookupIndex(ctx, a.Index)
	tb.must(err)
	if _, err := p.Details(ctx, []int{a.Index}); err == nil {
		t.Error("a detached node has details")
	}
	cs, err := p.Candidates(ctx, e)
	if err != nil || slices.ContainsFunc(cs, func(c pagecontext.Candidate) bool { return c.Exact }) {
		t.Errorf("%+v %v", cs, err)
	}
	tb.goTo(`<body><button>Resend (29)</button></body>`)
	if _, err := p.LookupIndex(ctx, a.Index); err == nil {
		t.Error("a ref outlived its document")
	}
}

func TestGCKeepsRefs(t *testing.T) {
	tb := open(t, bigPage())
	ctx := context.Background()
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	tb.must(tb.cdp("HeapProfiler.enable", nil, nil))
	for range 3 {
		tb.must(tb.cdp("HeapProfiler.collectGarbage", nil, nil))
	}
	after, err := p.Elements(ctx, pagecontext.Query{})
	tb.must(err)
	for i, e := range l.Elements {
		if after.Elements[i].Index != e.Index {
			t.Fatalf("element %d was %d and is %d", i, e.Index, after.Elements[i].Index)
		}
	}
}

func TestOverlays(t *testing.T) {
	const page = `<main><h1>Shop</h1><p>one</p><p>two</p><p>three</p><button>Under</button></main>`
	cases := []struct {
		html, overlay string
		open          bool
	}{
		{``, "", false},
		{`<dialog open><h2>Cookies</h2><button>In</button></dialog>`, "Cookies", true},
		{`<dialog><h2>Cookies</h2><button>In</button></dialog>`, "", false},
		{`<div role=dialog aria-label=News style="position:fixed;left:400px;top:200px"><button>In</button></div>`, "News", true},
		{`<div role=alertdialog aria-labelledby=hh hidden><h2 id=hh>Sure?</h2><button>In</button></div>`, "", false},
		{`<div popover id=pop><h3>Pop</h3><button>In</button></div><script>pop.showPopover()</script>`, "Pop", true},
		{`<div style="position:fixed;inset:0;z-index:1000;background:#0008"><div style="margin:200px auto;width:400px;height:300px;background:#fff"><h2>Join us</h2><button>In</button></div></div>`, "Join us", true},
		{`<div style="position:fixed;bottom:0;left:0;right:0;height:40px;z-index:1000"><button>In</button></div>`, "", false},
	}
	tb := newTab(t)
	for _, c := range cases {
		tb.goTo("<body>" + page + c.html + "</body>")
		p := pagecontext.New(tb, 0)
		s, err := p.Summary(t.Context())
		tb.must(err)
		l, err := p.Elements(t.Context(), pagecontext.Query{})
		tb.must(err)
		if strings.Join(s.Overlays, "|") != c.overlay {
			t.Errorf("%s: overlays %q, want %q", c.html, s.Overlays, c.overlay)
		}
		for _, e := range l.Elements {
			if e.Overlay != (c.open && e.Name == "In") {
				t.Errorf("%s: %s stands in an overlay: %v", c.html, e.Name, e.Overlay)
			}
		}
	}
	// An application whose shell is fixed is no overlay of itself.
	tb.goTo(`<body><div style="position:fixed;inset:0;z-index:50">` + strings.Repeat("<div><p>row</p><button>b</button></div>", 15) + `</div></body>`)
	if o := do[struct{ Overlays []string }](tb, "summary", nil).Overlays; len(o) != 0 {
		t.Errorf("a shell counts as an overlay: %q", o)
	}
}

// Cents that stand higher, and smaller, than their dollars are no figures of the same number.
func TestRaisedCents(t *testing.T) {
	tb := newTab(t)
	for _, c := range []struct{ html, text, amounts string }{
		{`Total: <b>$</b><b>19</b><i>99</i>`, "Total: $19.99", "$19.99"},
		{`10<sup>6</sup> people paid $1<b>2</b>3 and €7<i>5</i>`, "10 6 people paid $123 and €7 5", "$123|€7"},
		{`<b>$</b><b>1,299</b><i>99</i>`, "$1,299.99", "$1,299.99"},
		{`<b>CHF</b> <b>1’299</b><i>50</i>/mo`, "CHF 1’299.50/mo", "CHF 1’299.50"},
		{`$5.49<i>12</i>`, "$5.49 12", "$5.49"},
		{`<b>$5</b><i>12 left</i>`, "$5 12 left", "$5"},
		{`raised $45<sup><a href=#n12>12</a></sup>`, "raised $45 12", "$45"},
		{`<a href=#x><b>$45</b><sup>12</sup></a>`, "$45.12", "$45.12"},
		{`1249<sup>00</sup> €`, "1249,00 €", "1249,00 €"},
		{`1.249<sup>00 €</sup>`, "1.249,00 €", "1.249,00 €"},
		{`12<sup>90</sup> <b>zł</b>`, "12,90 zł", "12,90 zł"},
		{`19€<sup>99</sup>`, "19€,99", "19€,99"},
		{`19€99`, "19€99", "19€99"},
		{`19€ 99 pièces`, "19€ 99 pièces", "19€"},
		{`3 €20`, "3 €20", "€20"},
		{`١٢<sup>٥٠</sup> درهم`, "١٢٫٥٠ درهم", "١٢٫٥٠ درهم"},
		{`5<sup>12</sup> and $20`, "5 12 and $20", "$20"},
	} {
		tb.goTo(`<body><style>i{font-size:60%;vertical-align:super}</style><p>` + c.html + `</p>`)
		f := do[struct {
			Text    string
			Amounts []string
		}](tb, "pageFacts", map[string]any{})
		if f.Text != c.text || strings.Join(f.Amounts, "|") != c.amounts {
			t.Errorf("%s: %q with %q, want %q with %q", c.html, f.Text, f.Amounts, c.text, c.amounts)
		}
		if got := do[content](tb, "content", map[string]any{"max": 500, "links": false}).Markdown; strings.NewReplacer("^", " ", "[", "", "]", "").Replace(got) != c.text {
			t.Errorf("%s: content %q, want %q", c.html, got, c.text)
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\nlines":                      "plain\nlines",
		"a\u202eb\u2066c\u2069d\U000E0041e": "abcde",
		"“quoted” — and 👩\u200d💻, می\u200cخواهم": "“quoted” — and 👩\u200d💻, می\u200cخواهم",
	} {
		if got := pagecontext.Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Words that no control is called by are read where they stand, with what is beside them.
func TestSaying(t *testing.T) {
	tb := open(t, `<main><p>Nothing is confidentially said</p><section><div><h3>Confidential</h3><button>Edit</button></div><div>No</div></section><section><div><h3>Due date</h3><button>Edit</button></div><div>None</div></section></main>`)
	p := pagecontext.New(tb, 0)
	said, err := p.Saying(t.Context(), "due|confidential")
	tb.must(err)
	if len(said) != 2 || said[0].Text != "Confidential No" || !strings.HasPrefix(said[0].Near, `button "Edit" near="Confidential" [`) || said[1].Text != "Due date None" || said[0].Near == said[1].Near {
		t.Errorf("%q", said)
	}
	if said, err = p.Saying(t.Context(), "milestone"); err != nil || len(said) != 0 {
		t.Errorf("%q, %v", said, err)
	}
}

// A text that is all that a control says finds the control, as the list has it.
func TestFindGivesTheControl(t *testing.T) {
	tb := open(t, `<a href=/d><span><b>Deploy</b></span></a><label for=n>News</label> <input id=n type=checkbox><div onclick="1"><p><span>To Celsius</span></p></div><svg width=200 height=40><g style="cursor:move"><rect width=90 height=30 fill="#ccc"></rect><text y=20 style="pointer-events:none">To percent</text></g></svg><div onclick="1"><p>Two</p><p>words</p></div>`)
	p := pagecontext.New(tb, 0)
	l, err := p.Elements(t.Context(), pagecontext.Query{})
	tb.must(err)
	for text, role := range map[string]string{"Deploy": "link", "News": "checkbox", "Celsius": "generic", "percent": "generic"} {
		f, err := p.Find(t.Context(), pagecontext.Wanted{Text: text})
		tb.must(err)
		if len(f.Elements) != 1 || f.Elements[0].Role != role || !slices.ContainsFunc(l.Elements, func(e pagecontext.Element) bool { return e.Index == f.Elements[0].Index }) {
			t.Errorf("%s: %+v", text, f.Elements)
		}
	}
	f, err := p.Find(t.Context(), pagecontext.Wanted{Text: "words"})
	if tb.must(err); len(f.Elements) != 1 || f.Elements[0].Text != "words" {
		t.Errorf("a part of what a control says: %+v", f.Elements)
	}
}

// The words of a heading are enough where it is no heading of the page, but the list has it as one.
func TestPartByWords(t *testing.T) {
	tb := open(t, `<main><h1>Preferences</h1><fieldset><legend>Date format</legend><input aria-label=Short></fieldset><fieldset><legend>Time zone</legend><input aria-label=Zone></fieldset></main>`)
	p := pagecontext.New(tb, 0)
	for part, ok := range map[string]bool{"Date format": true, "date format:": true, "main": false, "td.date > a": false} {
		if pagecontext.IsHeading(part) != ok && part != "main" {
			t.Errorf("IsHeading(%q)", part)
		}
		if !ok {
			continue
		}
		l, err := p.Elements(t.Context(), pagecontext.Query{Part: part})
		if tb.must(err); len(l.Elements) != 1 || l.Elements[0].Name != "Short" {
			t.Errorf("%s: %+v", part, l.Elements)
		}
	}
}

// What is found by its words is told for what it is: a button that shows on hover only, a text that nothing
// presses, and one in something that is pressed.
func TestFoundOnHoverAndText(t *testing.T) {
	tb := open(t, `<style>.acts{display:none}li:hover .acts{display:block}.gone{display:none}.card{cursor:pointer}</style>
		<ul><li>Milk <div class=acts><button>Revoke access</button></div></ul><div class=gone><button>Close all</button></div>
		<p><span>Health status</span></p><div class=card onclick=0><b>Oat</b> <i>cheap</i></div>`)
	found := func(by map[string]any) string {
		var said []string
		for _, e := range do[struct{ Elements []pagecontext.RawElement }](tb, "findBy", by).Elements {
			word := pagecontext.RoleWord(&pagecontext.Element{Role: e.Role, Static: e.Static})
			if e.OnHover {
				word += " on hover"
			}
			said = append(said, word)
		}
		return strings.Join(said, ",")
	}
	for _, c := range []struct {
		by   map[string]any
		want string
	}{
		{map[string]any{"role": "button", "name": "Revoke access"}, "button on hover"},
		{map[string]any{"role": "button", "name": "Close all"}, ""},
		{map[string]any{"text": "Health status"}, "text"},
		{map[string]any{"text": "cheap"}, "clickable"},
	} {
		if got := found(c.by); got != c.want {
			t.Errorf("%v: %q, want %q", c.by, got, c.want)
		}
	}
}
