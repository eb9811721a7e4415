package action

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"tabwright/e2e/zoo"
)

// editorLibraries is the folder of libraries.js and its style sheet, once bundleEditors made them.
var editorLibraries string

// bundleEditors makes one script of the real editors, from npm; a test is skipped where
// they can't be had.
func bundleEditors(t *testing.T) {
	t.Helper()
	if err := bundledEditors(); errors.Is(err, zoo.ErrNoPackages) {
		t.Skipf("NOT TESTED: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
}

var bundledEditors = sync.OnceValue(func() error {
	modules, err := zoo.Install(context.Background(), false)
	if err != nil {
		return err
	}
	script, err := zoo.Build(modules, "libraries.js")
	editorLibraries = filepath.Dir(script)
	return err
})

// TestRealHardEditors types into real editors (ProseMirror, CodeMirror 6 and 5)
// and into one of Monaco's kind, and holds the editors' own models: a DOM that
// merely looks right would be redrawn from the model with the next key.
func TestRealHardEditors(t *testing.T) {
	bundleEditors(t)
	hard(t, "hard_editors.html", func(t *testing.T, l *live) {
		texts := func() (m map[string]string) {
			if err := json.Unmarshal([]byte(l.eval("texts()")), &m); err != nil {
				t.Fatal(err)
			}
			return m
		}
		for _, tt := range []struct {
			id       string
			by       p
			selector string
		}{
			{"pm", p{"role": "textbox", "name": "Story"}, "#pm .ProseMirror"},
			{"cm6", p{"role": "textbox", "name": "Script"}, ".cm-content"},
			{"cm5", p{"role": "textbox", "name": "Query"}, "#cm5 textarea"},
			{"plain", p{"role": "textbox", "name": "Comment"}, "#plain"},
		} {
			l.ok("type", p{"index": l.found(tt.by).Index, "text": "one two\nthree, 茶", "clear": true})
			if got := strings.ReplaceAll(texts()[tt.id], "\n\n", "\n"); got != "one two\nthree, 茶" {
				t.Errorf("%s holds %q", tt.id, got)
			}
			l.ok("type", p{"selector": tt.selector, "text": "!", "clear": false})
			if got := texts()[tt.id]; strings.Count(got, "!") != 1 {
				t.Errorf("%s holds %q", tt.id, got)
			}
			l.ok("pressKey", p{"key": "Backspace"})
			if got := strings.ReplaceAll(texts()[tt.id], "\n\n", "\n"); got != "one two\nthree, 茶" {
				t.Errorf("%s holds %q after Backspace", tt.id, got)
			}
			l.ok("type", p{"selector": tt.selector, "text": "", "clear": true})
			if got := strings.TrimSpace(texts()[tt.id]); got != "" {
				t.Errorf("%s still holds %q", tt.id, got)
			}
		}
		for _, line := range l.took("keydown|beforeinput|input", 1) {
			if strings.HasSuffix(line, "!") {
				t.Errorf("the page saw %s", line)
			}
		}
		l.ok("type", p{"index": l.found(p{"label": "Code"}).Index, "text": "let x = 1;\nx++", "clear": true})
		if got := l.eval("mona.text"); got != `"let x = 1;\nx++"` {
			t.Errorf("the virtual editor holds %s", got)
		}
		l.ok("type", p{"selector": "#rich", "text": "Hi", "clear": true})
		if got := texts()["design"]; got != "Hi" {
			t.Errorf("the frame in design mode holds %q", got)
		}
	})
}

// TestRealHardBareEditors types into empty editors that have no name, whose first
// character must not make them another field.
func TestRealHardBareEditors(t *testing.T) {
	bundleEditors(t)
	hard(t, "hard_editors.html", func(t *testing.T, l *live) {
		for _, id := range []string{"bare", "head", "lined", "block"} {
			l.ok("type", p{"selector": "#" + id, "text": "Ab c"})
			if got := l.eval(id + ".innerText.trim()"); got != `"Ab c"` {
				t.Errorf("%s holds %s", id, got)
			}
			// By an index what they hold, which is told as their text, is no other name.
			at := l.found(p{"testId": id}).Index
			for _, more := range []string{" d", "e"} {
				l.ok("type", p{"index": at, "text": more})
			}
			if got := l.eval(id + ".innerText.trim().replace(/\u00a0/g, ' ')"); got != `"Ab c de"` {
				t.Errorf("by index %s holds %s", id, got)
			}
		}
	})
}

// TestRealHardEditorsRead reads editors whose text is drawn by themselves, and
// finds them and a page that is written in as a whole in the tree.
func TestRealHardEditorsRead(t *testing.T) {
	bundleEditors(t)
	hard(t, "hard_editors.html", func(t *testing.T, l *live) {
		l.awaitFrames(`textbox`)
		tree := l.ok("snapshot", p{"interactive": true}).Text
		has(t, tree, `textbox "Query"`, `textbox "Code"`, `"Design"`)
		at := l.found(p{"label": "Query"}).Index
		res := l.ok("type", p{"index": at, "text": "one\n\n  two", "clear": true})
		has(t, res.Effect, `value "alpha beta" → "one two"`)
		if strings.Contains(res.Effect, "text ") {
			t.Errorf("what is written is told twice: %s", res.Effect)
		}
		has(t, l.ok("getValue", p{"index": at}).Text, `shows "one\n\n  two"`)
		has(t, l.ok("getText", p{"index": at}).Text, "one\n\n  two")
		has(t, l.ok("pressKey", p{"key": "Enter"}).Effect, `lines "3" → "4"`)
		l.ok("type", p{"index": l.found(p{"label": "Code"}).Index, "text": "let x", "clear": true})
		has(t, l.ok("getValue", p{"selector": "#monain"}).Text, `shows "let x"`)
	})
}
