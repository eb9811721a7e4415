package action

import (
	"sync/atomic"

	"tabwright/host/action/page"
	"tabwright/pagecontext"
)

// run is one call of Do.
type run struct {
	s    *Session
	spec Spec
	call Call
	res  *Result
	h    *held
	tab  tab
	page *pagecontext.Page
	// object is the text typed, key pressed or option chosen, for the line.
	object *string
	// meant are the elements that selectors matched when they were first looked for.
	meant map[string]*element
	// exact says that the user was asked about the element: no other may replace it.
	exact bool
	// sending is a form that the guard kept the page from sending with the act.
	sending *page.PendingForm
	// enters says that the act is judged as a press of Enter, which sends forms.
	enters bool
	// reached is the element that stopped input would have reached instead of its target.
	reached string
	// answered says that a press changed its target at once, so that its click was stopped.
	answered bool
	// pressDone is the target whose press had only one effect: another name.
	pressDone *element
	// part is the field that became something else while it was written in.
	part *element
	// boxes are how many other boxes changed with the act, by their new state.
	boxes map[string]int
	// became are the texts and values that the effect tells as new ones.
	became []string
	// dragged says how a drag of the page ended, if one began.
	dragged string
	// brief says that the judged facts of the act lack the page's text.
	brief bool
	// yielded says that the act waited for a user who used the tab.
	yielded bool
	// bound counts the time of the action itself, not the time while a card is
	// open.
	bound *stopwatch
	// dry is set if the act is only explained: nothing is sent.
	dry *Explanation
	// unproven is the current act, if the requests of its page are judged as well
	// (hold.go).
	unproven atomic.Pointer[undecidedAct]
	// sentBefore is the first request of the current act that may write and was let through
	sentBefore atomic.Pointer[string]
	byUser     bool // the last yes was a person's, and no policy's
	mustUndo   bool // the page's changes by the act are discarded
	// fill is a value of the vault that the act is to fill in.
	fill *filling
	// recorded waits until the coming act is on disk, and returns the error if it
	// could not be recorded.
	recorded func() *Error
	// audited is the act under way in the audit log.
	audited *Audited
}
