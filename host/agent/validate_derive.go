package agent

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tabwright/pagecontext"
)

// An answer may give a total, a difference or a count without the figures that
// it comes from. What follows from figures that stand together on a page is
// taken for seen. The ways are few, and only exact ones: with all sums of all
// figures any amount could be had.

// Bounds of what is worked out.
const (
	keptTables  = 24 // texts whose rows are kept, the newest
	tableRows   = 400
	columnMost  = 40 // figures of which each run is added up
	pairsMost   = 24 // amounts of which each pair is added and subtracted
	wordsMost   = 60 // of task and answer, by which rows are chosen
	columnsMost = 3  // of a row with several figures
)

// row is a line of a page with figures in it.
type row struct {
	words   string // of the line, or of the one before where it has none, in small letters
	figures []figure
}

// table is the rows of one text, in their order.
type table struct {
	rows  []row
	items map[string]int // so many lines of each role are in the list
	text  string         // to know it again
}

var listed = regexp.MustCompile(`^\s*(?:\[\d+\])\s*(\w+)`)

// tabulate keeps the rows of a text that was read on a page.
func (e *evidence) tabulate(text string) {
	text = strings.TrimSpace(text)
	if text == "" || slices.ContainsFunc(e.tables, func(t table) bool { return t.text == text }) {
		return
	}
	t := table{items: map[string]int{}, text: text}
	before := ""
	for line := range strings.SplitSeq(text, "\n") {
		if m := listed.FindStringSubmatch(line); m != nil && pagecontext.IsRoleWord(m[1]) {
			t.items[m[1]]++
		}
		line = strings.ToLower(address.ReplaceAllString(pagecontext.WithoutIndices(line), " "))
		if figures := figuresIn(line); len(figures) > 0 && len(t.rows) < tableRows {
			words := line
			if strings.IndexFunc(line, unicode.IsLetter) < 0 { // a price below its name
				words = before
			}
			t.rows = append(t.rows, row{words, figures})
		}
		before = line
	}
	e.tables = append(e.tables, t)
	if len(e.tables) > keptTables {
		e.tables = e.tables[1:]
	}
}

// derived says that a figure follows from figures that were seen together: the
// sum or the mean of a run of them, or of those in rows that a word of the
// answer or the task picks out; the sum, the difference or a multiple of two; a
// count of such rows.
func (e *evidence) derived(f figure, words []string) bool {
	if f.code || strings.Contains(f.text, "%") {
		return false
	}
	near := func(v float64) bool { return math.Abs(v-f.value) < 0.006 }
	var all []float64
	for i := range e.tables {
		t := &e.tables[i]
		if f.whole && !f.money && t.counts(int(f.value), words) {
			return true
		}
		for c := range columnsMost {
			if column := t.column(f, c, ""); addsUp(column, !f.whole || f.money, near) {
				return true
			}
			for _, w := range words {
				if column := t.column(f, c, w); len(column) > 1 && whole(column, near) {
					return true
				}
			}
		}
		all = append(all, t.column(f, -1, "")...)
	}
	slices.Sort(all)
	return pairs(slices.Compact(all), f, near)
}

// column is the figures of one kind with a figure: the nth of each row, those
// of all rows where n is below 0. A line with many is a table of its own.
func (t *table) column(like figure, n int, word string) []float64 {
	var out []float64
	for _, r := range t.rows {
		if word != "" && !strings.Contains(r.words, word) {
			continue
		}
		var of []float64
		for _, f := range r.figures {
			if f.code || strings.Contains(f.text, "%") || (f.money || !f.whole) != (like.money || !like.whole) {
				continue
			}
			of = append(of, f.value)
		}
		switch {
		case n < 0 || len(of) > columnsMost && n == 0:
			out = append(out, of...)
		case n < len(of):
			out = append(out, of[n])
		}
	}
	return out
}

// whole says that a column's sum, mean or spread is such.
func whole(column []float64, near func(float64) bool) bool {
	sum := 0.0
	for _, v := range column {
		sum += v
	}
	return near(sum) || near(sum/float64(len(column))) || near(slices.Max(column)-slices.Min(column))
}

// addsUp says that a column is such as a whole, or that a run of it adds up to
// it where runs are looked at.
func addsUp(column []float64, runs bool, near func(float64) bool) bool {
	if len(column) < 2 {
		return false
	}
	if whole(column, near) {
		return true
	}
	if !runs || len(column) > columnMost {
		return false
	}
	for i := range column {
		sum := column[i]
		for _, v := range column[i+1:] {
			if sum += v; near(sum) {
				return true
			}
		}
	}
	return false
}

// pairs says that two of few amounts, or one of them several times, come to a
// figure. Of whole numbers half as many are few: their sums lie closer together.
func pairs(all []float64, f figure, near func(float64) bool) bool {
	most := pairsMost
	if f.whole && !f.money {
		most /= 2
	}
	if len(all) > most {
		return false
	}
	for i, a := range all {
		for times := 2.0; times <= 12 && (f.money || !f.whole); times++ {
			if near(a * times) {
				return true
			}
		}
		for _, b := range all[i+1:] {
			if near(a+b) || near(b-a) {
				return true
			}
		}
	}
	return false
}

// counts says that so many lines of a list have one role, or a word in them.
func (t *table) counts(n int, words []string) bool {
	for _, k := range t.items {
		if k == n {
			return true
		}
	}
	for _, w := range words {
		k := 0
		for _, r := range t.rows {
			if strings.Contains(r.words, w) {
				k++
			}
		}
		if k == n {
			return true
		}
	}
	return false
}

// pickers are the words of task and answer that may pick out rows.
func pickers(texts ...string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), func(r rune) bool {
		return !unicode.IsLetter(r)
	}) {
		n := 4
		if strings.IndexFunc(w, func(r rune) bool { return unicode.Is(unicode.Han, r) }) >= 0 {
			n = 2
		}
		// "mugs" picks out rows with "mug".
		if w = strings.TrimSuffix(w, "s"); len([]rune(w)) >= n-1 && !slices.Contains(out, w) && len(out) < wordsMost {
			out = append(out, w)
		}
	}
	return out
}
