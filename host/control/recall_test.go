package control

import (
	"slices"
	"testing"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// The answer of an earlier task is known by all sites that it has been on.
func TestWhereAnAnswerWasRead(t *testing.T) {
	m := manager(t)
	must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "what is my balance?"}, Home: "https://www.shop.example/cart"}))
	for _, ev := range []wire.Event{
		{Type: wire.EvToolResult, Step: &wire.StepInfo{N: 1, URL: "https://my.bank.example/accounts", Site: "127.0.0.1:8080"}},
		{Type: wire.EvComplete, Text: "4,211.90 EUR"},
	} {
		ev.Task = "t1"
		_, err := m.Journal.AppendAt(ev, journal.Where{Tab: "7", URL: "https://news.example/"})
		must(t, err)
	}
	want := []string{"shop.example", "news.example", "bank.example", "127.0.0.1"}
	before, err := m.History().Before("t1")
	must(t, err)
	if len(before) != 1 || !slices.Equal(before[0].Sites, want) || before[0].Answered == "" {
		t.Errorf("%+v, want %q", before, want)
	}
	if got := m.visitedSites("t1"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := m.visitedSites("gone"); !slices.Equal(got, []string{unknownSite}) {
		t.Errorf("of a task that is gone: %q", got)
	}
}
