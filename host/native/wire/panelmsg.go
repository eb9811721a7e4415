package wire

import "encoding/json"

// Methods a panel (Chan set) or a CLI client calls on the broker. Every one of
// them needs a hello of the connection before it.
const (
	MethodPanelState      = "panel.state"      // Empty → PanelState; what a panel needs to draw itself
	MethodTaskStart       = "task.start"       // TaskStartParams → TaskInfo
	MethodTaskStop        = "task.stop"        // TaskParams → Empty; returns once nothing runs any more
	MethodTaskList        = "task.list"        // Empty → TaskList
	MethodTaskSubscribe   = "task.subscribe"   // SubscribeParams → Subscribed; then EventTask events, oldest first
	MethodTaskUnsubscribe = "task.unsubscribe" // TaskParams → Empty
	MethodTaskSay         = "task.say"         // SayParams → Empty; an answer to askUser, or words that steer the task
	MethodTaskPause       = "task.pause"       // TaskParams → Empty
	MethodTaskResume      = "task.resume"      // TaskParams → Empty
	MethodConfirm         = "confirm.answer"   // ConfirmAnswer → Empty
	MethodPolicyShow      = "policy.show"      // Empty → PolicyInfo
	MethodPolicyRevoke    = "policy.revoke"    // GrantRef → PolicyInfo; a panel only
	MethodModelList       = "models.list"      // Empty → ModelList
	MethodModelUse        = "models.use"       // ModelRef → Empty
	MethodTourStart       = "tour.start"       // Empty → TourInfo; the bundled shop with a stand-in model
	MethodBrokerStatus    = "broker.status"    // Empty → BrokerStatus; what doctor asks
	MethodBrokerStop      = "broker.stop"      // StopParams → Empty; ends the broker
	MethodTryAttach       = "broker.attach"    // ProfileParams → Empty; opens a tab in that profile, attaches to it and closes it, for doctor
	EventTask             = "task.event"       // Event
	EventDelta            = "task.delta"       // DeltaEvent; passing, unnumbered
)

// EventType is the kind of a numbered task event.
type EventType string

// The kinds of task event.
const (
	EvStarted        EventType = "started"         // Text = the task
	EvThinking       EventType = "thinking"        // Text = the finished thought
	EvPlan           EventType = "plan"            // Plan, Text = the same in words
	EvToolCall       EventType = "tool_call"       // Step
	EvToolResult     EventType = "tool_result"     // Step with Outcome
	EvProgress       EventType = "progress"        // Text
	EvConfirmRequest EventType = "confirm_request" // Confirm
	EvConfirmResult  EventType = "confirm_result"  // Confirm with Answer
	EvNotify         EventType = "notify"          // Text, Level
	EvAsk            EventType = "ask"             // Text = the question to the user
	EvSaid           EventType = "said"            // Text = what the user said
	EvPaused         EventType = "paused"          // Text = why; Level = takeover while the user acts themselves
	EvResumed        EventType = "resumed"
	EvSteered        EventType = "steered"   // Text
	EvComplete       EventType = "complete"  // Text = the answer (Markdown)
	EvFailed         EventType = "failed"    // Error
	EvCancelled      EventType = "cancelled" // Text = why
	EvQueued         EventType = "queued"    // Text = what it waits for
	// EvInterrupted ends a task that can be resumed: Text = why, Error.
	EvInterrupted EventType = "interrupted"
)

// Event is one entry of the stream that feeds panel, SSE, CLI and journal.
// Seq counts per task from 1; Global counts per broker journal.
type Event struct {
	Task    string       `json:"task"`
	Seq     uint64       `json:"seq"`
	Global  uint64       `json:"global"`
	Time    int64        `json:"time"` // Unix milliseconds
	Type    EventType    `json:"type"`
	Text    string       `json:"text,omitempty"`
	Level   string       `json:"level,omitempty"` // info, warn
	Step    *StepInfo    `json:"step,omitempty"`
	Confirm *ConfirmInfo `json:"confirm,omitempty"`
	Error   *Error       `json:"error,omitempty"`
	Usage   *UsageInfo   `json:"usage,omitempty"`
	Plan    []PlanStep   `json:"plan,omitempty"` // the whole plan as it stands now
	// In has the text by language (en, zh), if Tabwright itself wrote it.
	In map[string]string `json:"in,omitempty"`
}

// StepInfo is one action: before it (tool_call) and after it (tool_result).
type StepInfo struct {
	N       int             `json:"n"` // from 1; below zero for hooks of a workflow's node
	Action  string          `json:"action"`
	Params  json.RawMessage `json:"params,omitempty"` // secrets already replaced
	Line    string          `json:"line"`             // one line in plain words: Clicked "Add to cart" on shop.test
	Target  string          `json:"target,omitempty"` // button "Add to cart"
	Site    string          `json:"site,omitempty"`
	URL     string          `json:"url,omitempty"`     // of the page on which the step was decided
	Level   string          `json:"level,omitempty"`   // the gate's
	Outcome string          `json:"outcome,omitempty"` // ok, error, denied, blocked, stopped_after, unknown
	Effect  string          `json:"effect,omitempty"`  // what changed, in words
	Error   *Error          `json:"error,omitempty"`
	Millis  int64           `json:"millis,omitempty"`
	Thumb   bool            `json:"thumb,omitempty"` // task.thumb has a picture of the page after it
	// In has the line by language (en, zh).
	In map[string]string `json:"in,omitempty"`
}

// ConfirmInfo is a confirm card. Every text on it comes from the page and the
// policy, never from the model.
type ConfirmInfo struct {
	ID      string   `json:"id"`
	Action  string   `json:"action"`
	Class   string   `json:"class"`
	Target  string   `json:"target"`
	Site    string   `json:"site"`
	URL     string   `json:"url"`
	Reasons []string `json:"reasons"`
	Amount  string   `json:"amount,omitempty"`
	Details []string `json:"details,omitempty"` // items, recipient, file, code: a line each
	// Yes has the words of the button that allows, by language (en, zh): "Pay $17.10".
	Yes     map[string]string `json:"yes,omitempty"`
	About   string            `json:"about,omitempty"`   // the line of a list that the act is about, or the question that it answers
	To      string            `json:"to,omitempty"`      // the recipient of what is sent
	Expires int64             `json:"expires,omitempty"` // Unix milliseconds; 0 = the task's own limit
	Answer  string            `json:"answer,omitempty"`  // allow, deny, expired, void
	By      string            `json:"by,omitempty"`      // panel, terminal, limit, stop, takeover, restart
	// Remember offers to allow this class on this site from now on.
	Remember bool `json:"remember,omitempty"`
	// Again is an act that may have been done already, and that this one would
	// do once more.
	Again *DoubtInfo `json:"again,omitempty"`
	// In has the reasons by language (en, zh).
	In map[string][]string `json:"in,omitempty"`
}

// DoubtInfo is an act that was interrupted after it began, and whose result the page
// does not show.
type DoubtInfo struct {
	Action  string `json:"action"`
	Target  string `json:"target,omitempty"`
	Site    string `json:"site,omitempty"`
	Key     string `json:"key,omitempty"`     // the key that was pressed
	Started int64  `json:"started,omitempty"` // Unix milliseconds
}

// UsageInfo counts a task's spending so far.
type UsageInfo struct {
	InputTokens  int   `json:"inputTokens"`
	OutputTokens int   `json:"outputTokens"`
	Steps        int   `json:"steps"`
	Millis       int64 `json:"millis"`
	// The tokens of the requests that led to the last step.
	StepInputTokens  int `json:"stepInputTokens,omitempty"`
	StepOutputTokens int `json:"stepOutputTokens,omitempty"`
	// InputRate and OutputRate are the tokens per second that the server read and wrote
	// for the newest reply, by its own measure; absent if it has none.
	InputRate  float64 `json:"inputRate,omitempty"`
	OutputRate float64 `json:"outputRate,omitempty"`
	// Cost is the cost of the task so far, in the currency of the prices; absent where
	// no prices are set. A Local model costs nothing.
	Cost  *float64 `json:"cost,omitempty"`
	Local bool     `json:"local,omitempty"`
	// Way is how the model gave the last action (native, schema, markdown). Mode is
	// what it is shown: dom, hybrid (with pictures) or pointer (pictures alone).
	Way  string `json:"way,omitempty"`
	Mode string `json:"mode,omitempty"`
}

// Kinds of a DeltaEvent beside those of llm.
const (
	DeltaAnswer  = "answer"  // a piece of the answer, while the model writes it
	DeltaRetract = "retract" // the streamed answer is withdrawn
)

// DeltaEvent is streamed text that has not been finished yet.
type DeltaEvent struct {
	Task string `json:"task"`
	Kind string `json:"kind"` // text, reasoning, answer, retract
	Text string `json:"text"`
}

// TaskStartParams starts a task. TabID 0 means: open a tab (at URL if given).
type TaskStartParams struct {
	Text  string `json:"text"`
	TabID int    `json:"tabId,omitempty"`
	URL   string `json:"url,omitempty"`
	Model string `json:"model,omitempty"` // provider/name; empty = the configured one
	Lang  string `json:"lang,omitempty"`  // en, zh; empty = by the task's own words
	// Conversation is the id of the conversation that the task continues; empty: a new one.
	Conversation string       `json:"conversation,omitempty"`
	Attach       []Attachment `json:"attach,omitempty"`
	// With Queue the task waits while another works in the tab; without it that is the
	// error tab_busy.
	Queue bool `json:"queue,omitempty"`
	// Schema is a JSON schema that the answer must fit; URLs are pages to read
	// for it. task.result then returns the answer with its sources.
	Schema json.RawMessage `json:"schema,omitempty"`
	URLs   []string        `json:"urls,omitempty"`
	// Profile is the id of the browser to work in, or its beginning; empty: the panel's
	// own, or the one used last. Hosts are local hosts that may be opened.
	Profile string   `json:"profile,omitempty"`
	Hosts   []string `json:"hosts,omitempty"`
	// Part makes the task a node of a workflow; only the broker sets it.
	Part *FlowPart `json:"-"`
	// Replay makes the task the replay of a recording; only the broker sets it.
	Replay *ReplayPart `json:"-"`
}

// TaskParams names a task.
type TaskParams struct {
	Task string `json:"task"`
}

// SayParams carries a user's words into a task.
type SayParams struct {
	Task string `json:"task"`
	Text string `json:"text"`
	// Attach goes with the words.
	Attach []Attachment `json:"attach,omitempty"`
}

// ConfirmAnswer answers a card.
type ConfirmAnswer struct {
	Task  string `json:"task"`
	ID    string `json:"id"`
	Allow bool   `json:"allow"`
	Note  string `json:"note,omitempty"`
	// Remember allows the card's class on its site from now on, for a while. It
	// counts only where the card offered it.
	Remember bool `json:"remember,omitempty"`
}

// GrantInfo is a rule for one site and class that was given by a click or a
// command, and ends by itself.
type GrantInfo struct {
	ID      string `json:"id"`
	Site    string `json:"site"`
	Class   string `json:"class"`
	Deny    bool   `json:"deny,omitempty"`
	Created int64  `json:"created"` // Unix milliseconds, as Expires
	Expires int64  `json:"expires"`
	By      string `json:"by,omitempty"` // panel, command line
}

// GrantRef names a grant.
type GrantRef struct {
	ID string `json:"id"`
}

// PolicyInfo is the user's policy as it stands.
type PolicyInfo struct {
	Preset string      `json:"preset"`
	Fault  string      `json:"fault,omitempty"` // why the file is not in force; the careful preset then is
	Grants []GrantInfo `json:"grants"`
}

// SubscribeParams asks for a task's events after number Seq, with those to come. With
// an empty Task they are those of all tasks, and Seq is a broker-wide number.
type SubscribeParams struct {
	Task string `json:"task,omitempty"`
	Seq  uint64 `json:"seq"`
}

// Subscribed answers a subscription.
type Subscribed struct {
	Replayed int `json:"replayed"`
}

// TaskState is where a task stands.
type TaskState string

// The states of a task.
const (
	TaskQueued      TaskState = "queued" // waits for the tab that another works in
	TaskRunning     TaskState = "running"
	TaskConfirming  TaskState = "confirming" // a card is open
	TaskAsking      TaskState = "asking"     // waiting for the user's answer
	TaskPaused      TaskState = "paused"
	TaskDone        TaskState = "done"
	TaskFailed      TaskState = "failed"
	TaskCancelled   TaskState = "cancelled"
	TaskInterrupted TaskState = "interrupted" // the broker or the browser went away under it
)

// TaskInfo is a task at a glance.
type TaskInfo struct {
	Task    string    `json:"task"`
	Text    string    `json:"text"`
	State   TaskState `json:"state"`
	Model   string    `json:"model"`
	Kind    string    `json:"kind,omitempty"` // session: a program's, without a model; empty: a task
	TabID   int       `json:"tabId,omitempty"`
	Seq     uint64    `json:"seq"`
	Started int64     `json:"started"`
	Updated int64     `json:"updated,omitempty"` // when its newest event was written
	// Conversation is the id of the conversation that it belongs to.
	Conversation string `json:"conversation,omitempty"`
	// Resumable says that task.resume can take an interrupted task up again.
	Resumable bool `json:"resumable,omitempty"`
	// Way and Mode are those of its UsageInfo.
	Way  string `json:"way,omitempty"`
	Mode string `json:"mode,omitempty"`
}

// TaskList is the newest tasks first.
type TaskList struct {
	Tasks []TaskInfo `json:"tasks"`
}

// ModelInfo is one model that can be used, or a provider that can't be reached.
type ModelInfo struct {
	ID      string `json:"id"` // provider/name
	Local   bool   `json:"local"`
	StandIn bool   `json:"standIn,omitempty"` // a script, not a model
	Tools   bool   `json:"tools"`
	Vision  bool   `json:"vision"`
	Thinks  bool   `json:"thinks,omitempty"`
	Context int    `json:"context,omitempty"` // tokens of the window that is used
	// MaxContext is the most tokens that the model takes, if that is more.
	MaxContext int `json:"maxContext,omitempty"`
	// For Ollama's models: bytes on disk, and parameters and quantization as it writes them.
	Size         int64  `json:"size,omitempty"`
	Parameters   string `json:"parameters,omitempty"`
	Quantization string `json:"quantization,omitempty"`
	// Recommended is true for at most one model of Ollama. Problem is why the model can't
	// work.
	Recommended bool   `json:"recommended,omitempty"`
	Problem     *Error `json:"problem,omitempty"`
	// Way and Mode are set for the model in use alone: how it would be asked for an
	// action, and dom, hybrid or pointer.
	Way  string `json:"way,omitempty"`
	Mode string `json:"mode,omitempty"`
	// Learned is what did not work with it: ways to an action, vision.
	Learned []string `json:"learned,omitempty"`
}

// ModelRef names a model.
type ModelRef struct {
	ID string `json:"id"`
}

// ModelList is the models that can be used now. Error says why none can, and its hint
// what to do about it.
type ModelList struct {
	Models []ModelInfo `json:"models"`
	Using  string      `json:"using,omitempty"`
	Error  *Error      `json:"error,omitempty"`
	// Suggested is a model to pull for this machine, where the provider is Ollama.
	Suggested string `json:"suggested,omitempty"`
}

// PanelState is what a panel needs to draw itself.
type PanelState struct {
	Version string `json:"version"`
	// Extension is the version of the extension that the host carries, to
	// compare with the one that runs.
	Extension string     `json:"extension,omitempty"`
	Tasks     []TaskInfo `json:"tasks"`
	Models    ModelList  `json:"models"`
	Lang      string     `json:"lang"`
	Tour      bool       `json:"tour"` // the tour can be offered
}

// TourInfo is the bundled shop, started for the tour.
type TourInfo struct {
	URL  string `json:"url"`
	Task string `json:"task"`  // the words the tour suggests
	Seed int64  `json:"seed"`  // what shuffled the shop
	Mod  string `json:"model"` // the stand-in model's id
}

// BrokerStatus is what doctor and status show.
type BrokerStatus struct {
	Version string      `json:"version"`
	PID     int         `json:"pid"`
	Socket  string      `json:"socket"`
	Binary  string      `json:"binary"`
	Started int64       `json:"started"`
	Relays  []RelayInfo `json:"relays"`
	Running int         `json:"running"`
}

// ProfileParams names a connected browser profile.
type ProfileParams struct {
	Profile string `json:"profile"`
}

// StopParams stops running tasks too, with Force. Without it a broker with running
// tasks refuses.
type StopParams struct {
	Force bool `json:"force,omitempty"`
}

// RelayInfo is one connected browser profile.
type RelayInfo struct {
	Profile     string  `json:"profile"`
	ExtensionID string  `json:"extensionId"`
	Version     string  `json:"version"`
	Browser     Browser `json:"browser"`
	Connected   int64   `json:"connected"`
	ShimPID     int     `json:"shimPid,omitempty"`
	ShimBinary  string  `json:"shimBinary,omitempty"`
	// PingError is the error of a ping that the service worker was just sent, empty if
	// it answered.
	PingError string `json:"pingError,omitempty"`
}
