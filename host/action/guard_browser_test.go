package action

import (
	"context"
	"encoding/json"
	_ "image/jpeg"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
	_ "golang.org/x/image/webp"

	"tabwright/host/action/hittarget"
	"tabwright/host/action/page"
	"tabwright/host/browser"
	"tabwright/host/native"
)

// A guard that nobody takes away (its process was killed) gives the page back
// to the user soon, by the page's own clock.
func TestRealGuardEndsByItself(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "click.html")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	fs, err := l.tab.Frames(ctx)
	if err != nil {
		t.Fatal(err)
	}
	l.eval(`window.log = []; window.came = 0; document.addEventListener("click", () => { came ||= performance.now(); }); 0`)
	var at [2]float64
	raw, err := l.tab.Evaluate(ctx, `(({x, y, width, height}) => [x + width/2, y + height/2])(document.querySelector("#nothing").getBoundingClientRect())`)
	if err != nil || json.Unmarshal(raw, &at) != nil {
		t.Fatal(err)
	}
	armed := l.eval("performance.now()")
	g := page.Guard{Token: "left", Kind: "pointer", MS: hittarget.LeaseTime.Milliseconds()} // nothing may arrive here
	if err := fs[0].Call(ctx, "arm", g, nil); err != nil {
		t.Fatal(err)
	}
	clicks := 0
	for l.eval("came") == "0" {
		for _, kind := range []string{browser.MouseMove, browser.MouseDown, browser.MouseUp} {
			if err := l.tab.Mouse(ctx, kind, at[0], at[1], map[bool]string{true: "none", false: "left"}[kind == browser.MouseMove], 1, 0); err != nil {
				t.Fatal(err)
			}
		}
		clicks++
		if clicks == 1 && l.eval("came") != "0" {
			t.Fatal("the guard let the first click pass")
		}
		if !native.Sleep(ctx, pollTime) {
			t.Fatal("no click by hand arrived")
		}
	}
	if took := l.eval("Math.round(came - " + armed + ")"); len(took) > 4 { // 9999 ms, of a lease of 4000
		t.Errorf("the first click arrived %s ms after the guard was armed", took)
	}
}

// TestRealLongAct types for longer than a guard lives by itself: it is renewed,
// and still stops what the page does then.
func TestRealLongAct(t *testing.T) {
	startChromium(t)
	const slow = `for (const until = performance.now() + 60; performance.now() < until;);`
	text := strings.Repeat("slow page ", 10)
	page := func(l *live, then string) {
		l.eval(`document.body.innerHTML = "<label>One <input id=one></label> <label>Other <input id=other></label>"; window.began = performance.now();
			one.onkeydown = () => { ` + slow + then + ` }; 0`)
	}
	t.Run("goes on", func(t *testing.T) {
		l := openLive(t, chromium.d, "click.html")
		page(l, "")
		l.ok("type", p{"selector": "#one", "text": text})
		if got := l.eval("one.value"); got != `"`+text+`"` {
			t.Errorf("it says %s", got)
		}
		if got := l.eval("performance.now() - began > 4000"); got != "true" {
			t.Error("the page was not slow enough to tell anything")
		}
	})
	t.Run("is stopped", func(t *testing.T) {
		l := openLive(t, chromium.d, "click.html")
		page(l, `if (performance.now() - began > 5000) other.focus();`)
		l.fails(StaleRef, "type", p{"selector": "#one", "text": text})
		if got := l.eval("other.value"); got != `""` {
			t.Errorf("another field has got %s", got)
		}
	})
}

// TestRealHiddenFieldOnBlur: a page may fill a hidden field as a press takes the focus from another field. What it
// changes at another moment, or in a field that is seen, was not judged.
func TestRealHiddenFieldOnBlur(t *testing.T) {
	startChromium(t)
	for _, c := range []struct {
		what, script string
		arrives      bool
	}{
		{"hidden, on blur", `x.onblur = () => { pos.value = "7"; }`, true},
		{"hidden, on mousedown", `b.onmousedown = () => { pos.value = "7"; }`, false},
		{"seen, on blur", `x.onblur = () => { sum.value = "two"; }`, false},
		{"both, on blur", `x.onblur = () => { pos.value = sum.value = "two"; }`, false},
	} {
		t.Run(c.what, func(t *testing.T) {
			l := openLive(t, chromium.d, "click.html")
			l.eval(`document.body.innerHTML = "<form><input type=hidden id=pos name=pos><textarea id=x></textarea><input id=sum name=sum value=one><button type=button id=b>Preview</button></form>";
				window.clicks = 0; b.onclick = () => { clicks++; }; ` + c.script + `; x.focus(); 0`)
			if c.arrives {
				l.ok("click", p{"selector": "#b"})
				l.gives("clicks", "1")
				return
			}
			l.fails(StaleRef, "click", p{"selector": "#b"})
			l.gives("clicks", "0")
		})
	}
}

// A guard whose lease is over is not sent behind.
func TestRealLapsedGuard(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "click.html")
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	fs, err := realTab{l.tab}.Frames(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var late time.Duration // what the clock of the lease is ahead
	f := fs[0].(frame)
	g, err := hittarget.Install(ctx, hittarget.Request{
		Kind: "key", Target: f, Frames: []hittarget.Frame{f}, Now: func() time.Time { return time.Now().Add(late) },
		Draw: func() {}, Later: func(do func()) { do() }, Log: &zerolog.Logger{},
	})
	if err != nil {
		t.Fatal(err)
	}
	key := keyInput(browser.KeyEvent{Key: "a", Code: "KeyA", Text: "a", KeyCode: 65})
	send := func() error { return realTab{l.tab}.Send(ctx, g.Lease(), []input{key}) }
	late = hittarget.LeaseTime
	if err := send(); err != nil {
		t.Fatalf("the lease was not renewed: %v", err)
	}
	if _, err := page.Disarm(ctx, f, g.Token(), nil); err != nil {
		t.Fatal(err)
	}
	if err := send(); err != nil {
		t.Errorf("within the lease nobody asks the page: %v", err)
	}
	late *= 2
	if e := asError(send()); e == nil || e.Code != Timeout {
		t.Errorf("input was sent behind a guard that is over: %v", e)
	}
}

// What mouseDown and keyDown hold goes up with the session, in the page too,
// and a Space that goes up presses nothing.
func TestRealHandsAreFreed(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "click.html")
	l.eval(`document.body.innerHTML = "<button id=one>One</button> <button id=two>Two</button>"; window.log = [];
		for (const type of ["mousedown", "mouseup", "keydown", "keyup", "click"]) addEventListener(type, (e) => log.push(type + " " + (e.key ?? e.target.id ?? "")), true); 0`)
	l.ok("focus", p{"selector": "#two"})
	l.ok("mouseDown", p{"selector": "#one"})
	l.ok("keyDown", p{"key": "Shift"})
	if err := l.Session.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The tab was released with the session.
	tab, err := chromium.d.Attach(t.Context(), l.tab.ID())
	if err != nil {
		t.Fatal(err)
	}
	l.tab = tab
	l.eval("new Promise((r) => { const look = () => log.includes('keyup Shift') ? r(0) : setTimeout(look, 20); look(); })")
	if got := l.eval("log"); got != `["mousedown one","keydown Shift","mouseup ","keyup Shift"]` && got != `["mousedown one","keydown Shift","mouseup ","click ","keyup Shift"]` {
		t.Errorf("the page saw %s", got)
	}
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
