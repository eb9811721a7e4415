// Package picture makes what a model sees of a screenshot: scaled to what a
// vision model takes, kept within a number of bytes, secrets painted over, and
// with marks: boxes and numbers that are the same as in the list of elements.
// Everything is drawn on the picture, never in the page. It imports nothing of
// Tabwright's. Start reading at Make.
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
	// Quality is that of the JPEG, 1 to 100, where the budget allows it.
	Quality = 80
	// Bytes is the most a picture may take unless Options says otherwise.
	Bytes = 400 << 10

	// A budget is met by these qualities first, then by a smaller picture.
	leastQuality = 35
	qualityStep  = 15
	leastLong    = 200
	// MostPixels is the most a source may have: more is refused, not decoded.
	MostPixels = 100 << 20
)

// ErrTooLarge is given for a picture with more pixels than are ever decoded.
var ErrTooLarge = errors.New("picture: too many pixels")

// Box is a box in CSS pixels, from the top left of what the picture shows.
type Box struct{ X, Y, Width, Height float64 }

// Center is the middle of the box: where a click goes.
func (b Box) Center() (x, y float64) { return b.X + b.Width/2, b.Y + b.Height/2 }

// Mark is an element to be shown with its number.
type Mark struct {
	Index int
	Box   Box
}

// Options say what becomes of the picture.
type Options struct {
	// Width is how many CSS pixels wide the source is; 0 means that one pixel
	// of it is one CSS pixel.
	Width float64
	// Long is the longer side in pixels, Quality that of the JPEG, Bytes the
	// most it may take; 0 means the package's own.
	Long, Quality, Bytes int
	// Fit gives the very size in pixels for a source, in place of Long: the budget is
	// then met by the quality alone, and the picture may be stretched a little.
	Fit func(width, height int) (w, h int)
	// Marks are drawn in this order; their numbers never cover each other.
	Marks []Mark
	// Cover are boxes that are painted over before anything else: secrets.
	Cover []Box
}

// Picture is a JPEG, or the source as it was where nothing had to be done.
type Picture struct {
	Data          []byte
	MIME          string
	Width, Height int
	// Scale is how many pixels of the picture one CSS pixel takes, across.
	Scale float64
	// ViewWidth and ViewHeight are how many CSS pixels it shows.
	ViewWidth, ViewHeight float64
	// Marked are the marks that were drawn: those with no spot left for their
	// number, or outside of the picture, are not.
	Marked []Mark
}

// Make scales the picture, paints over and marks what is asked for, and keeps
// it within the budget: by a lower quality first, then by a smaller size. The
// source is a PNG, a JPEG or a WebP.
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
			return p.Picture, nil // smaller tells nothing any more
		}
	}
}

type painted struct {
	Picture
	img *image.RGBA
}

// shows says how a picture lies on the page, by the size of its source.
func (p *Picture) shows(width, height int, o Options) {
	p.Scale = float64(p.Width) / o.Width
	css := float64(width) / o.Width // pixels of the source for one CSS pixel
	p.ViewWidth, p.ViewHeight = o.Width, float64(height)/css
}

// within is the size of a source whose longer side is to have no more than long.
func within(b image.Rectangle, long int) (w, h int) {
	k := min(1, float64(long)/float64(max(b.Dx(), b.Dy())))
	return max(1, int(math.Round(float64(b.Dx())*k))), max(1, int(math.Round(float64(b.Dy())*k)))
}

// paint scales the source and draws on it. Secrets are covered after scaling,
// a pixel wider than they are, so that no mixture of them is left at the rim.
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

// coverColor is neither page nor text: a plain grey, so that it is plain to
// see that something is not shown.
var coverColor = color.RGBA{0x80, 0x80, 0x80, 0xff}

func (p *painted) encode(quality int) error {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p.img, &jpeg.Options{Quality: quality}); err != nil {
		return fmt.Errorf("picture: write: %w", err)
	}
	p.Data = b.Bytes()
	return nil
}

// pixels gives the pixels a box of CSS pixels touches.
func pixels(b Box, scale float64) image.Rectangle {
	return image.Rect(
		int(math.Floor(b.X*scale)), int(math.Floor(b.Y*scale)),
		int(math.Ceil((b.X+b.Width)*scale)), int(math.Ceil((b.Y+b.Height)*scale)),
	)
}
