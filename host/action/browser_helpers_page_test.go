package action

import (
	"context"
	"encoding/json"
	_ "image/jpeg"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
	"tabwright/pagecontext"
)

// What is hard to act on, the page that has it, and the test that acts on it,
// through both drivers. Each press is held against the page's own record of the
// events that reached it (testdata/hard.js): which element, in what order, and
// whether they were real input.
//
// 	iframes: same and other origins, nested, sandboxed,   hard_frames, hard_inner    TestRealHardFrames
// 	  srcdoc, padded, scaled, zoomed, turned, in a
// 	  scroller, in a shadow root
// 	shadow roots: open, closed, nested, declared, slots,  hard_shadow                TestRealHardShadow
// 	  delegated focus (closed ones: direct driver)
// 	SVG controls, canvas by point, image maps             hard_svg                   TestRealHardSVG
// 	nested scrollers, sticky headers, scroll snap,        hard_place                 TestRealHardPlace
// 	  content-visibility, z-index, pointer-events, links
// 	  over several lines, half off the edge, clipped,
// 	  sliding in, tooltips; plain, right to left, CSS
// 	  zoom, transform, 1.5 and 2 pixels to one
// 	covered, inert, until-found, print-only, off-screen   hard_place                 TestRealHardUnreachable
// 	ProseMirror, CodeMirror 6 and 5, Monaco's kind,       hard_editors               TestRealHardEditors
// 	  contenteditable, design mode
// 	ARIA comboboxes (select-only, editable, suggesting,   hard_combo                 TestRealHardCombobox
// 	  virtual, in portals, opened on focus or by key,
// 	  transparent field), list boxes (one, several),
// 	  radio groups, datalist, select with optgroup and
// 	  multiple, getOptions
// 	date, time, datetime-local, month, week, range,       hard_form                  TestRealHardFields
// 	  colour, number
// 	fields of one character that go on by themselves      hard_form                  TestRealHardCode
// 	file inputs: hidden, by label, by button, detached,   hard_form                  TestRealHardUpload
// 	  in a drop zone
// 	styled checkbox, switch, disabled fieldset, details,  hard_form                  TestRealHardWidgets
// 	  dialog, popover, tree, grid, double click to edit,
// 	  middle, right and ctrl click, target=_blank
// 	HTML5 and pointer-driven drags, by element and point, hard_drag, hard_dropzone   TestRealHardDrag
// 	  sortable list, slider, out of view, within and
// 	  between frames
// 	boards and lists that make room, carry copies, note    hard_boards               TestRealHardBoards
// 	  a drop when it has flown home
// 	cells that become editors, heads that sort, handles   hard_sheets               TestRealHardSheets
// 	  within and beside what they move, maps that put
// 	  themselves back, popups that fade, recycled rows
// 	hover menus, nested and with a gap; targets that run, hard_lists                 TestRealHardMenus
// 	  tips that cover
// 	lists that use their rows again, scrollUntil          hard_lists                 TestRealHardRecycled
// 	rings, lines, what is covered but for an edge         hard_keys                  TestRealHardHoles
// 	text drawn on a canvas, keys read where nobody sees    hard_canvas                TestRealHardCanvas
// 	sliders and spin buttons of the page's own            hard_keys                  TestRealHardSliders
// 	masks that overlook the selection, add signs,         hard_keys                  TestRealHardMasks
// 	  refuse characters
// 	a page that is one editor by designMode               hard_design                TestRealHardDesign
// 	a frame that steps aside under the mouse              hard_edge                  TestRealHardEdge
// 	loadMoreUntil and every reason to stop                feed                       TestRealUntil
// 	masks that show where they are open, boxes by their   hard_fields                TestRealHardOpenMasks,
// 	  size, fields that become comboboxes, editors that    BoxesBySize, SameField, Adds, Toolbar
// 	  ask for something, and the buttons beside them
// 	parts of a drawing, rows scrolled sideways, an        hard_wild                  TestRealHardWild
// 	  editor with an EditContext, switches and lists that
// 	  act late, what never stands still, clipped frames
// 	steppers, comboboxes under what is chosen, lists      hard_libs                  TestRealHardLibs*
// 	  beside their listbox, ranges, popups in labels,
// 	  choices by the release, buttons that let the
// 	  mouse through, as libraries make them
// 	handles, overlays, dates, clipped sliders, cells,      hard_more                  TestRealHardMore*
// 	  numbers, lists and cascaders of further libraries
// 	presses and drags that end elsewhere, things that     hard_ends                  TestRealHardEnds, Places
// 	  are held before they move, places kept for them
// 	moving, swapped and re-rendered targets               swap, render, thousand     TestRealSwap, TestThousand*

// hard is a test on a page that is hard to act on, on both drivers. The tests
// run beside each other, each in a tab of its own: most of their time is
// waiting for pages to settle.
func hard(t *testing.T, page string, test func(t *testing.T, l *live)) {
	t.Helper()
	t.Parallel()
	drivers(t, func(t *testing.T, d browser.Driver) {
		t.Helper()
		test(t, openLive(t, d, page))
	})
}

// took gives what the page saw of some kinds of events (alternatives of a
// regular expression, matched at the start) since the last call, once it holds
// at least n lines: what frames of other processes saw comes by messages.
func (l *live) took(kinds string, n int) []string {
	l.t.Helper()
	match := regexp.MustCompile("^(?:" + kinds + ")\\b")
	var got []string
	for end := time.Now().Add(10 * time.Second); ; {
		var all []string
		if err := json.Unmarshal([]byte(l.eval("window.seen")), &all); err != nil {
			l.t.Fatal(err)
		}
		got = slices.DeleteFunc(all, func(s string) bool { return !match.MatchString(s) })
		if len(got) >= n || time.Now().After(end) {
			break
		}
		l.eval("new Promise((done) => setTimeout(done, 20))")
	}
	l.eval("seen.length = 0")
	return got
}

// saw holds the page's own record against what must be in it, in that order and
// nothing besides. A line with "!" was no real input.
func (l *live) saw(kinds string, want ...string) {
	l.t.Helper()
	if got := l.took(kinds, len(want)); !slices.Equal(got, want) {
		l.t.Errorf("the page saw %q, want %q", got, want)
	}
}

// pressKinds are the events of a click.
const pressKinds = "pointerdown|mousedown|pointerup|mouseup|click|auxclick|dblclick|contextmenu"

// pressedOn is what a page sees of one click with the left button.
func pressedOn(id string) []string {
	out := []string{"pointerdown", "mousedown", "pointerup", "mouseup", "click"}
	for i := range out {
		out[i] += " " + id
	}
	return out
}

// found gives the one element that find gives for what is asked.
func (l *live) found(by p) pagecontext.Element {
	l.t.Helper()
	els := as[pagecontext.Listing](l.t, l.ok("find", by)).Elements
	if len(els) != 1 {
		l.t.Fatalf("find %v: %d elements", by, len(els))
	}
	return els[0]
}

// pressable is a control that a click in every way must reach.
type pressable struct {
	role, name string
	selector   string // the main frame's selectors reach into frames, too
	id         string // as the page's record names it
	noPoint    bool   // its middle is something else
	unlisted   bool   // no control for the list, only for find
}

// pressAll clicks each one by its index in the list, by the ref that find
// gives, by selector and by point, and holds the page's record each time.
func (l *live) pressAll(all []pressable) {
	l.t.Helper()
	list := map[string]int{}
	for _, e := range l.observe().Elements.Elements {
		list[e.Role+" "+e.Name] = e.Index
	}
	for _, b := range all {
		if i := list[b.role+" "+b.name]; i != 0 {
			l.ok("click", p{"index": i})
			l.saw(pressKinds, pressedOn(b.id)...)
		} else if !b.unlisted {
			l.t.Errorf("%s %q is not in the list", b.role, b.name)
		}
		e := l.found(p{"role": b.role, "name": b.name, "exact": true})
		l.ok("click", p{"ref": e.Ref})
		l.saw(pressKinds, pressedOn(b.id)...)
		l.ok("click", p{"selector": b.selector})
		l.saw(pressKinds, pressedOn(b.id)...)
		if b.noPoint {
			continue
		}
		e = l.found(p{"role": b.role, "name": b.name, "exact": true})
		l.ok("click", p{"x": e.Rect.X + e.Rect.Width/2, "y": e.Rect.Y + e.Rect.Height/2})
		l.saw(pressKinds, pressedOn(b.id)...)
	}
}

// pressSome clicks some of them by selector and by point, where a page is laid
// out in another way.
func (l *live) pressSome(all []pressable, ids ...string) {
	l.t.Helper()
	for _, b := range all {
		if !slices.Contains(ids, b.id) {
			continue
		}
		l.ok("click", p{"selector": b.selector})
		l.saw(pressKinds, pressedOn(b.id)...)
		if b.noPoint {
			continue
		}
		e := l.found(p{"role": b.role, "name": b.name, "exact": true})
		l.ok("click", p{"x": e.Rect.X + e.Rect.Width/2, "y": e.Rect.Y + e.Rect.Height/2})
		l.saw(pressKinds, pressedOn(b.id)...)
	}
}

// awaitFrames waits until so many buttons of child frames are in the list: on
// a busy machine a frame's process is joined after the page's load.
func (l *live) awaitFrames(names ...string) {
	l.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; {
		o := l.observe()
		missing := ""
		for _, n := range names {
			if !strings.Contains(o.Text, n) {
				missing = n
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(end) {
			l.t.Fatalf("no %s in\n%s", missing, o.Text)
		}
		l.ok("wait", p{"ms": 50})
	}
}

// cdp sends a DevTools command that no action has, to set up a page.
func (l *live) cdp(method string, params p) {
	l.t.Helper()
	if err := l.tab.Session().Call(context.Background(), method, params, nil); err != nil {
		l.t.Fatalf("%s: %v", method, err)
	}
}
