package action

import (
	"context"
	"encoding/json"
	_ "image/jpeg"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/host/browser/relay"
	"tabwright/pagecontext"
)

func TestRealFrames(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "frames.html")
		// On a busy machine a frame's process is joined after the page's load.
		o := l.observe()
		for end := time.Now().Add(20 * time.Second); strings.Count(o.Text, `button "Press me"`) != 3; o = l.observe() {
			if time.Now().After(end) {
				t.Fatalf("not three buttons in\n%s", o.Text)
			}
			l.ok("wait", p{"ms": 100})
		}
		for _, tt := range []struct{ selector, host string }{{".inner", "a.test"}, {".deep", "c.test"}} {
			res := l.ok("click", p{"selector": tt.selector})
			has(t, res.Effect, "pressed "+tt.host)
			if strings.Contains(res.Effect, "!") || !strings.HasPrefix(res.Site, tt.host) {
				t.Errorf("effect %q on %s", res.Effect, res.Site)
			}
		}
		boxes := 0
		for _, e := range o.Elements.Elements {
			if e.Role == "textbox" {
				boxes++
				res := l.ok("type", p{"index": e.Index, "text": "hi"})
				has(t, res.Effect, "hi")
				host := siteOf(e.FrameURL)
				res = l.ok("pressKey", p{"key": "Enter"})
				has(t, res.Effect, "sent hi")
				if res.Site != host {
					t.Errorf("pressed on %s, want %s", res.Site, host)
				}
				x, y := e.Rect.X+e.Rect.Width/2, e.Rect.Y-e.Rect.Height
				res = l.ok("click", p{"x": x, "y": y + 5})
				if res.Site != host {
					t.Errorf("a click at %g,%g went to %s, want %s", x, y, res.Site, host)
				}
			}
		}
		if boxes != 2 {
			t.Errorf("%d fields were typed into, want one in each frame that has one", boxes)
		}
	})
}

// inSeries keeps when each message to the service worker began and was answered.
type inSeries struct {
	*tolled

	mu  sync.Mutex
	all []spoken
}

type spoken struct {
	what       string
	begun, end time.Time
}

// Call notes one message.
func (c *inSeries) Call(ctx context.Context, method string, params, result any) error {
	text, _ := json.Marshal(params)
	s := spoken{what: method + " " + short(string(text), 160), begun: time.Now()}
	err := c.tolled.Call(ctx, method, params, result)
	s.end = time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, s)
	return err
}

// take gives what was said since the last time, in the order of its answers, and how
// many of it came one after another.
func (c *inSeries) take() (said []string, series int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.SortFunc(c.all, func(a, b spoken) int { return a.end.Compare(b.end) })
	var last time.Time
	for _, s := range c.all {
		said = append(said, s.what)
		if !s.begun.Before(last) {
			series, last = series+1, s.end
		}
	}
	c.all = nil
	return said, series
}

// TestRealFrameTrips holds what looks at a page with frames cost through the
// extension, one of another site in one of a second: messages, and how many of them
// come one after another. Each frame is asked where it is, once for itself and once for
// each frame in it, and for what it shows.
func TestRealFrameTrips(t *testing.T) {
	toll := &inSeries{tolled: &tolled{}}
	d := tolledDriver(t, func(c relay.Caller) relay.Caller {
		toll.Caller = c
		return toll
	})
	var page *pagecontext.Page
	for _, tt := range []struct {
		name             string
		anew             bool
		messages, series int
	}{
		// The extractor is put there, and asked for where it was not seen to come; each
		// <iframe> is found, once, and held in the world of its page. What the elements of
		// each hear is asked meanwhile.
		{"first", true, 21, 8}, // 7, where none is late
		{"next", false, 8, 1},
	} {
		var said []string
		series := 100
		for try := 0; try < 8 && series > tt.series; try++ { // a busy machine may have the last of those that go out together leave late
			if tt.anew {
				page = pagecontext.New(realTab{openLive(t, d, "frames.html").tab}, 0)
			}
			toll.rest(t)
			toll.take()
			_, list, err := page.Look(t.Context(), 1500)
			if err != nil || len(list.Elements) != 5 {
				t.Fatal(list, err)
			}
			all, n := toll.take()
			if said, series = all, min(series, n); len(said) > tt.messages {
				break
			}
		}
		t.Logf("%s: %d messages, %d of them one after another", tt.name, len(said), series)
		if len(said) > tt.messages || series > tt.series {
			t.Errorf("%s took %d messages and %d one after another, not %d and %d:\n%s", tt.name, len(said), series, tt.messages, tt.series, strings.Join(said, "\n"))
		}
	}
}

// TestRealHardEdge: a press that came to the edge of a frame, and not into it,
// did not reach what is in the frame; it is stopped there, and followed.
func TestRealHardEdge(t *testing.T) {
	hard(t, "hard_edge.html", func(t *testing.T, l *live) {
		l.awaitFrames(`button "Press edge"`)
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Press edge"}).Index})
		l.saw(pressKinds, pressedOn("edge:hit")...)
	})
}

// TestRealHardLed: a press that the browser leads to the page around a frame, and
// its release to the frame, is no press: the release is stopped as well, and both
// are sent again.
func TestRealHardLed(t *testing.T) {
	hard(t, "hard_led.html", func(t *testing.T, l *live) {
		l.awaitFrames(`button "Press in"`)
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Press in", "exact": true}).Index})
		l.saw(pressKinds, pressedOn("in:hit")...)
	})
}

// TestRealHardKept: a page beside frames that keeps presses from the guard gets its
// click all the same, and it is told as done: said to be lost, it would be done again.
func TestRealHardKept(t *testing.T) {
	hard(t, "hard_kept.html", func(t *testing.T, l *live) {
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Count"}).Index})
		if got := l.eval("n"); got != "1" {
			t.Errorf("it was clicked %s times", got)
		}
	})
}

func TestRealHardFrames(t *testing.T) {
	hard(t, "hard_frames.html", func(t *testing.T, l *live) {
		names := []string{"same", "padded", "b", "c", "deep", "doc", "sand", "scaled", "zoomed", "low", "shadow"}
		buttons := make([]string, len(names))
		for i, n := range names {
			buttons[i] = `button "Press ` + n + `"`
		}
		l.awaitFrames(buttons...)
		for _, n := range names {
			b := l.found(p{"role": "button", "name": "Press " + n, "exact": true})
			l.ok("click", p{"index": b.Index})
			l.saw(pressKinds, pressedOn(n+":hit")...)
			b = l.found(p{"role": "button", "name": "Press " + n, "exact": true})
			l.ok("click", p{"x": b.Rect.X + b.Rect.Width/2, "y": b.Rect.Y + b.Rect.Height/2})
			l.saw(pressKinds, pressedOn(n+":hit")...)
			if n == "doc" {
				continue
			}
			l.ok("type", p{"index": l.found(p{"label": "Name " + n}).Index, "text": "x"})
			l.saw("keydown|input", "keydown "+n+":field", "input "+n+":field")
			l.ok("click", p{"index": l.found(p{"role": "button", "name": "Below " + n, "exact": true}).Index})
			l.saw(pressKinds, pressedOn(n+":below")...)
		}
		// A frame that is turned round: the point is wrong, the guard stops it, and
		// the keyboard does it.
		turned := l.found(p{"role": "button", "name": "Press turned", "exact": true}).Index
		if res := l.fails(Unsupported, "click", p{"index": turned}); !strings.Contains(res.Text, "turned or mirrored") || !strings.Contains(res.Text, "pressKey") {
			l.t.Errorf("it says %s", res.Text)
		}
		l.saw(pressKinds)
		l.ok("focus", p{"index": turned})
		l.ok("pressKey", p{"key": "Enter"})
		l.saw("click", "click turned:hit")
	})
}
