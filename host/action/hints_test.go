package action

import (
	"testing"

	"tabwright/safety"
)

// TestHints: what the gate may ask about is never said to be a mere look, and what
// only looks is never said to destroy.
func TestHints(t *testing.T) {
	for _, s := range Default().Specs() {
		if s.ReadOnly() && (s.MayChange || s.Class != safety.Read) {
			t.Errorf("%s is said only to look, and is of class %s", s.Name, s.Class)
		}
		if s.ReadOnly() && s.Destructive() {
			t.Errorf("%s only looks and destroys", s.Name)
		}
	}
	for _, name := range []string{"click", "type", "pressKey", "uploadFile", "executeJS", "handleDialog", "dragDrop"} {
		if s, _ := Default().Spec(name); s.ReadOnly() || !s.Destructive() {
			t.Errorf("%s is said to be harmless", name)
		}
	}
	for name, again := range map[string]bool{"check": true, "select": true, "navigate": true, "click": false, "type": false} {
		if s, ok := Default().Spec(name); !ok || s.Idempotent() != again {
			t.Errorf("%s may be repeated: %v", name, !again)
		}
	}
	for _, name := range []string{"requestLogin", "waitFor"} {
		if s, ok := Default().Spec(name); !ok || s.ReadOnly() {
			t.Errorf("%s is said only to look", name)
		}
	}
}
