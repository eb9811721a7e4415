// Package picture prepares a screenshot for a model: it scales and compresses the picture,
// paints over secrets, and can draw a box with its index around each listed element. It draws
// only on the picture, never in the page. It imports nothing of Tabwright. Start reading at
// Make.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // a screenshot may come as either
	"math"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

const (
	// Long is the longer side in pixels unless Options says otherwise: vision
	// models scale larger pictures down, and charge for them.
	Long = 1280
	// Quality is the JPEG quality, 1 to 100, that Make tries first.
	Quality = 80
	// Bytes is the most a picture may take unless Options says otherwise.
	Bytes = 400 << 10

	// Make lowers the quality down to leastQuality first, then the size.
	leastQuality = 35
	qualityStep  = 15
	leastLong    = 200
	// MostPixels is how many pixels a source may have: a larger one is not decoded.
	MostPixels = 100 << 20
)

// ErrTooLarge is returned for a picture with more than MostPixels pixels.
var ErrTooLarge = errors.New("picture: too many pixels")

// Box is a box in CSS pixels, from the top left of what the picture shows.
type Box struct{ X, Y, Width, Height float64 }

// Center is the middle of the box: where a click goes.
func (b Box) Center() (x, y float64) { return b.X + b.Width/2, b.Y + b.Height/2 }

// Mark is an element to mark with its number.
type Mark struct {
	Index int
	Box   Box
}

// Options say how Make scales, marks and encodes the picture.
type Options struct {
	// Width is the width of the source in CSS pixels; 0 means that one pixel
	// of it is one CSS pixel.
	Width float64
	// Long is the longer side in pixels, Quality the JPEG quality, Bytes the
	// most it may take; 0 means the package's constant.
	Long, Quality, Bytes int
	// Fit returns the exact size in pixels for a source, in place of Long. Then only the
	// quality is lowered to meet Bytes, and the picture may be stretched a little.
	Fit func(width, height int) (w, h int)
	// Marks are drawn in this order; their numbers never cover each other.
	Marks []Mark
	// Cover are boxes that are painted over before anything else: secrets.
	Cover []Box
}

// Picture is a JPEG, or the unchanged source if nothing had to be done.
type Picture struct {
	Data          []byte
	MIME          string
	Width, Height int
	// Scale is the width of a CSS pixel in pixels of the picture.
	Scale float64
	// ViewWidth and ViewHeight are its size in CSS pixels.
	ViewWidth, ViewHeight float64
	// Marked are the marks that were drawn. A mark outside of the picture, or
	// without a free spot for its number, is not drawn.
	Marked []Mark
}

// Make scales the picture, covers o.Cover, draws o.Marks, and lowers the
// quality, then the size, until it takes at most o.Bytes or can't get smaller.
// The source is a PNG, a JPEG or a WebP.
func Make(source []byte, o Options) (Picture, error) {
	if o.Long <= 0 {
		o.Long = Long
	}
	if o.Quality <= 0 || o.Quality > 100 {
		o.Quality = Quality
	}
	if o.Bytes <= 0 {
		o.Bytes = Bytes
	}
	cfg, format, err := image.DecodeConfig(bytes.NewReader(source))
	if err != nil {
		return Picture{}, fmt.Errorf("picture: read: %w", err)
	}
	if cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > MostPixels/cfg.Height {
		return Picture{}, fmt.Errorf("%w: %d by %d", ErrTooLarge, cfg.Width, cfg.Height)
	}
	if o.Width <= 0 {
		o.Width = float64(cfg.Width)
	}
	w, h := cfg.Width, cfg.Height
	if o.Fit != nil {
		w, h = o.Fit(cfg.Width, cfg.Height)
	}
	same := w == cfg.Width && h == cfg.Height && (o.Fit != nil || max(w, h) <= o.Long)
	if same && len(o.Marks) == 0 && len(o.Cover) == 0 && len(source) <= o.Bytes {
		p := Picture{Data: source, MIME: "image/" + format, Width: w, Height: h}
		p.shows(cfg.Width, cfg.Height, o)
		return p, nil
	}
	img, _, err := image.Decode(bytes.NewReader(source))
	if err != nil {
		return Picture{}, fmt.Errorf("picture: read: %w", err)
	}
	for long := min(o.Long, max(cfg.Width, cfg.Height)); ; long = long * 4 / 5 {
		if o.Fit == nil {
			w, h = within(img.Bounds(), long)
		}
		p := paint(img, w, h, o)
		for q := o.Quality; ; q = max(q-qualityStep, leastQuality) {
			if err := p.encode(q); err != nil {
				return Picture{}, err
			}
			if len(p.Data) <= o.Bytes {
				return p.Picture, nil
			}
			if q <= leastQuality {
				break
			}
		}
		if long*4/5 < leastLong || o.Fit != nil {
			return p.Picture, nil // a smaller one would show nothing
		}
	}
}

type painted struct {
	Picture
	img *image.RGBA
}

// shows sets Scale, ViewWidth and ViewHeight from the size of the source in pixels.
func (p *Picture) shows(width, height int, o Options) {
	p.Scale = float64(p.Width) / o.Width
	css := float64(width) / o.Width // pixels of the source for one CSS pixel
	p.ViewWidth, p.ViewHeight = o.Width, float64(height)/css
}

// within returns the size of a source scaled down to at most long pixels on its longer side.
func within(b image.Rectangle, long int) (w, h int) {
	k := min(1, float64(long)/float64(max(b.Dx(), b.Dy())))
	return max(1, int(math.Round(float64(b.Dx())*k))), max(1, int(math.Round(float64(b.Dy())*k)))
}

// paint scales the source and draws on it. Secrets are covered after scaling,
// two pixels wider on each side, since scaling mixes their pixels into the rim.
func paint(src image.Image, w, h int, o Options) painted {
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == b.Dx() && h == b.Dy() {
		draw.Draw(dst, dst.Bounds(), src, b.Min, draw.Src)
	} else {
		draw.CatmullRom.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
	}
	p := painted{img: dst, Picture: Picture{MIME: "image/jpeg", Width: w, Height: h}}
	p.shows(b.Dx(), b.Dy(), o)
	stretch := float64(h) / p.ViewHeight / p.Scale // downwards, against across
	for _, c := range o.Cover {
		c.Y, c.Height = c.Y*stretch, c.Height*stretch
		r := pixels(c, p.Scale).Inset(-2).Intersect(dst.Bounds())
		draw.Draw(dst, r, image.NewUniform(coverColor), image.Point{}, draw.Src)
	}
	p.Marked = mark(dst, o.Marks, p.Scale)
	return p
}

// coverColor is a plain grey, unlike page or text: it shows that something is
// covered.
var coverColor = color.RGBA{0x80, 0x80, 0x80, 0xff}

func (p *painted) encode(quality int) error {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p.img, &jpeg.Options{Quality: quality}); err != nil {
		return fmt.Errorf("picture: write: %w", err)
	}
	p.Data = b.Bytes()
	return nil
}

// pixels returns the pixels that a box of CSS pixels touches.
func pixels(b Box, scale float64) image.Rectangle {
	return image.Rect(
		int(math.Floor(b.X*scale)), int(math.Floor(b.Y*scale)),
		int(math.Ceil((b.X+b.Width)*scale)), int(math.Ceil((b.Y+b.Height)*scale)),
	)
}
