package spec

import "testing"

func TestTitles(t *testing.T) {
	for name, want := range map[string]string{
		"click": "Click", "pressKey": "Press key", "executeJS": "Execute JS", "getHTML": "Get HTML", "savePDF": "Save PDF", "getElementDetails": "Get element details",
	} {
		if got := (Spec{Name: name}).Title(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
