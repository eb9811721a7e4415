package pointer

import "math"

// mostPixels is how many pixels a screenshot has at most: 1440 by 900, as the
// screens that most of the families were trained on. Every server takes such a
// picture without scaling it again, which would shift coordinates in pixels.
const mostPixels = 1440 * 900

// Size returns the size in pixels of a family's screenshots of a viewport. The sides
// are multiples of factor, the proportions stay as close as that allows, and there
// are at most mostPixels. (The image processors of Qwen's models do the same, and
// leave a picture of such a size alone.)
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
