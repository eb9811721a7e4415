package doors

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tabwright/host/browser"
	"tabwright/host/browser/direct"
)

// cancels is how often an action is stopped in the middle, a hundred times with
// TABWRIGHT_ALL=1.
func cancels() int { return share(24, 100) }

// TestCancel stops actions at random instants, as an MCP client does. Each
// time the call ends, the page is free for the user's own hand (no guard
// stops the click, no button or key is held), and the next call works.
func TestCancel(t *testing.T) {
	b := newBench(t)
	s := newStage(t)
	own := b.own()
	b.ctx = context.WithoutCancel(t.Context()) // each wait here has a bound of its own
	c := b.connect(nil, "mcp", "--cdp", own.URL(), "--allow-host", "127.0.0.1")
	c.do("browser_navigate", args{"url": s.url + "/stage"})
	d, err := direct.Connect(b.ctx, own.URL(), direct.Options{})
	b.must(err)
	defer d.Close()
	tab := tabAt(t, b, d, s.url+"/stage")
	_, err = tab.Evaluate(b.ctx, `window.held = []; window.up = [];
		for (const type of ["mousedown", "keydown"]) addEventListener(type, (e) => held.push(e.key ?? "button"), true);
		for (const type of ["mouseup", "keyup"]) addEventListener(type, (e) => up.push(e.key ?? "button"), true); 0`)
	b.must(err)
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same instants each time, as far as that goes
	acts := []struct {
		tool string
		args args
	}{
		{"browser_click", args{"selector": "#count"}},
		{"browser_type", args{"selector": "#words", "text": strings.Repeat("words ", 30), "clear": true}},
		{"browser_press_key", args{"key": "Tab"}},
		{"browser_hover", args{"selector": "#hang"}},
		{"browser_wait_for", args{"text": "never to be seen"}},
		{"browser_scroll", args{"direction": "down"}},
		{"browser_get_elements", nil},
		{"browser_drag_drop", args{"from": args{"x": 30, "y": 30}, "to": args{"x": 60, "y": 60}}},
	}
	stopped := 0
	all := cancels()
	for i := range all {
		a := acts[i%len(acts)]
		ctx, cancel := context.WithCancel(b.ctx)
		time.AfterFunc(time.Duration(rnd.IntN(150))*time.Millisecond, cancel)
		done := make(chan error, 1)
		go func() {
			_, err := c.CallTool(ctx, &sdk.CallToolParams{Name: a.tool, Arguments: a.args})
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil {
				stopped++
			}
		case <-time.After(limit5()):
			t.Fatalf("%s does not end when it is stopped", a.tool)
		}
		cancel()
		// The next call comes when the stopped one has let go of the page.
		c.do("browser_get_text", args{"selector": "h1"})
		free(t, b, s, tab, a.tool)
	}
	if stopped < all/4 {
		t.Errorf("only %d of %d were stopped in the middle: the test tests nothing", stopped, all)
	}
	t.Logf("%d of %d were stopped in the middle", stopped, all)
}

func tabAt(t *testing.T, b *bench, d *direct.Driver, url string) *browser.Tab {
	t.Helper()
	tabs, err := d.Tabs(b.ctx)
	b.must(err)
	for _, info := range tabs {
		if info.URL == url {
			tab, err := d.Attach(b.ctx, info.ID)
			b.must(err)
			return tab
		}
	}
	t.Fatalf("no tab at %s", url)
	return nil
}

// free looks at what is held in the page, and clicks as a user would. A wheel
// that was stopped may still scroll the page from under the pointer; then the
// click missed, and another is made.
func free(t *testing.T, b *bench, s *stage, tab *browser.Tab, after string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 2*time.Minute)
	defer cancel()
	var at struct {
		Left    []string
		X, Y    float64
		Scrolls float64
	}
	look := func() {
		raw, err := tab.Evaluate(ctx, `(() => {
			const scrolls = scrollY;
			scrollTo(0, 0);
			const left = [...new Set(held)].filter((k) => held.lastIndexOf(k) >= 0 && held.filter((x) => x === k).length > up.filter((x) => x === k).length);
			held.length = up.length = 0;
			const {x, y, width, height} = document.querySelector("#count").getBoundingClientRect();
			return {left, x: x + width/2, y: y + height/2, scrolls};
		})()`)
		b.must(err)
		b.must(json.Unmarshal(raw, &at))
		if len(at.Left) > 0 {
			t.Errorf("after %s was stopped these are still held: %v", after, at.Left)
		}
	}
	look()
	for {
		n := s.count("count")
		b.must(tab.Mouse(ctx, browser.MouseMove, at.X, at.Y, "none", 0, 0))
		b.must(tab.Mouse(ctx, browser.MouseDown, at.X, at.Y, "left", 1, 0))
		b.must(tab.Mouse(ctx, browser.MouseUp, at.X, at.Y, "left", 1, 0))
		err := s.await("count", n)
		if err == nil {
			return
		}
		if look(); at.Scrolls == 0 {
			t.Fatal(fmt.Errorf("after %s was stopped a click by hand does not arrive: %w", after, err))
		}
	}
}
