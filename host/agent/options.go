package agent

import (
	"context"
	"errors"
	"time"

	"tabwright/host/journal"
	"tabwright/host/native/wire"
)

// Options describe one task.
type Options struct {
	Text     string // what the user asked for, word for word
	Lang     string // en or zh; empty: by the words of Text
	Model    Model
	Executor Executor
	User     *UserChannel
	Record   Record
	Budget   Budget
	// Critic is the critic of the Executor's gate; its tokens count for the task. May be nil.
	Critic *Critic
	// Strong gives the model one function per action instead of the one flat
	// browser_action.
	Strong bool
	// Before are the earlier tasks of the conversation, oldest first, and Attach
	// what the user gave with this one.
	Before []Exchange
	Attach []Attached
	// Begin is an address that the task opens before its first look, through the gate.
	// Empty: it begins on the page in its tab.
	Begin string
	// Past is what the task did before it was interrupted; nil for a new one.
	Past *Past
	// Began is the time from which the task's time limit counts, if something before
	// the task counts too; zero: the task's own beginning.
	Began time.Time
	// Validator says how a claim to be done is checked: ValidatorAuto,
	// ValidatorOn or ValidatorOff. Empty is off.
	Validator string
	// WaitBrowser returns when a lost browser is back, or with an error when
	// it has not come back in time. Nil: a lost browser ends the task.
	WaitBrowser func(ctx context.Context) error
	// Leaving reports whether the browser is gone, or about to quit: then it closes
	// its tabs first. Nil: a closed tab never means that.
	Leaving func(ctx context.Context) bool
}

// Budget bounds a task. Zero fields take the defaults; zero Money means none.
type Budget struct {
	Steps  int           // actions; default 60
	Tokens int           // input and output; default 2,000,000
	Time   time.Duration // wall clock, waiting for the user included; default 60 min
	Money  float64       // in the currency of the model's prices; ignored without prices
}

func (b Budget) withDefaults() Budget {
	if b.Steps <= 0 {
		b.Steps = 60
	}
	if b.Tokens <= 0 {
		b.Tokens = 2_000_000
	}
	if b.Time <= 0 {
		b.Time = time.Hour
	}
	return b
}

// WithTimeLimit bounds a context by a task's time limit, less the time that the task took
// before it was interrupted.
func (o Options) WithTimeLimit(ctx context.Context) (context.Context, context.CancelFunc) {
	left := o.Budget.withDefaults().Time
	if o.Past != nil {
		left -= time.Duration(o.Past.Usage.Millis) * time.Millisecond
	}
	return context.WithDeadlineCause(ctx, o.Began.Add(left), errTime)
}

var errTime = errors.New("the time budget ran out")

// Exchange is an earlier task of the conversation.
type Exchange struct {
	Asked, Answered string
	Sites           []string // where the answer was read
}

// Attached is a selection, picture or file that the user attached to their words.
type Attached struct {
	Kind string // AttachSelection, AttachPicture, AttachFile
	Name string // of a file
	URL  string // the page that it was taken from
	Text string // of a selection, or of a file that is text
	Path string // of a file, in the task's own folder
	MIME string
	Data []byte // of a picture, or of a file that is one
}

// The kinds of Attached, as wire.Attachment has them.
const (
	AttachSelection = "selection"
	AttachPicture   = "screenshot"
	AttachFile      = "file"
)

// Past is what a task did before it was interrupted, from its journal.
type Past struct {
	Steps []string // finished ones in plain words, with their effects
	Said  []string // by the user, denials and the questions they answered included
	// Own are the user's own words among Said: they may be sent anywhere. A
	// question is the model's, and a target's name the page's.
	Own  []string
	Plan []wire.PlanStep
	// UserPlan says that the user edited it.
	UserPlan bool
	Usage    wire.UsageInfo
	Denied   []wire.ConfirmInfo // in force when it was interrupted
	Open     *wire.StepInfo     // began, and no result of it is recorded
	// Unfinished is the act that began and did not finish; Doubts are the acts
	// whose outcome is unknown.
	Unfinished *journal.Act
	Doubts     []journal.Act
}
