package action

import (
	"context"
	"encoding/json"
	"errors"
	_ "image/jpeg"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/e2e/zoo"
)

// TestRealHardBlocks: a field that is called something else by what is typed in it is
// the same field, and a line break in an editor is Enter, which goes on in the next
// block; not where Enter sends.
func TestRealHardBlocks(t *testing.T) {
	hard(t, "hard_acts.html", func(t *testing.T, l *live) {
		text := func() string {
			return l.eval(`[...blocks.children].map((p) => p.innerText.replace(/\u00a0/g, " ")).join("|")`)
		}
		at := l.found(p{"name": "Empty block; start writing"}).Index
		l.ok("type", p{"index": at, "text": "Hello there\n\nworld\nend"})
		if got := text(); got != `"Hello there||world|end"` {
			t.Errorf("the blocks hold %s", got)
		}
		l.ok("type", p{"index": at, "text": ", and more", "submit": true})
		if got := text(); got != `"Hello there, and more|||world|end"` {
			t.Errorf("the blocks hold %s", got)
		}
		l.ok("type", p{"text": "here"})
		if got := text(); got != `"Hello there, and more|here||world|end"` {
			t.Errorf("the blocks hold %s", got)
		}
		for _, id := range []string{"chat", "ask"} {
			l.ok("type", p{"selector": "#" + id, "text": "one\ntwo"})
			if got := l.eval(id + ".innerText"); got != `"one\ntwo"` {
				t.Errorf("the message of %s is %s", id, got)
			}
			l.saw("sent")
		}
		l.ok("type", p{"selector": "#sought", "text": "abc"})
		if got := l.eval("sought.value + location.search"); got != `"abc?q=abc"` {
			t.Errorf("it was sought for %s", got)
		}
		l.eval(`blocks.replaceChildren(blocks.children[0]), blocks.children[0].textContent = "", blocks.oninput({target: blocks.children[0]})`)
		l.ok("type", p{"selector": "#first", "text": "one", "submit": true}) // Enter finds it by its new name
		if got := text(); got != `"one|"` {
			t.Errorf("the blocks hold %s", got)
		}
	})
}

// TestRealHardBegunEditor: the field that takes an editor's keys is called something
// else by the typing, and its text is not replaced.
func TestRealHardBegunEditor(t *testing.T) {
	bundleEditors(t)
	hard(t, "hard_editors.html", func(t *testing.T, l *live) {
		l.eval(`mona.at = 0; monain.addEventListener("input", () => { monain.ariaLabel = "Code, unsaved"; })`)
		l.ok("type", p{"selector": "#monain", "text": "new "})
		if got := l.eval("mona.text.startsWith('new line 0') && mona.text.endsWith('line 399')"); got != "true" {
			t.Errorf("the editor holds %s", l.eval("mona.text"))
		}
	})
}

// TestRealHardCanvas: a page that draws its text itself reads keys in a field that
// nobody sees, which a click gives the keyboard: in a frame, or in one of another
// site. What is typed without a target goes there, and is judged as for any field.
func TestRealHardCanvas(t *testing.T) {
	hard(t, "hard_canvas.html", func(t *testing.T, l *live) {
		has(t, l.fails(NotEditable, "type", p{"text": "x"}).Text, "no target was given", "takes no text", `textbox "Name" [2]`)
		l.ok("click", p{"selector": "#sheet"})
		has(t, l.fails(NotEditable, "type", p{"selector": "#deaf", "text": "x"}).Text, "type without a target")
		has(t, l.ok("type", p{"text": "Ada Löve"}).Text, `into textbox "Document"`)
		l.until(`text === "Ada Löve"`)
		l.ok("pressKey", p{"key": "Backspace"})
		l.ok("type", p{"text": "\nb"})
		l.until(`text === "Ada Löv/b"`)

		l.ok("click", p{"selector": "#far"})
		l.until(`document.activeElement === away`)
		has(t, l.ok("type", p{"text": "over there"}).Text, `into textbox "Ear"`)
		l.until(`farText === "over there"`)
		l.ok("type", p{"text": "anew", "clear": true})
		l.until(`farText === "anew"`)

		l.ok("click", p{"selector": "#name"})
		l.ok("type", p{"text": "Ben"})
		l.until(`document.querySelector("#name").value === "Ben"`)
		l.ok("click", p{"selector": "#deaf"})
		has(t, l.fails(NotEditable, "type", p{"text": "x"}).Text, "no target was given", "canvas", "pressKey")
	})
}

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
		has(t, res.Effect, `value "alpha\nbeta" → "one\n\ntwo"`)
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

// TestRealHardToolbar: the buttons beside an editor are pressed once and with
// success, where what they take along is what is written there; what becomes of
// it is told though no word is another. Any other hidden field is another matter.
func TestRealHardToolbar(t *testing.T) {
	hard(t, "hard_fields.html", func(t *testing.T, l *live) {
		has(t, l.ok("click", p{"selector": "#bold"}).Effect, `format "" → "b"`)
		has(t, l.ok("click", p{"selector": "#bold"}).Effect, `format "b" → ""`)
		l.saw("bold", "bold", "bold")
		has(t, l.ok("click", p{"selector": "#big"}).Effect, `format "" → "h1"`)
		l.ok("type", p{"selector": "#post", "text": "one\ntwo", "clear": true})
		has(t, l.ok("pressKey", p{"key": "Enter"}).Effect, "lines")
		has(t, l.fails(StaleRef, "click", p{"selector": "#raise"}).Text, "other amounts or fields")
		l.saw("raised")
		l.fails(StaleRef, "click", p{"selector": "#mark"}) // the words are the same, and an attribute says more
		l.saw("marked")
		l.ok("click", p{"index": l.found(p{"name": "Headings"}).Index})
		l.saw("heads", "heads")
		l.ok("click", p{"index": l.index("generic", "List block")})
		l.saw("chose", "chose List block")
	})
}

// TestRealHardDesign: a page that is one editor by designMode is listed as one
// and can be written in.
func TestRealHardDesign(t *testing.T) {
	hard(t, "hard_design.html", func(t *testing.T, l *live) {
		list := l.observe().Elements.Elements
		if len(list) != 1 || list[0].Role != "textbox" {
			t.Fatalf("it lists %+v", list)
		}
		l.ok("type", p{"index": list[0].Index, "text": "New words", "clear": true})
		l.ok("type", p{"index": list[0].Index, "text": " and more"})
		if got := l.eval("document.body.innerText.trim()"); got != `"New words and more"` {
			t.Errorf("the page holds %s", got)
		}
	})
}
