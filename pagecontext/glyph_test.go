package pagecontext

import "testing"

func TestGlyphWords(t *testing.T) {
	for name, want := range map[string]string{
		"☆": "white star", "★": "black star", "⚙️": "gear", "🗑": "wastebasket", "✉": "envelope", "👍🏽": "thumbs up sign",
		"×": "", "✕": "", "☰": "", "▸": "", "": "", "+": "", "3": "", "☆ 4": "", "Star ☆": "", "›": "", "\ue001": "", "\ufffc": "",
	} {
		if got := glyphWords(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
