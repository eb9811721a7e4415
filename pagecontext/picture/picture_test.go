package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"
)

// blank is a page of one colour, as a PNG.
func blank(t testing.TB, w, h int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	return encoded(t, img)
}

// noisy is what a JPEG can't make small.
func noisy(t testing.TB, w, h int) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = byte(r.Uint32())
	}
	return encoded(t, img)
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decoded(t *testing.T, p Picture) image.Image {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(p.Data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != p.Width || b.Dy() != p.Height {
		t.Fatalf("says %d×%d, is %d×%d", p.Width, p.Height, b.Dx(), b.Dy())
	}
	return img
}

func TestNothingToDoLeavesTheSource(t *testing.T) {
	src := blank(t, 400, 300, color.White)
	p, err := Make(src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p.Data, src) || p.MIME != "image/png" || p.Scale != 1 {
		t.Fatalf("%s, %d bytes of %d, scale %g", p.MIME, len(p.Data), len(src), p.Scale)
	}
}

func TestScale(t *testing.T) {
	for _, c := range []struct {
		w, h      int
		css       float64
		wantW     int
		wantH     int
		wantScale float64
	}{
		{2560, 1440, 2560, 1280, 720, 0.5},
		{2560, 1440, 1280, 1280, 720, 1},    // two device pixels for one of CSS
		{600, 4000, 600, 192, 1280, 0.32},   // a long page
		{1280, 800, 1280, 1280, 800, 1},     // as it is
		{1920, 1080, 1280, 1280, 720, 1},    // 1.5
		{3000, 1000, 1000, 1280, 427, 1.28}, // 3
	} {
		p, err := Make(blank(t, c.w, c.h, color.White), Options{Width: c.css})
		if err != nil {
			t.Fatal(err)
		}
		if p.Width != c.wantW || p.Height != c.wantH || p.Scale < c.wantScale*0.999 || p.Scale > c.wantScale*1.001 {
			t.Errorf("%d×%d of %g CSS pixels: %d×%d scale %g, want %d×%d scale %g", c.w, c.h, c.css, p.Width, p.Height, p.Scale, c.wantW, c.wantH, c.wantScale)
		}
		decoded(t, p)
	}
}

func TestBudget(t *testing.T) {
	src := noisy(t, 1280, 720)
	var last int
	for _, budget := range []int{800 << 10, 300 << 10, 100 << 10, 30 << 10} {
		p, err := Make(src, Options{Bytes: budget})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Data) > budget {
			t.Errorf("%d bytes, %d wanted at most", len(p.Data), budget)
		}
		if last != 0 && len(p.Data) >= last {
			t.Errorf("%d bytes under a budget of %d, no less than the %d before", len(p.Data), budget, last)
		}
		last = len(p.Data)
		decoded(t, p)
	}
}

func TestCoveredIsUniform(t *testing.T) {
	src := noisy(t, 1600, 900)
	box := Box{X: 100.4, Y: 50.2, Width: 300.3, Height: 31.7}
	p, err := Make(src, Options{Cover: []Box{box}, Quality: 100, Bytes: 8 << 20})
	if err != nil {
		t.Fatal(err)
	}
	img := decoded(t, p)
	r := pixels(box, p.Scale)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.GrayModel.Convert(img.At(x, y)).(color.Gray)
			// A JPEG's blocks of 8 by 8 ring at the rim, never in the middle.
			if inner := r.Inset(8); image.Pt(x, y).In(inner) && (c.Y < 0x7c || c.Y > 0x84) {
				t.Fatalf("at %d,%d: %d; something of it shows", x, y, c.Y)
			}
		}
	}
}

// A picture for a model that points has the very size it asks for, up or down, says
// what it shows, and covers secrets where they are, stretched as it is.
func TestFit(t *testing.T) {
	for _, size := range [][2]int{{336, 196}, {280, 168}, {320, 180}} {
		fit := func(int, int) (int, int) { return size[0], size[1] }
		for _, density := range []float64{1, 2} { // of a source in device pixels
			p, err := Make(noisy(t, int(320*density), int(180*density)), Options{
				Fit: fit, Width: 320, Cover: []Box{{X: 250, Y: 150, Width: 50, Height: 20}},
			})
			if err != nil {
				t.Fatal(err)
			}
			img := decoded(t, p)
			if p.Width != size[0] || p.Height != size[1] || p.ViewWidth != 320 || p.ViewHeight != 180 {
				t.Errorf("%v: %d×%d, shows %g×%g", size, p.Width, p.Height, p.ViewWidth, p.ViewHeight)
			}
			for _, at := range [][2]float64{{251, 151}, {299, 151}, {251, 169}, {299, 169}} {
				x, y := int(at[0]/320*float64(size[0])), int(at[1]/180*float64(size[1]))
				r, g, b, _ := img.At(x, y).RGBA()
				for _, c := range []uint32{r, g, b} {
					if c < 0x6800 || c > 0x9800 {
						t.Errorf("%v: the secret at %v is not covered: %x %x %x", size, at, r, g, b)
						break
					}
				}
			}
		}
	}
}

func TestMarksDoNotCoverEachOther(t *testing.T) {
	var marks []Mark
	for row := range 18 {
		for col := range 12 {
			marks = append(marks, Mark{Index: 100 + len(marks), Box: Box{X: 20 + float64(col)*100, Y: 20 + float64(row)*38, Width: 70, Height: 20}})
		}
	}
	marks = append(marks, Mark{Index: 9999, Box: Box{X: 5, Y: 5, Width: 1200, Height: 690}}) // around all of them
	for name, src := range map[string][]byte{"light": blank(t, 1280, 720, color.White), "dark": blank(t, 1280, 720, color.Black)} {
		p, err := Make(src, Options{Marks: marks})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Marked) != len(marks) {
			t.Fatalf("%s: %d of %d marks are drawn", name, len(p.Marked), len(marks))
		}
	}
	m := marker{dst: image.NewRGBA(image.Rect(0, 0, 1280, 720))}
	m.face = face()
	for _, x := range marks {
		m.all = append(m.all, placed{mark: x, box: pixels(x.Box, 1), size: m.sizeOf(x.Index)})
	}
	for i := range m.all {
		m.all[i].label, m.all[i].ok = m.place(i)
	}
	for i, a := range m.all {
		if !a.ok {
			t.Errorf("[%d] has no number", a.mark.Index)
		}
		for _, b := range m.all[i+1:] {
			if a.label.Overlaps(b.label) {
				t.Errorf("the numbers of [%d] and [%d] cover each other", a.mark.Index, b.mark.Index)
			}
			if middle(b.box).In(a.label) || middle(a.box).In(b.label) {
				t.Errorf("the number of [%d] or [%d] hides the other's middle", a.mark.Index, b.mark.Index)
			}
		}
	}
}

// A number must be readable: enough pixels of its ground and of white in its box.
func TestNumbersAreReadable(t *testing.T) {
	for name, page := range map[string]color.Color{"light": color.White, "dark": color.RGBA{0x12, 0x12, 0x12, 0xff}, "red": grounds[0]} {
		p, err := Make(blank(t, 300, 200, page), Options{Marks: []Mark{{Index: 42, Box: Box{X: 100, Y: 80, Width: 90, Height: 30}}}, Quality: 100})
		if err != nil {
			t.Fatal(err)
		}
		img := decoded(t, p)
		white, ground := 0, 0
		for y := 60; y < 80; y++ {
			for x := 100; x < 124; x++ {
				r, g, b, _ := img.At(x, y).RGBA()
				switch {
				case r > 0xc000 && g > 0xc000 && b > 0xc000:
					white++
				case r > 0x9000 && g < 0x6000 && b < 0x6000:
					ground++
				}
			}
		}
		if white < 40 || ground < 60 {
			t.Errorf("%s: %d light and %d red pixels where the number is", name, white, ground)
		}
	}
}

func TestOutsideIsNotMarked(t *testing.T) {
	p, err := Make(blank(t, 300, 200, color.White), Options{Marks: []Mark{{1, Box{X: 400, Y: 10, Width: 20, Height: 20}}, {2, Box{X: -50, Y: 10, Width: 49, Height: 20}}, {3, Box{X: 280, Y: 180, Width: 60, Height: 60}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Marked) != 1 || p.Marked[0].Index != 3 {
		t.Fatalf("marked: %v", p.Marked)
	}
}

func TestBadPictures(t *testing.T) {
	huge := encoded(t, image.NewPaletted(image.Rect(0, 0, 20000, 6000), color.Palette{color.White}))
	for name, src := range map[string][]byte{"empty": nil, "text": []byte("no picture"), "cut": blank(t, 50, 50, color.White)[:60], "huge": huge} {
		if p, err := Make(src, Options{Long: 20}); err == nil {
			t.Errorf("%s: got %d bytes and no error", name, len(p.Data))
		}
	}
}

func BenchmarkMake(b *testing.B) {
	img, _, err := image.Decode(bytes.NewReader(noisy(b, 1280, 720)))
	if err != nil {
		b.Fatal(err)
	}
	var src bytes.Buffer
	if err := jpeg.Encode(&src, img, &jpeg.Options{Quality: 60}); err != nil {
		b.Fatal(err)
	}
	var marks []Mark
	for i := range 80 {
		marks = append(marks, Mark{i + 1, Box{X: float64(i%10) * 120, Y: float64(i/10) * 85, Width: 90, Height: 30}})
	}
	for b.Loop() {
		if _, err := Make(src.Bytes(), Options{Marks: marks, Bytes: 4 << 20}); err != nil {
			b.Fatal(err)
		}
	}
}
