package action

import (
	_ "image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"
)

func TestRealHardWidgets(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		l.ok("check", p{"index": l.found(p{"role": "checkbox", "name": "Styled box"}).Index})
		l.saw("box", "box = true")
		l.ok("uncheck", p{"selector": "#box"})
		l.saw("box", "box = false")
		l.ok("check", p{"index": l.found(p{"role": "switch", "name": "Night"}).Index})
		l.took(".*", 0)
		l.fails(Disabled, "check", p{"selector": "#also"})
		l.fails(Disabled, "click", p{"selector": "#infield"})
		l.fails(Disabled, "type", p{"selector": "#infieldtext", "text": "x"})
		l.ok("click", p{"selector": "#inlegend"}) // the legend's controls stay on
		l.saw(pressKinds, pressedOn("inlegend")...)

		l.fails(NotVisible, "click", p{"selector": "#inmore"})
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "More about it"}).Index})
		l.ok("click", p{"selector": "#inmore"})
		l.fails(NotVisible, "click", p{"selector": "#closemodal"})
		l.ok("click", p{"selector": "#openmodal"})
		l.took(".*", 0)
		has(t, l.fails(Covered, "click", p{"selector": "#sum"}).Text, "Close modal") // what lies below a modal dialog
		l.saw(pressKinds)
		l.ok("click", p{"index": l.found(p{"role": "button", "name": "Close modal"}).Index})
		l.ok("click", p{"selector": "#openpop"})
		l.took(".*", 0)
		l.ok("click", p{"selector": "#inpop"})
		l.saw(pressKinds, pressedOn("inpop")...)
		l.ok("pressKey", p{"key": "Escape"})

		l.ok("click", p{"index": l.found(p{"role": "treeitem", "name": "Docs"}).Index})
		if got := l.eval("t1.ariaExpanded"); got != `"true"` {
			t.Errorf("tree %s", got)
		}
		l.took(".*", 0)
		l.ok("click", p{"index": l.found(p{"role": "gridcell", "name": "one"}).Index, "clicks": 2})
		l.saw("dblclick", "dblclick g1")
		l.ok("type", p{"selector": "#edit", "text": "ten\n", "clear": true})
		l.saw("cell", "cell ten")
		l.ok("click", p{"selector": "#all", "button": "middle"})
		l.saw(pressKinds, "pointerdown all", "mousedown all", "pointerup all", "mouseup all", "auxclick all")
		l.ok("click", p{"selector": "#all", "button": "right"})
		l.saw("contextmenu", "contextmenu all")
		l.took(".*", 0)
		l.ok("click", p{"selector": "#all", "modifiers": []string{"ctrl"}})
		l.saw("click", "click all")
		has(t, l.ok("click", p{"index": l.found(p{"role": "link", "name": "In a new tab"}).Index}).Effect, "opened a new tab at", "hard_dropzone")
	})
}

// TestRealHardWild is about what pages of real products do and few fixtures:
// parts of a drawing, rows scrolled sideways, an editor with an EditContext, a
// switch that asks a server first, a list far from its button that acts on the
// release, a target that never stands still and one that begins to run when the
// mouse comes, one that hides then, one that goes aside then, a frame that its
// page has scrolled out of sight.
func TestRealHardWild(t *testing.T) {
	hard(t, "hard_wild.html", func(t *testing.T, l *live) {
		out := func(want string) {
			l.t.Helper()
			if got := l.eval("out.textContent"); !strings.Contains(got, want) {
				l.t.Errorf("the page says %s, want %s", got, want)
			}
		}
		if res := l.ok("snapshot", p{"interactive": true}); !strings.Contains(res.Text, `button "Slice"`) || !strings.Contains(res.Text, `textbox "Source"`) {
			l.t.Errorf("the snapshot is %s", res.Text)
		}
		for _, name := range []string{"Slice", "Far along", "Runs", "Bolts", "Framed"} {
			l.ok("click", p{"index": l.index("button", name)})
			out(map[string]string{"Slice": "slice", "Far along": "far", "Runs": "caught true", "Bolts": "held true", "Framed": "framed"}[name])
		}
		l.fails(NotVisible, "click", p{"index": l.index("button", "Shy")})
		// What presses and holds follows as a click does.
		for _, act := range []func(){
			func() { l.ok("mouseDown", p{"selector": "#dodges"}); l.ok("mouseUp", p{}) },
			func() { l.ok("dragDrop", p{"from": p{"selector": "#dodges"}, "to": p{"selector": "#attach"}}) },
		} {
			l.ok("mouseMove", p{"selector": "#attach"})
			l.eval("dodges.style.marginLeft = '', out.textContent = 'nothing'")
			act()
			out("dodged")
		}
		source := l.index("textbox", "Source")
		l.ok("type", p{"index": source, "text": "new", "clear": true})
		l.ok("type", p{"index": source, "text": " words"})
		if got := l.eval("drawn.textContent"); !strings.Contains(got, `"new words"`) {
			l.t.Errorf("the editor holds %s", got)
		}
		l.ok("check", p{"selector": "#late"})
		l.ok("check", p{"selector": "#late"}) // it is already
		l.ok("uncheck", p{"selector": "#late"})
		l.ok("select", p{"selector": "#size", "value": "Medium"})
		out("size Medium")
		file := filepath.Join(t.TempDir(), "note.txt")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if res := l.ok("uploadFile", p{"selector": "#attach", "filePath": file}); !strings.Contains(res.Effect, "given note.txt") {
			t.Errorf("what comes of a file is told as %s", res.Effect)
		}
	})
}
