package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"tabwright/host/native/wire"
)

// ways lead a task that was just begun into each of its states.
var ways = []struct {
	state wire.TaskState
	by    []wire.EventType
	over  bool           // it does not go on by itself
	later wire.TaskState // after a restart of the program
}{
	{wire.TaskQueued, []wire.EventType{wire.EvStarted, wire.EvQueued}, false, wire.TaskInterrupted},
	{wire.TaskRunning, []wire.EventType{wire.EvStarted}, false, wire.TaskInterrupted},
	{wire.TaskConfirming, []wire.EventType{wire.EvStarted, wire.EvConfirmRequest}, false, wire.TaskInterrupted},
	{wire.TaskAsking, []wire.EventType{wire.EvStarted, wire.EvAsk}, false, wire.TaskInterrupted},
	{wire.TaskPaused, []wire.EventType{wire.EvStarted, wire.EvPaused}, false, wire.TaskInterrupted},
	{wire.TaskDone, []wire.EventType{wire.EvStarted, wire.EvComplete}, true, wire.TaskDone},
	{wire.TaskFailed, []wire.EventType{wire.EvStarted, wire.EvFailed}, true, wire.TaskFailed},
	{wire.TaskCancelled, []wire.EventType{wire.EvStarted, wire.EvCancelled}, true, wire.TaskCancelled},
	{wire.TaskInterrupted, []wire.EventType{wire.EvStarted, wire.EvInterrupted}, true, wire.TaskInterrupted},
}

// leadsTo is what each event makes of a task that goes on; empty: nothing.
var leadsTo = map[wire.EventType]wire.TaskState{
	wire.EvStarted: wire.TaskRunning, wire.EvQueued: wire.TaskQueued, wire.EvResumed: wire.TaskRunning,
	wire.EvConfirmRequest: wire.TaskConfirming, wire.EvConfirmResult: wire.TaskRunning,
	wire.EvAsk: wire.TaskAsking, wire.EvSaid: wire.TaskRunning, wire.EvPaused: wire.TaskPaused,
	wire.EvComplete: wire.TaskDone, wire.EvFailed: wire.TaskFailed, wire.EvCancelled: wire.TaskCancelled, wire.EvInterrupted: wire.TaskInterrupted,
	wire.EvThinking: "", wire.EvPlan: "", wire.EvToolCall: "", wire.EvToolResult: "", wire.EvProgress: "", wire.EvNotify: "", wire.EvSteered: "",
}

// after is the state in which an event leaves a task; false: it is refused.
func after(s wire.TaskState, t wire.EventType) (wire.TaskState, bool) {
	to := leadsTo[t]
	closes := t == wire.EvConfirmResult || t == wire.EvSaid
	switch s {
	case wire.TaskDone, wire.TaskFailed, wire.TaskCancelled:
		return s, to == "" || closes
	case wire.TaskInterrupted:
		switch t {
		case wire.EvStarted, wire.EvResumed, wire.EvInterrupted, wire.EvCancelled, wire.EvFailed:
			return to, true
		}
		return s, to == "" || closes
	}
	if to == "" {
		return s, true
	}
	return to, true
}

// Every event in every state: what is allowed leads where it should, what is
// refused writes nothing and is shown to nobody.
func TestStatesAndTheirTransitions(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	defer j.Close()
	n := 0
	for _, w := range ways {
		for ev := range leadsTo {
			n++
			id := fmt.Sprintf("t%d", n)
			create(t, j, id)
			appendN(t, j, id, w.by...)
			was, err := j.Task(id)
			if err != nil || was.State != w.state || Ended(was.State) != w.over || was.Resumable != (w.state == wire.TaskInterrupted) {
				t.Fatalf("%v led to %+v (%v), want %s", w.by, was, err, w.state)
			}
			told := ""
			j.OnState(func(x Task) { told = string(x.State) })
			old, live, err := j.Follow(t.Context(), id, was.Seq)
			if err != nil || len(old) != 0 {
				t.Fatal(old, err)
			}
			want, allowed := after(w.state, ev)
			_, err = j.Append(wire.Event{Task: id, Type: ev, Confirm: &wire.ConfirmInfo{ID: "c1"}, Step: &wire.StepInfo{N: 1}})
			j.OnState(nil)
			now, taskErr := j.Task(id)
			if taskErr != nil {
				t.Fatal(taskErr)
			}
			switch {
			case !allowed && (!errors.Is(err, ErrOver) || now.Seq != was.Seq || len(live) != 0):
				t.Errorf("%s, then %s: %v at %d, shown %d times", w.state, ev, err, now.Seq, len(live))
			case allowed && (err != nil || now.Seq != was.Seq+1 || len(live) != 1):
				t.Errorf("%s, then %s: %v at %d, shown %d times", w.state, ev, err, now.Seq, len(live))
			}
			if now.State != want {
				t.Errorf("%s, then %s: %s, want %s", w.state, ev, now.State, want)
			}
			if now.Resumable != (now.State == wire.TaskInterrupted) {
				t.Errorf("%s, then %s: resumable %v", w.state, ev, now.Resumable)
			}
			if changed := now.State != was.State || allowed && ev == wire.EvStarted; changed != (told != "") {
				t.Errorf("%s, then %s: told %q", w.state, ev, told)
			}
		}
	}
}

// What each state is once the program is started anew, and from there: it can be
// taken up, or ended, exactly where it was cut short.
func TestStatesAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	for _, w := range ways {
		create(t, j, "t-"+string(w.state))
		appendN(t, j, "t-"+string(w.state), w.by...)
	}
	// One that was put on disk and had not begun, and a program's session.
	create(t, j, "t-new")
	session := Task{TaskInfo: wire.TaskInfo{Task: "s1", Kind: "session", State: wire.TaskRunning}}
	if err := j.Create(session); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = open(t, path)
	defer j.Close()
	for _, w := range ways {
		id := "t-" + string(w.state)
		now, err := j.Task(id)
		if err != nil || now.State != w.later || now.Resumable != (w.later == wire.TaskInterrupted) {
			t.Errorf("%s is %s after a restart, resumable %v (%v); want %s", w.state, now.State, now.Resumable, err, w.later)
		}
		events, err := j.Events(id, 0)
		if err != nil {
			t.Fatal(err)
		}
		last := events[len(events)-1]
		if void := last.Type == wire.EvConfirmResult && last.Confirm.Answer == "void"; void != (w.state == wire.TaskConfirming) {
			t.Errorf("%s: its card is void: %v", w.state, void)
		}
		_, err = j.Append(wire.Event{Task: id, Type: wire.EvResumed})
		if now, _ = j.Task(id); (err == nil) != (w.later == wire.TaskInterrupted) || err == nil && now.State != wire.TaskRunning {
			t.Errorf("%s, taken up after a restart: %v, %s", w.state, err, now.State)
		}
	}
	if now, err := j.Task("t-new"); err != nil || !now.Resumable {
		t.Errorf("not begun: %+v (%v)", now, err)
	}
	if now, err := j.Task("s1"); err != nil || now.State != wire.TaskInterrupted || now.Resumable {
		t.Errorf("a session: %+v (%v)", now, err)
	}
}
