package prompts

// Notices of tasks that are interrupted, taken over, or continue an earlier one,
// with their arguments.
const (
	TakenUp         = "taken_up"          // to the user
	TakenUpModel    = "taken_up_model"    // to the model
	NotBegun        = "not_begun"         // what a step that was never sent came to
	WasDone         = "was_done"          // the step, what the page shows
	Doubted         = "doubted"           // the step: why a card is shown
	AskedAnew       = "asked_anew"        // why a card is shown once more
	NotRemembered   = "not_remembered"    // why: to the user
	NotAgain        = "not_again"         // the step: to the model
	TakenOver       = "taken_over"        // to the user
	TookOver        = "took_over"         // to the model
	TabLost         = "tab_lost"          // to the user: the tab went with the browser
	BrokerEnded     = "broker_ended"      // to the user
	Earlier         = "earlier"           // before earlier tasks of the conversation
	EarlierAsked    = "earlier_asked"     // the user's words
	EarlierAnswered = "earlier_answered"  // the answer, fenced
	EarlierNone     = "earlier_none"      // it ended without an answer
	AttachedText    = "attached_text"     // the page's URL, the text, fenced, how many characters were left of it or 0
	AttachedPicture = "attached_picture"  // the page's URL
	AttachedUnseen  = "attached_unseen"   // to the user and the model: whether the model sees pictures, and had no room
	AttachedFile    = "attached_file"     // the file's path, its text, fenced, how many characters were left of it or 0, whether it is a picture that is seen
	AttachedCut     = "attached_cut"      // to the user: the file's name, how many characters fit
	AttachedNow     = "attached_now"      // with a later word
	AttachedOrders  = "attached_orders"   // a sentence that speaks to the model: to it
	AttachedWarned  = "attached_warned"   // … and to the user
	OutcomeAsk      = "outcome_ask"       // the task, the step, the lines that are new on the page, fenced
	OutcomeSystem   = "outcome_system"    //
	Waits           = "waits_for_its_tab" // to the user: the words of the task that has the tab
)

// DurableKinds are all of these.
var DurableKinds = []string{
	TakenUp, TakenUpModel, NotBegun, WasDone, Doubted, AskedAnew, NotRemembered, NotAgain, TakenOver, TookOver, TabLost, BrokerEnded, Earlier,
	EarlierAsked, EarlierAnswered, EarlierNone, AttachedText, AttachedPicture, AttachedUnseen, AttachedFile, AttachedCut, AttachedNow, AttachedOrders, AttachedWarned,
	OutcomeAsk,
	OutcomeSystem, Waits,
}
