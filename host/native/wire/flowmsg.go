package wire

import "encoding/json"

// Methods of workflows: a graph of subtasks that depend on each other's
// results, and recordings of finished tasks. Also what a finished task leaves:
// its trace and its structured result.
const (
	MethodFlowRun     = "workflow.run"     // FlowRunParams → FlowInfo; from a sentence or from a file's text
	MethodFlowList    = "workflow.list"    // Empty → FlowList; the newest first
	MethodFlowShow    = "workflow.show"    // FlowRef → FlowInfo
	MethodFlowPause   = "workflow.pause"   // FlowRef → FlowInfo; its tasks wait before their next step, no node begins
	MethodFlowResume  = "workflow.resume"  // FlowRef → FlowInfo; also of an interrupted one: finished nodes are not run again
	MethodFlowStop    = "workflow.stop"    // FlowRef → FlowInfo; its tasks end, it may be resumed later
	MethodFlowModify  = "workflow.modify"  // FlowModifyParams → FlowInfo; nodes that began stay as they are
	MethodFlowSave    = "workflow.save"    // FlowSaveParams → Exported; a workflow with its state, or a finished task as a recording
	MethodFlowRestore = "workflow.restore" // FlowRestoreParams → FlowInfo; from a saved file, under a new id
	MethodTaskTrace   = "task.trace"       // TraceParams → Exported; steps, pictures, what the model saw and said
	MethodTaskResult  = "task.result"      // TaskParams → TaskResult; of a task with a schema
	EventFlowChanged  = "workflow.changed" // FlowInfo; to every panel
)

// FlowState is where a workflow stands.
type FlowState string

// The states of a workflow.
const (
	FlowRunning     FlowState = "running"
	FlowPaused      FlowState = "paused"
	FlowDone        FlowState = "done"
	FlowFailed      FlowState = "failed"
	FlowCancelled   FlowState = "cancelled"
	FlowInterrupted FlowState = "interrupted" // the broker ended under it
)

// NodeState is where a node of a workflow stands.
type NodeState string

// The states of a node.
const (
	NodeWaiting NodeState = "waiting" // for others, or for its turn
	NodeRunning NodeState = "running"
	NodeDone    NodeState = "done"
	NodeFailed  NodeState = "failed"
	NodeSkipped NodeState = "skipped" // one that it needs failed
)

// FlowRunParams starts a workflow from one of these: File, a graph as YAML; Saved, the
// id of a kept one; Text, a sentence from which the model makes a graph.
type FlowRunParams struct {
	Text     string `json:"text,omitempty"`
	File     string `json:"file,omitempty"`
	URL      string `json:"url,omitempty"`   // page to begin at
	Model    string `json:"model,omitempty"` // provider/name; empty: the configured one
	Lang     string `json:"lang,omitempty"`
	Parallel int    `json:"parallel,omitempty"` // nodes at a time, 1 to 4; 0: as the file says, or 2
	// Saved is the id of a kept workflow, Values are the values of its parameters.
	Saved  string            `json:"saved,omitempty"`
	Values map[string]string `json:"values,omitempty"`
	// With Hold nothing of it runs before workflow.resume.
	Hold bool `json:"hold,omitempty"`
}

// FlowRef names a workflow.
type FlowRef struct {
	Flow string `json:"flow"`
}

// FlowModifyParams changes a workflow by a sentence. With File the graph is
// taken from there, and no model is asked.
type FlowModifyParams struct {
	Flow string `json:"flow"`
	Text string `json:"text,omitempty"`
	File string `json:"file,omitempty"`
}

// FlowSaveParams asks for one of these as a file: a workflow as it stands, a finished
// task as a recording, or what is kept as Saved.
type FlowSaveParams struct {
	Flow  string `json:"flow,omitempty"`
	Task  string `json:"task,omitempty"`
	Saved string `json:"saved,omitempty"`
}

// FlowRestoreParams resumes a saved workflow. With Hold it begins paused.
type FlowRestoreParams struct {
	File string `json:"file"`
	Hold bool   `json:"hold,omitempty"`
}

// FlowNode is a node of a workflow.
type FlowNode struct {
	ID    string    `json:"id"`
	Text  string    `json:"text"` // the task in words
	Needs []string  `json:"needs,omitempty"`
	State NodeState `json:"state"`
	Level int       `json:"level"`           // 0: needs no other; else one more than the highest level it needs
	Task  string    `json:"task,omitempty"`  // that runs or ran it
	Note  string    `json:"note,omitempty"`  // its answer, or why it failed; shortened
	Asks  bool      `json:"asks,omitempty"`  // its task waits for the user
	Error *Error    `json:"error,omitempty"` // where it failed
	Began int64     `json:"began,omitempty"` // Unix milliseconds
	Ended int64     `json:"ended,omitempty"` // Unix milliseconds
}

// FlowInfo is a workflow as it stands.
type FlowInfo struct {
	Flow     string     `json:"flow"`
	Title    string     `json:"title"`
	State    FlowState  `json:"state"`
	Nodes    []FlowNode `json:"nodes"`
	Parallel int        `json:"parallel"`
	Rev      int        `json:"rev"` // grows with each change
	Started  int64      `json:"started"`
	Updated  int64      `json:"updated"`
	Error    *Error     `json:"error,omitempty"`
}

// FlowList is the workflows that are kept.
type FlowList struct {
	Flows []FlowInfo `json:"flows"`
}

// TraceParams asks for a task's trace.
type TraceParams struct {
	Task   string `json:"task"`
	Format string `json:"format"` // html, json
}

// TaskResult is the structured result of a task. Sources has an entry for each
// value of Data, named by its JSON pointer.
type TaskResult struct {
	Data    json.RawMessage `json:"data"`
	Sources []ValueSource   `json:"sources"`
}

// ValueSource says where a value of a result was read. URL is empty if no page that
// was read has the value. Unchecked is true for booleans and nulls, which are not
// looked for on pages.
type ValueSource struct {
	Path      string `json:"path"` // JSON pointer: /founders/0/name
	URL       string `json:"url,omitempty"`
	Title     string `json:"title,omitempty"`
	Unchecked bool   `json:"unchecked,omitempty"`
}
