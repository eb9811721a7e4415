package action

import (
	"testing"
)

// TestRealHardMenus: menus that open on hover, one in another and with a gap
// between; a button that runs from the mouse once; one that its own tip covers.
func TestRealHardMenus(t *testing.T) {
	hard(t, "hard_lists.html", func(t *testing.T, l *live) {
		l.fails(NotVisible, "click", p{"selector": "#last"})
		l.saw(pressKinds)
		has(t, l.ok("hover", p{"selector": "#file"}).Effect, "New file")
		has(t, l.ok("hover", p{"selector": "#recent"}).Effect, "Last file")
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Last file"}).Index})
		l.saw(pressKinds, pressedOn("last")...)

		l.ok("click", p{"selector": "#chase"})
		l.saw(pressKinds, pressedOn("chase")...)

		res := l.fails(Covered, "click", p{"selector": "#tiptarget"})
		has(t, res.Text, "A tip that takes the mouse")
		l.saw(pressKinds)
	})
}

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
