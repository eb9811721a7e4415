package history

import (
	"testing"
	"time"

	"tabwright/host/flow"
	"tabwright/host/native/wire"
)

// A paused workflow is wanted while a task of it waits, however long.
func TestPausedFlowIsWanted(t *testing.T) {
	s := flow.State{
		State: wire.FlowPaused, Updated: time.Now().Add(-48 * time.Hour).UnixMilli(),
		Graph: &flow.Graph{Nodes: []flow.Node{{ID: "a", Ran: "t1", State: wire.NodeRunning}, {ID: "b", State: wire.NodeWaiting}}},
	}
	if !flowWanted(s) {
		t.Error("it is not wanted")
	}
	s.Graph.Nodes[0].State = wire.NodeDone
	if flowWanted(s) {
		t.Error("one that stands still for two days is wanted")
	}
}
