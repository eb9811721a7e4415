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
	text := ""
	if r := es[0].Row; r > 0 && r <= len(o.rows) {
		text = o.rows[r-1].Text
	}
	o.put(entry{text: o.bandLine(text, es), tells: es})
}

func (o *outline) bandLine(text string, es []Element) string {
	var b strings.Builder
	b.WriteString("- row")
	if text != "" {
		b.WriteString(" " + quote(Cut(text, o.detail.rows)))
	}
	b.WriteString(": " + RoleWord(&es[0]))
	for i := range es {
		b.WriteString(" " + lineOf(&es[i], shape{detail: o.detail, name: nameRoom, cell: true, inRow: true}))
	}
	return b.String()
}

// fewestCells is how many cells of a table's row take its place.
const fewestCells = 3

// cells writes a table's row by those of its cells that can be pressed, which say what its line
// would, and then its other elements: - row: cell "3" [5] "Mei Chen" [6]. It returns false if
// the cells are few or have other words than the row.
func (o *outline) cells(r *Row, es []Element) bool {
	if r.Role != "row" || len(r.States) > 0 {
		return false
	}
	var cells, others []Element
	text := r.Text
	for _, e := range es {
		if e.Role != "cell" && e.Role != "gridcell" || e.OnHover {
			others = append(others, e)
			continue
		}
		before, after, found := strings.Cut(text, shownName(&e))
		if !found && !strings.HasSuffix(r.Text, "…") {
			return false
		}
		if cells = append(cells, e); found {
			text = before + after
		}
	}
	if len(cells) < fewestCells {
		return false
	}
	if text = strings.Trim(Flatten(text), " …"); bareWords(text) == "" {
		text = ""
	}
	from := len(o.entries)
	o.put(entry{text: o.bandLine(text, cells)})
	o.run(others, 1, true, rowLine(r, o.detail.rows, es))
	var lines []string // they are one entry, since they are not in the order of the page
	for _, e := range o.entries[from:] {
		lines = append(lines, e.text)
	}
	o.entries = append(o.entries[:from], entry{text: strings.Join(lines, "\n"), under: o.over, tells: es})
	return true
}
