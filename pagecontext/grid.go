package pagecontext

import (
	"math"
	"slices"
	"strings"
)

const (
	// leastCells is how many similar cells make a grid, written as a line per row.
	leastCells = 41
	// cellName is how many characters a cell's name has at most.
	cellName  = 32
	leastBand = 4 // cells in a row of a grid, on average
	leastRows = 3
)

// grid returns the rows of the grid of similar cells (days, seats) that a list begins with;
// nil if it does not begin with one.
func grid(es []Element) [][]Element {
	n := 0
	for n < len(es) && isCell(&es[0], &es[n]) {
		n++
	}
	if n < leastCells {
		return nil
	}
	var bands [][]Element
	widths := make([]float64, n)
	for i := range n {
		widths[i] = es[i].Rect.Width
		if i == 0 || !isBeside(&es[i-1], &es[i]) {
			bands = append(bands, nil)
		}
		bands[len(bands)-1] = append(bands[len(bands)-1], es[i])
	}
	slices.Sort(widths)
	alike := 0
	for _, w := range widths {
		if math.Abs(w-widths[n/2]) <= widths[n/2]*0.35 {
			alike++
		}
	}
	if len(bands) < leastRows || n < leastBand*len(bands) || alike*10 < n*9 {
		return nil
	}
	return bands
}

// isCell tells whether e may be a cell of the grid that begins with first.
func isCell(first, e *Element) bool {
	name := shownName(e)
	return e.Role == first.Role && e.Tag == first.Tag && e.Frame == first.Frame && !described[e.Role] &&
		(name != "" || e.Hint != "") && len([]rune(name)) <= cellName
}

// isBeside tells whether a cell is in the same row of the grid as the one before it.
func isBeside(before, e *Element) bool {
	if before.Row != e.Row {
		return false
	}
	a, b := before.Rect, e.Rect
	return math.Abs(a.Y+a.Height/2-b.Y-b.Height/2) < min(a.Height, b.Height)/2
}

// band writes a row of a grid: - row "Week 9": gridcell "1" [5] "2" selected [6].
func (o *outline) band(es []Element) {
	var b strings.Builder
	b.WriteString("- row")
	if r := es[0].Row; r > 0 && r <= len(o.rows) && o.rows[r-1].Text != "" {
		b.WriteString(" " + quote(Cut(o.rows[r-1].Text, o.detail.rows)))
	}
	b.WriteString(": " + RoleWord(&es[0]))
	for i := range es {
		b.WriteString(" " + lineOf(&es[i], shape{detail: o.detail, cell: true, inRow: true}))
	}
	o.put(entry{text: b.String(), tells: es})
}
