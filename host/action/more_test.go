package action

import (
	"strings"
	"testing"

	"tabwright/host/browser"
)

func TestURLMatches(t *testing.T) {
	for _, tt := range []struct {
		want, have string
		ok         bool
	}{
		{"/cart", "https://a.test/cart?x=1", true},
		{"/cart", "https://a.test/card", false},
		{"*/cart", "https://a.test/cart", true},
		{"*/cart", "https://a.test/cart?x=1", false},
		{"a.test/*/done", "https://a.test/order/7/done", true},
		{"a.test**done", "https://a.test/done", true},
		{"a.test/(", "https://a.test/(", true},
	} {
		if got := urlMatches(tt.want, tt.have); got != tt.ok {
			t.Errorf("%s on %s: %t", tt.want, tt.have, got)
		}
	}
}

func TestFileName(t *testing.T) {
	for in, want := range map[string]string{
		"report.pdf": "report.pdf", "../../etc/passwd": "passwd", `C:\x\y.txt`: "y.txt", "": "file", "..": "file", "/": "file",
		"a:b?.md": "a-b-.md", "a\x00b\u202e.txt": "ab.txt", " .hidden ": "hidden",
		strings.Repeat("x", 300) + ".csv": strings.Repeat("x", 116) + ".csv",
	} {
		if got := fileName(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{"a.txt", "../..", "a/b\\c", ".", "\x00", "….…"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := fileName(s); got == "" || got == "." || got == ".." || strings.ContainsAny(got, "/\\\x00") || len([]rune(got)) > maxFileName+20 {
			t.Errorf("%q becomes %q", s, got)
		}
	})
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"save", "safe", 1}, {"save", "", 4}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"提交", "提取", 1}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("%s to %s is %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestFitLines(t *testing.T) {
	if got, _ := fitLines("Head:", []string{"one", "two"}, 100, "how"); got != "Head:\none\ntwo" {
		t.Errorf("got %q", got)
	}
	if got, _ := fitLines("Head:", []string{"one", strings.Repeat("long ", 100), "three"}, 20, "how"); got != "Head:\none\n… and 2 more (how)" {
		t.Errorf("got %q", got)
	}
}

// TestRawMouseFake: a press that the guard stopped is let go again, so that
// the browser is not left with a button down.
func TestRawMouseFake(t *testing.T) {
	r := newRig(t, node(1, "button", "Open"))
	r.main.stop = "other_node"
	wantCode(t, r.do("mouseDown", `{"selector":"#n1"}`), StaleRef)
	if !strings.HasSuffix(r.tab.log(), "down(10,5) up(-1,-1)") {
		t.Errorf("sent %s", r.tab.log())
	}
	r.main.stop = ""
	wantCode(t, r.do("mouseDown", `{"selector":"#n1"}`), "")
	wantCode(t, r.do("mouseUp", `{}`), "")
}

func TestTabsFake(t *testing.T) {
	r := newRig(t, node(1, "button", "Open"))
	r.b.list = append(r.b.list, browser.TabInfo{ID: "T1", URL: r.main.url})
	wantCode(t, r.do("closeTab", `{}`), Unsupported) // the browser's only tab
	wantCode(t, r.do("openTab", `{}`), "")
	if r.Tab() != "T2" {
		t.Errorf("in %s", r.Tab())
	}
	wantCode(t, r.do("closeTab", `{}`), "")
	if r.Tab() != "T1" || len(r.person.cards) != 0 {
		t.Errorf("in %s, cards %+v", r.Tab(), r.person.cards)
	}
	wantCode(t, r.do("openTab", `{}`), "")
	wantCode(t, r.do("closeTab", `{"index":1}`), "") // the user's: they are asked, and say yes
	if len(r.person.cards) != 1 {
		t.Errorf("%d cards", len(r.person.cards))
	}
}

func TestFilesFake(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct{ name, params string }{
		{"exportFile", `{"fileName":"x.md","content":"x"}`}, {"savePDF", `{}`}, {"download", `{"url":"https://shop.test/x.csv"}`},
	} {
		wantCode(t, r.do(c.name, c.params), Unsupported) // no folder was given
	}
	r.o.SearchURL = "https://search.test/"
	wantCode(t, r.do("webSearch", `{"query":"x"}`), Unsupported)
}

// TestOwnSearchEngine: the user's own engine may run on their computer; it is judged
// as any address is.
func TestOwnSearchEngine(t *testing.T) {
	for engine, want := range map[string]Code{
		"http://localhost:8888/?q={query}": "", "http://10.0.0.7/s?q=%s": "", "https://search.test/?q={query}": "",
		"file:///srv/{query}": Blocked, "javascript:alert('{query}')": Blocked, "view-source:https://search.test/{query}": Blocked,
	} {
		r := newRig(t)
		s, err := NewSession(Options{backend: r.b, Tab: "T1", SearchURL: engine})
		if err != nil {
			t.Fatal(err)
		}
		r.Session = s // the rig closes its own, which shares the events
		wantCode(t, r.do("webSearch", `{"query":"mugs"}`), want)
		if sent := r.tab.log() != ""; sent != (want == "") {
			t.Errorf("%s: sent %q", engine, r.tab.log())
		}
		wantCode(t, r.do("navigate", `{"url":"http://localhost:9999/"}`), Blocked)
	}
}
