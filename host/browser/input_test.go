package browser_test

import (
	"bytes"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"testing"
	"unicode"

	"tabwright/host/browser"
)

const inputPage = `<body style="margin:0;height:3000px"><div id=box tabindex=0 style="width:200px;height:100px;background:#fa0">box</div>
<input id=text><input id=file type=file multiple><script>
window.log = [];
for (const t of ["mousemove","mousedown","mouseup","click","dblclick","contextmenu","wheel","keydown","keyup","input","change"])
  addEventListener(t, (e) => log.push([t, e.isTrusted, e.button, e.buttons, e.detail, e.key, e.code, e.shiftKey, e.ctrlKey].join()), true);
</script>`

func TestInput(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": inputPage})
		tab := openTab(t, d, s.url("a.test", "/"))
		ctx := ctxFor(t)
		has := func(want string) {
			t.Helper()
			log := evaluate[[]string](t, tab, "window.log")
			for _, l := range log {
				if l == want {
					return
				}
			}
			t.Errorf("no %q in %q", want, log)
		}
		do := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		do(tab.Mouse(ctx, browser.MouseMove, 20, 20, "", 0, 0))
		do(tab.Mouse(ctx, browser.MouseDown, 20, 20, "left", 1, browser.ModShift))
		do(tab.Mouse(ctx, browser.MouseMove, 40, 40, "", 0, 0))
		do(tab.Mouse(ctx, browser.MouseUp, 40, 40, "left", 1, browser.ModShift))
		has("mousedown,true,0,1,1,,,true,false")
		has("mousemove,true,0,1,0,,,false,false") // a drag: the button is held
		has("click,true,0,0,1,,,true,false")
		do(tab.Mouse(ctx, browser.MouseDown, 20, 20, "right", 1, 0))
		do(tab.Mouse(ctx, browser.MouseUp, 20, 20, "right", 1, 0))
		has("contextmenu,true,2,2,0,,,false,false")
		if err := tab.Mouse(ctx, "press", 1, 1, "left", 1, 0); err == nil {
			t.Error("an unknown kind passed")
		}
		if err := tab.Mouse(ctx, browser.MouseDown, 1, 1, "thumb", 1, 0); err == nil {
			t.Error("an unknown button passed")
		}
		do(tab.Wheel(ctx, 20, 20, 0, 120, 0))
		if y := evaluate[float64](t, tab, "new Promise(r => { const look = () => scrollY > 0 ? r(scrollY) : setTimeout(look, 10); look() })"); y <= 0 {
			t.Errorf("scrolled to %v", y)
		}
		if _, err := tab.Evaluate(ctx, "scrollTo(0, 0); text.focus()"); err != nil {
			t.Fatal(err)
		}
		for _, k := range []browser.KeyEvent{
			letter('a'),
			letter('B'),
			{Key: "!", Code: "Digit1", Text: "!", KeyCode: '1', Modifiers: browser.ModShift},
			{Key: "Enter", Code: "Enter", Text: "\r", KeyCode: 13},
			{Key: "Backspace", Code: "Backspace", KeyCode: 8},
		} {
			do(tab.Key(ctx, k))
			k.Up = true
			do(tab.Key(ctx, k))
		}
		has("keydown,true,,,0,a,KeyA,false,false")
		has("keydown,true,,,0,B,KeyB,true,false")
		has("keyup,true,,,0,Enter,Enter,false,false")
		do(tab.InsertText(ctx, "zü🦊"))
		if got := evaluate[string](t, tab, "text.value"); got != "aBzü🦊" {
			t.Errorf("typed %q", got)
		}
	})
}

func TestFilesAndHighlight(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": inputPage, "/out": `<iframe src="http://b.test:{port}/" width=400 height=300></iframe>`})
		tab := openTab(t, d, s.url("a.test", "/out"))
		ctx := ctxFor(t)
		frames, err := tab.Frames(ctx)
		if err != nil {
			t.Fatal(err)
		}
		f := frames[1] // in a process of its own
		path := filepath.Join(t.TempDir(), "a.txt")
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := tab.SetFiles(ctx, f, find(t, f, "#file"), []string{path}); err != nil {
			t.Fatal(err)
		}
		if err := tab.SetFiles(ctx, f, find(t, f, "#box"), []string{path}); err == nil {
			t.Error("a box took files")
		}
		// A frame of another process may be painted after the page around it.
		var before, last []byte
		for n := 0; n == 0 || !bytes.Equal(before, last); n++ {
			if n == 10 {
				t.Fatal("the page never stands still")
			}
			last = before
			if before, _, err = tab.Screenshot(ctx, browser.ScreenshotOptions{PNG: true}); err != nil {
				t.Fatal(err)
			}
		}
		if err := tab.Highlight(ctx, f, find(t, f, "#box")); err != nil {
			t.Fatal(err)
		}
		during, _, err := tab.Screenshot(ctx, browser.ScreenshotOptions{PNG: true})
		if err != nil || bytes.Equal(before, during) {
			t.Errorf("no outline is seen: %v", err)
		}
		if err := tab.HideHighlight(ctx); err != nil {
			t.Fatal(err)
		}
		after, _, err := tab.Screenshot(ctx, browser.ScreenshotOptions{PNG: true})
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("the outline stays: %v", err)
		}
	})
}

func TestScreenshot(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": inputPage})
		tab := openTab(t, d, s.url("a.test", "/"))
		ctx := ctxFor(t)
		width, height := evaluate[int](t, tab, "innerWidth"), evaluate[int](t, tab, "innerHeight")
		for _, c := range []struct {
			name string
			o    browser.ScreenshotOptions
			mime string
			w, h int
		}{
			{"viewport", browser.ScreenshotOptions{}, "image/jpeg", width, height},
			{"png", browser.ScreenshotOptions{PNG: true}, "image/png", width, height},
			{"page", browser.ScreenshotOptions{FullPage: true, Quality: 30}, "image/jpeg", width, 3000},
			{"clip", browser.ScreenshotOptions{PNG: true, Clip: &browser.Box{X: 0, Y: 0, Width: 50, Height: 40}}, "image/png", 50, 40},
		} {
			data, mime, err := tab.Screenshot(ctx, c.o)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			img, _, err := image.Decode(bytes.NewReader(data))
			if err != nil || mime != c.mime {
				t.Errorf("%s: %s %v", c.name, mime, err)
				continue
			}
			// A full page may lack the width of a scroll bar.
			if b := img.Bounds(); b.Dx() > c.w || b.Dx() < c.w-20 || b.Dy() < c.h || b.Dy() > c.h+40 {
				t.Errorf("%s: %v, want %dx%d", c.name, b, c.w, c.h)
			}
			if r, g, bl, _ := img.At(10, 30).RGBA(); r>>8 < 240 || g>>8 < 150 || g>>8 > 190 || bl>>8 > 20 {
				t.Errorf("%s: the box is %d,%d,%d", c.name, r>>8, g>>8, bl>>8)
			}
		}
	})
}

// No picture may need the tab in front: the user is looking at another.
func TestScreenshotInBackground(t *testing.T) {
	driven(t, func(t *testing.T, d browser.Driver) {
		s := newSite(t, map[string]string{"/": inputPage})
		tab := openTab(t, d, s.url("a.test", "/"))
		front := openTab(t, d, s.url("b.test", "/"))
		ctx := ctxFor(t)
		if err := d.Activate(ctx, front.ID()); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			data, _, err := tab.Screenshot(ctx, browser.ScreenshotOptions{PNG: true})
			if err != nil {
				t.Fatal(err)
			}
			img, _, err := image.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if r, _, bl, _ := img.At(10, 30).RGBA(); r>>8 < 240 || bl>>8 > 20 {
				t.Error("the picture does not show the page")
			}
		}
		// Input and frames work there too.
		click(t, tab, mainFrame(t, tab), "#box")
		if n := evaluate[int](t, tab, `log.filter(l => l.startsWith("click,true")).length`); n != 1 {
			t.Errorf("%d clicks arrived", n)
		}
		if !evaluate[bool](t, tab, `new Promise(r => requestAnimationFrame(() => r(true)))`) {
			t.Error("frames stand still")
		}
	})
}

// letter is the press of a letter's key.
func letter(c rune) browser.KeyEvent {
	k := browser.KeyEvent{Key: string(c), Code: "Key" + string(unicode.ToUpper(c)), Text: string(c), KeyCode: int(unicode.ToUpper(c))}
	if unicode.IsUpper(c) {
		k.Modifiers = browser.ModShift
	}
	return k
}
