package pagecontext_test

import (
	"testing"

	"tabwright/pagecontext"
)

// A row is told by the words that it has now, in the list's form where that has no others.
func TestRowNow(t *testing.T) {
	for _, c := range [][3]string{
		{"Ida Holm $0.00", "Ida Holm $0.00 Edit", "Ida Holm $0.00"},
		{"Ida Holm $0.00", "Ida Holm $250.00", "Ida Holm $250.00"},
		{"Ida Holm … Monday", "Ida Holm called on Monday", "Ida Holm … Monday"},
		{"Ida … Monday", "Ida Monday", "Ida … Monday"},
		{"Ida Hol…", "Ida Holm", "Ida Hol…"},
		{"Ida Holm 1", "Ida Holm 10", "Ida Holm 10"},
		{"Ida Holm", "", "Ida Holm"},
		{"", "Per Lund", "Per Lund"},
	} {
		if got := pagecontext.RowNow(c[0], c[1]); got != c[2] {
			t.Errorf("%q, now %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// A row without a letter is told only of an element that is not alone with its name.
func TestRowApart(t *testing.T) {
	for _, c := range []struct {
		row   string
		alone bool
		want  string
	}{{"$0.00", true, ""}, {"$0.00", false, "$0.00"}, {"5 kg", true, "5 kg"}, {"五", true, "五"}} {
		if got := pagecontext.RowApart(c.row, c.alone); got != c.want {
			t.Errorf("%q, alone %t: %q, want %q", c.row, c.alone, got, c.want)
		}
	}
}
