package action

import "testing"

// more is a part of the page of what more libraries do.
func more(t *testing.T, part string, test func(t *testing.T, l *live)) {
	t.Helper()
	hard(t, "hard_more.html?part="+part, test)
}

// sel is a target by its selector.
func sel(s string) p { return p{"selector": s} }

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

// TestRealHardMoreDates: keys come when the timer of a field's focus has run.
func TestRealHardMoreDates(t *testing.T) {
	more(t, "dates", func(t *testing.T, l *live) {
		l.ok("type", p{"selector": "#day", "text": "11242026"})
		l.gives("day.value", `"11/24/2026"`)
	})
}

// TestRealHardMoreSlides: a slider that is cut to nothing is worked by its drawn thumb.
func TestRealHardMoreSlides(t *testing.T) {
	more(t, "slides", func(t *testing.T, l *live) {
		has(t, l.ok("getElements", p{}).Text, `slider "Sound" value="30"`)
		l.ok("select", p{"index": l.index("slider", "Sound"), "value": "45"})
		l.gives("out.sound", `"45"`)
		l.ok("type", p{"selector": "#sound", "text": "60"})
		l.gives("out.sound", `"60"`)
		l.ok("click", sel("#sound"))
		l.ok("pressKey", p{"key": "ArrowRight"})
		l.gives("out.sound", `"61"`)
		l.ok("dragDrop", p{"from": sel("#sound"), "to": p{"x": 70, "y": 40}})
		l.gives("out.sound", `"20"`)
	})
}

// TestRealHardMoreCells: the first click of two ticks the row, the second opens an editor.
func TestRealHardMoreCells(t *testing.T) {
	more(t, "cells", func(t *testing.T, l *live) {
		l.ok("click", p{"selector": "#cell", "clicks": 2})
		l.saw("mousedown|dblclick|editor", "mousedown cell", "mousedown cell", "dblclick cell", "editor")
	})
}

// TestRealHardMoreNumbers: a number field that shows what it held until the page has taken
// a character in gets all of them.
func TestRealHardMoreNumbers(t *testing.T) {
	more(t, "numbers", func(t *testing.T, l *live) {
		l.ok("type", p{"selector": "#count", "text": "4567"})
		l.gives("[count.value, out.count]", `["34567","34567"]`)
		l.ok("type", p{"selector": "#count", "text": "8912", "clear": true})
		l.gives("[count.value, out.count]", `["8912","8912"]`)
		// A field that does not say that it takes numbers is typed into anew.
		l.ok("type", p{"selector": "#sum", "text": "8912", "clear": true})
		l.gives("[sum.value, out.sum]", `["8912","8912"]`)
	})
}

// TestHoldsTextBehind: a text that stands behind what the field held before is not it.
func TestHoldsTextBehind(t *testing.T) {
	if holdsText("3745", "45", "3") {
		t.Error("3745 in a field that held 3 is taken for 45")
	}
	if !holdsText("4945", "45", "3") {
		t.Error("45 behind what the field puts there is not taken for it")
	}
}

// TestRealHardMoreStacked: select of a combobox under the open list of another one says so.
func TestRealHardMoreStacked(t *testing.T) {
	more(t, "stacked", func(t *testing.T, l *live) {
		l.ok("click", sel("#one"))
		l.fails(Covered, "select", p{"selector": "#two", "value": "Red"})
		l.ok("select", p{"selector": "#one", "value": "Red"})
		l.ok("select", p{"selector": "#two", "value": "Blue"})
		l.gives("[out.one, out.two]", `["Red","Blue"]`)
	})
}

// TestRealHardMoreTold: a list in the control that tells what is chosen is not the one that
// it opens.
func TestRealHardMoreTold(t *testing.T) {
	more(t, "told", func(t *testing.T, l *live) {
		has(t, l.ok("select", p{"selector": "#kind", "value": "Bravo"}).Text, `Chosen now: "Bravo"`)
		l.gives("out.kind", `"Bravo"`)
	})
}

// TestRealHardMoreHeard: a part of what hears the clicks of all its parts is pressed itself.
func TestRealHardMoreHeard(t *testing.T) {
	more(t, "heard", func(t *testing.T, l *live) {
		for _, id := range []string{"h1", "h3"} {
			l.ok("click", sel("#"+id))
			l.gives("out.by", `"`+id+`"`)
		}
	})
}

// TestRealHardMoreThrough: the field of a combobox that lets the mouse through is pressed on
// the combobox, and not on a button over it.
func TestRealHardMoreThrough(t *testing.T) {
	more(t, "through", func(t *testing.T, l *live) {
		has(t, l.ok("click", p{"index": l.index("textbox", "City")}).Effect, "Bergen")
		l.ok("select", p{"index": l.index("textbox", "City"), "value": "Bergen"})
		l.gives("out.city", `"Bergen"`)
		l.took(".*", 0)
		l.fails(Covered, "click", sel("#landin"))
		l.gives("[out.wiped, out.land]", `[null,null]`)
		l.saw("mousedown|click")
	})
}

// TestRealHardMoreBoxed: select of the box that is drawn for a combobox that nobody sees.
func TestRealHardMoreBoxed(t *testing.T) {
	more(t, "boxed", func(t *testing.T, l *live) {
		has(t, l.ok("select", p{"selector": "#box", "value": "Green"}).Text, `Chosen now: "Green"`)
		l.gives("out.box", `"Green"`)
	})
}

// TestRealHardMoreCascades: the menus in the popup of a combobox are its columns.
func TestRealHardMoreCascades(t *testing.T) {
	more(t, "cascades", func(t *testing.T, l *live) {
		for _, id := range []string{"dialogged", "bare"} {
			l.ok("select", p{"selector": "#" + id, "values": []string{"Europe", "Norway", "Bergen"}})
			l.gives("out."+id, `"Europe / Norway / Bergen"`)
		}
	})
}
