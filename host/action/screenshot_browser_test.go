package action

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"tabwright/host/action/hittarget"
	"tabwright/host/browser"
)

// The middle of each mark is where a click reaches the element of that index,
// on dense pages, scrolled, zoomed, covered, and in another site's frame.
func TestRealMarks(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		for _, c := range []struct {
			page  string
			least int
			setUp func(l *live)
		}{
			{"dense.html?grid", 60, func(*live) {}},
			{"dense.html?prose", 15, func(*live) {}},
			{"dense.html?table", 50, func(l *live) { l.eval(`document.body.style.zoom = "1.25", 0`) }},
			{"dense.html?covered&scrolled", 20, func(*live) {}},
			{"dense.html?frames", 30, func(*live) {}},
			{"dense.html?covered&scrolled&sharp", 20, func(l *live) {
				l.cdp("Emulation.setDeviceMetricsOverride", p{"width": 900, "height": 620, "deviceScaleFactor": 2, "mobile": false})
			}},
			{"dense.html?table&odd", 30, func(l *live) {
				l.cdp("Emulation.setDeviceMetricsOverride", p{"width": 801, "height": 601, "deviceScaleFactor": 1.5, "mobile": false})
			}},
		} {
			t.Run(strings.NewReplacer("dense.html?", "", "&", "_").Replace(c.page), func(t *testing.T) {
				l := openLive(t, d, c.page)
				l.t = t
				c.setUp(l)
				if strings.HasSuffix(c.page, "frames") {
					l.ok("waitFor", p{"text": "Day 7"})
				}
				res := l.ok("screenshot", p{"marks": true})
				_, data := pictureOf(t, res)
				if dir := os.Getenv("PICTURES_OUT"); dir != "" { // to be looked at
					if err := os.WriteFile(filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "_")+".jpg"), res.Image, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if len(data.Marks) < c.least {
					t.Fatalf("%d marks, at least %d expected", len(data.Marks), c.least)
				}
				ids := l.htmlIDs(data.Marks)
				l.eval("log.length = 0, 0")
				var want []string
				for _, m := range data.Marks {
					for _, kind := range []string{browser.MouseDown, browser.MouseUp} {
						e := mouse{kind: kind, x: m.X, y: m.Y, button: "left", clicks: 1}
						if err := (realTab{l.tab}).Mouse(context.Background(), hittarget.Unguarded(), e); err != nil {
							t.Fatal(err)
						}
					}
					want = append(want, ids[m.Index])
					// A frame's news comes by message.
					l.until(fmt.Sprintf("log.length >= %d", len(want)))
				}
				var got []string
				if err := json.Unmarshal([]byte(l.eval("log")), &got); err != nil {
					t.Fatal(err)
				}
				// A click on a label is one on its control, too: told twice.
				got = slices.Compact(got)
				if want = slices.Compact(want); !slices.Equal(got, want) {
					t.Errorf("clicked\n%v, the marks are of\n%v", got, want)
				}
			})
		}
	})
}

// The pixels of secret fields are all alike, in every kind of picture.
func TestRealPictureHidesSecrets(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "dense.html?grid")
		l.eval(`document.getElementById("main").innerHTML = '<p style="height:40px">Log in</p><form>' +
			'<input id=u value=anna style="width:200px;height:30px"> ' +
			'<input id=pw type=text autocomplete=current-password value=swordfish style="width:200px;height:30px;background:#ff0">' +
			'<p style="height:1500px"></p><input id=cvc autocomplete=cc-csc value=739 style="width:90px;height:30px;background:#ff0"></form>', 0`)
		for name, params := range map[string]p{
			"viewport": {}, "marks": {"marks": true}, "page": {"fullPage": true}, "element": {"selector": "form"}, "field": {"selector": "#cvc"},
		} {
			l.eval("scrollTo(0, 0), 0")
			img, data := pictureOf(t, l.ok("screenshot", params))
			scroll := 0.0
			if err := json.Unmarshal([]byte(l.eval("scrollY")), &scroll); err != nil {
				t.Fatal(err)
			}
			seen := 0
			for _, id := range []string{"pw", "cvc"} {
				var r struct{ X, Y, Width, Height float64 }
				if err := json.Unmarshal([]byte(l.eval(fmt.Sprintf(`document.getElementById(%q).getBoundingClientRect().toJSON()`, id))), &r); err != nil {
					t.Fatal(err)
				}
				px := func(v, origin float64) int { return int((v - origin) * data.Scale) }
				box := image.Rect(px(r.X, data.X), px(r.Y, data.Y), px(r.X+r.Width, data.X), px(r.Y+r.Height, data.Y)).Inset(int(10 * data.Scale))
				if !box.In(img.Bounds()) {
					continue
				}
				seen++
				for y := box.Min.Y; y < box.Max.Y; y++ {
					for x := box.Min.X; x < box.Max.X; x++ {
						r, g, b, _ := img.At(x, y).RGBA()
						if near := func(v uint32) bool { return v>>8 > 0x70 && v>>8 < 0x90 }; !near(r) || !near(g) || !near(b) {
							t.Fatalf("%s: at %d,%d of %s: %x %x %x, not the cover's grey", name, x, y, id, r>>8, g>>8, b>>8)
						}
					}
				}
			}
			if want := map[string]int{"viewport": 1, "marks": 1, "page": 2, "element": 2, "field": 1}[name]; seen != want {
				t.Errorf("%s: %d secret fields in the picture, want %d", name, seen, want)
			}
		}
	})
}

func TestRealPictureKinds(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "dense.html?covered")
		_, view := pictureOf(t, l.ok("screenshot", p{}))
		_, page := pictureOf(t, l.ok("screenshot", p{"fullPage": true}))
		if page.Height <= view.Height || page.Scale >= view.Scale {
			t.Errorf("page %+v, viewport %+v", page, view)
		}
		_, one := pictureOf(t, l.ok("screenshot", p{"selector": "#b39"}))
		var r struct{ Width, Height float64 }
		if err := json.Unmarshal([]byte(l.eval(`b39.getBoundingClientRect().toJSON()`)), &r); err != nil {
			t.Fatal(err)
		}
		if float64(one.Width) < r.Width || float64(one.Width) > r.Width+2 || float64(one.Height) < r.Height || float64(one.Height) > r.Height+2 {
			t.Errorf("a picture of %d×%d for an element of %g×%g", one.Width, one.Height, r.Width, r.Height)
		}
		small, large := l.ok("screenshot", p{"quality": 20}), l.ok("screenshot", p{"quality": 95})
		if len(small.Image) >= len(large.Image) {
			t.Errorf("quality 20: %d bytes, 95: %d", len(small.Image), len(large.Image))
		}
		l.fails(InvalidParams, "screenshot", p{"fullPage": true, "marks": true})
		l.fails(InvalidParams, "screenshot", p{"quality": 0})
		web := l.ok("screenshot", p{"format": "webp"})
		if pictureOf(t, web); web.MIME != "image/webp" || !bytes.HasPrefix(web.Image, []byte("RIFF")) {
			t.Errorf("%s, %d bytes", web.MIME, len(web.Image))
		}
		if drawn := l.ok("screenshot", p{"format": "webp", "marks": true}); drawn.MIME != "image/jpeg" {
			t.Errorf("drawn on: %s", drawn.MIME)
		}
		whole := l.ok("screenshot", p{"format": "webp", "fullPage": true})
		if _, data := pictureOf(t, whole); whole.MIME != "image/jpeg" || data.Scale >= view.Scale {
			t.Errorf("scaled to %g: %s", data.Scale, whole.MIME)
		}
		if one := l.ok("screenshot", p{"format": "webp", "selector": "#b39"}); one.MIME != "image/webp" {
			t.Errorf("of an element: %s", one.MIME)
		}
		const few = 9000
		if res := l.ok("screenshot", p{"maxBytes": few, "quality": 95}); len(res.Image) > few {
			t.Errorf("%d bytes, %d wanted at most", len(res.Image), few)
		}
		l.fails(InvalidParams, "screenshot", p{"maxBytes": 100})

		// A long page is shrunk until nothing can be read, which is said; the file has all of it.
		l.eval(`document.body.innerHTML = '<p style="margin:0;height:20000px;background:#0f0"></p><p style="margin:0;height:3000px;background:#00f"><input type=password value=swordfish></p>', document.body.style.margin = 0, scrollTo(0, 700), 0`)
		if !view.Readable {
			t.Errorf("the viewport: %+v", view)
		}
		long := l.ok("screenshot", p{"fullPage": true})
		if _, data := pictureOf(t, long); data.Readable || data.Missing < 6000 || data.Missing > 7000 {
			t.Errorf("a long page: %+v", data)
		}
		has(t, long.Text, "can't be read", "pixels before the end of the page", "extractContent", "fileName")
		l.fails(InvalidParams, "screenshot", p{"fullPage": true, "fileName": "/tmp/x.jpeg"})
		filed := l.ok("screenshot", p{"fullPage": true, "fileName": "whole.png"})
		_, data := pictureOf(t, filed)
		f, err := os.Open(data.Path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, _, err := image.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		if size := img.Bounds().Size(); filepath.Base(data.Path) != "whole.jpeg" || fmt.Sprint(size.Y) != l.eval("document.documentElement.scrollHeight") || fmt.Sprint(size.X) != l.eval("document.documentElement.clientWidth") || data.Missing > 0 {
			t.Errorf("%v in %+v", size, data)
		}
		for y, want := range map[int]string{10: "green", 4095: "green", 4097: "green", 19990: "green", 20500: "blue", 22990: "blue"} {
			r, g, b, _ := img.At(300, y).RGBA()
			if got := map[bool]string{true: "green", false: "blue"}[g > b]; got != want || r>>8 > 0x20 {
				t.Errorf("at %d: %x %x %x, want %s", y, r>>8, g>>8, b>>8, want)
			}
		}
		if r, g, b, _ := img.At(20, 20011).RGBA(); r>>8 < 0x70 || r>>8 > 0x90 || g>>8 < 0x70 || g>>8 > 0x90 || b>>8 < 0x70 || b>>8 > 0x90 {
			t.Errorf("the password shows in the file: %x %x %x", r>>8, g>>8, b>>8)
		}
		l.fails(InvalidParams, "screenshot", p{"format": "gif"})
		l.fails(NotFound, "screenshot", p{"selector": "#none"})
	})
}

// TestRealTiles: a long page is read tile by tile, in full size, to its end; the picture
// of all of it says so.
func TestRealTiles(t *testing.T) {
	startChromium(t)
	l := openLive(t, chromium.d, "read.html")
	l.cdp("Emulation.setDeviceMetricsOverride", p{"width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false})
	// Bands of 60 pixels whose red says their number.
	l.eval(`document.body.style.margin = 0, document.body.innerHTML = Array.from({ length: 50 }, (_, i) => '<div style="height:60px;background:rgb(' + i * 5 + ',0,0)"></div>').join("") + '<input type=password value=secret style="position:absolute;left:400px;top:2000px">', 0`)
	whole := l.ok("screenshot", p{"fullPage": true})
	_, data := pictureOf(t, whole)
	if data.Readable || data.Tiles != 3 || !strings.Contains(whole.Text, "tile=1 to tile=3") {
		t.Errorf("%s %+v", whole.Text, data)
	}
	for tile := 1; tile <= 3; tile++ {
		res := l.ok("screenshot", p{"tile": tile})
		img, data := pictureOf(t, res)
		wantHeight := min(1280, 3000-(tile-1)*1280)
		if data.Width != 1280 || data.Height != wantHeight || data.Scale != 1 || !data.Readable || data.Tile != tile || data.Tiles != 3 {
			t.Errorf("tile %d: %+v", tile, data)
		}
		if strings.Contains(res.Text, "shows what follows") != (tile < 3) || !strings.Contains(res.Text, fmt.Sprintf("tile %d of 3", tile)) {
			t.Error(res.Text)
		}
		for y := 30; y < wantHeight; y += 300 {
			red, _, _, _ := img.At(900, y).RGBA()
			if band := ((tile-1)*1280 + y) / 60; math.Abs(float64(red>>8)-float64(band*5)) > 4 {
				t.Errorf("tile %d, line %d: red %d, band %d", tile, y, red>>8, band)
			}
		}
		if tile == 2 { // the secret is painted over
			if red, green, _, _ := img.At(450, 2010-1280).RGBA(); red>>8 != 0x80 || green>>8 != 0x80 {
				t.Errorf("the secret field is seen: %d, %d", red>>8, green>>8)
			}
		}
	}
	l.fails(InvalidParams, "screenshot", p{"tile": 4})
	l.fails(InvalidParams, "screenshot", p{"tile": 1, "marks": true})
	l.fails(InvalidParams, "screenshot", p{"tile": 1, "selector": "input"})
}

// A page that the user has pinched larger is let go of, since points are not
// where it says: what is clicked is what was named.
func TestRealPinch(t *testing.T) {
	drivers(t, func(t *testing.T, d browser.Driver) {
		l := openLive(t, d, "click.html")
		l.eval(`document.body.innerHTML = "<button id=near style='position:absolute;left:10px;top:10px'>Near</button><button id=far style='position:absolute;left:600px;top:300px'>Far</button>";
			window.log = []; for (const b of document.querySelectorAll("button")) b.onclick = () => log.push(b.id); 0`)
		for _, id := range []string{"far", "near"} {
			l.cdp("Input.synthesizePinchGesture", p{"x": 600, "y": 300, "scaleFactor": 2})
			if l.eval("visualViewport.scale > 1.5 && visualViewport.offsetLeft > 0") != "true" {
				t.Fatal("the page is not pinched")
			}
			l.ok("click", p{"selector": "#" + id})
		}
		l.wantLog("far", "near")
	})
}
