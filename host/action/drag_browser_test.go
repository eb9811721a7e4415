package action

import (
	"encoding/json"
	_ "image/jpeg"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

func TestRealDrag(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "drag.html")
		l.ok("dragDrop", p{"from": p{"x": 60, "y": 60}, "to": p{"x": 340, "y": 140}})
		l.wantLog("ball on basket")
		l.eval(`ball.remove()`)
		res := l.ok("dragDrop", p{"from": p{"x": 60, "y": 240}, "to": p{"x": 340, "y": 140}})
		has(t, res.Text, `button "Card"`, `button "Basket"`)
		l.wantLog("ball on basket", "card dropped")
	})
}

// TestRealHardBoards: boards and lists that draw a drag themselves. What is
// dragged hangs under the mouse, what it is dragged over lets the mouse through
// or makes room, and takes note when what flies to its place is there.
func TestRealHardBoards(t *testing.T) {
	hard(t, "hard_boards.html", func(t *testing.T, l *live) {
		drops(t, l)

		// What came over the place is not what was judged: nothing is dropped there, and
		// the page is told that the button is no longer held.
		has(t, l.fails(StaleRef, "dragDrop", p{"from": p{"selector": "#p1"}, "to": p{"selector": "#bin"}}).Text, "would have reached something else")
		l.saw("let|deleted", "let go ;m1,m2,m3;r4,r2,r3,r1")
	})
}

// TestRealHardBoardsCovered: the same in a tab under another one, which Chrome draws
// once a second if nobody needs it drawn.
func TestRealHardBoardsCovered(t *testing.T) {
	t.Parallel()
	drivers(t, func(t *testing.T, d browser.Driver) {
		l, over := openLive(t, d, "hard_boards.html"), openLive(t, d, "next.html")
		if err := d.Activate(t.Context(), over.tab.ID()); err != nil {
			t.Fatal(err)
		}
		seldom := l.eval(`(async () => {
			for (let i = 0; i < 8; i++) {
				await new Promise((done) => setTimeout(done, 80));
				document.body.style.background = "rgb(255, 255, " + (240 + i) + ")";
				const began = performance.now();
				await new Promise((done) => requestAnimationFrame(done));
				if (performance.now() - began > 500) return true;
			}
			return false;
		})()`)
		if seldom != "true" {
			t.Fatal("it is drawn as if it stood in front: ", seldom)
		}
		drops(t, l)
	})
}

// drops sorts the boards and lists.
func drops(t *testing.T, l *live) {
	t.Helper()
	at := func(selector string) p { return p{"selector": selector} }
	for _, c := range []struct{ from, to, kinds, want, told string }{
		{"#t1", "#d1", "board", "board t2;t1,d1,d2", "Task one · Done one"},
		{"#t2", "#done", "board", "board ;t1,d1,t2,d2", "Task two · Done two"},
		{"#d2", "#t1", "board", "board ;d2,t1,d1,t2", "Done two"},
		{"#m1", "#m3", "let", "let go m2;m1,m3;r1,r2,r3,r4", `"Letter three" → "Letter one · Letter three"`},
		{"#m2", "#m3", "let", "let go ;m1,m2,m3;r1,r2,r3,r4", ""},
		// No item is overtaken while another is on its way.
		{"#r1 .grip", "#r3", "let", "let go ;m1,m2,m3;r2,r3,r1,r4", "Rank one"},
		{"#r4 .grip", "#r2", "let", "let go ;m1,m2,m3;r4,r2,r3,r1", "Rank four"},
	} {
		res := l.ok("dragDrop", p{"from": at(c.from), "to": at(c.to)})
		l.saw(c.kinds, c.want)
		has(t, res.Text, c.told)
		if strings.Contains(res.Text, "no visible effect") {
			t.Errorf("%s to %s: %s", c.from, c.to, res.Text)
		}
	}
}

func TestRealHardDrag(t *testing.T) {
	hard(t, "hard_drag.html", func(t *testing.T, l *live) {
		l.awaitFrames(`"Thing same"`, `"Thing other"`)
		at := func(selector string) p { return p{"selector": selector} }

		// HTML5, by selector: the data arrives, by real events.
		l.ok("dragDrop", p{"from": at("#task"), "to": at("#done")})
		l.saw("dragstart|drop|dragend|dropped", "dragstart task", "drop done", "dropped task-1 on done", "dragend task")
		// To an element that is never in view together with it.
		l.ok("dragDrop", p{"from": p{"ref": l.found(p{"role": "button", "name": "Task"}).Ref}, "to": p{"index": l.found(p{"role": "group", "name": "Far"}).Index}})
		l.saw("dragstart|drop|dragend|dropped", "dragstart task", "drop far", "dropped task-1 on far", "dragend task")
		l.ok("scroll", p{"direction": "up", "amount": 5000})

		// To an icon of small parts, each of which has to be asked whether it takes it.
		l.ok("dragDrop", p{"from": at("#task"), "to": at("#target")})
		l.saw("dropped", "dropped on icon")

		// What starts a drag after some pixels, and counts from there, comes along all the same.
		tile := l.found(p{"role": "button", "name": "Tile"})
		l.ok("dragDrop", p{"from": at("#tile"), "to": p{"x": tile.Rect.X + tile.Rect.Width/2 + 400, "y": tile.Rect.Y + 10}})
		left := -1.0
		if err := json.Unmarshal([]byte(l.eval("tile.offsetLeft")), &left); err != nil || left < tile.Rect.X+390 || left > tile.Rect.X+400 {
			t.Errorf("the tile lies at %g, and came from %g", left, tile.Rect.X)
		}

		// By pointer: a list that sorts itself, and a slider by its handle.
		l.ok("dragDrop", p{"from": at("#s1"), "to": at("#s3")})
		l.saw("order", "order s2,s3,s1")
		l.ok("scrollIntoView", at("#track"))
		th := l.found(p{"role": "slider", "name": "Volume"})
		y := th.Rect.Y + th.Rect.Height/2
		l.ok("dragDrop", p{"from": p{"index": th.Index}, "to": p{"x": th.Rect.X + 10 + 90, "y": y}})
		if got := l.eval("thumb.ariaValueNow"); got != `"50"` {
			t.Errorf("volume %s", got)
		}
		l.ok("focus", at("#thumb"))
		l.ok("pressKey", p{"key": "PageUp"})
		if got := l.eval("thumb.ariaValueNow"); got != `"60"` {
			t.Errorf("volume %s", got)
		}

		// Within a frame, and between frames.
		l.took(".*", 0)
		for _, f := range []string{"same", "other"} {
			l.ok("dragDrop", p{"from": p{"index": l.found(p{"role": "button", "name": "Thing " + f}).Index}, "to": p{"index": l.found(p{"role": "group", "name": "Zone " + f}).Index}})
			l.saw("dropped", "dropped thing-"+f+" in "+f)
		}
		for _, way := range [][2]string{{"same", "other"}, {"other", "same"}} {
			l.ok("dragDrop", p{"from": p{"index": l.found(p{"role": "button", "name": "Thing " + way[0]}).Index}, "to": p{"index": l.found(p{"role": "group", "name": "Zone " + way[1]}).Index}})
			l.saw("dropped", "dropped thing-"+way[0]+" in "+way[1])
		}

		l.fails(Disabled, "dragDrop", p{"from": at("#locked"), "to": at("#done")})
		l.fails(InvalidParams, "dragDrop", p{"from": p{}, "to": at("#done")})
		l.fails(NotFound, "dragDrop", p{"from": at("#task"), "to": at("#nobody")})
		l.saw("dropped|dragstart")
	})
}

// TestRealHardPlaces: things that are held before they move, and dropped on an
// empty place that has taken the room of what was named.
func TestRealHardPlaces(t *testing.T) {
	t.Parallel()
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "hard_ends.html")
		at := func(selector string) p { return p{"selector": selector} }

		has(t, l.ok("dragDrop", p{"from": at("#c3"), "to": at("#c1")}).Text, "Town")
		l.saw("cols", "cols c3,c1,c2")

		l.ok("dragDrop", p{"from": at("#g1 p"), "to": at("#g2 p")})
		l.saw("tiles", "tiles moved g1")

		// A button that comes there is no place: the tile is let go where it was taken.
		l.fails(StaleRef, "dragDrop", p{"from": at("#h1 p"), "to": at("#h2 p")})
		l.saw("traps|(?:pointerup|mouseup|click) del", "traps back h1")
	})
}

// TestRealHardMoreGrips: the press on a handle marks the item around it as what the browser
// drags.
func TestRealHardMoreGrips(t *testing.T) {
	more(t, "grips", func(t *testing.T, l *live) {
		l.ok("dragDrop", p{"from": sel("#g1"), "to": sel("#s3")})
		l.saw("dragstart|drop|order", "dragstart s1", "drop s1", "order s2,s3,s1")
		l.ok("dragDrop", p{"from": sel("#g3"), "to": sel("#s2")})
		l.saw("dragstart|order", "dragstart s3", "order s3,s2,s1")
	})
}

// TestRealHardMoreLifted: a picture of what is dragged may leave its handle out; a button
// that says a part of it is none.
func TestRealHardMoreLifted(t *testing.T) {
	more(t, "lifted", func(t *testing.T, l *live) {
		l.ok("dragDrop", p{"from": sel("#g1"), "to": sel("#s2")})
		l.saw("order", "order s2,s1,s3")
		l.eval("window.trapped = true")
		l.took(".*", 0)
		l.fails(StaleRef, "dragDrop", p{"from": sel("#g1"), "to": sel("#s3")})
		l.saw("order|click|(?:pointerup|mouseup) del", "order s2,s1,s3")
	})
}

// TestRealHardMoreBack: a drag that was refused is let go when the list has put its items
// back, and nothing hangs on the mouse.
func TestRealHardMoreBack(t *testing.T) {
	more(t, "back", func(t *testing.T, l *live) {
		l.fails(StaleRef, "dragDrop", p{"from": sel("#s1"), "to": sel("#s3")})
		l.saw("mouseup|order", "mouseup s1", "order s1,s2,s3")
		l.ok("dragDrop", p{"from": sel("#s2"), "to": sel("#s1")})
		l.saw("order", "order s2,s1,s3")
	})
}

// TestRealDragInVain: a drag that changed nothing says how far it went.
func TestRealDragInVain(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "next.html")
		for _, c := range []struct{ from, to, want string }{
			{`draggable=true`, ``, " Nothing accepts a drop there."},
			{`draggable=true ondragstart="event.preventDefault()"`, ``, " The page stopped the drag as it began."},
			{`draggable=true`, `ondragover="event.preventDefault()"`, " The page took the drop and shows no change."},
			{``, ``, " No drag began: the page does not let it be dragged, nor does it show anything for the mouse held and moved."},
		} {
			l.eval("document.body.innerHTML = `<div id=a " + c.from + ">Card</div><p>Between</p><div id=z " + c.to + ">Bin</div>`; 0")
			if res := l.ok("dragDrop", p{"from": p{"selector": "#a"}, "to": p{"selector": "#z"}}); !strings.HasSuffix(res.Text, "Effect: no visible effect."+c.want) {
				t.Errorf("%s on %s: %s", c.from, c.to, res.Text)
			}
		}
	})
}
