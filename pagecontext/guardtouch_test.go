package pagecontext_test

import "testing"

// A listener at the window that may hold up a touch or the wheel makes Chrome draw
// the whole page anew when it comes and when it goes; the guard comes and goes with
// each act. What a touch brings about elsewhere is stopped all the same.
func TestGuardOfATouch(t *testing.T) {
	tb := newTab(t)
	tb.goTo(`<body><button id=a style="position:fixed;left:0;top:0;width:100px;height:60px">A</button>
		<button id=b style="position:fixed;left:200px;top:0;width:100px;height:60px">B</button>
		<script>said = []; for (const what of ["touchstart", "touchend", "pointerdown", "mousedown", "click"]) b.addEventListener(what, () => said.push(what))</script>`)
	tb.must(tb.cdp("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true}, nil))
	touch := func() {
		point := []map[string]any{{"x": 250, "y": 30}}
		tb.must(tb.cdp("Input.dispatchTouchEvent", map[string]any{"type": "touchStart", "touchPoints": point}, nil))
		tb.must(tb.cdp("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []any{}}, nil))
		tb.js("new Promise((done) => setTimeout(done, 400))") // a tap is told from the first of two
	}
	tb.arm(found(tb, "#a"), "pointer")
	holding, listens := tb.touchListeners()
	if len(holding) > 0 || !listens {
		t.Errorf("of the guard, %v may hold up what scrolls the page; listens to touches: %v", holding, listens)
	}
	touch()
	if said := tb.js("said.join()"); said != "" {
		t.Errorf("a touch beside what was judged brought about %v", said)
	}
	if r := tb.disarm(); len(r.Stopped) == 0 {
		t.Error("nothing was stopped")
	}
	touch()
	if said := tb.js("said.join()"); said != "pointerdown,touchstart,touchend,mousedown,click" {
		t.Errorf("without a guard it brought about %v", said)
	}
}

// touchListeners gives the events by which listeners of the extractor at the window
// may hold up a scroll, and whether it listens to touches.
func (tb *tab) touchListeners() (holding []string, listens bool) {
	tb.t.Helper()
	world, err := tb.main().(*testFrame).world()
	tb.must(err)
	var window struct{ Result struct{ ObjectID string } }
	tb.must(tb.cdp("Runtime.evaluate", map[string]any{"contextId": world, "expression": "window"}, &window))
	var r struct {
		Listeners []struct {
			Type    string
			Passive bool
		}
	}
	tb.must(tb.cdp("DOMDebugger.getEventListeners", map[string]any{"objectId": window.Result.ObjectID}, &r))
	for _, l := range r.Listeners {
		switch l.Type {
		case "touchstart", "touchmove", "wheel":
			listens = listens || l.Type == "touchstart"
			if !l.Passive {
				holding = append(holding, l.Type)
			}
		}
	}
	return holding, listens
}
