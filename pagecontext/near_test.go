package pagecontext

import (
	"slices"
	"testing"
)

// The words of its row are left out of a control that others share the name of where
// one of its own row says them, and only there.
func TestNearOfNamesakes(t *testing.T) {
	e := func(role, name, near string) Element { return Element{Role: role, Name: name, Near: near} }
	for _, c := range []struct {
		name string
		run  []Element
		want []string
	}{
		{"said right before", []Element{e("link", "Blue mug", ""), e("button", "Add", "Blue mug $4"), e("link", "Red mug", ""), e("button", "Add", "Red mug $5")}, []string{"", "", "", ""}},
		{"said by the one of the row before it", []Element{e("button", "Edit", "Apple"), e("button", "Delete", "Apple"), e("button", "Edit", "Pear"), e("button", "Delete", "Pear")}, []string{"Apple", "", "Pear", ""}},
		{"a row that begins as the one before", []Element{e("button", "Edit", "Apple pie"), e("button", "Edit", "Apple")}, []string{"Apple pie", "Apple"}},
		{"a name of the row before", []Element{e("link", "Apple pie", ""), e("button", "Edit", ""), e("button", "Edit", "Apple")}, []string{"", "", "Apple"}},
		{"said behind it only", []Element{e("button", "Edit", "Orange"), e("link", "Orange", ""), e("button", "Edit", "Orange juice"), e("link", "Orange juice", "")}, []string{"Orange", "", "Orange juice", ""}},
		{"said before, as of others", []Element{e("link", "Blue mug", ""), e("button", "Add", "Blue mug large"), e("link", "Blue mug", ""), e("button", "Add", "Blue mug small")}, []string{"", "…large", "", "…small"}},
		{"all of it said before, be it of others", []Element{e("gridcell", "Kim Lee", ""), e("button", "Edit", "Kim Lee"), e("gridcell", "Kim Lee", ""), e("button", "Edit", "Kim Lee")}, []string{"", "", "", ""}},
		{"said before the first row", []Element{e("link", "Orange", ""), e("link", "Apple", ""), e("button", "Marker", "Orange"), e("button", "Marker", "Apple")}, []string{"", "", "Orange", "Apple"}},
		{"a month, once", []Element{e("gridcell", "30", "2026-05"), e("gridcell", "31", "2026-05"), e("gridcell", "30", "2026-06")}, []string{"2026-05", "", "2026-06"}},
	} {
		var got []string
		for _, e := range withoutSums(withoutRepeats(c.run, true), true) {
			got = append(got, e.Near)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
