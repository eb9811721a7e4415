package wire

import "encoding/json"

// FlowPart is what makes a task a node of a workflow. It never travels: only
// the broker gives it.
type FlowPart struct {
	// Brief is what the model is told besides the task: its place in the whole,
	// and the results of the nodes before, fenced as data.
	Brief string `json:"brief,omitempty"`
	// From are the tasks that gave those results; one that is not known is empty.
	From []string `json:"from,omitempty"`
	// Before and After are actions around the task, through the same gate.
	Before []PartAct `json:"before,omitempty"`
	After  []PartAct `json:"after,omitempty"`
}

// PartAct is an action of the registry.
type PartAct struct {
	Action string          `json:"action"`
	Params json.RawMessage `json:"params,omitempty"`
}

// ReplayPart is what makes a task a replay. It never travels: only the broker
// gives it.
type ReplayPart struct {
	Saved  string            `json:"saved"` // the id, to put what was mended into its file
	File   string            `json:"file"`  // as it was when the task began
	Values map[string]string `json:"values,omitempty"`
}
