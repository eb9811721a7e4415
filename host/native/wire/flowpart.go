package wire

import "encoding/json"

// FlowPart is what makes a task a node of a workflow. No client sends it: only the
// broker sets it.
type FlowPart struct {
	// Brief is what the model is told besides the task: its place in the workflow,
	// and the results of the nodes before it, fenced as data.
	Brief string `json:"brief,omitempty"`
	// From are the ids of the tasks that gave those results, empty where not known.
	From []string `json:"from,omitempty"`
	// Before and After are actions before and after the task, judged by the same gate.
	Before []PartAct `json:"before,omitempty"`
	After  []PartAct `json:"after,omitempty"`
}

// PartAct is an action of the registry.
type PartAct struct {
	Action string          `json:"action"`
	Params json.RawMessage `json:"params,omitempty"`
}

// ReplayPart is what makes a task a replay. No client sends it: only the broker sets
// it.
type ReplayPart struct {
	Saved  string            `json:"saved"` // the id; repaired steps are written to its file
	File   string            `json:"file"`  // its text when the task began
	Values map[string]string `json:"values,omitempty"`
}
