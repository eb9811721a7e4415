package native

import "encoding/json"

// Methods of a session: one program's own hold on a browser, without a model.
// The command line's sessions live on between its calls, an MCP client's ends
// with its connection.
const (
	MethodSessionOpen    = "session.open"    // SessionOpenParams → SessionInfo; joins the session of that name if there is one
	MethodSessionDo      = "session.do"      // SessionDoParams → SessionResult; a failed action is a result with an error
	MethodSessionObserve = "session.observe" // SessionObserveParams → SessionResult; a look at the page
	MethodSessionAnswer  = "session.answer"  // SessionAnswerParams → Empty; for a launched browser only, else the panel answers
	MethodSessionClose   = "session.close"   // SessionCloseParams → Empty
	MethodSessionList    = "session.list"    // Empty → SessionList
)

// SessionOpenParams asks for a session.
type SessionOpenParams struct {
	Name    string         `json:"name"`              // a session of that name is joined; empty: one of this connection's own, which ends with it
	Client  string         `json:"client,omitempty"`  // who asks, for the person to read
	Join    bool           `json:"join,omitempty"`    // only join, never open
	Profile string         `json:"profile,omitempty"` // of the connected browser; empty: the one that was heard from last
	Confirm string         `json:"confirm,omitempty"` // ask, deny, allow (launched only); default ask
	Lang    string         `json:"lang,omitempty"`    // en, zh
	Hosts   []string       `json:"hosts,omitempty"`   // local hosts and networks that may be opened
	Launch  *SessionLaunch `json:"launch,omitempty"`  // start a browser of its own, which the broker ends with the session
}

// SessionLaunch is a browser to start.
type SessionLaunch struct {
	Headless bool     `json:"headless,omitempty"`
	Browser  string   `json:"browser,omitempty"` // the binary; empty: the one that is found
	Args     []string `json:"args,omitempty"`    // for the browser
	Env      []string `json:"env,omitempty"`     // NAME=value, as where its window goes
}

// SessionInfo is a session at a glance.
type SessionInfo struct {
	Session  string `json:"session"`
	Task     string `json:"task"` // its entry among the tasks
	Client   string `json:"client,omitempty"`
	Profile  string `json:"profile,omitempty"` // of the connected browser
	Browser  string `json:"browser,omitempty"`
	Launched bool   `json:"launched,omitempty"`
	New      bool   `json:"new,omitempty"` // just opened
	Started  int64  `json:"started"`       // Unix milliseconds
}

// SessionDoParams is one action.
type SessionDoParams struct {
	Session string          `json:"session"`
	Action  string          `json:"action"`
	Params  json.RawMessage `json:"params,omitempty"`
	// ConfirmationID repeats a call that needed a confirmation, and waits for
	// its answer.
	ConfirmationID string `json:"confirmationId,omitempty"`
}

// SessionObserveParams asks for a look at the page.
type SessionObserveParams struct {
	Session string `json:"session"`
	Full    bool   `json:"full,omitempty"`   // with the list of elements
	Budget  int    `json:"budget,omitempty"` // tokens that the text may take
}

// SessionResult is what came of an action or a look.
type SessionResult struct {
	Action  string          `json:"action"`
	Text    string          `json:"text"` // compact, for a model
	Line    string          `json:"line"` // in plain words, for a person
	Target  string          `json:"target,omitempty"`
	Site    string          `json:"site,omitempty"`
	Effect  string          `json:"effect,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
	Image   []byte          `json:"image,omitempty"` // base64
	MIME    string          `json:"mime,omitempty"`
	PageRev int             `json:"pageRev"`
	URL     string          `json:"url,omitempty"`
	Error   *Error          `json:"error,omitempty"`
	Confirm *ConfirmInfo    `json:"confirm,omitempty"` // the question, with needs_confirmation
}

// SessionAnswerParams answers the open question of a launched browser's session.
type SessionAnswerParams struct {
	Session        string `json:"session"`
	ConfirmationID string `json:"confirmationId"`
	Allow          bool   `json:"allow"`
}

// SessionCloseParams ends a session.
type SessionCloseParams struct {
	Session string `json:"session"`
	Tabs    bool   `json:"tabs,omitempty"` // close its tabs too
}

// SessionList is the open sessions.
type SessionList struct {
	Sessions []SessionInfo `json:"sessions"`
}
