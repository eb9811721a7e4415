package action

import (
	"encoding/json"
	"fmt"
	_ "image/jpeg"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"
)

// TestRealHardRecycled: a list that draws what is in view and uses its rows
// again for other records.
func TestRealHardRecycled(t *testing.T) {
	type end struct {
		StopReason string `json:"stopReason"`
		Scrolls    int    `json:"scrolls"`
		Index      int    `json:"index"`
	}
	hard(t, "hard_lists.html", func(t *testing.T, l *live) {
		old := l.found(p{"role": "button", "name": "Open record 3", "exact": true}).Index
		box := l.found(p{"role": "region", "name": "Records"}).Index
		e := as[end](t, l.ok("scrollUntil", p{"index": box, "selector": "#rec60", "maxScrolls": 40}))
		if e.StopReason != stopSelector || e.Scrolls == 0 {
			t.Errorf("end %+v", e)
		}
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Open record 60", "exact": true}).Index})
		l.saw(pressKinds, pressedOn("rec60")...)
		// The row of record 3 is another record's now.
		l.fails(StaleRef, "click", p{"index": old})
		l.saw(pressKinds)
		if e := as[end](t, l.ok("scrollUntil", p{"index": box, "text": "Record 5000", "maxScrolls": 2})); e.StopReason != stopScrolls {
			t.Errorf("end %+v", e)
		}
		l.eval(`virtual.scrollTop = 19000`)
		if e := as[end](t, l.ok("scrollUntil", p{"index": box, "text": "Record 5000", "stallMs": 300})); e.StopReason != stopStalled {
			t.Errorf("end %+v", e)
		}
	})
}

// TestRealHardMoreCells: the first click of two ticks the row, the second opens an editor.
func TestRealHardMoreCells(t *testing.T) {
	more(t, "cells", func(t *testing.T, l *live) {
		l.ok("click", p{"selector": "#cell", "clicks": 2})
		l.saw("mousedown|dblclick|editor", "mousedown cell", "mousedown cell", "dblclick cell", "editor")
	})
}

// TestRealHardSheets: sheets, calendars, maps and lists as libraries draw them.
func TestRealHardSheets(t *testing.T) {
	hard(t, "hard_sheets.html", func(t *testing.T, l *live) {
		at := func(selector string) p { return p{"selector": selector} }
		middle := func(selector string) (x, y float64) {
			l.t.Helper()
			var at [2]float64
			got := l.eval(`(() => { const r = document.querySelector("` + selector + `").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`)
			if err := json.Unmarshal([]byte(got), &at); err != nil {
				l.t.Fatal(err)
			}
			return at[0], at[1]
		}

		// The head of a column that can be sorted is pressed, others are not.
		list := l.observe().Text
		has(t, list, `columnheader "Price"`)
		if strings.Contains(list, `columnheader "Note"`) {
			t.Errorf("a head that sorts nothing is listed:\n%s", list)
		}

		// The press puts an editor into the cell, which gets the rest of the click.
		has(t, l.ok("click", at("#name")).Text, `new: textbox "Editor" value="Lamp" [`)
		l.ok("type", p{"text": "Chair", "clear": true, "submit": true})
		l.saw("name", "name Chair")
		has(t, l.ok("click", at("#sold")).Text, `checkbox "Editor"`)

		// A handle is under the mouse wherever it is drawn; what it belongs to is below.
		x, y := middle("#hold")
		l.ok("dragDrop", p{"from": p{"x": x, "y": y}, "to": p{"x": x + 60, "y": y}})
		l.saw("width", "width 180")

		// By the edge that a selector names, which shows only under the mouse.
		l.ok("dragDrop", p{"from": at("#end"), "to": at("#we")})
		l.saw("ends|moved", "ends we")
		l.ok("dragDrop", p{"from": at("#ev"), "to": at("#tu")})
		l.saw("ends|moved", "moved tu")

		// At the edge of its box something else lies over it.
		l.ok("click", at("#edge"))
		l.saw("edge", "edge")

		l.ok("click", at("#mark"))
		has(t, l.ok("click", at("#shut")).Text, `gone: link "Book"`, `button "Shut"`)
		// A map puts itself back in its next frame; where that comes late, the click is there before.
		res := l.do("click", at("#far"))
		switch {
		case res.Err == nil:
			l.saw("far", "far")
		case res.Err.Code != NotVisible:
			t.Error(res.Err)
		default:
			has(t, res.Text, "scrolls back")
		}

		res = l.ok("loadMoreUntil", p{"itemSelector": "#rows .row", "text": "Post 100", "maxLoads": 9})
		has(t, res.Text, "text_found")
	})
}

// TestRealRowAndLink: a row under the hand does nothing, and its result names the link in
// it; what a selector clicks is said to be clicked.
func TestRealRowAndLink(t *testing.T) {
	hard(t, "list.html", func(t *testing.T, l *live) {
		res := l.ok("click", p{"index": l.index("row", "QU-2 Tom Becker Sent")})
		if res.Effect != NoEffect {
			t.Errorf("the row: %s", res.Text)
		}
		link := l.index("link", "QU-2")
		has(t, res.Text, fmt.Sprintf(`Inside it: link "QU-2" [%d].`, link))
		res = l.ok("click", p{"selector": `a:has-text("QU-1")`})
		has(t, res.Text, `clicked link "QU-1" in "`)
		has(t, res.Effect, "Opened QU-1")
	})
}
