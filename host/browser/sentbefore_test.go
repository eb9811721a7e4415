package browser

import "testing"

// TestSentBefore: a state is compared with what left before it, neither with one that began later
// nor with one that waits for an answer.
func TestSentBefore(t *testing.T) {
	const to = "PUT https://a.test/state"
	tab := &Tab{watches: map[*Watch]struct{}{}}
	for _, id := range []string{"1", "2", "3"} {
		tab.sends(sentBody{id: id, to: to, body: `{"n":` + id + `}`})
	}
	if got := tab.sentBefore("2", to); got != `{"n":1}` {
		t.Errorf("of the second: %s", got)
	}
	held := &Watch{tab: tab}
	held.state.Held = []Held{{sent: "2"}}
	tab.watches[held] = struct{}{}
	if got := tab.sentBefore("3", to); got != `{"n":1}` {
		t.Errorf("while the second waits: %s", got)
	}
	held.state.Held = nil
	if got := tab.sentBefore("3", to); got != `{"n":2}` {
		t.Errorf("when the second has left: %s", got)
	}
}
