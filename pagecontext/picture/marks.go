package picture

import (
	"bytes"
	_ "embed" // the digits
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// grounds are the colours behind the numbers, dark and saturated, with a white
// rim: readable on a light page and on a dark one. Neighbours get different
// ones, which shows the box that a number belongs to.
var grounds = []color.RGBA{
	{0xc6, 0x28, 0x28, 0xff},
	{0x15, 0x65, 0xc0, 0xff},
	{0x2e, 0x7d, 0x32, 0xff},
	{0x6a, 0x1b, 0x9a, 0xff},
	{0xb2, 0x4a, 0x00, 0xff},
	{0x00, 0x69, 0x5c, 0xff},
}

var white = color.RGBA{0xff, 0xff, 0xff, 0xff}

const (
	textSize = 12 // pixels
	below    = 2  // of these, below the line that digits stand on
	padX     = 2
	padY     = 1
	// ringStep and rings bound the search for a free spot around a box.
	ringStep = 6
	rings    = 12
)

// digits has 0 to 9 in Go Bold of textSize, one below the other.
// `go test ./pagecontext/picture -update` draws it. The font and what
// draws it would be half a megabyte of the binary.
//
//go:embed digits.png
var digits []byte

// face has the digits alone. It is nil if they can't be read, which a test rules out.
var face = sync.OnceValue(func() font.Face {
	img, err := png.Decode(bytes.NewReader(digits))
	gray, ok := img.(*image.Gray)
	if err != nil || !ok {
		return nil
	}
	w, h := gray.Rect.Dx(), gray.Rect.Dy()/10
	mask := &image.Alpha{Pix: gray.Pix, Stride: gray.Stride, Rect: gray.Rect}
	return &basicfont.Face{Advance: w, Width: w, Height: h, Ascent: h - below, Descent: below, Mask: mask, Ranges: []basicfont.Range{{Low: '0', High: '9' + 1}}}
})

// mark draws the marks and returns those that it drew.
func mark(dst *image.RGBA, marks []Mark, scale float64) []Mark {
	if len(marks) == 0 {
		return nil
	}
	m := marker{dst: dst, face: face()}
	for _, x := range marks {
		r := pixels(x.Box, scale).Intersect(dst.Bounds())
		if r.Dx() < 2 || r.Dy() < 2 {
			continue
		}
		m.all = append(m.all, placed{mark: x, box: r, ground: grounds[len(m.all)%len(grounds)], size: m.sizeOf(x.Index)})
	}
	// Small ones choose first: a large box has more places for its number.
	order := make([]int, len(m.all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return area(m.all[a].box) - area(m.all[b].box) })
	for _, i := range order {
		m.all[i].label, m.all[i].ok = m.place(i)
	}
	var out []Mark
	for _, p := range m.all {
		if p.ok {
			m.outline(p.box, p.ground)
		}
	}
	for _, p := range m.all {
		if p.ok {
			m.write(p)
			out = append(out, p.mark)
		}
	}
	return out
}

type placed struct {
	mark   Mark
	box    image.Rectangle
	label  image.Rectangle
	size   image.Point
	ground color.RGBA
	ok     bool
}

type marker struct {
	dst  *image.RGBA
	face font.Face
	all  []placed
}

func (m *marker) sizeOf(index int) image.Point {
	w := font.MeasureString(m.face, strconv.Itoa(index)).Ceil()
	return image.Pt(w+2*padX+2, textSize+2*padY)
}

// place finds a spot for the number of a mark: at a corner of its box, outside
// first, so that it hides little of the page; never over another number, and
// if possible not over the middle of an element.
func (m *marker) place(i int) (image.Rectangle, bool) {
	p := m.all[i]
	best, cost := image.Rectangle{}, math.MaxInt
	try := func(x, y, base int) {
		r := image.Rectangle{Min: image.Pt(x, y), Max: image.Pt(x, y).Add(p.size)}
		if !r.In(m.dst.Bounds()) {
			return
		}
		if c := base + m.hides(i, r); c < cost {
			best, cost = r, c
		}
	}
	b, w, h := p.box, p.size.X, p.size.Y
	try(b.Min.X, b.Min.Y-h, 0)
	try(b.Max.X-w, b.Min.Y-h, 1)
	try(b.Min.X, b.Max.Y, 2)
	try(b.Max.X-w, b.Max.Y, 3)
	try(b.Min.X-w, b.Min.Y, 4)
	try(b.Max.X, b.Min.Y, 4)
	try(b.Min.X, b.Min.Y, 6)
	try(b.Max.X-w, b.Min.Y, 7)
	try(b.Min.X, b.Max.Y-h, 8)
	try(b.Max.X-w, b.Max.Y-h, 9)
	for ring := 1; cost >= taken && ring <= rings; ring++ {
		d := ring * ringStep
		for _, at := range []image.Point{
			{b.Min.X, b.Min.Y - h - d},
			{b.Min.X, b.Max.Y + d},
			{b.Min.X - w - d, b.Min.Y},
			{b.Max.X + d, b.Min.Y},
			{b.Min.X - w - d, b.Min.Y - h - d},
			{b.Max.X + d, b.Max.Y + d},
			{b.Max.X + d, b.Min.Y - h - d},
			{b.Min.X - w - d, b.Max.Y + d},
		} {
			try(at.X, at.Y, 20+d)
		}
	}
	return best, cost < taken
}

// taken is the cost of a spot that hides another number: it isn't used.
const taken = 1 << 30

// hides returns the cost of what the number of mark i would hide at r.
func (m *marker) hides(i int, r image.Rectangle) int {
	c := 0
	for k, o := range m.all {
		if o.ok && r.Overlaps(o.label) {
			return taken
		}
		if mid := middle(o.box); mid.In(r) {
			c += 1000
		}
		if k != i {
			c += area(r.Intersect(o.box)) / 4
		}
	}
	return c
}

// outline draws a frame two pixels wide with a white line around it.
func (m *marker) outline(r image.Rectangle, c color.RGBA) {
	m.frame(r.Inset(-1), white)
	m.frame(r, c)
	if r.Dx() > 6 && r.Dy() > 6 {
		m.frame(r.Inset(1), c)
	}
}

func (m *marker) frame(r image.Rectangle, c color.RGBA) {
	u := image.NewUniform(c)
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+1),
		image.Rect(r.Min.X, r.Max.Y-1, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, r.Min.Y, r.Min.X+1, r.Max.Y),
		image.Rect(r.Max.X-1, r.Min.Y, r.Max.X, r.Max.Y),
	} {
		draw.Draw(m.dst, side.Intersect(m.dst.Bounds()), u, image.Point{}, draw.Src)
	}
}

// write draws the number, and a line to its box if they don't touch.
func (m *marker) write(p placed) {
	if !p.label.Inset(-1).Overlaps(p.box) {
		m.line(middle(p.label), nearest(p.box, middle(p.label)), p.ground)
	}
	draw.Draw(m.dst, p.label, image.NewUniform(white), image.Point{}, draw.Src)
	draw.Draw(m.dst, p.label.Inset(1), image.NewUniform(p.ground), image.Point{}, draw.Src)
	d := font.Drawer{
		Dst: m.dst, Src: image.NewUniform(white), Face: m.face,
		Dot: fixed.P(p.label.Min.X+padX+1, p.label.Max.Y-padY-2),
	}
	d.DrawString(strconv.Itoa(p.mark.Index))
}

func (m *marker) line(from, to image.Point, c color.RGBA) {
	n := max(abs(to.X-from.X), abs(to.Y-from.Y), 1)
	for i := range n + 1 {
		at := image.Pt(from.X+(to.X-from.X)*i/n, from.Y+(to.Y-from.Y)*i/n)
		if at.In(m.dst.Bounds()) {
			m.dst.SetRGBA(at.X, at.Y, c)
		}
	}
}

func nearest(r image.Rectangle, p image.Point) image.Point {
	return image.Pt(min(max(p.X, r.Min.X), r.Max.X-1), min(max(p.Y, r.Min.Y), r.Max.Y-1))
}

func middle(r image.Rectangle) image.Point {
	return image.Pt((r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2)
}

func area(r image.Rectangle) int { return r.Dx() * r.Dy() }

func abs(n int) int { return max(n, -n) }
