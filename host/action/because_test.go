package action

import "testing"

// What an act had done before it was refused is said with every reason.
func TestBecause(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{"the text stands in the field, but Enter was not pressed: " + saidByPolicy, "the text stands in the field, but Enter was not pressed: why"},
		{new(run).stoppedAfterError(saidNo+": not today", nil).Message, ActedUnsaved + ": why"},
		{saidBefore, "why"},
		{"nobody answered in time", "nobody answered in time"},
	} {
		if got := Because(c.message, "why"); got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
}
