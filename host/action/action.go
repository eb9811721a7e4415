// Package action is what can be done in a browser: the registry of actions,
// the resolution of their targets, the gate before anything is sent, real
// input through CDP with a guard where it arrives, and the report of its
// effect. Every door (panel, CLI, MCP, HTTP) acts through Session.Do and
// through nothing else. It may import host/browser, pagecontext and safety.
// Start reading at Session.
package action

import (
	"context"
	"encoding/json"
	"fmt"

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

// Code names why an action did not do what was asked.
type Code string

// The codes of DESIGN.md, "Actions".
const (
	StaleRef          Code = "stale_ref"
	NotFound          Code = "not_found"
	Covered           Code = "covered"
	Disabled          Code = "disabled"
	NotVisible        Code = "not_visible"
	NotEditable       Code = "not_editable"
	Timeout           Code = "timeout"
	NeedsConfirmation Code = "needs_confirmation"
	Denied            Code = "denied"
	Blocked           Code = "blocked"
	StoppedAfter      Code = "stopped_after"
	NavigationFailed  Code = "navigation_failed"
	DialogOpen        Code = "dialog_open"
	TabClosed         Code = "tab_closed"
	TabBusy           Code = "tab_busy"
	Detached          Code = "detached"
	InvalidParams     Code = "invalid_params"
	Unsupported       Code = "unsupported"
)

// Error is an action's failure: a sentence for a user, a hint for a model,
// and data as the code defines it (StaleData, CoverData, …).
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Data    any    `json:"data,omitempty"`
	Err     error  `json:"-"`
}

// Error gives the code and the sentence.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
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

// Card is a question to the user, with texts from the page and policy only.
type Card struct {
	Action   string
	Params   json.RawMessage
	Target   string
	Site     string
	URL      string
	Decision safety.Decision
	Details  []string
	Question safety.Question
	// Changed is true when the same act was allowed before and its facts
	// changed since (SAFETY.md, part 3).
	Changed bool
}

// Answer is a user's answer, or what stands for one.
type Answer struct {
	Allow bool
	By    string // panel, terminal, policy, limit (ran out), stop
	Note  string
	// Remember says that the like is allowed on this site from now on.
	Remember bool
}

// Confirmer puts a card before the user. It returns when it is answered,
// when its time ran out (Allow false), or with ctx's error. An implementation
// that can't ask at all answers {Allow: false, By: "policy"}.
type Confirmer interface {
	Confirm(ctx context.Context, c Card) (Answer, error)
}

// Watcher is told of the two moments the journal must sync around an act.
// Started is called after the gate and before the first input is sent; when it
// returns an error nothing is sent.
type Watcher interface {
	ActStarted(ctx context.Context, c Call, target, site string, level safety.Level) error
	// Notify shows a sentence, in the session's language; in has it in each.
	Notify(ctx context.Context, text string, in map[string]string)
}
