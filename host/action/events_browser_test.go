package action

import (
	"context"
	"fmt"
	_ "image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/host/native"
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

// TestRealEvents has everything happen to a page that can, on both drivers:
// each gives its own result at once, and the session goes on. Most of it happens
// on the direct driver only, if not everything is asked for.
func TestRealEvents(t *testing.T) {
	bothDoors(t, func(t *testing.T, d browser.Driver) {
		f := newFair(t)
		type happening struct {
			name, path string
			run        func(l *live, f *fair, d browser.Driver)
			waits      bool // it mostly waits, and does so beside others
		}
		for _, tt := range []happening{
			{"dialogs", "/events", eventDialogs, false},
			{"dialogs of frames", "/events?frame=http://b.test:PORT/frame-dialog", eventFrameDialogs, false},
			{"leaving", "/events", eventLeaving, false},
			{"tabs", "/events", eventTabs, false},
			{"downloads", "/events", eventDownloads, false},
			{"files", "/events", eventFiles, false},
			{"file pickers", "", eventPicker, false},
			{"a form that was sent", "/order", eventPosted, false},
			{"addresses", "/events", eventAddresses, false},
			{"in the middle", "/events", eventMiddle, false},
			{"tabs that go", "/events", eventGone, false},
			{"a crash", "/events", eventCrash, false},
			{"a page that hangs", "/events", eventHang, false},
			{"a silent server", "/events", eventSilent, true},
			{"a link to a silent server", "/events", eventSilentLink, true},
			{"a page without an end", "/events", eventEndless, true},
		} {
			t.Run(tt.name, func(t *testing.T) {
				if d.Kind() != "direct" && leftOut("TestRealEvents/"+tt.name) {
					t.Skipf("on the direct driver only; on both with %s=1", everything)
				}
				if tt.waits {
					t.Parallel()
				}
				tt.run(f.visit(t, d, tt.path), f, d)
			})
		}
	})
}

func eventDialogs(l *live, _ *fair, _ browser.Driver) {
	l.ends("", "click", p{"selector": "#alert"}, `an alert said "Saved."`)
	l.wantLog("alert")
	// More alerts than are put away unasked stand open, with their text.
	l.ends("", "click", p{"selector": "#alerts"}, `"Note 3"`, `an alert dialog opened: "Note 4"`)
	l.ends("", "handleDialog", p{"accept": true}, `"Note 6"`)
	l.ends("", "click", p{"selector": "#chain"}, `"First."`, `a confirm dialog opened: "Second?"`)
	l.ends(DialogOpen, "getElements", p{}, "Second?", "handleDialog")
	l.ends("", "handleDialog", p{"accept": false}, `a prompt dialog opened: "Third" (it suggests "three")`)
	l.ends("", "handleDialog", p{"accept": true, "text": "drei"})
	l.wantLog("alert", "alerts", "false", "drei")
	l.ends(NotFound, "handleDialog", p{"accept": true}, "no dialog is open")

	// One that opens while nothing is done is there at the next action, or in
	// the middle of one that waits.
	l.eval("log.length = 0")
	l.ok("click", p{"selector": "#later"})
	l.ends(DialogOpen, "waitFor", p{"text": "never"}, "From a timer?", "accept false")
	for _, name := range []string{"refresh", "goBack", "getElements", "screenshot"} {
		l.ends(DialogOpen, name, p{}, "From a timer?")
	}
	l.ends(DialogOpen, "navigate", p{"url": l.at("a.test", "/plain")}, "From a timer?")
	o, err := l.Observe(context.Background(), ObserveOptions{Full: true})
	if err != nil || o.Dialog == nil || !strings.Contains(o.Text, "From a timer?") {
		l.t.Errorf("it looks like %q, %v", o.Text, err)
	}
	// What the answer does is told with it, and not again what the act before did.
	if res := l.ends("", "handleDialog", p{"accept": true}, `"none" → "answered true"`); strings.Contains(res.Text, "focus") {
		l.t.Errorf("what the click did is told once more: %s", res.Text)
	}
	l.wantLog("true")

	l.ends("", "navigate", p{"url": l.at("a.test", "/confirms")}, `a confirm dialog opened: "Before it has loaded?"`)
	l.ends("", "handleDialog", p{"accept": true})
	if got := l.eval("answer"); got != "true" {
		l.t.Errorf("the answer is %s", got)
	}
}

func eventFrameDialogs(l *live, _ *fair, _ browser.Driver) {
	button := l.index("button", "In the frame")
	l.ends("", "click", p{"index": button}, `a confirm dialog opened: "From a frame?"`)
	l.ends(DialogOpen, "click", p{"selector": "#nothing"}, "From a frame?")
	l.ends("", "handleDialog", p{"accept": true})
	l.ends("", "click", p{"selector": "#nothing"})
	l.ends("", "navigate", p{"url": l.at("a.test", "/events?frame=http://b.test:PORT/frame-timer")})
	l.ends(DialogOpen, "waitFor", p{"text": "never"}, "A frame asks by itself?")
	l.ends("", "handleDialog", p{"accept": false})
	l.ends("", "click", p{"selector": "#nothing"})
}

// eventLeaving: a page that asks whether to leave it is never left unasked.
func eventLeaving(l *live, f *fair, d browser.Driver) {
	l.ok("click", p{"selector": "#guard"})
	l.ok("type", p{"selector": "input[name=q]", "text": "x"}) // Chrome asks only for pages that were used
	stays := func() {
		l.t.Helper()
		l.ends("", "handleDialog", p{"accept": false})
		if got := l.eval("document.title"); got != `"Events"` {
			l.t.Errorf("it is at %s", got)
		}
	}
	l.ends(DialogOpen, "refresh", p{}, "Leave the page?", "accept false stays")
	stays()
	l.ends(DialogOpen, "goBack", p{}, "Leave the page?")
	stays()
	l.ends(DialogOpen, "navigate", p{"url": f.at("a.test", "/plain")}, "Leave the page?")
	stays()
	l.ends("", "click", p{"selector": "#link"}, "a beforeunload dialog opened")
	stays()
	l.ends(DialogOpen, "closeTab", p{}, "Leave the page?")
	stays()
	l.ends(DialogOpen, "navigate", p{"url": f.at("a.test", "/plain")})
	l.ends("", "handleDialog", p{"accept": true}, "navigated to "+f.at("a.test", "/plain"))

	l.ends("", "openTab", p{"url": f.at("a.test", "/events")})
	mine := l.Tab()
	l.ok("click", p{"selector": "#guard"})
	l.ok("type", p{"selector": "input[name=q]", "text": "x"})
	l.ends(DialogOpen, "closeTab", p{}, "Leave the page?")
	l.ends("", "handleDialog", p{"accept": true})
	tabs, err := d.Tabs(context.Background())
	if err != nil {
		l.t.Fatal(err)
	}
	for _, tab := range tabs {
		if tab.ID == mine {
			l.t.Error("the tab is still there")
		}
	}
}

func eventTabs(l *live, f *fair, _ browser.Driver) {
	for id, at := range map[string]string{
		"open": "/plain?open", "popup": "/plain?popup", "blank": "/plain?blank", "opener": "/plain?opener", "noopener": "/plain?noopener",
	} {
		res := l.ends("", "click", p{"selector": "#" + id}, "opened a new tab at "+f.at("a.test", at), "switchTab")
		l.ends("", "switchTab", p{"url": at}, "Plain")
		l.ends("", "closeTab", p{})
		if len(l.Tabs()) != 1 {
			l.t.Fatalf("%s: the tabs are %v after %q", id, l.Tabs(), res.Text)
		}
	}
	for _, click := range []p{{"modifiers": []string{"ctrl"}}, {"modifiers": []string{"shift"}}, {"button": "middle"}} {
		click["selector"] = "#link"
		l.ends("", "click", click, "opened a new tab at "+f.at("a.test", "/plain?link"))
		l.ends("", "switchTab", p{"url": "/plain?link"})
		l.ends("", "closeTab", p{})
	}
	for try := 1; ; try++ { // on a busy machine it may still be open when the page has settled
		res := l.ends("", "click", p{"selector": "#brief"})
		if strings.Contains(res.Text, "opened and closed again by itself") {
			break
		}
		if !strings.Contains(res.Text, "opened a new tab") || try == 5 {
			l.t.Fatalf("a tab that closes by itself: %s", res.Text)
		}
		for late := time.Now().Add(10 * time.Second); len(l.Tabs()) > 1 && time.Now().Before(late); {
			native.Sleep(context.Background(), 10*time.Millisecond)
		}
	}
	if res := l.ends("", "listTabs", p{}); strings.Contains(res.Text, "/closes") {
		l.t.Errorf("a tab that is gone is listed: %s", res.Text)
	}
}

func eventDownloads(l *live, _ *fair, _ browser.Driver) {
	for id, name := range map[string]string{"dl": "report.csv", "attached": "minutes.txt", "blob": "blob.csv"} {
		l.ends("", "click", p{"selector": "#" + id}, name)
		l.ends("", "download", p{"selector": "#" + id}, "OK: downloaded", strings.TrimSuffix(name, filepath.Ext(name)))
	}
	for _, id := range []string{"cut", "gone", "locked"} {
		l.ends(NavigationFailed, "download", p{"selector": "#" + id}, "broke off")
	}
	l.ends(Timeout, "download", p{"selector": "#slow", "timeoutMs": 1500}, "did not end in time", "timeoutMs")
	l.ends("", "navigate", p{"url": l.at("a.test", "/attachment")}, "minutes")
	l.ends("", "click", p{"selector": "#nothing"}) // the page before is still there
}

func eventFiles(l *live, _ *fair, _ browser.Driver) {
	file := filepath.Join(l.t.(*testing.T).TempDir(), "cat.txt")
	if err := os.WriteFile(file, []byte("miau"), 0o600); err != nil {
		l.t.Fatal(err)
	}
	res := l.ends("", "click", p{"selector": "#pick"}, "asked for a file", "uploadFile with index ")
	var index int
	if _, rest, ok := strings.Cut(res.Text, "uploadFile with index "); ok {
		if _, err := fmt.Sscan(rest, &index); err != nil {
			l.t.Fatal(err)
		}
	}
	l.ends("", "uploadFile", p{"index": index, "filePath": file})
	l.ends("", "click", p{"selector": "#label"}, "asked for a file", "uploadFile with index ")
	l.ends("", "click", p{"selector": "#made"}, "asked for files", "with paths alone")
	l.ends("", "uploadFile", p{"filePath": file})
	l.wantLog("file cat.txt", "made cat.txt")
	l.ends(InvalidParams, "uploadFile", p{"filePath": file}, "no target")
	l.ends(Unsupported, "click", p{"selector": "#file2"}, "uploadFile with index ")
	if len(l.person.cards) < 2 {
		l.t.Error("nobody was asked about the files")
	}
}

// eventPicker: windows for files that no input asks for can't be answered, and
// are told of.
func eventPicker(l *live, f *fair, _ browser.Driver) {
	// Only a secure page has them; this computer's own name is one.
	l.Receive(browser.TabInfo{ID: l.Tab(), URL: f.at("127.0.0.1", "/events")})
	if err := l.tab.Navigate(context.Background(), f.at("127.0.0.1", "/events")); err != nil {
		l.t.Fatal(err)
	}
	file := filepath.Join(l.t.(*testing.T).TempDir(), "cat.txt")
	if err := os.WriteFile(file, []byte("miau"), 0o600); err != nil {
		l.t.Fatal(err)
	}
	l.ends("", "click", p{"selector": "#fs"}, "showOpenFilePicker", "only a user", "cancelled")
	l.ends(Unsupported, "uploadFile", p{"filePath": file}, "only a user can answer", "drop")
	l.ends(Unsupported, "uploadFile", p{"selector": "#fs", "filePath": file}, "only a user can answer")
	l.wantLog("picker AbortError", "picker AbortError")
	l.ends("", "click", p{"selector": "#nothing"})
}

// eventPosted: what a form brought is not loaded again, which would send it again.
func eventPosted(l *live, f *fair, _ browser.Driver) {
	l.ends("", "click", p{"index": l.index("button", "Find it")}, "/ordered")
	l.ends(Unsupported, "refresh", p{}, "would send the form again", "navigate")
	if n := f.sent.Load(); n != 1 {
		l.t.Errorf("the form was sent %d times", n)
	}
	l.ends("", "navigate", p{"url": f.at("a.test", "/order")})
	l.ends("", "refresh", p{}) // a page like any other
	l.ends("", "click", p{"index": l.index("button", "Look it up")}, "/plain?seen")
	l.ends("", "refresh", p{}, "/plain?seen")
	if n := f.sent.Load(); n != 2 {
		l.t.Errorf("the forms were sent %d times", n)
	}
}
