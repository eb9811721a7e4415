// Package spec says what an action is: its declaration (Spec), the call of one (Call), what
// came of it (Result) and why it failed (Error). From the declarations a Registry makes the
// schemas for models and checks the parameters of calls. It drives nothing. It may import
// host/action/keyboard, for the names of modifier keys, pagecontext and safety. Start
// reading at Spec.
package spec

import (
	"encoding/json"

	"tabwright/safety"
)

// Call is an action as a model, a user or a program asks for it.
type Call struct {
	Name   string          `json:"action"`
	Params json.RawMessage `json:"params"`
	// Leads is for a Watcher: where a click on a plain link goes. Such a click
	// fetches a page and does nothing else that the gate knows of.
	Leads string `json:"-"`
}

// Result is what came of a Call.
type Result struct {
	Action string `json:"action"`
	// Text is what the model reads: outcome, effect, delta; compact.
	Text string `json:"text"`
	// Line is the step in plain words: Clicked "Add to cart" on shop.test.
	Line string `json:"line"`
	// In is the line in each language, where the action itself said it.
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
	// Loaded says that the tab shows another document since, which may be of the same address.
	Loaded bool `json:"-"`
	// Away says that the tab went away in the course of the action.
	Away bool `json:"-"`
	// Secret says that the target was a field for secrets: what the call wanted
	// typed there is not to be kept or shown.
	Secret bool `json:"-"`
	// Appeared are the texts that came up in the page, and Value what the target
	// holds since, where it holds another value than before.
	Appeared []string `json:"-"`
	Value    string   `json:"-"`
	// Part is the ref of the part of the page that shows something else now, where that
	// is too much for Effect.
	Part string `json:"part,omitempty"`
	// Done and Ask carry the people actions, which end or pause the loop.
	Done *Done  `json:"done,omitempty"`
	Ask  string `json:"ask,omitempty"`
	// Handover says that the tab is the user's until they hand it back, and
	// what they are asked to do there.
	Handover string `json:"handover,omitempty"`
	// Notes are what is to be known besides: the user used the tab, or hands
	// over another. They stand in Text, too.
	Notes []string `json:"notes,omitempty"`
}

// Done is the model's claim to have finished.
type Done struct {
	Success  bool     `json:"success"`
	Answer   string   `json:"answer"`
	Evidence []string `json:"evidence,omitempty"` // quotations of what it rests on
	NotDone  string   `json:"not_done,omitempty"` // what was refused, failed or left out
}
