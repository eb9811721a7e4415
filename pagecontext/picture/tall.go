package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
)

// MostHeight is the greatest height, and width, of a JPEG in pixels.
const MostHeight = 65535

// Tall is a full-size picture of a long page, put together from strips: Chrome captures
// only a part of a page at a time. It keeps the colours as a JPEG does, in less than half
// of the memory of RGBA.
type Tall struct{ img *image.YCbCr }

// NewTall returns an empty picture of that size in pixels, or ErrTooLarge.
func NewTall(width, height int) (*Tall, error) {
	if width <= 0 || height <= 0 || height > MostHeight || width > MostHeight || width > MostPixels/height {
		return nil, fmt.Errorf("%w: %d by %d", ErrTooLarge, width, height)
	}
	return &Tall{image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)}, nil
}

// Put draws a strip at line top, which must be even, and covers the boxes in cover, in
// pixels of the strip.
func (t *Tall) Put(strip []byte, top int, cover []Box) error {
	cfg, _, err := image.DecodeConfig(bytes.NewReader(strip))
	if err != nil {
		return fmt.Errorf("picture: read: %w", err)
	}
	if cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > MostPixels/cfg.Height {
		return fmt.Errorf("%w: %d by %d", ErrTooLarge, cfg.Width, cfg.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(strip))
	if err != nil {
		return fmt.Errorf("picture: read: %w", err)
	}
	if src, ok := img.(*image.YCbCr); ok && src.SubsampleRatio == t.img.SubsampleRatio && len(cover) == 0 {
		t.copy(src, top)
		return nil
	}
	b := img.Bounds()
	drawn := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(drawn, drawn.Bounds(), img, b.Min, draw.Src)
	for _, c := range cover {
		draw.Draw(drawn, pixels(c, 1).Inset(-2), image.NewUniform(coverColor), image.Point{}, draw.Src)
	}
	in := drawn.Bounds().Add(image.Pt(0, top)).Intersect(t.img.Rect)
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			c := drawn.RGBAAt(x, y-top)
			l, cb, cr := color.RGBToYCbCr(c.R, c.G, c.B)
			t.img.Y[t.img.YOffset(x, y)] = l
			if i := t.img.COffset(x, y); x%2 == 0 && y%2 == 0 {
				t.img.Cb[i], t.img.Cr[i] = cb, cr
			}
		}
	}
	return nil
}

// copy copies a strip with the same subsampling without converting it.
func (t *Tall) copy(src *image.YCbCr, top int) {
	w, h := min(src.Rect.Dx(), t.img.Rect.Dx()), min(src.Rect.Dy(), t.img.Rect.Dy()-top)
	for y := range h {
		copy(t.img.Y[t.img.YOffset(0, top+y):][:w], src.Y[src.YOffset(src.Rect.Min.X, src.Rect.Min.Y+y):])
	}
	for y := 0; y < h; y += 2 {
		to, from := t.img.COffset(0, top+y), src.COffset(src.Rect.Min.X, src.Rect.Min.Y+y)
		n := int(math.Ceil(float64(w) / 2))
		copy(t.img.Cb[to:to+n], src.Cb[from:])
		copy(t.img.Cr[to:to+n], src.Cr[from:])
	}
}

// JPEG returns the picture as a JPEG of that quality, 1 to 100.
func (t *Tall) JPEG(quality int) ([]byte, error) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, t.img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("picture: write: %w", err)
	}
	return b.Bytes(), nil
}
