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
	// object is what was typed, pressed or chosen, for the line.
	object *string
	// meant is what selectors meant when they were first looked for.
	meant map[string]*element
	// exact says that the user was asked about the element: no other may stand in for it.
	exact bool
	// sending is a form that the guard kept the page from sending with the act.
	sending *page.PendingForm
	// enters says that the act is judged as a press of Enter, which sends forms.
	enters bool
	// reached is what stopped input would have reached instead of its target.
	reached string
	// answered says that a press changed its target at once, so that its click was stopped.
	answered bool
	// pressDone is the target that only got another name by the press itself.
	pressDone *element
	// part is the field that became something else while it was written in.
	part *element
	// boxes are how many boxes but the target became checked, or not, with the act.
	boxes map[string]int
	// brief says that the facts of the act that is judged lack what the page says.
	brief bool
	// yielded says that the act waited for a user who used the tab.
	yielded bool
	// bound counts the time of the action itself; it stands still while a card
	// is open.
	bound *stopwatch
	// dry is set where the act is only explained: nothing is sent.
	dry *Explanation
	// unproven is the act that is being done, where what its page sends is judged
	// as well (hold.go).
	unproven atomic.Pointer[undecidedAct]
	mustUndo bool // what the page made of the act is thrown away
	// fill is a value of the vault that the act is to fill in.
	fill *filling
	// recorded waits until the act that is about to be done is on disk, and gives
	// what kept it from there.
	recorded func() *Error
	// audited is the act that the audit log knows to be under way.
	audited *Audited
}
