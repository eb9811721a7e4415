package journal

import (
	"path/filepath"
	"testing"

	"tabwright/host/native/wire"
)

// BenchmarkStep is what the disk takes of a step: its begin, its act, its
// result. The transactions are counted, since each waits for the disk.
func BenchmarkStep(b *testing.B) {
	j, err := Open(filepath.Join(b.TempDir(), "journal.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	if err := j.Create(Task{TaskInfo: wire.TaskInfo{Task: "t1", State: wire.TaskRunning}}); err != nil {
		b.Fatal(err)
	}
	lines := make([]uint32, 150)
	before := j.db.Stats()
	n := 0
	for b.Loop() {
		n++
		step := wire.StepInfo{N: n, Action: "click", Line: `Clicked "Add to cart" on shop.test`, Outcome: "ok"}
		for _, f := range []func() error{
			func() error {
				_, err := j.Append(wire.Event{Task: "t1", Type: wire.EvToolCall, Step: &step})
				return err
			},
			func() error { return j.StartAct("t1", Act{Step: n, Action: "click", Lines: lines}) },
			func() error {
				_, err := j.Append(wire.Event{Task: "t1", Type: wire.EvToolResult, Step: &step})
				return err
			},
			func() error { return j.FinishAct("t1") },
		} {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
	}
	after := j.db.Stats()
	b.ReportMetric(float64(after.TxStats.GetWrite()-before.TxStats.GetWrite())/float64(n), "writes/step")
}
