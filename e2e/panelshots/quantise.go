package main

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// maxColours of a picture: enough for text on flat colour, and small.
const maxColours = 64

// Flat colours cover at least so many pixels, and up to so many of them stay as
// they are: a ground that is hardly lighter than the one beside it would else
// become the same.
const (
	flatPixels = 200
	maxFlat    = 32
)

// bucket is a set of colours that become one.
type bucket []counted

type counted struct {
	c color.RGBA
	n int
}

// quantise gives a picture with a palette by median cut, without dithering:
// the panel is text on flat colour.
func quantise(img image.Image) *image.Paletted {
	r := img.Bounds()
	seen := map[color.RGBA]int{}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			seen[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	all := make(bucket, 0, len(seen))
	for c, n := range seen {
		all = append(all, counted{c, n})
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Compare(key(a.c), key(b.c)) }) // the same picture, the same bytes
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(b.n, a.n) })
	buckets := make([]bucket, 0, maxColours)
	for len(all) > 0 && all[0].n >= flatPixels && len(buckets) < maxFlat {
		buckets, all = append(buckets, all[:1]), all[1:]
	}
	palette := make(color.Palette, 0, maxColours)
	index := map[color.RGBA]uint8{}
	for _, b := range append(buckets, cut(all, maxColours-len(buckets))...) {
		for _, x := range b {
			index[x.c] = uint8(len(palette))
		}
		palette = append(palette, b.mean())
	}
	out := image.NewPaletted(r, palette)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.SetColorIndex(x, y, index[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)])
		}
	}
	return out
}

func key(c color.RGBA) uint32 {
	return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A)
}

// cut splits the widest bucket until there are most of them.
func cut(all bucket, most int) []bucket {
	buckets := []bucket{all}
	for len(buckets) < most {
		at, widest, by := -1, 0, 0
		for i, b := range buckets {
			if channel, width := b.widest(); width > widest {
				at, widest, by = i, width, channel
			}
		}
		if at < 0 {
			break // each colour has a place of its own
		}
		b := buckets[at]
		slices.SortStableFunc(b, func(x, y counted) int { return cmp.Compare(part(x.c, by), part(y.c, by)) })
		half := len(b) / 2
		buckets[at] = b[:half]
		buckets = append(buckets, b[half:])
	}
	return buckets
}

func part(c color.RGBA, channel int) int { return int([3]uint8{c.R, c.G, c.B}[channel]) }

// widest gives the channel with the largest range; its width is 0 for one colour.
func (b bucket) widest() (channel, width int) {
	for ch := range 3 {
		least, most := 255, 0
		for _, x := range b {
			v := part(x.c, ch)
			least, most = min(least, v), max(most, v)
		}
		if most-least > width {
			channel, width = ch, most-least
		}
	}
	return channel, width
}

// mean is the colour that a bucket becomes, weighted by how often each occurs.
func (b bucket) mean() color.RGBA {
	var sum [3]int
	n := 0
	for _, x := range b {
		for ch := range 3 {
			sum[ch] += part(x.c, ch) * x.n
		}
		n += x.n
	}
	if n == 0 {
		return color.RGBA{A: 255}
	}
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255}
}
