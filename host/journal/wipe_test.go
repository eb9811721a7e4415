package journal

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tabwright/host/native/wire"
)

const private = "1 Kiln Lane"

// told makes n finished tasks whose events hold private words.
func told(t *testing.T, j *Journal, n int) (ids []string) {
	t.Helper()
	for i := range n {
		id := fmt.Sprint("t", i)
		ids = append(ids, id)
		if err := j.Create(Task{TaskInfo: wire.TaskInfo{Task: id, Text: "send it to " + private}}); err != nil {
			t.Fatal(err)
		}
		for _, typ := range []wire.EventType{wire.EvStarted, wire.EvThinking, wire.EvComplete} {
			if _, err := j.Append(wire.Event{Task: id, Type: typ, Text: private}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return ids
}

func holds(t *testing.T, path string) bool {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(raw, []byte(private))
}

func TestNothingOfARemovedTaskIsLeftInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	ids := told(t, j, 20)
	create(t, j, "stays")
	for _, id := range ids { // as a user deletes one conversation after the other
		if err := j.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	if !holds(t, path) {
		t.Fatal("the words are gone at once: this test shows nothing")
	}
	// The program is killed here: what it left is seen to at the next start.
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(t.TempDir(), "journal.db")
	if err := os.WriteFile(killed, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open(t, killed).Close(); err != nil || holds(t, killed) {
		t.Errorf("after a kill the words are in the file: %v", err)
	}

	// Here it goes on, and writes while the file is exchanged.
	var events sync.WaitGroup
	for range 4 {
		events.Go(func() {
			for range 25 {
				if _, err := j.Append(wire.Event{Task: "stays", Type: wire.EvThinking}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	look, end := time.NewTicker(20*time.Millisecond), time.After(20*time.Second)
	defer look.Stop()
	for holds(t, path) {
		select {
		case <-look.C:
		case <-end:
			t.Fatal("the words are still in the file")
		}
	}
	events.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = open(t, path)
	defer j.Close()
	if evs, err := j.Events("stays", 0); err != nil || len(evs) != 100 {
		t.Errorf("%d events of the task that stays, %v", len(evs), err)
	}
	if _, err := os.Stat(path + ".new"); !os.IsNotExist(err) {
		t.Errorf("a file is left: %v", err)
	}
}

func TestAProgramThatEndsFinishesTheRemoval(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	j := open(t, path)
	if err := j.Remove(told(t, j, 3)...); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil || holds(t, path) {
		t.Errorf("the words are in the file after Close: %v", err)
	}
}

// Who waits for the file's lock while it is exchanged gets the file that has
// the name, not the one that is gone.
func TestTheNextProgramOpensTheFileThatHasTheName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	first := open(t, path)
	opened := make(chan *Journal, 1)
	go func() {
		j, err := Open(path)
		if err != nil {
			t.Error(err)
		}
		opened <- j
	}()
	<-time.After(100 * time.Millisecond) // nothing says that it waits for the lock now
	if err := first.db.rewrite(); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := <-opened
	if second == nil {
		t.FailNow()
	}
	create(t, second, "t1")
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	third := open(t, path)
	defer third.Close()
	if _, err := third.Task("t1"); err != nil {
		t.Error(err)
	}
}
