package effect

import "testing"

// TestRestByKind: the changes that are left out are counted by what they are, those of no known
// kind last.
func TestRestByKind(t *testing.T) {
	var r Rest
	for range 9 {
		r.add(kindOf("text", "", false, true), 1)
	}
	r.add(kindOf("added", "combobox", false, false), 2)
	r.add(kindOf("added", "generic", false, false), 1)
	r.add(kindOf("removed", "option", false, false), 1)
	r.add(kindOf("text", "", true, false), 3)
	r.add(kindOf("value", "textbox", true, true), 1)
	for all, want := range map[int]string{
		17: ": changed 1 textbox, new 9 texts, 2 comboboxes, 1 clickable, gone 3 texts, 1 option",
		20: ": changed 1 textbox, new 9 texts, 2 comboboxes, 1 clickable, gone 3 texts, 1 option, 3 of other kinds",
	} {
		if got := r.words(all); got != want {
			t.Errorf("%d changes%s, want %s", all, got, want)
		}
	}
	if got := Rest(nil).words(4); got != "" {
		t.Errorf("unknown changes are %q", got)
	}
}
