package action

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"tabwright/host/browser"
	"tabwright/pagecontext/picture"
	"tabwright/safety"
)

const (
	// stripHeight is how much of a long page is captured at a time, in CSS pixels.
	stripHeight = 4096
	// mostFile is the largest size of a picture file, in bytes.
	mostFile = 64 << 20
	// fileQuality is the JPEG quality of a picture file.
	fileQuality = 90
)

// pictureFile writes a picture in full size into the task's folder.
func (r *run) pictureFile(ctx context.Context, name string, s shot, data *ScreenshotData) *Error {
	if ext := filepath.Ext(name); !strings.EqualFold(ext, ".jpeg") && !strings.EqualFold(ext, ".jpg") {
		name = strings.TrimSuffix(name, ext) + ".jpeg"
	}
	path, bad := r.inTaskDir(name)
	if bad != nil {
		return bad
	}
	if s.quality == 0 {
		s.quality = fileQuality
	}
	s.whole, s.webp = true, false
	var info FileInfo
	look := func(context.Context) (*element, safety.Act, *Error) {
		return nil, safety.Act{Action: r.spec.Name, Params: r.call.Params, Base: safety.FileClass, File: path, Page: safety.Page{URL: r.tab.MainURL()}}, nil
	}
	bad = r.withGate(ctx, gatedStep{look: look, what: path, do: func(ctx context.Context, _ *element) *Error {
		long, end := r.longRun(ctx, untilTime)
		defer end()
		made, err := r.inFullSize(long, s, data)
		if err != nil {
			return wrap("take a picture of the page", err)
		}
		var bad *Error
		info, bad = writeFile(path, bytes.NewReader(made))
		return bad
	}})
	if bad != nil {
		return bad
	}
	data.Path = info.Path
	r.res.Effect = "wrote " + info.Path
	r.res.Text += fmt.Sprintf(" In full size it is in %s (%d bytes).", info.Path, info.Size)
	if data.Missing > 1 {
		r.res.Text += fmt.Sprintf(" That ends %.0f pixels before the end of the page.", data.Missing)
	}
	return nil
}

// inFullSize returns a picture of one pixel per CSS pixel. A long page is composed of
// strips; data.Missing tells how much of it is below the largest picture.
func (r *run) inFullSize(ctx context.Context, s shot, data *ScreenshotData) ([]byte, error) {
	if !s.full {
		pic, _, err := r.s.picture(ctx, r.h, s)
		return pic.Data, err
	}
	sum, err := r.page.Summary(ctx)
	if err != nil {
		return nil, err
	}
	width, all := int(math.Ceil(sum.ScrollMax.X+sum.Viewport.Width)), int(math.Ceil(sum.ScrollMax.Y+sum.Viewport.Height))
	height := min(all, picture.MostHeight, picture.MostPixels/max(width, 1))
	tall, err := picture.NewTall(width, height)
	if err != nil {
		return nil, err
	}
	for top := 0; top < height; top += stripHeight {
		s.full, s.strip = false, &browser.Box{Y: float64(top), Width: float64(width), Height: float64(min(stripHeight, height-top))}
		img, m, _, err := r.s.capture(ctx, r.h, s)
		if err != nil {
			return nil, err
		}
		if err := tall.Put(img, top, m.Cover); err != nil {
			return nil, err
		}
	}
	data.Missing = float64(all - height)
	return tall.JPEG(s.quality)
}
