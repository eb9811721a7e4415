// Package agent runs a task in a loop: it reads the page, asks the model for an action and
// does the action. The loop ends when the model says that the task is done, a budget is used
// up or the user stops the task. The package knows models and pages only through the small
// interfaces in this file. The gate is part of Executor.Do. The package may import
// host/action, host/native, llm and prompts. Start reading at Run.
package agent

import (
	"context"

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

// reporter is a Model that is told of replies of words where a call was needed.
// *llm.Model then tries another way to get an action.
type reporter interface{ ReportBad(reply *llm.Reply) }

// reader is a Model that is told what the loop itself read in a reply: the
// actions of a model that points, or why there are none.
type reader interface {
	ReportRead(calls []llm.Call, err error)
}

// awaiter is a Model that may still be loading when a task begins. Await returns when it
// is loaded.
type awaiter interface {
	Await(ctx context.Context, sink func(llm.Delta)) error
}

// Executor is what the loop looks and acts with; *action.Session is one.
type Executor interface {
	Do(ctx context.Context, c action.Call) action.Result
	Observe(ctx context.Context, o action.ObserveOptions) (action.Observation, error)
}

// Record records the events of a task. Emit returns when the event is on disk;
// only then is it shown.
type Record interface {
	Emit(ev wire.Event) error
	Delta(kind, text string)
	StartAct(a journal.Act) error
	FinishAct() error
}

// Codes of wire.Error in a failed event, beside those of llm and action.
const (
	CodeBudget      wire.Code = "budget"       // steps, tokens or minutes ran out
	CodeNoReply     wire.Code = "no_action"    // no reply could be read, maxSilent times in a row
	CodeBrowserGone wire.Code = "browser_gone" // the browser was lost and did not come back
	CodeNotDone     wire.Code = "not_done"     // the model itself says that it could not do it
	CodeNeedsUser   wire.Code = "needs_person" // a question, and no user to answer it
)

// CodeInterrupted is the code of a step that was interrupted before anything was
// sent, and of an interrupted task that can be taken up again.
const CodeInterrupted wire.Code = "interrupted"
