package action

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"tabwright/host/browser"
	"tabwright/pagecontext"
	"tabwright/pagecontext/picture"
)

// ScreenshotParams are the parameters of screenshot.
type ScreenshotParams struct {
	Target
	FullPage *bool `json:"fullPage,omitempty" jsonschema:"the whole page, not only the viewport"`
	Tile     *int  `json:"tile,omitempty" jsonschema:"part of the page in full size, from 1"`
	Marks    *bool `json:"marks,omitempty" jsonschema:"draw boxes with the indices of the list (viewport only)"`
	Quality  *int  `json:"quality,omitempty" jsonschema:"80 if left out"`
	// Marks and covers are drawn in the host, and what is too large is scaled there;
	// it writes JPEG only.
	Format   string `json:"format,omitempty" jsonschema:"jpeg if left out; webp where it needs no drawing or scaling"`
	MaxBytes *int   `json:"maxBytes,omitempty" jsonschema:"409600 if left out; kept by a lower quality, then by a smaller size"`
	FileName string `json:"fileName,omitempty" jsonschema:"also save it in full size in the task's folder"`
}

// ScreenshotData is the place and scale of a picture on the page.
type ScreenshotData struct {
	Width  int     `json:"width"` // pixels
	Height int     `json:"height"`
	Scale  float64 `json:"scale"` // pixels of the picture for one CSS pixel
	X      float64 `json:"x"`     // where its top left is, in CSS pixels of the viewport
	Y      float64 `json:"y"`
	// Marks are the marked elements, each with the point in CSS pixels of the
	// viewport where a click reaches it.
	Marks []PictureMark `json:"marks,omitempty"`
	// Readable says that a model can read the page's text in it: it is not shrunk to
	// less than leastScale.
	Readable bool `json:"readable"`
	// Path is the file in full size, if one was asked for; Missing is how many
	// CSS pixels of a very long page are in no picture.
	Path    string  `json:"path,omitempty"`
	Missing float64 `json:"missing,omitempty"`
	// Tile is the number of the part of the whole page that it shows, of Tiles.
	Tile  int `json:"tile,omitempty"`
	Tiles int `json:"tiles,omitempty"`
}

// leastScale is the least scale of a picture in which a model can still read the text of
// most pages: 16 pixels become 9.
const leastScale = 0.55

// tileHeight is how many CSS pixels of a page a tile shows: as many as keep their size if
// the page is no wider.
const tileHeight = ScreenshotLong

// PictureMark is a marked element.
type PictureMark struct {
	Index int     `json:"index"`
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
}

// shot says what a picture shows.
type shot struct {
	clip    *pagecontext.Rect // in CSS pixels of the main frame's viewport
	strip   *browser.Box      // in CSS pixels of the document
	whole   bool              // in full size, to be written to a file
	full    bool
	quality int
	webp    bool
	bytes   int // 0 for picture.Bytes
	fit     func(width, height int) (w, h int)
	mark    []int // indices; none for no marks
}

// screenshot takes a picture of the viewport, the page or an element
// (Page.captureScreenshot). The host paints over secret fields before the picture is
// used.
func screenshot(ctx context.Context, r *run, p ScreenshotParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	marks, tile := isOn(p.Marks), p.Tile != nil
	full := isOn(p.FullPage) && !tile // a tile is one of the whole page
	if (full || tile) && p.isSet() || marks && (full || tile || p.isSet()) {
		return &Error{
			Code: InvalidParams, Message: "marks, fullPage or tile, and an element exclude each other",
			Hint: "Ask for one of them; marks show what is in the viewport.",
		}
	}
	if filepath.IsAbs(p.FileName) {
		return &Error{Code: InvalidParams, Message: "fileName is the name of a file in the task's folder, not a path"}
	}
	s := shot{full: full, webp: p.Format == "webp"}
	if p.MaxBytes != nil {
		s.bytes = *p.MaxBytes
	}
	if p.Quality != nil {
		s.quality = *p.Quality
	}
	what, look := "the viewport", "" // the snapshot whose elements are marked
	var tiles int
	switch {
	case tile:
		var err *Error
		if s.strip, tiles, what, err = r.tile(ctx, *p.Tile); err != nil {
			return err
		}
	case full:
		what = "the whole page"
	case p.isSet():
		a, clip, err := r.elementClip(ctx, p.Target)
		if err != nil {
			return err
		}
		s.clip, what = clip, a.label()
	case marks:
		yes := true
		l, err := r.page.Elements(ctx, pagecontext.Query{Visible: &yes})
		if err != nil {
			return wrap("list the elements", err)
		}
		s.mark, look = indicesOf(l), l.SnapshotID
	}
	pic, data, err := r.s.picture(ctx, r.h, s)
	if err != nil {
		return wrap("take a picture of the page", err)
	}
	r.page.Show(look, markedIndices(pic)...)
	r.res.Image, r.res.MIME, r.res.Data = pic.Data, pic.MIME, data
	r.res.Text = fmt.Sprintf("OK: the picture of %s is attached.", what)
	if marks {
		r.res.Text = fmt.Sprintf("OK: the picture of %s is attached, with %d elements marked by their indices.", what, len(pic.Marked))
	}
	if tile {
		data.Tile, data.Tiles = *p.Tile, tiles
		if *p.Tile < tiles {
			r.res.Text += fmt.Sprintf(" tile=%d shows what follows.", *p.Tile+1)
		}
	}
	if full {
		if sum, err := r.page.Summary(ctx); err == nil {
			data.Missing = max(0, sum.ScrollMax.Y+sum.Viewport.Height-float64(pic.Height)/pic.Scale)
		}
	}
	if !data.Readable {
		r.res.Text += fmt.Sprintf(" It is shrunk to %.0f %% of its size: text in it can't be read.", math.Ceil(100*data.Scale))
	}
	if data.Missing > 1 {
		r.res.Text += fmt.Sprintf(" It ends %.0f pixels before the end of the page.", data.Missing)
	}
	if p.FileName != "" {
		return r.pictureFile(ctx, p.FileName, s, data)
	}
	if !data.Readable || data.Missing > 1 {
		if full {
			var bad *Error
			if _, data.Tiles, _, bad = r.tile(ctx, 1); bad == nil && data.Tiles > 1 {
				r.res.Text += fmt.Sprintf(" To read it, take tile=1 to tile=%d of the page;", data.Tiles)
			}
		} else {
			r.res.Text += " To read it, scroll there and take the viewport;"
		}
		r.res.Text += " extractContent gives the text; fileName writes all of it to a file in full size."
	}
	return nil
}

// tile returns the place of the nth part of the whole page, the number of parts, and
// the part's name.
func (r *run) tile(ctx context.Context, n int) (at *browser.Box, tiles int, what string, bad *Error) {
	sum, err := r.page.Summary(ctx)
	if err != nil {
		return nil, 0, "", wrap("measure the page", err)
	}
	width, height := math.Ceil(sum.ScrollMax.X+sum.Viewport.Width), math.Ceil(sum.ScrollMax.Y+sum.Viewport.Height)
	tiles = max(1, int(math.Ceil(height/tileHeight)))
	if n > tiles {
		return nil, 0, "", &Error{Code: InvalidParams, Message: fmt.Sprintf("there is no tile %d: the page has %d", n, tiles)}
	}
	top := float64(n-1) * tileHeight
	at = &browser.Box{Y: top, Width: width, Height: min(tileHeight, height-top)}
	return at, tiles, fmt.Sprintf("tile %d of %d of the page (pixels %.0f to %.0f of %.0f)", n, tiles, top, top+at.Height, height), nil
}

// markedIndices returns the indices that are marked in a picture.
func markedIndices(pic picture.Picture) []int {
	out := make([]int, len(pic.Marked))
	for i, m := range pic.Marked {
		out[i] = m.Index
	}
	return out
}

func indicesOf(l *pagecontext.Listing) []int {
	var out []int
	for _, e := range l.Elements {
		if e.IsVisible {
			out = append(out, e.Index)
		}
	}
	return out
}

// elementClip scrolls to an element and returns its box.
func (r *run) elementClip(ctx context.Context, t Target) (*element, *pagecontext.Rect, *Error) {
	a, err := r.resolve(ctx, targetQuery{Target: t, exact: true})
	if err != nil {
		return nil, nil, err
	}
	if _, err := r.ready(ctx, a, "scroll"); err != nil {
		return nil, nil, err
	}
	st, err := r.stateOf(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	x, y, ok := a.frame.Offset(ctx)
	if !ok || st.Rect.Width < 1 || st.Rect.Height < 1 {
		return nil, nil, &Error{Code: NotVisible, Message: a.String() + " is not shown"}
	}
	st.Rect.X += x
	st.Rect.Y += y
	return a, &st.Rect, nil
}

// picture takes one picture of a tab, paints over the secret fields and marks the
// elements of o.mark. Their places are read before and after the capture: a
// secret is covered at both places, and a mark is drawn only if its element
// stood still meanwhile.
func (s *Session) picture(ctx context.Context, h *held, o shot) (picture.Picture, *ScreenshotData, error) {
	img, m, origin, err := s.capture(ctx, h, o)
	if err != nil {
		return picture.Picture{}, nil, err
	}
	pic, err := picture.Make(img, m.Options)
	if err != nil {
		return picture.Picture{}, nil, err
	}
	data := &ScreenshotData{
		Width: pic.Width, Height: pic.Height, Scale: math.Round(pic.Scale*1000) / 1000, X: origin.X, Y: origin.Y, Readable: pic.Scale >= leastScale,
	}
	if o.full {
		data.X, data.Y = -m.before.X, -m.before.Y
	}
	for _, x := range pic.Marked {
		cx, cy := x.Box.Center()
		data.Marks = append(data.Marks, PictureMark{Index: x.Index, X: math.Round(cx*10) / 10, Y: math.Round(cy*10) / 10})
	}
	return pic, data, nil
}

// toMake are the options for processing a capture, and the places before the capture.
type toMake struct {
	picture.Options
	before *pagecontext.Spots
}

// capture captures a tab and returns what must be covered and may be marked.
func (s *Session) capture(ctx context.Context, h *held, o shot) (img []byte, m toMake, origin XY, err error) {
	before, err := h.page.Spots(ctx, o.mark)
	if err != nil {
		return nil, m, origin, err
	}
	opts, origin := capture(o, before)
	if img, _, err = h.tab.Screenshot(ctx, opts); err != nil {
		return nil, m, origin, err
	}
	after, err := h.page.Spots(ctx, o.mark)
	if err != nil {
		return nil, m, origin, err
	}
	m = toMake{before: before, Options: picture.Options{Quality: o.quality, Long: ScreenshotLong, Bytes: o.bytes, Fit: o.fit}}
	if o.whole {
		m.Long, m.Bytes = picture.MostHeight, mostFile
	}
	for _, at := range []*pagecontext.Spots{before, after} {
		left, top := origin.X, origin.Y
		if o.full {
			left, top = -at.X, -at.Y
		}
		for _, r := range at.Secrets {
			m.Cover = append(m.Cover, picture.Box{X: r.X - left, Y: r.Y - top, Width: r.Width, Height: r.Height})
		}
	}
	still := map[int]pagecontext.Rect{}
	for _, x := range after.Spots {
		still[x.Index] = x.Rect
	}
	for _, x := range before.Spots {
		if still[x.Index] == x.Rect {
			m.Marks = append(m.Marks, picture.Mark{Index: x.Index, Box: picture.Box(x.Rect)})
		}
	}
	return img, m, origin, nil
}

// capture returns the options of the capture, in coordinates of the document, and the
// point of the viewport where the picture begins.
func capture(o shot, at *pagecontext.Spots) (browser.ScreenshotOptions, XY) {
	out := browser.ScreenshotOptions{FullPage: o.full, Quality: o.quality, WebP: o.webp}
	if len(o.mark) > 0 || len(at.Secrets) > 0 {
		out.Quality, out.WebP = drawnQuality, false
	}
	if o.strip != nil {
		out.Clip = o.strip
		return out, XY{o.strip.X - at.X, o.strip.Y - at.Y}
	}
	if o.clip == nil {
		return out, XY{}
	}
	// Whole pixels, so that nothing at the rim is lost.
	left, top := math.Floor(o.clip.X+at.X), math.Floor(o.clip.Y+at.Y)
	out.Clip = &browser.Box{
		X: left, Y: top,
		Width:  math.Ceil(o.clip.X+at.X+o.clip.Width) - left,
		Height: math.Ceil(o.clip.Y+at.Y+o.clip.Height) - top,
	}
	return out, XY{left - at.X, top - at.Y}
}

// drawnQuality is the quality of a picture from Chrome that the host draws on and
// encodes again.
const drawnQuality = 92
