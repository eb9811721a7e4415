package pagecontext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Mention names an element outside of a list, as in an effect, an echo or an error:
// button "Remove" in "Discover •••• 6221" [14]. what is its role and name; row is the
// text of its row and index its index, both left out if empty or 0.
func Mention(what, row string, index int) string {
	if row != "" {
		what += fmt.Sprintf(" in %q", row)
	}
	if index > 0 {
		what += fmt.Sprintf(" [%d]", index)
	}
	return what
}

// RowNow returns the words of a row as the list told them, or as they are now if they have changed.
func RowNow(told, now string) string {
	if now != "" && !holdsWords(now, told) {
		return now
	}
	return cmp.Or(told, now)
}

// holdsWords tells whether a text has the words of another in their order, with others between;
// of a word cut by "…" its beginning.
func holdsWords(text, other string) bool {
	have := strings.Fields(text)
	for w := range strings.FieldsSeq(strings.ReplaceAll(other, "…", "… ")) {
		begin, isCut := strings.CutSuffix(w, "…")
		if begin == "" {
			continue
		}
		i := slices.IndexFunc(have, func(h string) bool { return h == w || isCut && strings.HasPrefix(h, begin) })
		if i < 0 {
			return false
		}
		have = have[i+1:]
	}
	return true
}

// RowApart returns a row's words where they tell an element apart: an amount alone says
// nothing of an element whose name no other has.
func RowApart(row string, alone bool) string {
	if alone && !strings.ContainsFunc(row, unicode.IsLetter) {
		return ""
	}
	return row
}

// Alone tells whether no other element of the document that the client was shown has an element's role and name.
func (p *Page) Alone(frame Frame, id int, role, name string) bool {
	if name == "" {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.entries {
		if e.shown && e.Name == name && e.Role == role && e.LocalID != id && e.FrameID == frame.ID() && e.Document == frame.Document() {
			return false
		}
	}
	return true
}
