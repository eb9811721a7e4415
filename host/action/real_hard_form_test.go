package action

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRealHardFields(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		for _, tt := range []struct {
			by         p
			id, put    string
			want, kind string
		}{
			{p{"label": "Day"}, "date", "2026-12-24", "2026-12-24", "type"},
			{p{"label": "Day"}, "date", "2027-1-5", "2027-01-05", "select"},
			{p{"label": "Moment"}, "moment", "2026-12-24 18:30", "2026-12-24T18:30", "type"},
			{p{"label": "Month"}, "month", "2026-12", "2026-12", "type"},
			{p{"label": "Week"}, "week", "2026-W52", "2026-W52", "type"},
			{p{"label": "Time"}, "time", "6:30 pm", "18:30", "type"},
			{p{"label": "Level"}, "level", "7.5", "7.5", "type"},
			{p{"label": "Paint"}, "paint", "dodgerblue", "#1e90ff", "type"},
			{p{"label": "Late"}, "late", "2027-06-01", "2027-06-01", "type"},
		} {
			tt.by["exact"] = true
			params := p{"index": l.found(tt.by).Index, "text": tt.put}
			if tt.kind == "select" {
				params = p{"selector": "#" + tt.id, "value": tt.put}
			}
			has(t, l.ok(tt.kind, params).Text, `"`+tt.want+`" into`)
			l.saw("input|change|"+tt.id, "input "+tt.id+"!", "change "+tt.id+"!", tt.id+" = "+tt.want)
		}
		has(t, l.fails(InvalidParams, "type", p{"selector": "#date", "text": "24 December"}).Text, "2026-12-24")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#level", "text": "7.3"}).Text, "0 to 10")
		has(t, l.fails(InvalidParams, "type", p{"selector": "#late", "text": "2026-12-24"}).Text, "2027-01-01")
		l.fails(InvalidParams, "type", p{"selector": "#paint", "text": "no colour"})
		l.fails(NotEditable, "type", p{"selector": "#fixed", "text": "2026-12-24"})
		l.saw("input|change")
		l.ok("type", p{"selector": "#date", "text": "", "clear": true})
		if got := l.eval("[date.value, fixed.value]"); got != `["","2026-01-01"]` {
			t.Errorf("values %s", got)
		}
		l.took(".*", 0)

		// A spinner takes keys, and typing.
		l.ok("type", p{"selector": "#count", "text": "7", "clear": true})
		l.ok("pressKey", p{"key": "ArrowUp"})
		if got := l.eval("count.value"); got != `"8"` {
			t.Errorf("count %s", got)
		}
	})
}

// TestRealHardCode: fields of one character each, where the focus goes on by
// itself, take them one by one and all at once.
func TestRealHardCode(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		for i, c := range "1234" {
			l.ok("type", p{"selector": fmt.Sprintf("#o%d", i), "text": string(c)})
		}
		l.saw("code", "code 1234")
		l.eval(`for (const d of otp.children) d.value = ""; 0`)
		l.ok("type", p{"selector": "#o0", "text": "5678"})
		l.saw("code", "code 5678")
	})
}

func TestRealHardUpload(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		file := filepath.Join(t.TempDir(), "report.txt")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			by   p
			want string
		}{
			{p{"selector": "#pick"}, "hidden = report.txt"},
			{p{"selector": "#srl"}, "sr = report.txt"},
			{p{"selector": "#behind"}, "behind = report.txt"},
			{p{"index": l.found(p{"role": "button", "name": "Add photo"}).Index}, "behind = report.txt"},
			{p{"selector": "#made"}, "made = report.txt"},
			{p{"selector": "#zone"}, "inzone = report.txt"},
		} {
			l.person.cards = nil
			tt.by["filePath"] = file
			if res := l.ok("uploadFile", tt.by); strings.Contains(res.Effect, "asked for") {
				t.Errorf("effect %q", res.Effect)
			}
			l.saw("hidden|sr|behind|made|inzone", tt.want)
			if len(l.person.cards) != 1 {
				t.Errorf("%v: %d cards", tt.by, len(l.person.cards))
			}
			l.eval(`behind.value = ""`)
		}
		l.fails(Disabled, "uploadFile", p{"selector": "#offile", "filePath": file})
		has(t, l.fails(Unsupported, "uploadFile", p{"selector": "#all", "filePath": file}).Text, "asked for no file")
		l.fails(Unsupported, "uploadFile", p{"selector": "#count", "filePath": file})
		l.saw("hidden|sr|behind|made|inzone")
	})
}

// Several files go to a field, to a button that asks for them and to a place that
// they are dropped on, each after one question that names them all; what takes one
// file gets none of them.
func TestRealHardSeveralFiles(t *testing.T) {
	hard(t, "hard_form.html", func(t *testing.T, l *live) {
		dir := t.TempDir()
		paths := []string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b, c.txt")}
		for i, path := range paths {
			if err := os.WriteFile(path, []byte(strings.Repeat("x", i+1)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range []string{"many", "several", "asks", "dropbox"} {
			l.person.cards = nil
			res := l.ok("uploadFile", p{"selector": "#" + id, "paths": paths})
			l.saw("many|several|asks|dropbox", id+" = "+map[bool]string{true: "a.txt,b, c.txt", false: "a.txt 1, b, c.txt 2"}[id == "many"])
			if len(l.person.cards) != 1 || !slices.Equal(l.person.cards[0].Decision.Details, paths) {
				t.Errorf("%s: asked %+v", id, l.person.cards)
			}
			has(t, res.Text, "uploaded a.txt, b, c.txt to")
			if strings.Contains(res.Effect, "tab") {
				t.Errorf("%s: %s", id, res.Effect)
			}
		}
		l.ok("uploadFile", p{"selector": "#dropbox", "filePath": paths[0]})
		l.saw("many|several|asks|dropbox", "dropbox = a.txt 1")
		l.person.cards = nil
		for _, id := range []string{"behind", "inzone", "offile"} {
			l.fails(map[bool]Code{true: Disabled, false: InvalidParams}[id == "offile"], "uploadFile", p{"selector": "#" + id, "paths": paths})
		}
		if len(l.person.cards) > 0 {
			t.Errorf("asked about what can't be done: %+v", l.person.cards)
		}
		for _, id := range []string{"behind", "made", "inzone"} {
			has(t, l.fails(InvalidParams, "uploadFile", p{"selector": "#" + id, "paths": paths}).Text, "takes one file only")
		}
		l.fails(Unsupported, "uploadFile", p{"selector": "#inert", "paths": paths})
		l.fails(NotFound, "uploadFile", p{"selector": "#many", "paths": []string{paths[0], filepath.Join(dir, "none.txt")}})
		l.fails(InvalidParams, "uploadFile", p{"selector": "#many"})
		l.fails(InvalidParams, "uploadFile", p{"selector": "#many", "paths": []string{}})
		l.saw("many|several|asks|dropbox|behind|made|inzone")
		if got := l.eval("location.pathname"); !strings.Contains(got, "hard_form") {
			t.Errorf("the page went to %s", got)
		}
	})
}

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
