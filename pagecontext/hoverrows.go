package pagecontext

import (
	"fmt"
	"slices"
	"strings"
)

const (
	// leastHoverRows is how many similar rows it takes to write their buttons on hover once for all.
	leastHoverRows = 3
	mostHoverNames = 12
	// fewHovers is up to how many such buttons each has a line in its row.
	fewHovers = 12
)

// hoverKey is the same for rows of one kind.
type hoverKey struct{ frame, group, role string }

// hoverSet is what rows of one kind show only while the mouse is over them.
type hoverSet struct {
	rows  int
	count map[string]int // how often each name occurs
	names []string       // button "Archive", in their order
	said  bool
}

// hoverRows are the rows with buttons on hover that also have other elements.
type hoverRows struct {
	key  []hoverKey // by Row-1
	sets map[hoverKey]*hoverSet
}

func newHoverRows(l *Listing) *hoverRows {
	h := &hoverRows{key: make([]hoverKey, len(l.Rows)), sets: map[hoverKey]*hoverSet{}}
	if l.hovers {
		return h
	}
	others := make([]bool, len(l.Rows))
	for i := range l.Elements {
		if e := &l.Elements[i]; e.Row > 0 && e.Row <= len(others) && !e.OnHover {
			others[e.Row-1] = true
		}
	}
	last := 0
	for i := range l.Elements {
		e := &l.Elements[i]
		if !isOnHover(e) || e.Row < 1 || e.Row > len(others) || !others[e.Row-1] {
			continue
		}
		key := hoverKey{e.Frame, e.Group, l.Rows[e.Row-1].Role}
		s := h.sets[key]
		if s == nil {
			s = &hoverSet{count: map[string]int{}}
			h.sets[key] = s
		}
		if e.Row != last {
			last, h.key[e.Row-1] = e.Row, key
			s.rows++
		}
		name := hoverName(e)
		if s.count[name]++; s.count[name] == 1 {
			s.names = append(s.names, name)
		}
	}
	return h
}

// isOnHover tells whether an element shows on hover only and has a name or hint but no states.
func isOnHover(e *Element) bool {
	return e.OnHover && shownName(e)+e.Hint != "" && len(e.Options) == 0 && len(states(e, detail{}, 0)) == 0
}

func hoverName(e *Element) string {
	name := shownName(e)
	if name == "" {
		name = e.Hint
	}
	return RoleWord(e) + " " + quote(Cut(name, nameRoom))
}

// set returns what rows of the same kind as row show on hover; nil if each row writes its own.
func (h *hoverRows) set(row int) *hoverSet {
	if row < 1 || row > len(h.key) {
		return nil
	}
	s := h.sets[h.key[row-1]]
	if s == nil || s.rows < leastHoverRows {
		return nil
	}
	names, folded := s.foldedNames(), 0
	for _, n := range names {
		folded += s.count[n]
	}
	if folded <= fewHovers || len(names) > mostHoverNames {
		return nil
	}
	return s
}

// part divides a row into its own elements and those written once for all rows.
func (s *hoverSet) part(row []Element) (own, folded []Element) {
	for _, e := range row {
		if isOnHover(&e) && s.count[hoverName(&e)] > 1 {
			folded = append(folded, e)
		} else {
			own = append(own, e)
		}
	}
	return own, folded
}

func (s *hoverSet) foldedNames() []string {
	return slices.DeleteFunc(slices.Clone(s.names), func(n string) bool { return s.count[n] < 2 })
}

// line returns the one line for all rows: each row has, on hover: button "Archive"
// (query="a row's words" gives its index). What only some rows have comes last. As a list may be cut anywhere, it tells
// no numbers, and its last row may lack what the others have.
func (s *hoverSet) line() string {
	names := s.foldedNames()
	slices.SortStableFunc(names, func(a, b string) int { return s.count[b] - s.count[a] })
	its := "its index"
	if len(names) > 1 {
		its = "their indices"
	}
	for i, n := range names {
		if s.count[n] < s.rows-min(s.rows/leastWhole, 1) {
			names[i] = "in some " + n
		}
	}
	return fmt.Sprintf("each row has, on hover: %s (query=\"a row's words\" gives %s)", strings.Join(names, ", "), its)
}

// leastWhole is from how many rows on the last of them may be cut.
const leastWhole = 10

// again makes the next text write the lines again.
func (h *hoverRows) again() {
	for _, s := range h.sets {
		s.said = false
	}
}
