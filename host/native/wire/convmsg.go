package wire

// Methods of conversations: what a user and the agent said to each other,
// over one task or several. A conversation has the id of its first task.
const (
	MethodConvList   = "conversation.list"   // ConvListParams → ConvList; the last changed first
	MethodConvShow   = "conversation.show"   // ConvRef → ConvInfo; with its tasks, oldest first
	MethodConvRename = "conversation.rename" // ConvRenameParams → ConvInfo; a panel only
	MethodConvDelete = "conversation.delete" // ConvRef → Empty; a panel only; busy while a task of it runs
	MethodConvExport = "conversation.export" // ConvExportParams → Exported
	MethodTakeOver   = "task.takeOver"       // TaskParams → Empty; a panel only: the user acts, nothing is read until task.resume
	MethodPlanEdit   = "task.editPlan"       // PlanEditParams → Empty; a panel only
	MethodStepThumb  = "task.thumb"          // StepRef → Picture; the page after that step, small
	EventTaskChanged = "task.changed"        // TaskInfo; to every panel, whenever a task begins, changes its state or ends
)

// ConvListParams asks for conversations.
type ConvListParams struct {
	Query string `json:"query,omitempty"` // words in the title, the tasks or the answers, in any case
	Limit int    `json:"limit,omitempty"` // 0: 50; at most 200
}

// ConvList is conversations at a glance.
type ConvList struct {
	Conversations []ConvInfo `json:"conversations"`
	Total         int        `json:"total"` // that fit the query
}

// ConvInfo is a conversation. Tasks is set only where one conversation was asked for.
type ConvInfo struct {
	Conversation string     `json:"conversation"`
	Title        string     `json:"title"` // the user's, or the first words of the first task
	State        TaskState  `json:"state"` // of the newest task
	Updated      int64      `json:"updated"`
	Count        int        `json:"count"` // of tasks
	Sites        []string   `json:"sites,omitempty"`
	Excerpt      string     `json:"excerpt,omitempty"` // where the query was found
	Tasks        []TaskInfo `json:"tasks,omitempty"`
}

// ConvRef names a conversation.
type ConvRef struct {
	Conversation string `json:"conversation"`
}

// ConvRenameParams gives a conversation a title; an empty one removes the user's.
type ConvRenameParams struct {
	Conversation string `json:"conversation"`
	Title        string `json:"title"`
}

// ConvExportParams asks for a conversation as a file.
type ConvExportParams struct {
	Conversation string `json:"conversation"`
	Format       string `json:"format"` // md, json
}

// Exported is a file's content.
type Exported struct {
	Name string `json:"name"`
	MIME string `json:"mime"`
	Text string `json:"text"`
}

// Attachment goes with the words of a task. Text selected on a page, pictures of
// it, and the content of a file are data, never instructions. A file with neither
// text nor picture is for uploads only.
type Attachment struct {
	Kind string `json:"kind"`           // selection, screenshot, file
	Name string `json:"name,omitempty"` // of a file
	URL  string `json:"url,omitempty"`  // the page it was taken from
	Text string `json:"text,omitempty"` // a selection, or what a file of text says
	MIME string `json:"mime,omitempty"`
	Data string `json:"data,omitempty"` // base64: a picture, or a file that may be uploaded in this task
	// Picture is what a model sees of a file that is a picture: a JPEG in base64.
	Picture string `json:"picture,omitempty"`
}

// States of a PlanStep.
const (
	PlanTodo    = "todo"
	PlanDoing   = "doing"
	PlanDone    = "done"
	PlanDropped = "dropped"
)

// PlanStep is one line of a task's plan.
type PlanStep struct {
	Text  string `json:"text"`
	State string `json:"state"`
}

// PlanEditParams is the plan as the user wants it.
type PlanEditParams struct {
	Task string     `json:"task"`
	Plan []PlanStep `json:"plan"`
}

// StepRef names a step of a task.
type StepRef struct {
	Task string `json:"task"`
	Step int    `json:"step"`
}

// Picture is an image.
type Picture struct {
	MIME string `json:"mime"`
	Data string `json:"data"` // base64
}
