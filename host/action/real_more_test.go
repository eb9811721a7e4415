package action

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
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

// TestRealScrollsOn: scrollUntil goes on as soon as the page has drawn, and waits
// where a step had the page ask for something: of what came after a timer or a
// server's answer nothing is passed by. A page that does not move is given its time.
func TestRealScrollsOn(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openSettle(t, d)
		l.eval(`document.body.innerHTML = Array.from({ length: 16 }, (_, i) => "<div style='height: 90vh'>Part " + i + "</div>").join("") + "<p>The end</p>", addEventListener("scroll", () => { if (window.asks) setTimeout(() => {}, 1000); }), 0`)
		type end struct {
			Scrolls    int
			StopReason string
		}
		best := [2]time.Duration{time.Hour, time.Hour}
		steps := 0
		for i := range 8 {
			l.eval([]string{"window.asks = false, scrollTo(0, 0), 0", "window.asks = true, scrollTo(0, 0), 0"}[i%2])
			began := time.Now()
			e := as[end](t, l.ok("scrollUntil", p{"selector": "#none", "maxScrolls": 12}))
			best[i%2] = min(best[i%2], time.Since(began))
			if steps = e.Scrolls; e.StopReason != stopScrolls || steps != 12 {
				t.Fatalf("end %+v", e)
			}
		}
		t.Logf("%d scrolls: %s, and %s where each has the page ask for a timer", steps, best[0], best[1])
		if best[1] < 11*scrollPause || best[0] > best[1]/2 {
			t.Errorf("%d scrolls: %s, and %s where each has the page ask for a timer", steps, best[0], best[1])
		}

		// What a step brings after a while comes only where the next is not taken yet.
		for what, code := range map[string]string{
			"timer":  `setTimeout(() => came(n), 80)`,
			"server": `fetch("/late?ms=80").then(() => came(n))`,
		} {
			l.eval(`window.steps = 0, scrollTo(0, 0), window.onscroll = () => { const n = ++steps; ` + code + `; },
				window.came = (n) => { if (n > 1 && n === steps) document.body.insertAdjacentHTML("beforeend", "<i style='position: fixed; top: 0'>Came by ` + what + `</i>"); }, 0`)
			if e := as[end](t, l.ok("scrollUntil", p{"text": "Came by " + what, "maxScrolls": 12})); e.StopReason != stopText {
				t.Errorf("%s: %+v", what, e)
			}
		}

		l.eval(`window.onscroll = null, scrollTo(0, 1e6), 0`)
		began := time.Now()
		if e := as[end](t, l.ok("scrollUntil", p{"text": "never there", "stallMs": 600})); e.StopReason != stopStalled || time.Since(began) < 600*time.Millisecond {
			t.Errorf("end %+v after %s", e, time.Since(began))
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
		l.fails(Denied, "closeTab", p{"index": 1}) // the user's
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
