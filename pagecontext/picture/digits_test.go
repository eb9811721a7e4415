package picture

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"strconv"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

var update = flag.Bool("update", false, "write digits.png")

// A number is drawn, point for point, as the font draws it.
func TestDigits(t *testing.T) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		t.Fatal(err)
	}
	bold, err := opentype.NewFace(f, &opentype.FaceOptions{Size: textSize, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		t.Fatal(err)
	}
	advance := font.MeasureString(bold, "0").Ceil()
	all := image.NewAlpha(image.Rect(0, 0, advance, 10*textSize))
	for i := range 10 {
		at, mask, from, _, _ := bold.Glyph(fixed.P(0, textSize*(i+1)-below), rune('0'+i))
		draw.Draw(all, at, mask, from, draw.Src)
	}
	if *update {
		var b bytes.Buffer
		if err := png.Encode(&b, &image.Gray{Pix: all.Pix, Stride: all.Stride, Rect: all.Rect}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("digits.png", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		digits = b.Bytes()
	}
	if face() == nil {
		t.Fatal("digits.png can't be read")
	}
	for n := range 1200 {
		text := strconv.Itoa(n)
		if got, want := font.MeasureString(face(), text), font.MeasureString(bold, text); got != want {
			t.Errorf("%s is %v wide, want %v", text, got, want)
		}
		var drawn [2]*image.RGBA
		for i, with := range []font.Face{face(), bold} {
			drawn[i] = image.NewRGBA(image.Rect(0, 0, 50, 20))
			d := font.Drawer{Dst: drawn[i], Src: image.NewUniform(color.White), Face: with, Dot: fixed.P(5, 15)}
			d.DrawString(text)
		}
		if !bytes.Equal(drawn[0].Pix, drawn[1].Pix) {
			t.Errorf("%s is drawn otherwise", text)
		}
	}
}
