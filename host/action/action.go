// Package action holds the actions: their registry, the search for their targets, the gate,
// the input that is sent to Chrome, and the report of the effect. The panel, the command line,
// MCP and HTTP all act through Session.Do and through nothing else. The package may import
// host/browser, host/native, pagecontext and safety. Start reading at Session.
package action

import (
	"context"
	"encoding/json"

	"tabwright/host/action/spec"
	"tabwright/safety"
)

// These cross every door; host/action/spec declares them.
type (
	// Call is spec.Call.
	Call = spec.Call
	// Result is spec.Result.
	Result = spec.Result
	// Done is spec.Done.
	Done = spec.Done
	// Code is spec.Code.
	Code = spec.Code
	// Error is spec.Error.
	Error = spec.Error
	// Spec is spec.Spec.
	Spec = spec.Spec
	// Registry is spec.Registry.
	Registry = spec.Registry
	// Tool is spec.Tool.
	Tool = spec.Tool
)

// The codes of spec, and the languages.
const (
	StaleRef          = spec.StaleRef
	NotFound          = spec.NotFound
	Covered           = spec.Covered
	Disabled          = spec.Disabled
	NotVisible        = spec.NotVisible
	NotEditable       = spec.NotEditable
	Timeout           = spec.Timeout
	NeedsConfirmation = spec.NeedsConfirmation
	Denied            = spec.Denied
	Blocked           = spec.Blocked
	StoppedAfter      = spec.StoppedAfter
	NavigationFailed  = spec.NavigationFailed
	DialogOpen        = spec.DialogOpen
	TabClosed         = spec.TabClosed
	TabBusy           = spec.TabBusy
	Detached          = spec.Detached
	InvalidParams     = spec.InvalidParams
	Unsupported       = spec.Unsupported

	English = spec.English
	Chinese = spec.Chinese

	FunctionName = spec.FunctionName
)

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
	// changed since.
	Changed bool
}

// Answer is the user's answer, or one given in their place.
type Answer struct {
	Allow bool
	By    string // panel, terminal, policy, limit (ran out), stop
	Note  string
	// Remember allows similar acts on this site from now on.
	Remember bool
}

// Confirmer puts a card before the user. It returns when it is answered,
// when its time ran out (Allow false), or with ctx's error. An implementation
// that can't ask at all answers {Allow: false, By: "policy"}.
type Confirmer interface {
	Confirm(ctx context.Context, c Card) (Answer, error)
}

// Watcher is told of an act before it begins, so that the journal can sync.
// OnActStart is called after the gate and before the first input is sent; if it
// returns an error, nothing is sent.
type Watcher interface {
	OnActStart(ctx context.Context, c Call, target, site string, level safety.Level) error
	// Notify shows a sentence in the session's language; in has it in every language.
	Notify(ctx context.Context, text string, in map[string]string)
}
