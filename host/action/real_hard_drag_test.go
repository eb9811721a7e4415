package action

import (
	"encoding/json"
	"testing"
)

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
