package action

import (
	"strings"
	"testing"

	"tabwright/host/browser"
)

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
