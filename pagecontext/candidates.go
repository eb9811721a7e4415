package pagecontext

import (
	"context"
	"math"
	"slices"
	"sort"
	"strings"
)

const maxCandidates = 5

// Candidates lists the page again and returns up to maxCandidates elements that e
// may have become: elements of the same role, most similar first. The one with the
// same role, name, container and place is marked exact; if several match, none is.
// If e had a row, the row's text counts instead of the place, which another row may
// have taken. If several names differ only in digits, the digits must match too: the
// next row of a table is not a new state of the one that was meant.
func (p *Page) Candidates(ctx context.Context, e Entry) ([]Candidate, error) {
	l, err := p.Elements(ctx, Query{})
	if err != nil {
		return nil, err
	}
	type scored struct {
		Candidate
		score float64
	}
	var all []scored
	exact, alike := 0, 0
	for _, el := range l.Elements {
		score := likeness(e.Name, el.Name)
		if e.Role != "" && !sameRole(e.Role, el.Role) || score < 0.3 {
			continue
		}
		inGroup, same := SameName(e.Group, el.Group), SameName(e.Name, el.Name)
		near := math.Abs(el.Rect.X-e.Rect.X)+math.Abs(el.Rect.Y-e.Rect.Y) < 48
		if near {
			score += 0.15 // where no row has its words, they may have become others in its place
		}
		if row := l.rowText(&el); e.Row != "" && row != "" {
			near = e.Row == row
			score += 0.5 * likeness(e.Row, row) // the row's text may have changed a little
		} else if e.Near != "" {
			near = e.Near == el.Near
			score += 0.5 * likeness(e.Near, el.Near)
		}
		c := scored{Candidate{Element: el, In: l.RowOf(&el), Exact: same && inGroup && near && e.Role != ""}, score}
		if same {
			alike++
		}
		if inGroup {
			c.score += 0.3
		}
		if near {
			c.score += 0.2
		}
		all = append(all, c)
	}
	for i := range all {
		c := &all[i]
		c.Exact = c.Exact && (alike == 1 || Flatten(c.Element.Name) == Flatten(e.Name))
		if c.Exact {
			exact++
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].score > all[j].score })
	out := make([]Candidate, 0, maxCandidates)
	for _, c := range all[:min(len(all), maxCandidates)] {
		c.Exact = c.Exact && exact == 1
		c.Ref = p.Offer(l.SnapshotID, c.Index, c.Index == e.Index)
		out = append(out, c.Candidate)
	}
	return out, nil
}

// textRoles are the roles of text fields. A script may change one of them to another.
var textRoles = []string{"textbox", "searchbox", "combobox", "spinbutton"}

func sameRole(a, b string) bool {
	return a == b || slices.Contains(textRoles, a) && slices.Contains(textRoles, b)
}

// likeness returns 1 for names that SameName takes as one, else 0.9 times the share
// of words (of pairs of letters, if there is only one word) that they have in common.
func likeness(a, b string) float64 {
	if SameName(a, b) {
		return 1
	}
	x, y := parts(a), parts(b)
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	common := 0
	for w := range x {
		if y[w] {
			common++
		}
	}
	return 0.9 * float64(common) / float64(max(len(x), len(y)))
}

func parts(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(s)) {
		out[w] = true
	}
	if len(out) > 1 {
		return out
	}
	r := []rune(strings.ToLower(s))
	for i := 0; i+1 < len(r); i++ {
		out[string(r[i:i+2])] = true
	}
	return out
}
