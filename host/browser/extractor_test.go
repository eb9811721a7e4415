package browser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"tabwright/extension/bundle"
	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

// withExtractor starts a Chromium that has the real extractor in each page.
func withExtractor(t *testing.T) (context.Context, browser.Driver) {
	t.Helper()
	if testing.Short() {
		t.Skip("needs Chromium")
	}
	script, err := bundle.Extractor(bundle.Root())
	if err != nil {
		t.Fatal(err)
	}
	ctx := ctxFor(t)
	d, err := direct.Connect(ctx, startChromium(t).URL(), direct.Options{Extractor: script})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return ctx, d
}

// The real extractor takes what this package hands it: closed shadow roots and
// the owner of a frame.
func TestRealExtractor(t *testing.T) {
	ctx, d := withExtractor(t)
	s := newSite(t, map[string]string{"/": `<x-card></x-card><p id="said">Early</p><div id="late"></div><iframe src="http://b.test:{port}/in"></iframe><script>
customElements.define("x-card", class extends HTMLElement { constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<button>hidden away</button>"; } });
</script>`, "/in": `<button>in the frame</button>`})
	tab := openTab(t, d, s.url("a.test", "/"))
	frames, err := tab.Frames(ctx)
	if err != nil || len(frames) != 2 {
		t.Fatal(frames, err)
	}
	for i, want := range []string{"hidden away", "in the frame"} {
		var list struct{ Elements []struct{ Name string } }
		if err := frames[i].Call(ctx, "list", map[string]any{}, &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range list.Elements {
			names = append(names, e.Name)
		}
		if !strings.Contains(strings.Join(names, ","), want) {
			t.Errorf("%q is not in %q", want, names)
		}
	}
	// One that comes later, with a change of nothing but words, is seen as well.
	list := func() string {
		var list struct{ Elements []struct{ Name string } }
		if err := frames[0].Call(ctx, "list", map[string]any{}, &list); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(list.Elements)
	}
	list() // the document is looked through to its end
	if _, err := tab.Evaluate(ctx, `late.attachShadow({mode: "closed"}).innerHTML = "<button>hung in later</button>"; said.textContent = "Late"`); err != nil {
		t.Fatal(err)
	}
	if got := list(); !strings.Contains(got, "hung in later") {
		t.Errorf("after a root was hung in: %s", got)
	}
	parent, id, err := frames[1].Owner(ctx)
	if err != nil || parent.ID() != frames[0].ID() {
		t.Fatal(parent, err)
	}
	object, err := parent.NodeObject(ctx, id)
	if err != nil || object == "" {
		t.Errorf("the <iframe> is no node: %v", err)
	}
	parent.Release(ctx, object)
}

// What a page answers while it is waited for is not asked again for the look that
// follows, even if the wait is over before the extractor was told.
func TestListenersAreAskedOnce(t *testing.T) {
	ctx, d := withExtractor(t)
	s := newSite(t, map[string]string{"/": `<button>One</button><script>
let asked = 0;
document.querySelectorAll = function (of) {
	if (of === "*") asked++;
	for (const until = performance.now() + 60; performance.now() < until;);
	return Document.prototype.querySelectorAll.call(this, of);
};
</script>`})
	tab := openTab(t, d, "about:blank")
	w := tab.Watch()
	defer w.Close()
	for range 3 {
		if err := tab.Navigate(ctx, s.url("a.test", "/")); err != nil {
			t.Fatal(err)
		}
		w.Rest(ctx, 3*time.Millisecond, 5*time.Second)
		if err := mainFrame(t, tab).Call(ctx, "list", map[string]any{}, nil); err != nil {
			t.Fatal(err)
		}
		if n := evaluate[int](t, tab, "asked"); n != 1 {
			t.Errorf("the page was asked %d times which elements listen, want once", n)
		}
	}
}
