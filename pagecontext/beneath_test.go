package pagecontext_test

import (
	"strings"
	"testing"

	"tabwright/pagecontext"
)

// Letters in the colour of what they stand in can be read where something else lies
// behind them, and only there: in the list and in the text of the page.
func TestLettersOverWhatTheyDoNotStandIn(t *testing.T) {
	const picture = `<img alt="" width=600 height=200 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='6' height='2'><rect width='6' height='2'/></svg>"`
	const link = `<a href=/a style="color:#fff">White</a>`
	tb := newTab(t)
	for name, c := range map[string]struct {
		html string
		seen bool
	}{
		"a bar over the next part's picture":   {`<nav style="position:absolute;z-index:2;top:80px">` + link + `</nav><header style="position:relative;height:200px;background:url(/x.png) #000"></header>`, true},
		"a bar over the next part's colour":    {`<nav style="position:absolute;z-index:2;top:80px">` + link + `</nav><header style="height:200px;background:#036"></header>`, true},
		"far below":                            {`<p style="height:3000px"></p><div style="position:relative"><nav style="position:absolute;z-index:2;top:20px">` + link + `</nav><header style="height:200px;background:#036"></header></div>`, true},
		"a heading over a picture":             {`<div style="position:relative">` + picture + ` style="position:absolute;z-index:-1;top:0;left:0"><h1>` + link + `</h1></div>`, true},
		"both in layers":                       {`<div style="position:relative"><div style="position:absolute;inset:0"><div>` + picture + `></div></div><div style="position:relative">` + link + `</div></div>`, true},
		"a film":                               {`<section style="position:relative;height:200px"><video style="position:absolute;top:0;left:0;width:100%;height:100%;object-fit:cover"></video><p style="position:relative">` + link + `</p></section>`, true},
		"a tint by ::before":                   {`<style>section::before{content:"";position:absolute;inset:0;z-index:-1;background:rgba(0,0,0,.6)}</style><section style="position:relative;z-index:0;height:100px">` + link + `</section>`, true},
		"the picture is in another place":      {`<nav style="position:absolute;z-index:2;top:300px">` + link + `</nav><header style="height:200px;background:#036"></header>`, false},
		"the picture is over it":               {`<div style="position:relative">` + link + picture + ` style="position:absolute;z-index:1;top:0;left:0"></div>`, false},
		"a layer is over what is in flow":      {`<div style="position:relative">` + picture + ` style="position:absolute;top:0;left:0"><h1>` + link + `</h1></div>`, false},
		"it stands on its own white":           {`<div style="position:relative">` + picture + ` style="position:absolute;z-index:-1;top:0;left:0"><h1 style="background:#fff">` + link + `</h1></div>`, false},
		"a white layer":                        {`<div style="position:relative"><div style="position:absolute;inset:0;background:#fff"></div><div style="position:relative">` + link + `</div></div>`, false},
		"a layer without a colour":             {`<div style="position:relative"><div style="position:absolute;inset:0"></div><div style="position:relative">` + link + `</div></div>`, false},
		"a picture that is not shown":          {`<div style="position:relative">` + picture + ` style="position:absolute;top:0;left:0;opacity:0"><h1 style="position:relative">` + link + `</h1></div>`, false},
		"letters in a part of it":              {`<a href=/a><b style="color:#fff">White</b></a>`, false},
		"a part of it on a colour":             {`<a href=/a><b style="color:#fff;background:#036">White</b></a>`, true},
		"a heading alone":                      {`<h2 style="color:#fff">White</h2>`, false},
		"nothing behind it":                    {`<h1>` + link + `</h1>`, false},
		"a picture beside it, in the same row": {`<div>` + picture + ` style="float:left">` + link + `</div>`, false},
	} {
		t.Run(name, func(t *testing.T) {
			tb.goTo(`<p><a href=/b>Black</a></p><div>` + c.html + `</div>`)
			p := pagecontext.New(tb, 0)
			l, err := p.Elements(t.Context(), pagecontext.Query{})
			tb.must(err)
			listed := false
			for _, e := range l.Elements {
				listed = listed || e.Name == "White"
			}
			tree, err := p.Snapshot(t.Context(), pagecontext.SnapshotOptions{})
			tb.must(err)
			if listed != c.seen || strings.Contains(tree.Tree, "White") != c.seen {
				t.Errorf("listed %t, want %t; the tree is\n%s", listed, c.seen, tree.Tree)
			}
		})
	}
}
