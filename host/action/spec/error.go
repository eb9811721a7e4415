package spec

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tabwright/pagecontext"
)

// Code names why an action failed.
type Code string

// The codes that actions fail with.
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

// Error is an action's failure: a sentence for a user, a hint for a model, and
// data whose type depends on the code (for StaleRef a *pagecontext.StaleError).
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Data    any    `json:"data,omitempty"`
	Err     error  `json:"-"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// hints are the texts of Hint, by code.
var hints = map[Code]string{
	StaleRef:          "The page has changed. Call getElements for a fresh list; do not repeat the old index.",
	NotFound:          "Call getElements for what is there now, scroll, or try another selector.",
	Covered:           "Something lies over it. Close or answer what covers it, or scroll, then try again.",
	Disabled:          "Fill in what is missing first, or wait until it is enabled.",
	NotVisible:        "Scroll, or open the menu or section it is in, then call getElements.",
	NotEditable:       "Choose a field (type input in getElements).",
	Timeout:           "Look at the page again before anything is repeated: it may have happened.",
	NeedsConfirmation: "Pause and let the user look at the page.",
	Denied:            "The user does not want this. Stop trying it, by this or any other way; go on without it, or ask with askUser. Reading and filling in stay free; another amount, recipient or option is asked about anew.",
	Blocked:           "This is never allowed. Do the task another way, or tell the user that it can't be done.",
	StoppedAfter:      "What the page shows of it is not saved: do not take it for done. Do not try another way to the same end; tell the user.",
	NavigationFailed:  "Check the address, or reach the page by links or a search.",
	DialogOpen:        "Answer the dialog with handleDialog first.",
	TabClosed:         "Use switchTab to go to another tab of the task.",
	TabBusy:           "Another task uses this tab. Wait, or work in another tab.",
	Detached:          "The tab can't be driven now. Wait for the user, or use switchTab.",
	InvalidParams:     "Mend the parameters and call it again.",
	Unsupported:       "Try another action for the same end.",
}

// CandidatesShown is how many candidates a failure text lists.
const CandidatesShown = 5

// Hint returns what a model should do next after a code; every code has one.
func (c Code) Hint() string { return hints[c] }

// Codes returns all codes, in alphabetical order.
func Codes() []Code { return slices.Sorted(maps.Keys(hints)) }

// Text returns the error as a model reads it: code, message, candidates and
// hint.
func (e *Error) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ERROR %s: %s.", e.Code, strings.TrimRight(e.Message, "."))
	exact := func(c pagecontext.Candidate) bool { return c.Exact } // the hint names it
	if s, ok := e.Data.(*pagecontext.StaleError); ok && len(s.Candidates) > 0 && !slices.ContainsFunc(s.Candidates, exact) {
		var said []string
		for _, c := range s.Candidates[:min(len(s.Candidates), CandidatesShown)] {
			_, head, _ := strings.Cut(c.Group, ": ")
			elsewhere := func(o pagecontext.Candidate) bool { return o.Name == c.Name && o.Group != c.Group }
			if c.In == "" && slices.ContainsFunc(s.Candidates, elsewhere) {
				c.In = head
			}
			said = append(said, c.Mention())
		}
		b.WriteString(" Candidates: " + strings.Join(said, "; ") + ".")
	}
	if e.Hint != "" {
		b.WriteString(" " + e.Hint)
	}
	return b.String()
}
