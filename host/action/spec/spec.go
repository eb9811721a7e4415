// Package spec has the types of an action: its declaration (Spec), a call of it (Call), the
// result (Result) and the error (Error). From the declarations a Registry makes the schemas
// for models, and checks the parameters of calls. The package runs no action. It may import
// host/action/keyboard (for the names of modifier keys), pagecontext and safety. Start reading
// at Spec.
package spec

import (
	"encoding/json"

	"tabwright/safety"
)

// Call is an action as a model, a user or a program asks for it.
type Call struct {
	Name   string          `json:"action"`
	Params json.RawMessage `json:"params"`
	// Leads is for an action.Watcher: the address that a click on a plain link opens. As far as
	// the gate knows, such a click only fetches a page.
	Leads string `json:"-"`
}

// Destination is where an act led.
type Destination string

// The destinations of acts.
const (
	NoDestination Destination = ""
	ToAddress     Destination = "address" // of the same document
	ToSame        Destination = "same"    // an address of the same document, which shows nothing new
	ToDocument    Destination = "document"
	ToFile        Destination = "file" // what is no web page
)

// Result is the result of a Call.
type Result struct {
	Action string `json:"action"`
	// Text is what the model reads: outcome, effect, delta; compact.
	Text string `json:"text"`
	// Line is the step in plain words: Clicked "Add to cart" on shop.test.
	Line string `json:"line"`
	// In is the line in each language, if the action itself gave it.
	In      map[string]string `json:"-"`
	Target  string            `json:"target,omitempty"` // button "Add to cart"
	Site    string            `json:"site,omitempty"`   // host of the frame it happened in
	Level   safety.Level      `json:"-"`
	Effect  string            `json:"effect,omitempty"` // in words, or "no visible effect"
	Data    any               `json:"data,omitempty"`   // structured result of reading actions
	Image   []byte            `json:"-"`                // a screenshot, with MIME
	MIME    string            `json:"-"`
	PageRev int               `json:"pageRev"`
	Err     *Error            `json:"error,omitempty"`
	// Sent says whether any input or command that may change the page was sent.
	// The journal needs it: a failure with Sent false is safe to repeat.
	Sent bool `json:"-"`
	// Destination says where the act led.
	Destination Destination `json:"destination,omitempty"`
	// Loaded says that the tab shows another document since, maybe at the same address.
	Loaded bool `json:"-"`
	// Away says that the tab went away during the action.
	Away bool `json:"-"`
	// Secret says that the target was a field for secrets: the text of the call must
	// not be kept or shown.
	Secret bool `json:"-"`
	// Appeared are the texts that came up on the page, Value is the target's new
	// value, if it changed.
	Appeared []string `json:"-"`
	Value    string   `json:"-"`
	// Part is the ref of a changed part of the page, if its changes are too many for
	// Effect.
	Part string `json:"part,omitempty"`
	// Done and Ask carry the people actions, which end or pause the loop.
	Done *Done  `json:"done,omitempty"`
	Ask  string `json:"ask,omitempty"`
	// Handover is what the user is asked to do in the tab, which is theirs until they
	// hand it back.
	Handover string `json:"handover,omitempty"`
	// Notes are further remarks: the user used the tab, or hands over another. Text
	// contains them, too.
	Notes []string `json:"notes,omitempty"`
}

// Done is the model's claim to have finished.
type Done struct {
	Success  bool     `json:"success"`
	Answer   string   `json:"answer"`
	Evidence []string `json:"evidence,omitempty"` // quotations that support the answer
	NotDone  string   `json:"not_done,omitempty"` // what was refused, failed or left out
}
