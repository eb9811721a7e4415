package action

import (
	"context"
	"encoding/json"
	_ "image/jpeg"
	"strconv"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// A long page is read piece by piece, and searched as a whole; both from what a
// user sees of it, another site's frame included.
func TestRealContentInPieces(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		l.eval(`document.querySelector("main").insertAdjacentHTML("beforeend",
			Array.from({ length: 120 }, (_, i) => "<h2>Part " + i + "</h2><p>Words of part " + i + " about the " + (i === 77 ? "zeppelin, café and 飞艇" : "mug") + ".</p>").join("") +
			"<p style='display:none'>The hidden zeppelin</p>"), 0`)
		var whole strings.Builder
		var cursor string
		var pieces int
		for pieces = 1; pieces < 60; pieces++ {
			params := p{"maxChars": 500}
			if cursor != "" {
				params["cursor"] = cursor
			}
			c := as[ContentData](t, l.ok("extractContent", params))
			if c.Content == "" || len([]rune(c.Content)) > 500 || c.More != (c.NextCursor != "") {
				t.Fatalf("piece %d: %+v", pieces, c)
			}
			whole.WriteString(c.Content + "\n")
			if cursor = c.NextCursor; cursor == "" {
				break
			}
		}
		for i, part := range []string{"# All about mugs", "## Part 0", "Words of part 119 about the mug."} {
			if strings.Count(whole.String(), part) != 1 {
				t.Errorf("%d: %q is there %d times in %d pieces", i, part, strings.Count(whole.String(), part), pieces)
			}
		}
		for _, query := range []string{"zeppelin", "CAFE", "飞艇"} {
			res := l.ok("extractContent", p{"query": query})
			if c := as[ContentData](t, res); c.Found != 1 || c.More || c.Content != "## All about mugs › Part 77\n\nWords of part 77 about the zeppelin, café and 飞艇." {
				t.Errorf("%s: %+v", query, c)
			}
		}
		res := l.ok("extractContent", p{"query": "mug", "maxChars": 300})
		if c := as[ContentData](t, res); c.Found < 100 || !c.More || len([]rune(c.Content)) > 300 {
			t.Errorf("mugs: %+v", c)
		}
		has(t, res.Text, "passages fit")
		has(t, l.ok("extractContent", p{"query": "submarine"}).Text, `nothing in "Reading"`, "All about mugs")
		l.fails(InvalidParams, "extractContent", p{"cursor": "nonsense"})
		l.fails(InvalidParams, "extractContent", p{"cursor": "10-10-abc", "query": "mug"})

		c := as[ContentData](t, l.ok("extractContent", p{"maxChars": 500}))
		l.eval(`document.body.innerHTML = "<main><p>" + "Another page. ".repeat(100) + "</p></main>", 0`)
		has(t, l.ok("extractContent", p{"maxChars": 500, "cursor": c.NextCursor}).Text, "has changed since")
	})
}

// Every way that a list tells to what it leaves out leads there: followed one
// after another, cursors come to every element, each once.
func TestRealHints(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "dense.html?grid")
		l.eval(`document.getElementById("main").innerHTML =
			"<nav aria-label=Topics>" + Array.from({ length: 150 }, (_, i) => "<a href=/t/" + i + ">A long name of topic number " + i + ", to fill the list</a><br>").join("") + "</nav>" +
			Array.from({ length: 700 }, (_, i) => (i % 9 ? "" : "<h2>Shelf " + i / 9 + "</h2>") + "<article><a href=/p/" + i + ">Mug of the year " + i + "</a> <input aria-label='Pieces of mug " + i + "'> <button>Add mug " + i + "</button></article>").join("") +
			"<select aria-label=Size>" + Array.from({ length: 40 }, (_, i) => "<option>Size number " + i + "</option>").join("") + "</select>", 0`)
		all, err := pagecontext.New(realTab{l.tab}, 0).Elements(context.Background(), pagecontext.Query{})
		if err != nil {
			t.Fatal(err)
		}
		obs, err := l.Observe(context.Background(), ObserveOptions{Budget: 900, Full: true})
		if err != nil {
			t.Fatal(err)
		}
		seen, kinds, followed := map[string]int{}, map[string]bool{}, map[string]bool{}
		take := func(text string) (hints []string) {
			for _, m := range listed.FindAllStringSubmatch(text, -1) {
				seen[m[1]]++
			}
			for _, m := range hinted.FindAllString(text, -1) {
				if !followed[m] {
					followed[m], hints = true, append(hints, m)
				}
			}
			return hints
		}
		todo := take(obs.Text)
		if len(todo) == 0 {
			t.Fatalf("nothing is left out:\n%s", obs.Text)
		}
		for calls := 0; len(todo) > 0; calls++ {
			if calls > 60 {
				t.Fatalf("the hints have no end; next: %v", todo)
			}
			m := hinted.FindStringSubmatch(todo[0])
			kinds[m[2]] = true
			res := l.ok(m[1], p{m[2]: m[3]})
			todo = append(todo[1:], take(res.Text)...)
		}
		if len(seen) != all.Total || !kinds["cursor"] {
			t.Errorf("%d of %d elements were reached, by %v", len(seen), all.Total, kinds)
		}

		// A list that was asked for with words or within a part goes on as well.
		for _, params := range []p{{"query": "mug"}, {"scope": "main"}, {"type": "input"}} {
			res := l.ok("getElements", params)
			want := as[pagecontext.Listing](t, res).Total
			seen, followed = map[string]int{}, map[string]bool{}
			for todo = take(res.Text); len(todo) > 0; {
				m := hinted.FindStringSubmatch(todo[0])
				todo = append(todo[1:], take(l.ok(m[1], p{m[2]: m[3]}).Text)...)
			}
			if len(seen) != want {
				t.Errorf("%v: %d of %d elements were reached", params, len(seen), want)
			}
		}

		nav := l.ok("getElements", p{"scope": "nav"})
		if n := as[pagecontext.Listing](t, nav).Total; n != 150 {
			t.Errorf("%d elements in the navigation", n)
		}
		// A region is named by the ref that a snapshot gives it as well, also one in a
		// frame of another process.
		scope := func(name string) int {
			t.Helper()
			for ref, e := range as[struct {
				Refs map[string]struct{ Role, Name string }
			}](t, l.ok("snapshot", p{})).Refs {
				if e.Name == name && (e.Role == "navigation" || e.Role == "region") {
					return as[pagecontext.Listing](t, l.ok("getElements", p{"scope": ref})).Total
				}
			}
			t.Fatalf("no region %q has a ref", name)
			return 0
		}
		if n := scope("Topics"); n != 150 {
			t.Errorf("%d elements in the region of that ref", n)
		}
		framed := l.at("b.test", "region.html")
		l.eval(`new Promise((done) => { const f = document.createElement("iframe"); f.title = "Far"; f.src = "` + framed + `"; f.onload = () => done(0); document.body.prepend(f); })`)
		if n := scope("Parts"); n != 3 {
			t.Errorf("%d elements in the region of a frame", n)
		}
		l.eval(`document.querySelector("iframe").remove(), 0`)
		l.fails(InvalidParams, "getElements", p{"scope": "[["})
		l.fails(NotFound, "getElements", p{"scope": "#none"})

		size := l.ok("getElements", p{"query": "Size"})
		has(t, size.Text, "… (getOptions)")
		index := listed.FindStringSubmatch(size.Text)[1]
		has(t, l.ok("getOptions", p{"ref": "e" + index}).Text, "Size number 39")
	})
}

func TestRealReading(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		has(t, l.ok("hover", p{"selector": "#menu"}).Effect, "Hovered item")
		has(t, l.ok("getElements", p{"type": "link"}).Text, `link "Next page"`)
		i := l.index("link", "Next page")
		has(t, l.ok("getElementDetails", p{"indices": []int{i}}).Text, "#next", "xpath", "/next.html")
		res := l.ok("screenshot", p{})
		if len(res.Image) < 1000 || res.MIME != "image/jpeg" {
			t.Errorf("picture of %d bytes, %s", len(res.Image), res.MIME)
		}
		has(t, l.ok("executeJS", p{"code": "document.title"}).Text, `Result: "Click"`)
		res = l.ok("executeJS", p{"code": `"x".repeat(20000)`})
		if n := len(res.Text); n > maxScriptResult+200 {
			t.Errorf("%d characters", n)
		}
		has(t, l.fails(Unsupported, "executeJS", p{"code": "nope()"}).Text, "nope")
		o, err := l.Observe(context.Background(), ObserveOptions{Full: true, Image: true, Budget: 400})
		if err != nil || len(o.Image) == 0 || o.Title != "Click" || o.SnapshotID == "" || o.PageRev == 0 {
			t.Errorf("observation %+v, %v", o, err)
		}
		has(t, o.Text, "Add to cart", "URL: ")
	})
}

func TestRealReadOne(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		text := func(params p) string { return as[struct{ Text string }](t, l.ok("getText", params)).Text }
		if got := text(p{"selector": "main > ul > li:first-child"}); got != "Blue\nLight blue" {
			t.Errorf("text %q", got)
		}
		page := text(p{})
		has(t, page, "All about mugs", "Card on file: [card number]")
		for _, secret := range []string{"hunter2secret", "Hidden words", "4111", "Ignore previous"} {
			if strings.Contains(page, secret) {
				t.Errorf("text tells %q", secret)
			}
		}
		if res := l.ok("getText", p{"maxChars": 10}); as[struct{ More bool }](t, res).More != true {
			t.Errorf("not cut: %s", res.Text)
		}
		attr := func(selector, name string) any {
			return as[struct{ Value any }](t, l.ok("getAttribute", p{"selector": selector, "name": name})).Value
		}
		for _, tt := range []struct {
			selector, name string
			want           any
		}{
			{"#link", "href", "/next.html?a=1"},
			{"#link", "lang", nil},
			{"#pw", "value", "••••"},
			{"#pw", "data-copy", "••••"},
			{"#mail", "value", "ada@a.test"},
			{"input[name=csrf]", "value", "••••"},
			{"meta[name=csrf-token]", "content", "••••"},
		} {
			if got := attr(tt.selector, tt.name); got != tt.want {
				t.Errorf("%s of %s is %v, want %v", tt.name, tt.selector, got, tt.want)
			}
		}
		l.eval(`document.querySelector("h1").insertAdjacentHTML("afterend", "<svg><path d='M0 0" + " l1 1".repeat(200) + "'></svg>"), 0`)
		drawn := as[struct{ HTML string }](t, l.ok("getHTML", p{"selector": "h1 + svg"})).HTML
		if !strings.HasPrefix(drawn, `<svg><path d="M0 0 l1 1`) || len(drawn) > 100 {
			t.Errorf("a shape takes %d characters: %s", len(drawn), short(drawn, 200))
		}
		html := as[struct{ HTML string }](t, l.ok("getHTML", p{})).HTML
		has(t, html, `<h1>All about mugs</h1>`, `placeholder="you@a.test"`, "You typed ••••")
		for _, secret := range []string{"hunter2secret", "meta-token", "form-token", "4111", "Ignore previous"} {
			if strings.Contains(html, secret) {
				t.Errorf("HTML tells %q", secret)
			}
		}
		if got := as[struct{ HTML string }](t, l.ok("getHTML", p{"selector": "#go", "inner": true})).HTML; got != "Sign in" {
			t.Errorf("inner HTML %q", got)
		}
		l.eval(`document.querySelector("#go").style.cssText = "position:fixed;left:40px;top:30px;width:120px;height:20px", 0`)
		if box := as[struct{ Box pagecontext.Rect }](t, l.ok("isVisible", p{"selector": "#go"})).Box; box != (pagecontext.Rect{X: 40, Y: 30, Width: 120, Height: 20}) {
			t.Errorf("box %+v", box)
		}
		for selector, want := range map[string]int{"main > ul > li": 0, "#go": 1, "#nothing": 0, "input": 0} {
			if want == 0 && selector != "#nothing" {
				if err := json.Unmarshal([]byte(l.eval(`document.querySelectorAll("`+selector+`").length`)), &want); err != nil || want < 2 {
					t.Fatalf("%d of %s, %v", want, selector, err)
				}
			}
			if got := as[pagecontext.Listing](t, l.ok("find", p{"selector": selector})); got.Total != want {
				t.Errorf("%s: %d found, want %d", selector, got.Total, want)
			}
		}
		l.fails(InvalidParams, "find", p{"selector": "li", "role": "listitem"})
		type value struct {
			Value  string
			Masked bool
		}
		if v := as[value](t, l.ok("getValue", p{"selector": "#mail"})); v.Value != "ada@a.test" || v.Masked {
			t.Errorf("value %+v", v)
		}
		if v := as[value](t, l.ok("getValue", p{"selector": "#pw"})); v.Value != "" || !v.Masked {
			t.Errorf("value %+v", v)
		}
		type seen struct{ Visible, InViewport bool }
		for selector, want := range map[string]seen{
			"h1": {true, true}, "#far": {true, false}, "main span": {}, "#nobody": {}, "#t": {true, false},
		} {
			if got := as[seen](t, l.ok("isVisible", p{"selector": selector})); got != want {
				t.Errorf("%s is %+v, want %+v", selector, got, want)
			}
		}
		l.ok("scrollIntoView", p{"selector": "#t"}) // in the frame below
		if got := as[seen](t, l.ok("isVisible", p{"selector": "#t"})); !got.InViewport {
			t.Error("the field of the frame is not in view")
		}
		l.fails(InvalidParams, "isVisible", p{})
		l.fails(NotFound, "getText", p{"selector": "#nobody"})
		l.fails(NotFound, "getValue", p{"index": 9999})
	})
}

func TestRealFind(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		find := func(params p) []pagecontext.Element {
			return as[pagecontext.Listing](t, l.ok("find", params)).Elements
		}
		for _, tt := range []struct {
			name  string
			by    p
			want  int
			first string
		}{
			{"role and name", p{"role": "button", "name": "save"}, 3, "Save"},
			{"exact", p{"role": "button", "name": "Save", "exact": true}, 2, "Save"},
			{"nth", p{"role": "button", "name": "Save", "nth": 1}, 1, "Save all"},
			{"last", p{"role": "button", "name": "Save", "nth": -1}, 1, "Save"},
			{"text", p{"text": "light blue"}, 1, ""},
			{"label", p{"label": "E-mail"}, 1, "E-mail"},
			{"placeholder", p{"placeholder": "you@"}, 1, "E-mail"},
			{"alt", p{"alt": "blue mug"}, 1, "A blue mug"},
			{"title", p{"title": "More on"}, 1, "Read on"},
			{"test id", p{"testId": "mail"}, 1, "E-mail"},
			{"in a frame", p{"role": "button", "name": "Press me"}, 1, "Press me"},
		} {
			els := find(tt.by)
			if len(els) != tt.want || els[0].Name != tt.first {
				t.Errorf("%s: %+v", tt.name, els)
			}
		}
		if e := find(p{"role": "button", "name": "Save", "exact": true, "nth": 1})[0]; e.IsEnabled {
			t.Error("the second Save is the one that is disabled")
		}
		i := find(p{"role": "button", "name": "Press me"})[0].Index
		has(t, l.ok("click", p{"index": i}).Effect, "pressed a.test")
		form := find(p{"role": "form"})[0].Index
		if els := find(p{"role": "button", "index": form}); len(els) != 1 || els[0].Name != "Sign in" {
			t.Errorf("within the form: %+v", els)
		}
		has(t, l.fails(NotFound, "find", p{"role": "button", "name": "Safe"}).Text, "nearest", "Save")
		l.fails(NotFound, "find", p{"role": "button", "name": "Save", "nth": 7})
		l.fails(InvalidParams, "find", p{"exact": true})
	})
}

func TestRealSnapshot(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		snap := func(params p) pagecontext.Snapshot {
			return as[pagecontext.Snapshot](t, l.ok("snapshot", params))
		}
		full := snap(p{})
		has(t, full.Tree, "navigation", `link "Read on" → `, `heading "All about mugs" level=1 [`, "cell \"Red | big\"", "secret=password", `textbox "E-mail" `, `iframe "Inner"`)
		for _, secret := range []string{`value="hunter2secret`, "Hidden words", "4111"} {
			if strings.Contains(full.Tree, secret) {
				t.Errorf("the tree tells %q:\n%s", secret, full.Tree)
			}
		}
		frame := strings.Index(full.Tree, `iframe "Inner"`)
		if inner := strings.Index(full.Tree, `  button "Press me"`); frame < 0 || inner < frame {
			t.Errorf("the frame's button does not stand in it:\n%s", full.Tree)
		}
		active := snap(p{"interactive": true})
		if active.Stats.Interactive == 0 || active.Stats.Lines >= full.Stats.Lines || strings.Contains(active.Tree, "heading") {
			t.Errorf("interactive: %+v\n%s", active.Stats, active.Tree)
		}
		if compact := snap(p{"compact": true}); compact.Stats.Lines >= full.Stats.Lines {
			t.Errorf("compact: %d lines of %d", compact.Stats.Lines, full.Stats.Lines)
		}
		if flat := snap(p{"maxDepth": 1}); strings.Contains(flat.Tree, "\n  ") {
			t.Errorf("deeper than one level:\n%s", flat.Tree)
		}
		has(t, l.ok("snapshot", p{"scope": "blockquote", "interactive": true}).Text, "nothing to operate", "without")
		part := snap(p{"scope": "#f", "interactive": true})
		if len(part.Refs) != 3 {
			t.Errorf("the form has %d refs:\n%s", len(part.Refs), part.Tree)
		}
		for ref, r := range part.Refs {
			if r.Role == "button" {
				has(t, l.ok("click", p{"ref": part.SnapshotID + ":" + ref}).Text, `button "Sign in"`)
			}
		}
		snap(p{"delta": true})
		has(t, l.ok("snapshot", p{"delta": true}).Text, "nothing changed")
		l.eval(`document.querySelector("h1").textContent = "Nothing about mugs", 0`)
		delta := snap(p{"delta": true})
		if lines := strings.Split(delta.Tree, "\n"); !delta.Delta || len(lines) != 2 || !strings.HasPrefix(lines[0], "- ") || !strings.HasPrefix(lines[1], "+ ") {
			t.Errorf("delta:\n%s", delta.Tree)
		}
	})
}

func TestRealContent(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		type content struct {
			Content, Title string
			More           bool
		}
		c := as[content](t, l.ok("extractContent", p{}))
		want := "# All about mugs\n\nA mug is a cup with a handle. [Read on](" + l.at("a.test", "next.html?a=1") + "). `mug()`\n\n" +
			"- Blue\n  - Light blue\n- Red\n\n| Mug | Price |\n| --- | --- |\n| Blue | $12.50 |\n| Red \\| big | $9 |\n\n" +
			"```\nline one\n  line two\n```\n\n[image: A blue mug]\n\n> Nice mugs.\n\nCard on file: [card number]"
		if c.Content != want || c.Title != "Reading" || c.More {
			t.Errorf("content %+v\ngot  %q\nwant %q", c, c.Content, want)
		}
		plain := as[content](t, l.ok("extractContent", p{"format": "text"}))
		if strings.Contains(plain.Content, "http://") || strings.Contains(plain.Content, "# All") {
			t.Errorf("text %q", plain.Content)
		}
		if c := as[content](t, l.ok("extractContent", p{"selector": "blockquote"})); c.Content != "Nice mugs." {
			t.Errorf("part %q", c.Content)
		}
		if c := as[content](t, l.ok("extractContent", p{"maxChars": 20})); !c.More || len(c.Content) > 20 {
			t.Errorf("cut %+v", c)
		}
	})
}

// TestRealParts: a part of the page is named as the list prints it.
func TestRealParts(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "typed.html")
		for scope, want := range map[string]string{
			"## main: Mugs": "Buy", "main: Mugs": "Buy", `--- main: "Mugs" ---`: "Buy", "main: Lamps": "Light", `heading "Lamps"`: "Light", `- row "Red mug"`: "Buy",
			"navigation: Shop": "Home", "navigation": "Home", "[" + strconv.Itoa(l.index("textbox", "Nickname")) + "]": "Nickname",
		} {
			list := l.ok("getElements", p{"scope": scope}).Text
			has(t, list, want)
			for _, other := range []string{"Buy", "Light", "Home", "Nickname", "First"} {
				if other != want && strings.Contains(list, `"`+other+`"`) {
					t.Errorf("%s holds %s:\n%s", scope, other, list)
				}
			}
		}
		has(t, l.ok("snapshot", p{"scope": "## main: Lamps"}).Text, "Light")
		l.fails(NotFound, "getElements", p{"scope": "main: Plates"})
		// A heading in a bar of its own heads what follows the bar.
		l.eval(`document.body.insertAdjacentHTML("beforeend", '<div><h3>Mail alerts</h3></div><div><input type=checkbox aria-label=News></div><div><h3>Phone alerts</h3> <a href=#all>All</a></div><div><input type=checkbox aria-label=Calls> <input type=checkbox aria-label=Notes></div>')`)
		for scope, want := range map[string]string{"Mail alerts": "News", "Phone alerts": "Notes", "page: Phone alerts": "Notes"} {
			has(t, l.ok("getElements", p{"scope": scope}).Text, want)
		}
		has(t, l.ok("getElements", p{"scope": "main"}).Text, "Buy", "Light")
		// One in the middle of its box heads what comes after it.
		l.eval(`document.body.insertAdjacentHTML("beforeend", '<div><p><input aria-label=Payer></p><h3>Line items</h3><p><input aria-label=Quantity> <input aria-label=Price> <button>Add</button></p></div>')`)
		if list := l.ok("getElements", p{"scope": "Line items"}).Text; !strings.Contains(list, "Quantity") || strings.Contains(list, "Payer") {
			t.Error(list)
		}
	})
}
