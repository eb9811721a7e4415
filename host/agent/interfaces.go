package agent

import (
	"context"

	"tabwright/host/action"
	"tabwright/safety"
)

// Optional methods of an Executor. *action.Session has all of them; an Executor that only
// replays a task need not.
type (
	wordKeeper      interface{ AddUserWords(text string) }
	denialForgetter interface{ ForgetDenials() }
	tabReleaser     interface {
		LetGo(ctx context.Context) error
	}
	siteRecaller interface {
		Recalls(sites []string, text string)
	}
	refusalKeeper interface {
		NoteRefusal(class safety.Class, pageURL, name string)
	}
)

var _ interface {
	wordKeeper
	denialForgetter
	tabReleaser
	siteRecaller
	refusalKeeper
} = (*action.Session)(nil)
