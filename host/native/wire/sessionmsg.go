package wire

import "encoding/json"

// Methods of a session: the use of a browser by one program, without a model. A
// session of the command line stays open between its calls, an MCP client's ends with
// its connection.
const (
	MethodSessionOpen    = "session.open"    // SessionOpenParams → SessionInfo; joins the session of that name if there is one
	MethodSessionDo      = "session.do"      // SessionDoParams → SessionResult; a failed action is a result with an error
	MethodSessionObserve = "session.observe" // SessionObserveParams → SessionResult; a look at the page
	MethodSessionAnswer  = "session.answer"  // SessionAnswerParams → Empty; for a launched browser only, else the panel answers
	MethodSessionClose   = "session.close"   // SessionCloseParams → Empty
	MethodSessionList    = "session.list"    // Empty → SessionList; a panel gets those in its own browser
	MethodSessionHand    = "session.hand"    // SessionTabParams → Empty; a panel only: the program may work in this tab of the user's
	MethodSessionTake    = "session.take"    // SessionTabParams → Empty; a panel only: the user takes a tab back
	MethodProfileList    = "profile.list"    // Empty → ProfileList
	MethodProfileRemove  = "profile.remove"  // ProfileRemoveParams → Empty; an own profile that does not run
)

// Kinds of ProfileInfo, which are also names of profiles: chrome is the
// user's browser that was used last, own the first of the host's own.
const (
	ProfileChrome = "chrome"
	ProfileOwn    = "own"
)

// SessionOpenParams asks for a session.
type SessionOpenParams struct {
	Name    string         `json:"name"`              // a session of that name is joined; empty: one of this connection's own, which ends with it
	Client  string         `json:"client,omitempty"`  // who asks, for the user to read
	Join    bool           `json:"join,omitempty"`    // only join, never open
	Profile string         `json:"profile,omitempty"` // chrome or empty: the connected browser that was heard from last; its id; own or own:NAME
	Confirm string         `json:"confirm,omitempty"` // ask, deny, allow (launched only); default ask
	Lang    string         `json:"lang,omitempty"`    // en, zh
	Hosts   []string       `json:"hosts,omitempty"`   // local hosts and networks that may be opened
	Launch  *SessionLaunch `json:"launch,omitempty"`  // start a browser of its own, which the broker ends with the session; with an own profile: how to start it
	// CDP joins a running browser at its DevTools address, http:// or ws://, which
	// the session leaves running at its end.
	CDP string `json:"cdp,omitempty"`
	// Isolated gives the session cookies and storage of its own, in a browser
	// that the host launched or joined.
	Isolated bool `json:"isolated,omitempty"`
}

// SessionLaunch is a browser to start.
type SessionLaunch struct {
	Headless bool     `json:"headless,omitempty"`
	Browser  string   `json:"browser,omitempty"` // the binary; empty: the one that is found
	Args     []string `json:"args,omitempty"`    // for the browser
	Env      []string `json:"env,omitempty"`     // NAME=value, such as the display for its window
}

// SessionInfo is a session at a glance.
type SessionInfo struct {
	Session  string `json:"session"`
	Task     string `json:"task"` // its entry among the tasks
	Client   string `json:"client,omitempty"`
	Profile  string `json:"profile,omitempty"` // of the connected browser, or own or own:NAME
	Browser  string `json:"browser,omitempty"`
	Launched bool   `json:"launched,omitempty"`
	Isolated bool   `json:"isolated,omitempty"`
	Paused   bool   `json:"paused,omitempty"` // by the user
	Tabs     []int  `json:"tabs,omitempty"`   // its tabs in the user's browser
	New      bool   `json:"new,omitempty"`    // just opened
	Started  int64  `json:"started"`          // Unix milliseconds
}

// SessionDoParams is one action.
type SessionDoParams struct {
	Session string          `json:"session"`
	Action  string          `json:"action"`
	Params  json.RawMessage `json:"params,omitempty"`
	// With Explain nothing is done: the result says how the gate judges the action, and
	// why.
	Explain bool `json:"explain,omitempty"`
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
	Action      string          `json:"action"`
	Text        string          `json:"text"` // compact, for a model
	Line        string          `json:"line"` // in plain words, for a user
	Target      string          `json:"target,omitempty"`
	Site        string          `json:"site,omitempty"`
	Effect      string          `json:"effect,omitempty"`
	Destination string          `json:"destination,omitempty"` // where the act led: "address", "same" (an address whose page shows nothing new), "document", "file"
	Part        string          `json:"part,omitempty"`        // ref of the part of the page that changed, if that is too much for Effect
	Data        json.RawMessage `json:"data,omitempty"`
	Image       []byte          `json:"image,omitempty"` // base64
	MIME        string          `json:"mime,omitempty"`
	PageRev     int             `json:"pageRev"`
	URL         string          `json:"url,omitempty"`
	Notes       []string        `json:"notes,omitempty"` // further remarks; Text has them too
	Error       *Error          `json:"error,omitempty"`
	Confirm     *ConfirmInfo    `json:"confirm,omitempty"` // the question, with needs_confirmation
	// Profile and Browser are where the session is, in its first result.
	Profile string `json:"profile,omitempty"`
	Browser string `json:"browser,omitempty"`
}

// SessionAnswerParams answers the open question of a launched browser's session.
type SessionAnswerParams struct {
	Session        string `json:"session"`
	ConfirmationID string `json:"confirmationId"`
	Allow          bool   `json:"allow"`
	Note           string `json:"note,omitempty"` // why not
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

// SessionTabParams names a session and a tab of the user's.
type SessionTabParams struct {
	Session string `json:"session"`
	TabID   int    `json:"tabId"`
}

// ProfileInfo is a browser profile that a session can work in.
type ProfileInfo struct {
	Profile  string   `json:"profile"` // as --profile takes it
	Kind     string   `json:"kind"`    // chrome or own
	Browser  *Browser `json:"browser,omitempty"`
	Running  bool     `json:"running"`
	Headless bool     `json:"headless,omitempty"`
	Last     bool     `json:"last,omitempty"` // chrome now names this one
	Sessions int      `json:"sessions,omitempty"`
	Path     string   `json:"path,omitempty"` // folder of an own one
}

// ProfileList is the profiles, the user's browsers first.
type ProfileList struct {
	Profiles []ProfileInfo `json:"profiles"`
}

// ProfileRemoveParams names an own profile whose folder is removed, with its cookies
// and history.
type ProfileRemoveParams struct {
	Profile string `json:"profile"` // own or own:NAME
}
