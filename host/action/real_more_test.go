package action

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/safety"
)

// as reads Result.Data the way a program behind a door does.
func as[T any](t testing.TB, res Result) T {
	t.Helper()
	b, err := json.Marshal(res.Data)
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	return v
}

func TestRealButtons(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "mouse.html")
		l.ok("click", p{"selector": "#many", "modifiers": []string{"ctrl", "shift"}})
		l.ok("click", p{"selector": "#many", "button": "middle"})
		has(t, l.ok("click", p{"selector": "#many", "button": "right"}).Text, "right-clicked")
		l.wantLog("ctrl+shift+click0", "auxclick1", "contextmenu2", "auxclick2")
		l.eval("log.length = 0")
		has(t, l.ok("click", p{"selector": "#many", "clicks": 2}).Text, "double-clicked")
		l.wantLog("click0", "click0", "dblclick0")
		l.ok("click", p{"selector": "#name", "clicks": 3})
		if got := l.eval("getSelection().toString()"); got != `"one two"` {
			t.Errorf("selected %s", got)
		}
		l.eval("log.length = 0")
		has(t, l.ok("click", p{"selector": "#once", "clicks": 2}).Text, "Only 1 of 2 clicks")
		l.wantLog("once")
		l.fails(InvalidParams, "click", p{"selector": "#many", "button": "side"})
		l.fails(InvalidParams, "click", p{"selector": "#many", "clicks": 9})
	})
}

func TestRealRawMouse(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "mouse.html")
		l.fails(InvalidParams, "mouseUp", p{})
		l.ok("mouseMove", p{"selector": "#many"})
		l.ok("mouseDown", p{})
		l.fails(InvalidParams, "mouseDown", p{})
		l.ok("mouseUp", p{})
		l.wantLog("click0")
		l.eval("log.length = 0")
		l.ok("mouseDown", p{"selector": "#ball"})
		l.ok("mouseMove", p{"x": 250, "y": 170})
		l.ok("mouseMove", p{"x": 350, "y": 170})
		has(t, l.ok("mouseUp", p{"x": 350, "y": 170}).Text, "Basket")
		l.wantLog("ball on basket")

		// Down and up are judged as the click that they make.
		l.eval("log.length = 0")
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.fails(Denied, "mouseDown", p{"selector": "#wipe"})
		l.fails(Denied, "mouseUp", p{"selector": "#wipe"})
		l.wantLog()
		if len(l.person.cards) != 1 || l.person.cards[0].Decision.Class != safety.Destroy {
			t.Errorf("cards %+v", l.person.cards)
		}
	})
}

func TestRealRawKeys(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "mouse.html")
		l.ok("focus", p{"selector": "#name"})
		l.eval("log.length = 0")
		l.ok("keyDown", p{"key": "Shift"})
		l.ok("keyDown", p{"key": "ArrowRight"})
		l.ok("keyUp", p{"key": "ArrowRight"})
		l.ok("keyUp", p{"key": "Shift"})
		l.wantLog("shift+keydown Shift", "shift+keydown ArrowRight", "shift+keyup ArrowRight", "keyup Shift")
		l.fails(InvalidParams, "keyDown", p{"key": "nonsense"})
		l.fails(Unsupported, "focus", p{"selector": "#nobody, title"})
		l.fails(NotFound, "focus", p{"selector": "#nobody"})

		l.eval("document.getElementById('wipe').focus(), log.length = 0")
		l.person.answers = []Answer{{By: "panel"}}
		l.person.cards = nil
		l.fails(Denied, "keyDown", p{"key": "Enter"})
		l.fails(Denied, "keyUp", p{"key": "Enter"})
		l.wantLog()
	})
}

func TestRealChoose(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "choose.html")
		has(t, l.ok("select", p{"selector": "#toppings", "values": []string{"Ham", "j"}}).Text, `"Ham", "Jalapeño"`)
		l.ok("select", p{"selector": "#size", "label": "One"})
		l.ok("select", p{"selector": "#size", "position": 2})
		l.ok("select", p{"selector": "#size", "value": "1"}) // a value before a position
		l.wantLog("toppings h,j", "size 1", "size l", "size 1")
		l.fails(InvalidParams, "select", p{"selector": "#size"})
		l.fails(InvalidParams, "select", p{"selector": "#size", "values": []string{"s", "l"}})
		l.fails(NotFound, "select", p{"selector": "#size", "position": 9})
		l.fails(Disabled, "select", p{"selector": "#toppings", "values": []string{"Ghost"}})

		type options struct {
			Options  []Choice `json:"options"`
			Native   bool     `json:"native"`
			Open     bool     `json:"open"`
			Multiple bool     `json:"multiple"`
		}
		o := as[options](t, l.ok("getOptions", p{"selector": "#toppings"}))
		if len(o.Options) != 4 || !o.Native || !o.Multiple || o.Options[2].Group != "Hot" || !o.Options[0].Selected || !o.Options[3].Disabled {
			t.Errorf("options %+v", o)
		}
		if o := as[options](t, l.ok("getOptions", p{"selector": "#city"})); len(o.Options) != 2 || o.Options[1].Label != "Oslo" {
			t.Errorf("options %+v", o)
		}
		o = as[options](t, l.ok("getOptions", p{"selector": "#combo"}))
		if len(o.Options) != 2 || !o.Open || o.Options[0].Value != "a" || !o.Options[1].Disabled {
			t.Fatalf("options %+v", o)
		}
		has(t, l.ok("click", p{"ref": o.Options[0].Ref}).Text, `option "Apple"`)
		if got := l.eval("combo.textContent"); got != `"Apple"` {
			t.Errorf("combo %s", got)
		}
		l.fails(Unsupported, "getOptions", p{"selector": "#gift"})
	})
}

func TestRealCheck(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "choose.html")
		l.ok("check", p{"selector": "#gift"})
		has(t, l.ok("check", p{"selector": "#gift"}).Text, "already")
		l.ok("uncheck", p{"selector": "#gift"})
		l.ok("check", p{"selector": "#sr"})
		l.ok("check", p{"selector": "#r2"})
		l.wantLog("gift true", "gift false", "sr true", "r2 true")
		l.ok("check", p{"selector": "#sw"})
		if got := l.eval("sw.ariaChecked"); got != `"true"` {
			t.Errorf("switch %s", got)
		}
		l.fails(Unsupported, "uncheck", p{"selector": "#r2"})
		l.fails(Unsupported, "check", p{"selector": "#stuck"})
		l.fails(Unsupported, "check", p{"selector": "#size"})
		if c := as[struct{ Checked, Mixed bool }](t, l.ok("isChecked", p{"selector": "#sw"})); !c.Checked || c.Mixed {
			t.Errorf("checked %+v", c)
		}
		l.fails(Unsupported, "isChecked", p{"selector": "#combo"})
		if e := as[struct{ Enabled bool }](t, l.ok("isEnabled", p{"selector": "#off"})); e.Enabled {
			t.Error("enabled")
		}
		if e := as[struct{ Enabled bool }](t, l.ok("isEnabled", p{"selector": "#gift"})); !e.Enabled {
			t.Error("disabled")
		}
	})
}

func TestRealUntil(t *testing.T) {
	type end struct {
		Scrolls    int    `json:"scrolls"`
		Loads      int    `json:"loads"`
		Items      int    `json:"items"`
		StopReason string `json:"stopReason"`
		Index      int    `json:"index"`
	}
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "feed.html?rows=60")
		e := as[end](t, l.ok("scrollUntil", p{"text": "Item number 45"}))
		if e.StopReason != stopText || e.Scrolls == 0 || e.Index == 0 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("scrollUntil", p{"selector": "#r45"})); e.StopReason != stopSelector || e.Scrolls != 0 {
			t.Errorf("end %+v", e)
		}
		if v := as[struct{ InViewport bool }](t, l.ok("isVisible", p{"selector": "#r45"})); !v.InViewport {
			t.Error("what was found is not in view")
		}
		if e := as[end](t, l.ok("scrollUntil", p{"text": "Item number 99", "maxScrolls": 1})); e.StopReason != stopScrolls || e.Scrolls != 1 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("scrollUntil", p{"text": "Item number 99", "maxScrolls": 200, "stallMs": 400})); e.StopReason != stopStalled {
			t.Errorf("end %+v", e)
		}
		l.fails(InvalidParams, "scrollUntil", p{"selector": "###"})

		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=18")})
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "itemSelector": ".row", "itemCount": 12})); e.StopReason != stopItems || e.Items != 15 || e.Loads != 2 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "itemSelector": ".row", "itemCount": 90})); e.StopReason != stopNoMore || e.Items != 18 || e.Loads != 1 {
			t.Errorf("end %+v", e)
		}
		l.wantLog("more", "more", "more")
		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=50")})
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "text": "Item number 9"})); e.StopReason != stopText || e.Loads != 1 {
			t.Errorf("end %+v", e)
		}
		if e := as[end](t, l.ok("loadMoreUntil", p{"selector": "#more", "maxLoads": 2})); e.StopReason != stopLoads || e.Loads != 2 {
			t.Errorf("end %+v", e)
		}
		l.fails(InvalidParams, "loadMoreUntil", p{"selector": "#more"})
		l.fails(InvalidParams, "loadMoreUntil", p{"selector": "#more", "itemCount": 3})
		l.fails(NotFound, "loadMoreUntil", p{"selector": "#nobody", "maxLoads": 2})

		// The control's click passes the gate like any other.
		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=50&name=Delete%20account")})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "loadMoreUntil", p{"selector": "#more", "maxLoads": 2})
		l.wantLog()

		// Of words in a long line of links, the one that has them is found.
		l.ok("navigate", p{"url": l.at("a.test", "feed.html?more=5")})
		l.eval(`list.insertAdjacentHTML("beforeend", "<p>" + Array.from({length: 900}, (_, i) => "<a href=#>Link " + i + ".</a> ").join("") + "</p>")`)
		e = as[end](t, l.ok("scrollUntil", p{"text": "link 890."}))
		if got := as[struct{ Text string }](t, l.ok("getText", p{"index": e.Index})).Text; e.StopReason != stopText || got != "Link 890." {
			t.Errorf("end %+v at %q", e, got)
		}
		if v := as[struct{ InViewport bool }](t, l.ok("isVisible", p{"index": e.Index})); !v.InViewport {
			t.Error("the link that was found is not in view")
		}

		l.ok("navigate", p{"url": l.at("a.test", "feed.html?rows=60")})
		if e := as[end](t, l.ok("loadMoreUntil", p{"text": "Item number 25", "maxLoads": 20})); e.StopReason != stopText || e.Loads == 0 {
			t.Errorf("end %+v", e)
		}
	})
}

func TestRealWaitFor(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "")
		for name, params := range map[string]p{
			"text": {"text": "ready NOW"}, "selector": {"selector": "#done"}, "gone": {"text": "Loading", "gone": true},
			"selector gone": {"selector": "#old", "gone": true}, "url": {"url": "*step=2"}, "function": {"function": "() => window.ready"},
			"all": {"text": "Ready", "selector": "#done", "url": "step=2", "state": "load", "function": "ready"},
		} {
			t.Run(name, func(t *testing.T) {
				l.ok("navigate", p{"url": l.at("a.test", "wait.html?when=250")})
				l.person.cards = nil
				l.ok("waitFor", params)
				if got := l.eval("window.ready === true"); got != "true" {
					t.Errorf("came too early: %s", got)
				}
				if asked := len(l.person.cards); (asked > 0) != (params["function"] != nil) {
					t.Errorf("%d cards", asked)
				}
			})
		}
		l.ok("navigate", p{"url": l.at("a.test", "wait.html?when=10")})
		l.ok("waitFor", p{"state": "stable"})
		if got := l.eval("n"); got != "13" {
			t.Errorf("stable while the page still changes: %s", got)
		}
		has(t, l.fails(Timeout, "waitFor", p{"text": "Never", "timeoutMs": 300}).Text, `"Never"`)
		l.fails(InvalidParams, "waitFor", p{})
		l.fails(InvalidParams, "waitFor", p{"gone": true, "state": "load"})
		l.fails(InvalidParams, "waitFor", p{"selector": "###"})
		l.fails(Unsupported, "waitFor", p{"function": "nope.nope"})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "waitFor", p{"function": "1"})
	})
}

func TestRealReadOne(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "read.html")
		text := func(params p) string { return as[struct{ Text string }](t, l.ok("getText", params)).Text }
		if got := text(p{"selector": "main li"}); got != "Blue\nLight blue" {
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
		has(t, full.Tree, "- navigation", `- link "Read on" [ref=e`, `- heading "All about mugs" [level=1]`, "cell \"Red | big\"", "(password, hidden)", `- textbox "E-mail" [ref=`, `iframe "Inner"`)
		for _, secret := range []string{"hunter2secret\"", "Hidden words", "4111"} {
			if strings.Contains(full.Tree, secret) {
				t.Errorf("the tree tells %q:\n%s", secret, full.Tree)
			}
		}
		frame := strings.Index(full.Tree, `- iframe "Inner"`)
		if inner := strings.Index(full.Tree, `  - button "Press me"`); frame < 0 || inner < frame {
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

func TestRealOwnTabs(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		first := l.Tab()
		l.ok("click", p{"selector": "#nothing"})
		res := l.ok("openTab", p{"url": l.at("b.test", "next.html")})
		has(t, res.Effect, "next.html (Next)")
		if e := as[TabEntry](t, res); e.Index != 2 || !e.Active || e.ID != l.Tab() || e.Title != "Next" {
			t.Errorf("tab %+v", e)
		}
		type tabs struct{ Tabs []TabEntry }
		if ts := as[tabs](t, l.ok("listTabs", p{})).Tabs; len(ts) != 2 || ts[0].Active || !ts[1].Active || ts[0].Title != "Click" {
			t.Errorf("tabs %+v", ts)
		}
		l.fails(NavigationFailed, "openTab", p{"url": "http://a.test:1/"})
		l.fails(Blocked, "openTab", p{"url": "chrome://version"})
		if n := len(as[tabs](t, l.ok("listTabs", p{})).Tabs); n != 2 {
			t.Errorf("%d tabs after failures", n)
		}
		l.person.cards = nil
		l.ok("closeTab", p{}) // its own: nobody is asked
		if l.Tab() != first || len(l.person.cards) != 0 {
			t.Errorf("in tab %s, %d cards", l.Tab(), len(l.person.cards))
		}
		l.ok("openTab", p{})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "closeTab", p{"index": 1}) // the person's
		l.fails(NotFound, "closeTab", p{"index": 7})

		has(t, l.ok("webSearch", p{"query": "blue mugs & tea"}).Effect, "next.html?q=blue+mugs+%26+tea")
		l.fails(InvalidParams, "webSearch", p{"query": " "})
	})
}

func TestRealFiles(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "files.html")
		read := func(res Result) (FileInfo, string) {
			info := as[FileInfo](t, res)
			b, err := os.ReadFile(info.Path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size != int64(len(b)) || filepath.Dir(info.Path) != l.o.TaskDir {
				t.Errorf("file %+v of %d bytes", info, len(b))
			}
			return info, string(b)
		}
		if _, text := read(l.ok("download", p{"selector": "#made"})); text != "made here" {
			t.Errorf("made %q", text)
		}
		info, text := read(l.ok("download", p{"selector": "#csv"}))
		if filepath.Base(info.Path) != "prices.csv" || !strings.HasPrefix(info.Type, "text/csv") || !strings.HasPrefix(text, "name,price") {
			t.Errorf("download %+v: %q", info, text)
		}
		info, _ = read(l.ok("download", p{"url": l.at("a.test", "prices.csv"), "fileName": "mine.csv"}))
		if filepath.Base(info.Path) != "mine.csv" {
			t.Errorf("download %+v", info)
		}
		if len(l.person.cards) != 0 {
			t.Errorf("cards %+v", l.person.cards)
		}
		has(t, l.fails(Unsupported, "download", p{"url": l.at("a.test", "next.html")}).Text, "shows a page")
		if got := l.eval("document.title"); got != `"Files / today"` {
			t.Errorf("left for %s", got)
		}
		l.fails(InvalidParams, "download", p{})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "download", p{"selector": "#exe"})

		info, text = read(l.ok("savePDF", p{}))
		if filepath.Base(info.Path) != "Files - today.pdf" || info.Type != "application/pdf" || !strings.HasPrefix(text, "%PDF") {
			t.Errorf("PDF %+v", info)
		}
		info, text = read(l.ok("exportFile", p{"fileName": "../../notes.md", "content": "# Mugs"}))
		if filepath.Base(info.Path) != "notes.md" || text != "# Mugs" {
			t.Errorf("file %+v: %q", info, text)
		}
		if info, _ := read(l.ok("exportFile", p{"fileName": "notes.md", "content": "again"})); filepath.Base(info.Path) != "notes (2).md" {
			t.Errorf("file %+v", info)
		}
		l.ForgetDenials()
		l.person.cards = nil
		l.fails(Denied, "exportFile", p{"fileName": filepath.Join(t.TempDir(), "x.md"), "content": "x"})
		if len(l.person.cards) != 1 {
			t.Errorf("%d cards for a file elsewhere", len(l.person.cards))
		}
	})
}

func TestRealHandover(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		has(t, l.ok("requestLogin", p{}).Handover, "a.test")
		res := l.ok("requestLogin", p{"reason": "Please enter the code"})
		if res.Handover != "Please enter the code" || res.Ask != "" {
			t.Errorf("result %+v", res)
		}
	})
}

func TestRealTypeSubmit(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		l.ok("type", p{"selector": "#nick", "text": "Ada", "clear": true, "submit": true})
		l.wantLog("submitted Ada")
		l.ok("type", p{"selector": "#nick", "text": "Bo", "clear": true, "submit": false})
		l.wantLog("submitted Ada")
	})
}
