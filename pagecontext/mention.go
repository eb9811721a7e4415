package pagecontext

import (
	"cmp"
	"fmt"
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
	if now != "" && !saysInOrder(now, told) {
		return now
	}
	return cmp.Or(told, now)
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
