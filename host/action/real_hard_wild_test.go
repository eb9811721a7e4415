package action

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
