package wire

// Methods of the workflows that a user keeps: recordings, which are replayed without
// a model, and graphs. Only panels may change them, or replay one in the user's own
// browser: a kept file counts as the user's words.
const (
	MethodSavedList   = "saved.list"   // Empty → SavedList; by name
	MethodSavedKeep   = "saved.keep"   // SavedKeepParams → SavedFlow; a panel only
	MethodSavedRename = "saved.rename" // SavedRenameParams → SavedFlow; a panel only
	MethodSavedRemove = "saved.remove" // SavedRef → SavedList; a panel only
	MethodReplay      = "saved.replay" // ReplayParams → TaskInfo; a recording, as a task; a panel only
)

// The kinds of SavedFlow.
const (
	SavedRecording = "recording" // steps, by role and name
	SavedGraph     = "graph"     // tasks that depend on each other
)

// SavedFlow is a kept workflow, at a glance.
type SavedFlow struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Kind    string       `json:"kind"`
	Goal    string       `json:"goal,omitempty"`
	URL     string       `json:"url,omitempty"` // where it begins
	Params  []SavedParam `json:"params,omitempty"`
	Parts   int          `json:"parts"`           // steps of a recording, nodes of a graph
	Updated int64        `json:"updated"`         // Unix milliseconds
	Error   *Error       `json:"error,omitempty"` // why its file can't be used
}

// SavedParam is a value that differs from run to run.
type SavedParam struct {
	Name    string `json:"name"`
	Default string `json:"default,omitempty"`
	About   string `json:"about,omitempty"`
	// Secret takes a placeholder of the vault only: {{secret:name}}.
	Secret bool `json:"secret,omitempty"`
}

// SavedList is the kept workflows.
type SavedList struct {
	Saved []SavedFlow `json:"saved"`
}

// SavedKeepParams keeps one of these: a finished task as a recording, a workflow
// without its results, or the text of a file.
type SavedKeepParams struct {
	Task string `json:"task,omitempty"`
	Flow string `json:"flow,omitempty"`
	File string `json:"file,omitempty"`
	Name string `json:"name,omitempty"` // empty: the file's own
}

// SavedRenameParams gives a kept workflow another name.
type SavedRenameParams struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// SavedRef names a kept workflow.
type SavedRef struct {
	ID string `json:"id"`
}

// ReplayParams replays a kept recording. TabID 0: in a tab of its own.
type ReplayParams struct {
	ID           string            `json:"id"`
	Values       map[string]string `json:"values,omitempty"` // of its parameters; those left out have their default
	TabID        int               `json:"tabId,omitempty"`
	Conversation string            `json:"conversation,omitempty"`
}
