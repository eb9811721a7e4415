package safety

import (
	"os"
	"strings"
	"testing"
)

// TestDeeds reads what sites print for each kind of deed in each language, on a
// page that says nothing: here only the lists of words can know it. Every one
// must be asked about, and none of what only looks like it.
func TestDeeds(t *testing.T) {
	raw, err := os.ReadFile("testdata/deeds.txt")
	if err != nil {
		t.Fatal(err)
	}
	asks, count := false, map[bool]int{}
	for _, line := range strings.Split(string(raw), "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "" || strings.HasPrefix(line, "#"):
			continue
		case line == "[confirm]", line == "[harmless]":
			asks = line == "[confirm]"
			continue
		}
		lang, labels, ok := strings.Cut(line, ": ")
		if !ok || len(lang) != 2 {
			t.Fatalf("no language: %s", clip(line, 40))
		}
		for label := range strings.SplitSeq(labels, "; ") {
			count[asks]++
			d := Judge(click(button(label), "https://site.test/things"), Context{Sites: []string{"site.test"}})
			if (d.Level >= Confirm) != asks {
				t.Errorf("%s %q: %s %s %v", lang, label, d.Level, d.Class, d.Reasons)
			}
		}
	}
	t.Logf("%d to be asked about, %d lookalikes", count[true], count[false])
}
