package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"tabwright/host/native/wire"
)

func TestPruneLeavesTheNewestAndWhatRuns(t *testing.T) {
	j := open(t, filepath.Join(t.TempDir(), "journal.db"))
	defer j.Close()
	for i := range 6 {
		create(t, j, fmt.Sprint("t", i))
	}
	for i := range 6 { // overlapping, as tasks in several tabs do
		appendN(t, j, fmt.Sprint("t", i), wire.EvStarted, wire.EvThinking)
	}
	for i := 1; i < 6; i++ { // t0 goes on
		appendN(t, j, fmt.Sprint("t", i), wire.EvComplete)
	}
	if err := j.Prune(3); err != nil {
		t.Fatal(err)
	}
	left, err := j.Tasks(100)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, task := range left {
		ids = append(ids, task.Task)
	}
	if got := fmt.Sprint(ids); got != "[t5 t4 t3 t0]" {
		t.Errorf("left %s", got)
	}
	all, err := j.All(0)
	if err != nil || len(all) != 3*3+2 {
		t.Fatalf("%d events left, %v", len(all), err)
	}
	for _, ev := range all {
		if ev.Task == "t1" || ev.Task == "t2" {
			t.Errorf("event of a removed task: %+v", ev)
		}
	}
	// Numbers go on; none is given twice.
	ev, err := j.Append(wire.Event{Task: "t0", Type: wire.EvComplete})
	if err != nil || ev.Global != 18 || ev.Seq != 3 {
		t.Errorf("%+v %v", ev, err)
	}
}

// A file that can't be read is kept, and does not stop the next task.
func TestABrokenFileIsSetAside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal.db")
	junk := make([]byte, 64<<10)
	if err := os.WriteFile(path, junk, 0o600); err != nil {
		t.Fatal(err)
	}
	j := open(t, path)
	defer j.Close()
	create(t, j, "t1")
	if kept, err := os.ReadFile(j.Broken); err != nil || len(kept) != len(junk) {
		t.Errorf("kept %d bytes in %q: %v", len(kept), j.Broken, err)
	}
	if again := open(t, filepath.Join(t.TempDir(), "journal.db")); again.Broken != "" {
		t.Error("a new journal is said to be broken")
	} else if err := again.Close(); err != nil {
		t.Error(err)
	}
}
