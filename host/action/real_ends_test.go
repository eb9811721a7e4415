package action

import (
	"context"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
)

// eventAddresses are the ends that a navigation may take.
func eventAddresses(l *live, f *fair, d browser.Driver) {
	for _, tt := range []struct {
		to   string
		code Code
		says []string
	}{
		{f.at("a.test", "/basic/x"), NavigationFailed, []string{"a name and a password", "requestLogin"}},
		{f.at("a.test", "/digest/x"), NavigationFailed, []string{"a name and a password"}},
		{f.at("a.test", "/204"), NavigationFailed, []string{"no page to show", "still there"}},
		{f.at("a.test", "/loop"), NavigationFailed, []string{"in a circle"}},
		{f.at("a.test", "/hangup"), NavigationFailed, []string{"without an answer"}},
		{f.at("a.test", "/500"), NavigationFailed, []string{"an error and nothing to show"}},
		{"http://a.test:2/", NavigationFailed, []string{"ERR_"}},
		{"http://nowhere.example/", NavigationFailed, []string{"no host of that name"}},
		{"data:text/html,hi", Blocked, nil},
		{"javascript:alert(1)", Blocked, nil},
		{"chrome://crash", Blocked, nil},
		{"view-source:http://a.test/", Blocked, nil},
		{"file:///etc/passwd", Blocked, nil},
		{f.at("a.test", "/404"), "", []string{"Lost", "the server answered with 404 Not Found"}},
		{f.at("a.test", "/meta"), "", []string{"/plain?meta"}},
		{f.at("a.test", "/pic.png"), "", []string{"a picture"}},
		{f.at("a.test", "/pic.svg"), "", nil},
		{f.at("a.test", "/fetches"), "", []string{"Fetches"}}, // a fetch that wants a password waits; the page does not
		{"about:blank", "", []string{"about:blank"}},
	} {
		l.ends(tt.code, "navigate", p{"url": tt.to}, tt.says...)
	}
	// Chrome's PDF viewer is an extension's page: where the debugger is an
	// extension's too it is cut off, and attached again at the next act.
	if d.Kind() == "relay" {
		l.ends(Detached, "navigate", p{"url": f.at("a.test", "/doc.pdf")})
	} else {
		l.ends("", "navigate", p{"url": f.at("a.test", "/doc.pdf")}, "a PDF document")
	}
	l.ends("", "navigate", p{"url": f.at("a.test", "/404")}, "Lost")
	// What failed is told again by a refresh, with its own address.
	l.ends(NavigationFailed, "navigate", p{"url": f.at("a.test", "/loop")})
	l.ends(NavigationFailed, "refresh", p{}, f.at("a.test", "/loop"), "in a circle")
	res := l.ends("", "navigate", p{"url": f.at("a.test", "/plain")}, "Plain")
	if strings.Contains(res.Text, "could not be loaded") {
		l.t.Errorf("the failure before is told of the next page: %s", res.Text)
	}
	l.ends("", "click", p{"selector": "h1"})
	// The warning about a certificate is Chrome's own page: an extension has no
	// access to it, and goes on in another tab.
	insecure := strings.Replace(f.secure.URL, "127.0.0.1", "a.test", 1) + "/plain"
	l.ends(NavigationFailed, "navigate", p{"url": insecure}, "certificate", "Do not go around it")
	if d.Kind() == "relay" {
		// Where the warning has not come up yet, the tab can still be led away.
		if res := l.within(quick, "navigate", p{"url": f.at("a.test", "/plain")}); res.Err != nil {
			if res.Err.Code != Detached {
				l.t.Errorf("beside the warning: %v", res.Err)
			}
			has(l.t.(*testing.T), res.Text, "a page of Chrome's own", "openTab")
		}
		l.ends("", "openTab", p{"url": f.at("a.test", "/plain")})
	} else {
		l.ends("", "navigate", p{"url": f.at("a.test", "/plain")})
	}
	l.ends("", "click", p{"selector": "h1"})
}

// eventMiddle: the page goes elsewhere in the middle of an action.
func eventMiddle(l *live, f *fair, _ browser.Driver) {
	for id, at := range map[string]string{"down": "/plain?", "submit": "/plain?q=1"} {
		l.ends("", "navigate", p{"url": f.at("a.test", "/events")})
		l.ends("", "click", p{"selector": "#" + id}, "navigated to "+f.at("a.test", at))
	}
	l.ends("", "navigate", p{"url": f.at("a.test", "/events")})
	l.ends("", "click", p{"selector": "#back"}, "navigated to "+f.at("a.test", "/"))
	l.ends("", "navigate", p{"url": f.at("a.test", "/events")})
	l.ends("", "click", p{"selector": "#docopen"}, "Written anew")
	l.ends(NotFound, "click", p{"selector": "#nothing"})
	l.ends("", "getText", p{}, "Written anew")
}

// eventGone: the tab closes in the middle, by the page or by the user.
func eventGone(l *live, f *fair, d browser.Driver) {
	first := l.Tab()
	l.ends("", "click", p{"selector": "#open"})
	l.ends("", "switchTab", p{"index": 2})
	l.ends("", "click", p{"selector": "button"}, "Effect: ") // it closes itself
	l.ends(TabClosed, "getElements", p{}, "The", "Events")
	l.ends("", "switchTab", p{"index": 1})
	l.ends("", "openTab", p{"url": f.at("a.test", "/plain")})
	mine := l.Tab()
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := d.CloseTab(ctx, mine); err != nil {
			l.t.Log(err)
		}
	}()
	l.ends(TabClosed, "waitFor", p{"text": "never", "timeoutMs": 30000})
	l.ends("", "switchTab", p{"index": 1})
	if l.Tab() != first {
		l.t.Errorf("it is in %s, not in %s", l.Tab(), first)
	}
}

func eventCrash(l *live, f *fair, _ browser.Driver) {
	for _, back := range []struct {
		name   string
		params p
	}{{"refresh", p{}}, {"navigate", p{"url": f.at("a.test", "/events")}}} {
		crash(l)
		l.ends(Detached, "click", p{"selector": "#nothing"}, "crashed", "refresh")
		l.ends(Detached, "getElements", p{}, "crashed")
		l.ends(Detached, "screenshot", p{}, "crashed")
		if _, err := l.Observe(context.Background(), ObserveOptions{}); asError(err) == nil || asError(err).Code != Detached {
			l.t.Errorf("a look gives %v", err)
		}
		l.ends("", back.name, back.params)
		l.ends("", "click", p{"selector": "#nothing"})
	}
}

// crash has the page crash, which answers nothing any more, and waits until that
// is known.
func crash(l *live) {
	crashed, stop := l.tab.Session().Subscribe("Inspector.targetCrashed")
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	go func() { _ = l.tab.Session().Call(ctx, "Page.crash", nil, nil) }()
	select {
	case <-crashed:
	case <-ctx.Done():
	}
}

func eventSilent(l *live, f *fair, _ browser.Driver) {
	res := l.inVain("navigate", p{"url": f.at("a.test", "/silent")})
	if res.Err == nil || res.Err.Code != NavigationFailed {
		l.t.Errorf("a server that is silent: %v", res.Err)
	}
	has(l.t.(*testing.T), res.Text, "did not answer in time")
	l.ends("", "click", p{"selector": "#nothing"}) // the page before is there and answers
}

func eventSilentLink(l *live, f *fair, _ browser.Driver) {
	l.eval("document.getElementById('link').href = '/silent', 0")
	res := l.inVain("click", p{"selector": "#link"})
	has(l.t.(*testing.T), res.Text, "going to "+f.at("a.test", "/silent"), "not answered")
	res = l.inVain("getElements", p{})
	if res.Err == nil || res.Err.Code != Timeout {
		l.t.Errorf("a look while the tab is on its way: %v", res.Err)
	}
	has(l.t.(*testing.T), res.Text, "on its way to "+f.at("a.test", "/silent"), "waitFor")
	l.ends("", "navigate", p{"url": f.at("a.test", "/events")})
	l.ends("", "click", p{"selector": "#nothing"})
}

func eventEndless(l *live, f *fair, _ browser.Driver) {
	res := l.inVain("navigate", p{"url": f.at("a.test", "/endless")})
	has(l.t.(*testing.T), res.Text, "OK: ", "Endless", "still loading")
	l.ends("", "click", p{"selector": "button"})
}

func eventHang(l *live, f *fair, d browser.Driver) {
	first := l.Tab()
	res := l.inVain("click", p{"selector": "#hang"})
	if res.Err == nil || res.Err.Code != Timeout {
		l.t.Errorf("a click that hangs the page: %v", res.Err)
	}
	has(l.t.(*testing.T), res.Text, "does not answer", "refresh")
	l.ends(Timeout, "getElements", p{}, "does not answer") // known now, so it is told sooner
	l.ends("", "openTab", p{"url": f.at("b.test", "/plain")})
	l.ends("", "click", p{"selector": "h1"}) // other tabs still work
	l.ends("", "switchTab", p{"index": 1})
	if l.Tab() != first {
		l.t.Fatalf("it is in %s", l.Tab())
	}
	if d.Kind() == "relay" { // chrome.debugger has no way to end the script; the tab can be closed
		if res := l.within(quick, "closeTab", p{}); res.Err != nil {
			l.t.Errorf("closeTab: %v", res.Err)
		}
		l.ends("", "click", p{"selector": "h1"}) // in the tab that is left
		return
	}
	if res := l.within(quick, "refresh", p{}); res.Err != nil {
		l.t.Errorf("refresh: %v", res.Err)
	}
	l.ends("", "click", p{"selector": "#nothing"})
	_ = l.inVain("click", p{"selector": "#hang"})
	if res := l.within(quick, "navigate", p{"url": f.at("a.test", "/plain")}); res.Err != nil { // of the same process
		l.t.Errorf("navigate: %v", res.Err)
	}
	l.ends("", "click", p{"selector": "h1"})
}
