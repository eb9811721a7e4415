package doors

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tabwright/e2e/rig"
)

// coveredPage acts by frames, hovering, what is in view, dialogs and windows of
// its own: all that Chrome does otherwise in a tab that nobody sees.
const coveredPage = `<!doctype html><title>covered</title>
<style>#menu div { display: none } #menu:hover div { display: block } #lazy div { height: 500px }</style>
<output id=said>nothing</output>
<button onclick="let n = 4; const next = () => n-- ? requestAnimationFrame(next) : said.textContent = 'Drawn'; next()">Draw</button>
<div id=menu>Menu<div><button onclick="said.textContent = 'Chosen'">Item</button></div></div>
<button onclick="said.textContent = 'Answered ' + confirm('Really?')">Ask</button>
<button onclick="said.textContent = 'Named ' + prompt('Name?', 'Bob')">Name</button>
<button onclick="alert('Look'); said.textContent = 'Looked'">Tell</button>
<button onclick="window.open('/more?tab')">Tab</button>
<button onclick="window.open('/more?window', 'w', 'width=300,height=300')">Window</button>
<a href="/more?link" target=_blank>Link</a>
<button onclick="window.onbeforeunload = (e) => { e.preventDefault(); return 'x' }; said.textContent = 'Armed'">Arm</button>
<div id=lazy></div>
<script>
let n = 0;
const seen = new IntersectionObserver((es) => { if (es.some((e) => e.isIntersecting)) more() });
function more() {
	if (n === 8) return;
	seen.disconnect();
	lazy.append(Object.assign(document.createElement("div"), {textContent: "Item " + ++n}));
	seen.observe(lazy.lastChild);
}
more();
</script>`

// TestCoveredTab: a program works in a tab that the user's own covers. All
// goes as in front, and theirs stays there, whatever the page does.
func TestCoveredTab(t *testing.T) {
	w := newChrome(t)
	page := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(rw, map[bool]string{true: coveredPage, false: `<title>more</title><button onclick="this.textContent = 'Went'">Go</button>`}[r.URL.Path == "/"])
	}))
	t.Cleanup(page.Close)
	theirs, err := w.rig.OpenPanel(w.ctx) // as good a page as any, and it can ask which one is in front
	w.must(err)
	c := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": page.URL + "/"})
	w.inFront(theirs, "a session begins")

	click := func(name, want string) answer {
		t.Helper()
		r := c.do("browser_click", args{"ref": c.ref(name)})
		if !strings.Contains(r.Effect, want) {
			t.Errorf("%s: %s", name, r.Text)
		}
		w.inFront(theirs, name)
		return r
	}
	click("Draw", "Drawn")
	c.do("browser_hover", args{"selector": "#menu"})
	click("Item", "Chosen")
	if r := c.do("browser_load_more_until", args{"text": "Item 6"}); !strings.Contains(r.Text, "text_found") {
		t.Errorf("a list that loads what is in view: %s", r.Text)
	}
	click("Tell", `an alert said "Look" and was closed`)
	for name, after := range map[string]string{"Ask": "Answered false", "Name": "Named null"} {
		click(name, "dialog opened")
		if r := c.do("browser_handle_dialog", args{"accept": false}); !strings.Contains(r.Effect, after) {
			t.Errorf("%s: %s", name, r.Text)
		}
	}
	for name, query := range map[string]string{"Tab": "tab", "Window": "window", "Link": "link"} {
		click(name, "opened a new tab at "+page.URL+"/more?"+query)
	}
	other := w.connect(nil, "mcp", "--allow-host", "127.0.0.1")
	if r := other.do("browser_tabs", args{"action": "list"}); strings.Contains(r.Text, page.URL) {
		t.Errorf("another session sees its tabs: %s", r.Text)
	}
	c.do("browser_tabs", args{"action": "switch", "url": "/more?link"})
	click("Go", "Went")
	c.do("browser_tabs", args{"action": "close"})
	c.do("browser_tabs", args{"action": "switch", "index": 1})

	click("Arm", "Armed")
	c.refuses("dialog_open", "browser_navigate", args{"url": page.URL + "/more"})
	c.do("browser_handle_dialog", args{"accept": false})
	w.inFront(theirs, "a page asked whether to be left")
	click("Draw", "Drawn")
}

// inFront waits until the panel's page is in front of its window, where nothing
// that a session does may take it from.
func (w *chrome) inFront(p *rig.Panel, when string) {
	w.t.Helper()
	w.until(when+": the user's own tab is in front", func() bool {
		front := ""
		w.must(p.Eval(w.ctx, `chrome.tabs.query({active: true}).then(async (t) => { const me = await chrome.tabs.getCurrent(); return (t.find((x) => x.windowId === me.windowId) ?? {}).url })`, &front))
		return front == rig.PanelURL("")
	})
}
