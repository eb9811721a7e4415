// Package agent is the loop that does a task: observe, decide, gate, act,
// observe again, until the model says done, a budget ends or the user stops
// it. It knows models and pages only through the small interfaces in this
// file; the gate sits inside Executor.Do. It may import host/action, host/native,
// llm and prompts. Start reading at Run.
package agent

import (
	"context"
	"time"

	"tabwright/host/action"
	"tabwright/host/journal"
	"tabwright/host/native/wire"
	"tabwright/llm"
)

// Model is what the loop thinks with; *llm.Model is one.
type Model interface {
	Chat(ctx context.Context, r llm.Request, sink func(llm.Delta)) (*llm.Reply, error)
	Capabilities(ctx context.Context) (llm.Capabilities, error)
}

// reporter is a Model that wants to know of replies that could be read and
// were of no use: words where a call was needed. *llm.Model then tries another
// way to get an action.
type reporter interface{ ReportBad(reply *llm.Reply) }

// reader is a Model that wants to know what the loop itself read in a reply: the
// actions of a model that points, or why there are none.
type reader interface {
	ReportRead(calls []llm.Call, err error)
}

// awaiter is a Model that may be loading already when a task begins. Await returns when
// it is there.
type awaiter interface {
	Await(ctx context.Context, sink func(llm.Delta)) error
}

// Executor is what the loop looks and acts with; *action.Session is one.
type Executor interface {
	Do(ctx context.Context, c action.Call) action.Result
	Observe(ctx context.Context, o action.ObserveOptions) (action.Observation, error)
}

// Record is where everything goes that happens in a task. Emit returns when
// the event is on disk; only then is it shown.
type Record interface {
	Emit(ev wire.Event) error
	Delta(kind, text string)
	ActStarted(a journal.Act) error
	ActFinished() error
}

// Options is one task.
type Options struct {
	Text     string // what the user asked for, word for word
	Lang     string // en or zh; empty: by the words of Text
	Model    Model
	Executor Executor
	User     *UserChannel
	Record   Record
	Budget   Budget
	// Critic is what the Executor's gate asks; what it takes is the task's. May be nil.
	Critic *Critic
	// Strong gives the model one function per action instead of the one flat
	// browser_action.
	Strong bool
	// Before are the earlier tasks of the conversation, oldest first, and Attach
	// what the user gave with this one.
	Before []Exchange
	Attach []Attached
	// Begin is an address that the task opens itself before its first look: the gate
	// asks about it. Empty: its tab is where it begins.
	Begin string
	// Past is what the task did before it was interrupted; nil for a new one.
	Past *Past
	// Began is when what stands before the task began, which has a share in its
	// limit of time; zero: nothing does.
	Began time.Time
	// Validator says how a claim to be done is checked: ValidatorAuto,
	// ValidatorOn or ValidatorOff. Empty is off.
	Validator string
	// WaitBrowser returns when a lost browser is back, or with an error when
	// it has not come back in time. Nil: a lost browser ends the task.
	WaitBrowser func(ctx context.Context) error
	// Leaving reports whether the browser is gone, or goes within a moment: one
	// that is quit closes its tabs first. Nil: a tab is never closed for that.
	Leaving func(ctx context.Context) bool
}

// Codes of wire.Error in a failed event, beside those of llm and action.
const (
	CodeBudget      wire.Code = "budget"       // steps, tokens or minutes ran out
	CodeNoReply     wire.Code = "no_action"    // the model gave nothing that can be read, three times in a row
	CodeBrowserGone wire.Code = "browser_gone" // the browser went and did not come back
	CodeNotDone     wire.Code = "not_done"     // the model itself says that it could not do it
	CodeNeedsPerson wire.Code = "needs_person" // a question, and nobody there who can answer
)
