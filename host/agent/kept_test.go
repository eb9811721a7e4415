package agent

import "testing"

// TestKept: what may be a secret is in no event and no journal.
func TestKept(t *testing.T) {
	for _, tt := range []struct {
		params string
		hide   bool
		want   string
	}{
		{`{"selector":"#pw","text":"hunter2"}`, true, `{"selector":"#pw","text":"•••"}`},
		{`{"selector":"#q","text":"lamp"}`, false, `{"selector":"#q","text":"lamp"}`},
		{`{"selector":"#q","text":"4111 1111 1111 1111"}`, false, `{"selector":"#q","text":"[card number]"}`},
		{`{"index":3}`, true, `{"index":3}`},
		{`not json`, true, `not json`},
	} {
		if got := string(paramsToKeep([]byte(tt.params), tt.hide)); got != tt.want {
			t.Errorf("kept(%s, %t) = %s, want %s", tt.params, tt.hide, got, tt.want)
		}
	}
}
