package control

import (
	"context"
	"errors"
	"testing"

	"tabwright/host/agent"
	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// A task that was never begun is told from one that was cut short, and one that
// is done stays done for whoever stops its workflow.
func TestTheEndOfAWaitedTask(t *testing.T) {
	m := manager(t)
	defer m.Close(agent.ErrStopped)
	tasks := flowTasks{m: m}
	wait := func(id string) (wire.Event, error) {
		t.Helper()
		return tasks.Wait(t.Context(), id, func(bool) {})
	}
	if _, err := wait("none"); !errors.Is(err, flow.ErrNeverBegun) || !errors.Is(err, flow.ErrCut) {
		t.Errorf("none: %v", err)
	}
	must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: "t1", Text: "buy"}}))
	if _, err := wait("t1"); errors.Is(err, flow.ErrNeverBegun) || !errors.Is(err, flow.ErrCut) {
		t.Errorf("left without an event: %v", err)
	}
	_, err := m.Journal.Append(wire.Event{Task: "t1", Type: wire.EvComplete, Text: "bought"})
	must(t, err)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if end, err := tasks.Wait(stopped, "t1", func(bool) {}); err != nil || end.Text != "bought" {
		t.Errorf("%+v %v", end, err)
	}
}
