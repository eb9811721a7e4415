package control

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tabwright/host/agent"
	"tabwright/host/browser"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// shut is a browser that opens no tab.
type shut struct {
	nowhere
	err error
}

func (d shut) Open(context.Context, string, bool, browser.TabID) (browser.TabInfo, error) {
	return browser.TabInfo{}, d.err
}

// A node's task is on disk before its tab is opened. Wherever it fails after
// that, its record ends: else it would stand there as running, with nobody who
// runs it.
func TestAnAnnouncedTaskThatCannotBeginEnds(t *testing.T) {
	whole := nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}
	for name, c := range map[string]struct {
		driver browser.Driver
		before func(m *Manager)
		want   wire.TaskState
		code   wire.Code
	}{
		"no tab opens":         {shut{whole, errors.New("no")}, nil, wire.TaskFailed, wire.CodeInternal},
		"the browser goes":     {shut{whole, browser.ErrGone}, nil, wire.TaskInterrupted, wire.CodeInternal},
		"its tab is another's": {whole, func(m *Manager) { must(t, m.lease("p1", "7", "other")) }, wire.TaskFailed, wire.CodeTabBusy},
		"the broker ends":      {whole, func(m *Manager) { m.Close(agent.ErrEnded) }, wire.TaskInterrupted, wire.CodeClosed},
	} {
		t.Run(name, func(t *testing.T) {
			m := manager(t)
			m.FilesDir = t.TempDir()
			defer m.Close(agent.ErrStopped)
			if c.before != nil {
				c.before(m)
			}
			p := wire.TaskStartParams{Text: "compare", Part: &wire.FlowPart{Brief: "a part"}}
			if _, err := m.startAs(t.Context(), "t1", p, Place{Driver: c.driver, Profile: "p1"}); err == nil {
				t.Fatal("it began")
			}
			rec, err := m.Journal.Task("t1")
			must(t, err)
			events, err := m.Journal.Events("t1", 0)
			must(t, err)
			var types []wire.EventType
			for _, ev := range events {
				types = append(types, ev.Type)
			}
			end := map[wire.TaskState]wire.EventType{wire.TaskFailed: wire.EvFailed, wire.TaskInterrupted: wire.EvInterrupted}[c.want]
			if rec.State != c.want || rec.Resumable != (c.want == wire.TaskInterrupted) || !slices.Equal(types, []wire.EventType{wire.EvStarted, end}) {
				t.Fatalf("it is %s, resumable %v, with %v", rec.State, rec.Resumable, types)
			}
			if e := events[1].Error; e == nil || e.Code != c.code {
				t.Errorf("why: %+v", e)
			}
			if _, busy := m.holder("p1", "7"); busy != (c.code == wire.CodeTabBusy) {
				t.Error("it keeps the tab")
			}
		})
	}
}

// What a user may do with a task that does not run, by the state it is in.
func TestWhatATaskThatDoesNotRunTakes(t *testing.T) {
	for state, end := range map[wire.TaskState]wire.EventType{
		wire.TaskDone: wire.EvComplete, wire.TaskFailed: wire.EvFailed, wire.TaskCancelled: wire.EvCancelled, wire.TaskInterrupted: wire.EvInterrupted,
	} {
		m := manager(t)
		must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "buy", State: wire.TaskRunning}}))
		for _, ev := range []wire.EventType{wire.EvStarted, end} {
			_, err := m.Journal.Append(wire.Event{Task: "t1", Type: ev})
			must(t, err)
		}
		place := Place{Driver: nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}, Profile: "p1"}
		for what, err := range map[string]error{
			"pause": m.Pause("t1"), "resume": m.Unpause("t1"), "a word": m.Say("t1", "x"), "an answer": m.Answer(wire.ConfirmAnswer{Task: "t1", ID: "c1"}),
			"a take-over": m.TakeOver(t.Context(), "t1"),
		} {
			if !errors.Is(err, &wire.Error{Code: wire.CodeNoTask}) {
				t.Errorf("%s, %s: %v", state, what, err)
			}
		}
		resumable := state == wire.TaskInterrupted
		if err := m.Resume(t.Context(), "t1", place); (err == nil) != resumable {
			t.Errorf("%s, taken up: %v", state, err)
		}
		if err := m.Stop(t.Context(), "t1"); (err == nil) != resumable {
			t.Errorf("%s, stopped: %v", state, err)
		}
		now, err := m.Journal.Task("t1")
		want := state
		if resumable {
			want = wire.TaskCancelled
		}
		if err != nil || now.State != want {
			t.Errorf("%s became %s (%v)", state, now.State, err)
		}
		m.Close(agent.ErrStopped)
	}
}

// windowed is a browser that says which tabs came to the front.
type windowed struct {
	at
	front chan bool
}

func (w windowed) Open(ctx context.Context, url string, active bool, opener browser.TabID) (browser.TabInfo, error) {
	w.front <- active
	return w.at.Open(ctx, url, active, opener)
}

// The tab of a workflow's node stays behind the one that the user looks at, and
// so does a new one for it after an interruption.
func TestANodesTabStaysBehind(t *testing.T) {
	for _, part := range []*wire.FlowPart{nil, {Brief: "a part"}} {
		m := manager(t)
		m.FilesDir = t.TempDir()
		d := windowed{at{nowhere{opened: make(chan struct{}, 1), closed: make(chan struct{}, 1)}, nil, make(chan string, 2)}, make(chan bool, 2)}
		place := Place{Driver: d, Profile: "p1"}
		p := wire.TaskStartParams{Text: "compare", URL: "https://shop.test/", Part: part}
		_, err := m.startAs(t.Context(), "t1", p, place)
		must(t, err)
		must(t, m.keepExtras("t2", p))
		must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t2", Text: "compare", Model: "openai/m"}, URL: p.URL}))
		for _, ev := range []wire.EventType{wire.EvStarted, wire.EvInterrupted} {
			_, err := m.Journal.Append(wire.Event{Task: "t2", Type: ev})
			must(t, err)
		}
		place.Profile = "p2" // where tab 99 is nobody's
		must(t, m.Resume(t.Context(), "t2", place))
		if started, resumed := <-d.front, <-d.front; started == (part != nil) || resumed != started {
			t.Errorf("a part: %t, in front when it began %t, when it was taken up %t", part != nil, started, resumed)
		}
		m.Close(agent.ErrStopped)
	}
}
