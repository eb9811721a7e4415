package control

import (
	"slices"
	"testing"
	"time"

	"tabwright/host/flow"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// Where no history is kept, a workflow that goes on or can be gone on with keeps
// its tasks: what they did would be done once more. One that is over goes with the
// last of them, and a program's session with its end.
func TestNoHistoryOfWorkflows(t *testing.T) {
	m := manager(t)
	m.Now = func() TaskSettings { return TaskSettings{Forget: true} }
	ago := func(d time.Duration) int64 { return time.Now().Add(-d).UnixMilli() }
	ran := func(task string, s wire.NodeState) *flow.Graph {
		return &flow.Graph{Nodes: []flow.Node{{ID: "a", Ran: task, State: s, Result: "secret"}, {ID: "b", State: wire.NodeWaiting}}}
	}
	for id, s := range map[string]flow.State{
		"w1": {State: wire.FlowRunning, Updated: ago(time.Hour), Graph: ran("t1", wire.NodeDone)}, // no broker has it: interrupted
		"w2": {State: wire.FlowPaused, Updated: ago(time.Hour), Graph: ran("t2", wire.NodeDone)},
		"w3": {State: wire.FlowCancelled, Updated: ago(time.Hour), Graph: ran("t3", wire.NodeRunning)}, // it is being stopped
		"w4": {State: wire.FlowInterrupted, Updated: ago(48 * time.Hour), Graph: ran("t4", wire.NodeDone)},
		"w5": {State: wire.FlowDone, Updated: ago(time.Minute), Graph: ran("t5", wire.NodeDone)},
		"w6": {State: wire.FlowDone, Updated: ago(time.Minute), Graph: ran("gone", wire.NodeDone)},
		"w8": {State: wire.FlowPaused, Updated: ago(48 * time.Hour), Graph: ran("t8", wire.NodeDone)},
		"w7": {State: wire.FlowDone, Updated: ago(0), Graph: ran("t7", wire.NodeDone)},
	} {
		s.ID = id
		must(t, m.keepFlow(s))
		if task := s.Graph.Nodes[0].Ran; task != "gone" {
			told(t, m, task, task, "x", "y")
		}
	}
	for task, end := range map[string]wire.EventType{"s1": wire.EvComplete, "s2": ""} {
		must(t, m.Journal.Create(journal.Task{TaskInfo: wire.TaskInfo{Task: task, Kind: KindSession, State: wire.TaskRunning}}))
		if end != "" {
			_, err := m.Journal.Append(wire.Event{Task: task, Type: end})
			must(t, err)
		}
	}
	m.History().Forget()
	all, err := m.flowList()
	must(t, err)
	var flows, tasks []string
	for _, f := range all.Flows {
		flows = append(flows, f.Flow)
	}
	list, err := m.Journal.Tasks(100)
	must(t, err)
	for _, task := range list {
		tasks = append(tasks, task.Task)
	}
	slices.Sort(flows)
	slices.Sort(tasks)
	if !slices.Equal(flows, []string{"w1", "w2", "w3", "w7"}) || !slices.Equal(tasks, []string{"s2", "t1", "t2", "t3", "t7"}) {
		t.Errorf("left are %v and %v", flows, tasks)
	}
}
