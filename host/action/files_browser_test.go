package action

import (
	_ "image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/browser"
)

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

func TestRealFiles(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "files.html")
		read := func(res Result) (FileInfo, string) {
			info := as[FileInfo](t, res)
			b, err := os.ReadFile(info.Path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Size != int64(len(b)) || filepath.Dir(info.Path) != l.o.TaskDir {
				t.Errorf("file %+v of %d bytes", info, len(b))
			}
			return info, string(b)
		}
		if _, text := read(l.ok("download", p{"selector": "#made"})); text != "made here" {
			t.Errorf("made %q", text)
		}
		info, text := read(l.ok("download", p{"selector": "#csv"}))
		if filepath.Base(info.Path) != "prices.csv" || !strings.HasPrefix(info.Type, "text/csv") || !strings.HasPrefix(text, "name,price") {
			t.Errorf("download %+v: %q", info, text)
		}
		info, _ = read(l.ok("download", p{"url": l.at("a.test", "prices.csv"), "fileName": "mine.csv"}))
		if filepath.Base(info.Path) != "mine.csv" {
			t.Errorf("download %+v", info)
		}
		if len(l.person.cards) != 0 {
			t.Errorf("cards %+v", l.person.cards)
		}
		has(t, l.fails(Unsupported, "download", p{"url": l.at("a.test", "next.html")}).Text, "shows a page")
		if got := l.eval("document.title"); got != `"Files / today"` {
			t.Errorf("left for %s", got)
		}
		l.fails(InvalidParams, "download", p{})
		l.person.answers = []Answer{{By: "panel"}}
		l.fails(Denied, "download", p{"selector": "#exe"})

		info, text = read(l.ok("savePDF", p{}))
		if filepath.Base(info.Path) != "Files - today.pdf" || info.Type != "application/pdf" || !strings.HasPrefix(text, "%PDF") {
			t.Errorf("PDF %+v", info)
		}
		info, text = read(l.ok("exportFile", p{"fileName": "../../notes.md", "content": "# Mugs"}))
		if filepath.Base(info.Path) != "notes.md" || text != "# Mugs" {
			t.Errorf("file %+v: %q", info, text)
		}
		if info, _ := read(l.ok("exportFile", p{"fileName": "notes.md", "content": "again"})); filepath.Base(info.Path) != "notes (2).md" {
			t.Errorf("file %+v", info)
		}
		l.ForgetDenials()
		l.person.cards = nil
		l.fails(Denied, "exportFile", p{"fileName": filepath.Join(t.TempDir(), "x.md"), "content": "x"})
		if len(l.person.cards) != 1 {
			t.Errorf("%d cards for a file elsewhere", len(l.person.cards))
		}
	})
}

// TestRealNoDownload: where a click began no download at all, that is what is
// said, however short the time was, and what it did instead.
func TestRealNoDownload(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "leaves.html")
		res := l.fails(Timeout, "download", p{"selector": "#count", "timeoutMs": 1000})
		has(t, res.Text, "no download began", "Counted 1")
		has(t, l.fails(InvalidParams, "pressKey", p{"key": "é"}).Text, "the action type")
	})
}

func TestRealUpload(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "form.html")
		file := filepath.Join(t.TempDir(), "report.txt")
		if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		l.ok("uploadFile", p{"selector": "#file", "filePath": file})
		l.wantLog("file report.txt")
		if len(l.person.cards) != 1 {
			t.Errorf("%d cards", len(l.person.cards))
		}
		l.fails(NotFound, "uploadFile", p{"selector": "#file", "filePath": file + "x"})
		l.fails(Unsupported, "uploadFile", p{"selector": "#nick", "filePath": file})
		has(t, l.fails(Unsupported, "click", p{"selector": "#file"}).Text, "uploadFile")
		has(t, l.fails(Unsupported, "click", p{"selector": "#colour"}).Text, "Red, Blue")
	})
}
