package journal

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"tabwright/host/native"
)

// ways lead a task that was just begun into each of its states.
var ways = []struct {
	state native.TaskState
	by    []native.EventType
	over  bool             // it does not go on by itself
	later native.TaskState // after a restart of the program
}{
	{native.TaskQueued, []native.EventType{native.EvStarted, native.EvQueued}, false, native.TaskInterrupted},
	{native.TaskRunning, []native.EventType{native.EvStarted}, false, native.TaskInterrupted},
	{native.TaskConfirming, []native.EventType{native.EvStarted, native.EvConfirmRequest}, false, native.TaskInterrupted},
	{native.TaskAsking, []native.EventType{native.EvStarted, native.EvAsk}, false, native.TaskInterrupted},
	{native.TaskPaused, []native.EventType{native.EvStarted, native.EvPaused}, false, native.TaskInterrupted},
	{native.TaskDone, []native.EventType{native.EvStarted, native.EvComplete}, true, native.TaskDone},
	{native.TaskFailed, []native.EventType{native.EvStarted, native.EvFailed}, true, native.TaskFailed},
	{native.TaskCancelled, []native.EventType{native.EvStarted, native.EvCancelled}, true, native.TaskCancelled},
	{native.TaskInterrupted, []native.EventType{native.EvStarted, native.EvInterrupted}, true, native.TaskInterrupted},
}

// leadsTo is what each event makes of a task that goes on; empty: nothing.
var leadsTo = map[native.EventType]native.TaskState{
	native.EvStarted: native.TaskRunning, native.EvQueued: native.TaskQueued, native.EvResumed: native.TaskRunning,
	native.EvConfirmRequest: native.TaskConfirming, native.EvConfirmResult: native.TaskRunning,
	native.EvAsk: native.TaskAsking, native.EvSaid: native.TaskRunning, native.EvPaused: native.TaskPaused,
	native.EvComplete: native.TaskDone, native.EvFailed: native.TaskFailed, native.EvCancelled: native.TaskCancelled, native.EvInterrupted: native.TaskInterrupted,
	native.EvThinking: "", native.EvPlan: "", native.EvToolCall: "", native.EvToolResult: "", native.EvProgress: "", native.EvNotify: "", native.EvSteered: "",
}

// after is the state in which an event leaves a task; false: it is refused.
func after(s native.TaskState, t native.EventType) (native.TaskState, bool) {
	to := leadsTo[t]
	closes := t == native.EvConfirmResult || t == native.EvSaid
	switch s {
	case native.TaskDone, native.TaskFailed, native.TaskCancelled:
		return s, to == "" || closes
	case native.TaskInterrupted:
		switch t {
		case native.EvStarted, native.EvResumed, native.EvInterrupted, native.EvCancelled, native.EvFailed:
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
			if err != nil || was.State != w.state || Ended(was.State) != w.over || was.Resumable != (w.state == native.TaskInterrupted) {
				t.Fatalf("%v led to %+v (%v), want %s", w.by, was, err, w.state)
			}
			told := ""
			j.OnState(func(x Task) { told = string(x.State) })
			old, live, err := j.Follow(t.Context(), id, was.Seq)
			if err != nil || len(old) != 0 {
				t.Fatal(old, err)
			}
			want, allowed := after(w.state, ev)
			_, err = j.Append(native.Event{Task: id, Type: ev, Confirm: &native.ConfirmInfo{ID: "c1"}, Step: &native.StepInfo{N: 1}})
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
			if now.Resumable != (now.State == native.TaskInterrupted) {
				t.Errorf("%s, then %s: resumable %v", w.state, ev, now.Resumable)
			}
			if changed := now.State != was.State || allowed && ev == native.EvStarted; changed != (told != "") {
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
	session := Task{TaskInfo: native.TaskInfo{Task: "s1", Kind: "session", State: native.TaskRunning}}
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
		if err != nil || now.State != w.later || now.Resumable != (w.later == native.TaskInterrupted) {
			t.Errorf("%s is %s after a restart, resumable %v (%v); want %s", w.state, now.State, now.Resumable, err, w.later)
		}
		events, err := j.Events(id, 0)
		if err != nil {
			t.Fatal(err)
		}
		last := events[len(events)-1]
		if void := last.Type == native.EvConfirmResult && last.Confirm.Answer == "void"; void != (w.state == native.TaskConfirming) {
			t.Errorf("%s: its card is void: %v", w.state, void)
		}
		_, err = j.Append(native.Event{Task: id, Type: native.EvResumed})
		if now, _ = j.Task(id); (err == nil) != (w.later == native.TaskInterrupted) || err == nil && now.State != native.TaskRunning {
			t.Errorf("%s, taken up after a restart: %v, %s", w.state, err, now.State)
		}
	}
	if now, err := j.Task("t-new"); err != nil || !now.Resumable {
		t.Errorf("not begun: %+v (%v)", now, err)
	}
	if now, err := j.Task("s1"); err != nil || now.State != native.TaskInterrupted || now.Resumable {
		t.Errorf("a session: %+v (%v)", now, err)
	}
}
