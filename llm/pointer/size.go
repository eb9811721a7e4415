package pointer

import "math"

// mostPixels is the most a screenshot has: that of the screens that most of the
// families were trained on, 1440 by 900. Every server takes as much as that without
// scaling it again, after which coordinates in pixels would be off.
const mostPixels = 1440 * 900

// Size is the size in pixels in which a family wants a screenshot of a viewport: its
// sides are multiples of what the model sees at a time, its shape is kept as well as
// that allows, and it has no more than mostPixels. (The image processors of Qwen's
// models do the same, and leave a picture alone that is of such a size.)
func (f *Family) Size(width, height int) (w, h int) {
	unit := float64(max(f.factor, 1))
	least := leastSide * unit
	k := min(1, math.Sqrt(mostPixels/(float64(max(width, 1))*float64(max(height, 1)))))
	fit := func(v int, round func(float64) float64) float64 { return max(least, round(k*float64(v)/unit)*unit) }
	a, b := fit(width, math.Round), fit(height, math.Round)
	if a*b > mostPixels {
		a, b = fit(width, math.Floor), fit(height, math.Floor)
	}
	return int(a), int(b)
}
