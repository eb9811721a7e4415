package action

import (
	"encoding/json"
	"strings"
	"testing"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

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
