package keyboard

import (
	"maps"
	"slices"
	"testing"
)

func TestChords(t *testing.T) {
	tests := []struct {
		key  string
		mods []string
		want string
		text string
		bad  bool
	}{
		{key: "Enter", want: "Enter", text: "\r"},
		{key: "return", want: "Enter", text: "\r"},
		{key: "esc", want: "Escape"},
		{key: "a", want: "a", text: "a"},
		{key: "A", want: "A", text: "A"},
		{key: "a", mods: []string{"shift"}, want: "A", text: "A"},
		{key: "a", mods: []string{"ctrl"}, want: "Control+a"},
		{key: "Control+Shift+ArrowLeft", want: "Control+Shift+ArrowLeft"},
		{key: "ctrl+enter", want: "Control+Enter"},
		{key: "+", want: "+", text: "+"},
		{key: "Control++", want: "Control++"},
		{key: "F5", want: "F5"},
		{key: "arrowdown", want: "ArrowDown"},
		{key: "KeyB", want: "b", text: "b"},
		{key: " ", want: "Space", text: " "},
		{key: "space", want: "Space", text: " "},
		{key: "?", want: "?", text: "?"},
		{key: "nonsense", bad: true},
		{key: "", bad: true},
		{key: "Enter", mods: []string{"hyper"}, bad: true},
	}
	for _, tt := range tests {
		c, err := Parse(tt.key, tt.mods)
		if (err != nil) != tt.bad {
			t.Errorf("%q %v: error %v", tt.key, tt.mods, err)
			continue
		}
		if err == nil && (c.String() != tt.want || c.text() != tt.text) {
			t.Errorf("%q %v: %q typing %q, want %q typing %q", tt.key, tt.mods, c, c.text(), tt.want, tt.text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(namedKeys)) {
		if k := namedKeys[name]; k.VK == 0 || k.Key == "" || k.Code == "" {
			t.Errorf("key %s is %+v", name, k)
		}
	}
}
