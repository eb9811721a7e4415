package agent

import (
	"strings"
	"testing"

	"tabwright/host/action"
)

// Nobody reads the name of a function while a step is under way.
func TestEachActionIsToldInWordsWhileItGoesOn(t *testing.T) {
	known := map[string]bool{}
	for _, s := range action.Default().Specs() {
		known[s.Name] = true
		en, zh := beforehand(action.Call{Name: s.Name}, "en"), beforehand(action.Call{Name: s.Name}, "zh")
		if en == s.Name || zh == s.Name || en == zh || !strings.HasPrefix(zh, "正在") {
			t.Errorf("%s: %q, %q", s.Name, en, zh)
		}
	}
	for name := range doing {
		if !known[name] {
			t.Errorf("there is no action %s", name)
		}
	}
}
