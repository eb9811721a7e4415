package browser_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"tabwright/host/browser"
)

func TestCheckURL(t *testing.T) {
	for _, c := range []struct{ in, out string }{
		{"https://shop.test/a?b#c", "https://shop.test/a?b#c"},
		{" http://shop.test\n", "http://shop.test"},
		{"about:blank", "about:blank"},
		{"about:blank#x", "about:blank#x"},
		{"data:text/html,hi", "data:text/html,hi"},
		{"file:///etc/hosts", "file:///etc/hosts"}, // the gate's to judge
		{"chrome://settings", ""},
		{"CHROME://settings", ""},
		{"chr\tome://settings", ""},
		{"\x01chrome://settings", ""},
		{"chrome-extension://abc/panel.html", ""},
		{"devtools://devtools/bundled/inspector.html", ""},
		{"view-source:https://shop.test", ""},
		{"edge://flags", ""},
		{"javascript:alert(1)", ""},
		{"java\nscript:alert(1)", ""},
		{"about:settings", ""},
		{"filesystem:chrome://x", ""},
		{"shop.test", ""},
		{"shop.test:80/x", ""},
		{"http:///x", ""},
		{"", ""},
	} {
		out, err := browser.CheckURL(c.in)
		var ne *browser.NavError
		if out != c.out || (err != nil) != (c.out == "") || err != nil && !errors.As(err, &ne) {
			t.Errorf("CheckURL(%q) = %q, %v; want %q", c.in, out, err, c.out)
		}
	}
}

func TestNavigate(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": `<title>Home</title><a id=a href="#x">x</a>`, "/two": `<title>Two</title>`})
		tab := openTab(t, d, s.url("a.test", "/"))
		ctx := ctxFor(t)
		rev := tab.PageRev()
		if title, err := tab.Title(ctx); err != nil || title != "Home" {
			t.Errorf("title %q, %v", title, err)
		}
		var ne *browser.NavError
		if err := tab.Navigate(ctx, "chrome://version"); !errors.As(err, &ne) || tab.PageRev() != rev {
			t.Errorf("chrome://: %v", err)
		}
		if err := tab.Navigate(ctx, s.url("a.test", "/#frag")); err != nil || tab.PageRev() != rev {
			t.Errorf("fragment: %v, pageRev %d, was %d", err, tab.PageRev(), rev)
		}
		if err := tab.Navigate(ctx, s.url("a.test", "/two")); err != nil || tab.PageRev() != rev+1 {
			t.Errorf("two: %v, pageRev %d", err, tab.PageRev())
		}
		if err := tab.Reload(ctx); err != nil || tab.PageRev() != rev+2 {
			t.Errorf("reload: %v, pageRev %d", err, tab.PageRev())
		}
		if moved, err := tab.History(ctx, -1); err != nil || !moved || !strings.HasSuffix(tab.URL(), "/#frag") {
			t.Errorf("back: %v %v %s", moved, err, tab.URL())
		}
		if moved, err := tab.History(ctx, -1); err != nil || !moved || strings.Contains(tab.URL(), "#") {
			t.Errorf("back within the document: %v %v %s", moved, err, tab.URL())
		}
		if moved, err := tab.History(ctx, 2); err != nil || !moved || !strings.HasSuffix(tab.URL(), "/two") {
			t.Errorf("forward: %v %v %s", moved, err, tab.URL())
		}
		if moved, err := tab.History(ctx, 1); err != nil || moved {
			t.Errorf("past the end: %v %v", moved, err)
		}
		if err := tab.Navigate(ctx, "http://nosuch.example/"); !errors.As(err, &ne) || !strings.Contains(ne.Text, "ERR_NAME_NOT_RESOLVED") {
			t.Errorf("a name that is not: %v", err)
		}
		// Chrome's error page is a document like another: calls there work.
		if _, err := tab.Frames(ctx); err != nil {
			t.Errorf("frames of the error page: %v", err)
		}
	})
}

func TestNavigateDoesNotWaitForEver(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		release := make(chan struct{})
		s := newSite(t, map[string]string{"/alert": `<script>alert("hello")</script>after`})
		s.mux.HandleFunc("GET /204", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
		t.Cleanup(func() { close(release) })
		tab := openTab(t, d, "")
		ctx := ctxFor(t)
		var ne *browser.NavError
		if err := tab.Navigate(ctx, s.url("a.test", "/204")); !errors.As(err, &ne) {
			t.Errorf("no content: %v", err)
		}
		began := time.Now()
		if err := tab.Navigate(ctx, s.url("a.test", "/alert")); err != nil {
			t.Errorf("a page that opens a dialog: %v", err)
		}
		if dl := tab.Dialog(); dl == nil || dl.Kind != "alert" || dl.Message != "hello" {
			t.Fatalf("dialog: %+v", dl)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it took %s", took)
		}
		if err := tab.HandleDialog(ctx, true, ""); err != nil {
			t.Error(err)
		}
		if got := evaluate[string](t, tab, `document.body.textContent`); got != "after" {
			t.Errorf("page: %q", got)
		}
	})
}

func TestDialogs(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": `<body style="margin:0">
<button id=c onclick="window.said = confirm('sure?')">confirm</button>
<button id=p onclick="window.said = prompt('name?', 'Ann')">prompt</button>
<script>onbeforeunload = (e) => { if (window.hold) e.preventDefault(); }</script>`, "/two": "two"})
		tab := openTab(t, d, s.url("a.test", "/"))
		f, ctx := mainFrame(t, tab), ctxFor(t)
		opened := tab.DialogOpened()
		select {
		case <-opened:
			t.Fatal("a dialog is open before")
		default:
		}
		click(t, tab, f, "#c")
		<-opened
		if dl := tab.Dialog(); dl == nil || dl.Kind != "confirm" || dl.Message != "sure?" {
			t.Fatalf("dialog: %+v", dl)
		}
		if err := f.Call(ctx, "summary", nil, nil); !errors.Is(err, browser.ErrDialogOpen) {
			t.Errorf("a call under the dialog: %v", err)
		}
		if _, err := tab.Evaluate(ctx, "1"); !errors.Is(err, browser.ErrDialogOpen) {
			t.Errorf("a script under the dialog: %v", err)
		}
		if err := tab.Mouse(ctx, browser.MouseUp, 1, 1, "left", 1, 0); !errors.Is(err, browser.ErrDialogOpen) {
			t.Errorf("input under the dialog: %v", err)
		}
		if _, err := tab.Title(ctx); err != nil {
			t.Errorf("title under the dialog: %v", err)
		}
		if err := tab.HandleDialog(ctx, true, ""); err != nil || tab.Dialog() != nil {
			t.Fatalf("accept: %v, %v", err, tab.Dialog())
		}
		if !evaluate[bool](t, tab, "window.said") {
			t.Error("confirm did not give true")
		}
		click(t, tab, f, "#p")
		if dl := tab.Dialog(); dl == nil || dl.Kind != "prompt" || dl.Default != "Ann" {
			t.Fatalf("dialog: %+v", dl)
		}
		if err := tab.HandleDialog(ctx, true, "Zoë"); err != nil {
			t.Fatal(err)
		}
		if got := evaluate[string](t, tab, "window.said"); got != "Zoë" {
			t.Errorf("prompt gave %q", got)
		}
		if err := tab.HandleDialog(ctx, true, ""); err == nil {
			t.Error("answered a dialog that is not there")
		}
		// A call that was under way when the dialog opened ends.
		ended := make(chan error, 1)
		go func() { ended <- f.Call(ctx, "never", nil, nil) }()
		if _, err := tab.Evaluate(ctx, "setTimeout(() => alert(1), 50); window.hold = true"); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, browser.ErrDialogOpen) {
			t.Errorf("a call in the middle: %v", err)
		}
		if err := tab.HandleDialog(ctx, true, ""); err != nil {
			t.Fatal(err)
		}
		// beforeunload holds a navigation up, and is never answered unasked.
		if err := tab.Navigate(ctx, s.url("a.test", "/two")); !errors.Is(err, browser.ErrDialogOpen) {
			t.Errorf("navigate: %v", err)
		}
		if dl := tab.Dialog(); dl == nil || dl.Kind != "beforeunload" {
			t.Fatalf("dialog: %+v", dl)
		}
		if err := tab.HandleDialog(ctx, false, ""); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(tab.URL(), "/") {
			t.Errorf("it left for %s", tab.URL())
		}
	})
}

func TestEvaluate(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		tab := openTab(t, d, "data:text/html,<title>E</title>")
		ctx := ctxFor(t)
		for _, c := range []struct{ code, want string }{
			{`1 + 1`, `2`},
			{`document.title`, `"E"`},
			{`({a: [1]})`, `{"a":[1]}`},
			{`{a: 1}`, `{"a":1}`},
			{`const x = 20; x + 1`, `21`},
			{`const x = 20; return x + 2`, `22`},
			{`await Promise.resolve(3)`, `3`},
			{`new Promise(r => setTimeout(() => r("late"), 10))`, `"late"`},
			{`let p = Promise.resolve({b: 2}); p`, `{"b":2}`},
			{`const y = await Promise.resolve(4); return [y]`, `[4]`},
			{`undefined`, `null`},
			{`null`, `null`},
			{`NaN`, `"NaN"`},
			{`5 // a comment`, `5`},
			{`if (true) { "last" }`, `"last"`},
			{`let n = 0; for (const k of [1,2]) n += k; return n`, `3`},
		} {
			got, err := tab.Evaluate(ctx, c.code)
			if err != nil || string(got) != c.want {
				t.Errorf("%s = %s, %v; want %s", c.code, got, err, c.want)
			}
		}
		for _, c := range []struct{ code, says string }{
			{`throw new TypeError("bad")`, "TypeError: bad"},
			{`nope.nope`, "nope is not defined"},
			{`await Promise.reject(new Error("no"))`, "Error: no"},
			{`JSON.parse("{")`, "SyntaxError"},
			{`let = = 3`, "SyntaxError"},
			{`const a = {}; a.a = a; return a`, "JSON"},
		} {
			_, err := tab.Evaluate(ctx, c.code)
			var js *browser.JSError
			if !errors.As(err, &js) || !strings.Contains(js.Text, c.says) {
				t.Errorf("%s: %v; want %q", c.code, err, c.says)
			}
		}
		if n := evaluate[int](t, tab, `window.ran = (window.ran || 0) + 1; return window.ran`); n != 1 {
			t.Errorf("a script ran %d times", n)
		}
	})
}
