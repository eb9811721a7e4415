package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tabwright/host/native/wire"
)

func open(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func create(t *testing.T, j *Journal, id string) {
	t.Helper()
	if err := j.Create(Task{TaskInfo: wire.TaskInfo{Task: id, Text: "buy a mug", State: wire.TaskRunning}}); err != nil {
		t.Fatal(err)
	}
}

func appendN(t *testing.T, j *Journal, id string, types ...wire.EventType) {
	t.Helper()
	for _, ty := range types {
		if _, err := j.Append(wire.Event{Task: id, Type: ty, Confirm: &wire.ConfirmInfo{ID: "c1"}}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFileIsPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "journal.db")
	j := open(t, path)
	defer j.Close()
	for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		st, err := os.Stat(p)
		if err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: mode %v, want %v (%v)", p, st.Mode().Perm(), want, err)
		}
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	defer j.Close()
	if _, err := Open(path); !errors.Is(err, ErrLocked) {
		t.Fatalf("second Open: %v, want ErrLocked", err)
	}
}

func TestNumbersAndOrder(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	defer j.Close()
	create(t, j, "t1")
	create(t, j, "t2")
	appendN(t, j, "t1", wire.EvStarted, wire.EvThinking)
	appendN(t, j, "t2", wire.EvStarted)
	appendN(t, j, "t1", wire.EvComplete)
	evs, err := j.Events("t1", 1)
	if err != nil || len(evs) != 2 || evs[0].Seq != 2 || evs[1].Seq != 3 || evs[1].Global != 4 {
		t.Fatalf("events of t1 after 1: %+v (%v)", evs, err)
	}
	all, err := j.All(2)
	if err != nil || len(all) != 2 || all[0].Task != "t2" || all[1].Type != wire.EvComplete {
		t.Fatalf("all after 2: %+v (%v)", all, err)
	}
	got, _ := j.Task("t1")
	if got.State != wire.TaskDone || got.Seq != 3 {
		t.Fatalf("task after complete: %+v", got)
	}
	if _, err := j.Append(wire.Event{Task: "nope", Type: wire.EvStarted}); !errors.Is(err, ErrNoTask) {
		t.Fatalf("event of an unknown task: %v", err)
	}
}

func TestRestartInterruptsAndVoidsCards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	create(t, j, "t1")
	create(t, j, "t2")
	appendN(t, j, "t1", wire.EvStarted, wire.EvConfirmRequest)
	appendN(t, j, "t2", wire.EvStarted, wire.EvComplete)
	if err := j.StartAct("t1", Act{Step: 3, Action: "click", Target: `button "Pay"`}); err != nil {
		t.Fatal(err)
	}
	if err := j.SetHighWater("p:7", 40); err != nil {
		t.Fatal(err)
	}
	if err := j.SetHighWater("p:7", 12); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}

	j = open(t, path)
	defer j.Close()
	t1, _ := j.Task("t1")
	t2, _ := j.Task("t2")
	if t1.State != wire.TaskInterrupted || t2.State != wire.TaskDone {
		t.Fatalf("states after restart: %s, %s", t1.State, t2.State)
	}
	evs, _ := j.Events("t1", 2)
	if len(evs) != 1 || evs[0].Type != wire.EvConfirmResult || evs[0].Confirm.Answer != "void" {
		t.Fatalf("the open card was not voided: %+v", evs)
	}
	act, ok, err := j.Unfinished("t1")
	if !ok || err != nil || act.Step != 3 {
		t.Fatalf("unfinished act: %+v %v %v", act, ok, err)
	}
	if n, _ := j.HighWater("p:7"); n != 40 {
		t.Fatalf("high-water mark %d, want 40", n)
	}
}

func TestResultOfAStepEndsItsAct(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	defer j.Close()
	create(t, j, "t1")
	for i, c := range []struct {
		outcome string
		doubts  int
	}{{"ok", 0}, {"error", 0}, {OutcomeUnknown, 1}} {
		if err := j.StartAct("t1", Act{Step: i, Action: "click"}); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Append(wire.Event{Task: "t1", Type: wire.EvToolResult, Step: &wire.StepInfo{N: i, Outcome: c.outcome}}); err != nil {
			t.Fatal(err)
		}
		if _, open, err := j.Unfinished("t1"); err != nil || open {
			t.Errorf("after %q the act is recorded as under way: %v (%v)", c.outcome, open, err)
		}
		if list, err := j.Doubts("t1"); err != nil || len(list) != c.doubts {
			t.Errorf("after %q: %d doubts (%v), want %d", c.outcome, len(list), err, c.doubts)
		}
	}
	// A doubt outlives the acts that follow, until somebody settles it.
	if _, err := j.Append(wire.Event{Task: "t1", Type: wire.EvToolResult, Step: &wire.StepInfo{N: 9, Outcome: "ok"}}); err != nil {
		t.Fatal(err)
	}
	if list, _ := j.Doubts("t1"); len(list) != 1 || list[0].Step != 2 {
		t.Errorf("doubts %+v", list)
	}
	if err := j.Settle("t1", 2); err != nil {
		t.Fatal(err)
	}
	if list, _ := j.Doubts("t1"); len(list) != 0 {
		t.Errorf("settled, and still there: %+v", list)
	}
	if err := j.FinishAct("t1"); err != nil {
		t.Fatal(err)
	}
	if _, open, err := j.Unfinished("t1"); err != nil || open {
		t.Errorf("still under way: %v (%v)", open, err)
	}
}

func TestFollowLosesAndDoublesNothing(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	defer j.Close()
	create(t, j, "t1")
	const n = 60
	var wg sync.WaitGroup
	wg.Go(func() {
		for range n {
			if _, err := j.Append(wire.Event{Task: "t1", Type: wire.EvThinking}); err != nil {
				t.Error(err)
			}
		}
	})
	for range 5 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			old, live, err := j.Follow(ctx, "t1", 0)
			if err != nil {
				t.Error(err)
				return
			}
			want := uint64(1)
			for _, ev := range old {
				if ev.Seq != want {
					t.Errorf("old: seq %d, want %d", ev.Seq, want)
				}
				want++
			}
			for want <= n {
				if ev := <-live; ev.Seq != want {
					t.Errorf("live: seq %d, want %d", ev.Seq, want)
					return
				}
				want++
			}
		})
	}
	wg.Wait()
}

func TestALaggingReaderIsCutOffAndOthersGoOn(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	defer j.Close()
	create(t, j, "t1")
	_, live, err := j.Follow(t.Context(), "t1", 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &sub{task: "t1", ch: make(chan wire.Event)} // a reader without room
	j.subs[s] = struct{}{}
	appendN(t, j, "t1", wire.EvThinking, wire.EvThinking)
	if _, open := <-s.ch; open {
		t.Error("the lagging reader was not cut off")
	}
	if ev := <-live; ev.Seq != 1 {
		t.Errorf("the other reader got %+v", ev)
	}
}
