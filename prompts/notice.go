package prompts

// The kinds of Notice, with their arguments.
const (
	Repeat     = "repeat"      // action name, [names of actions not tried yet]
	NoEffect   = "no_effect"   // how many acts in a row, [names of actions not tried yet]
	NoProgress = "no_progress" // how many steps in a row, [names of actions not tried yet]
	Stuck      = "stuck"       // the last step in words: a question to the user
	BudgetNear = "budget_near" // steps left
	Denied     = "denied"      // [what was denied]
	// StoppedAfter: the act was done, but the request that the page then wanted to send was refused: [the step in words].
	StoppedAfter = "stopped_after"
	ElementNamed = "element_named" // role, name and index of an element that the task names
	Blocked      = "blocked"       // why
	UserSaid     = "user_said"     // the user's words
	ProgramSaid  = "program_said"  // what another program told the task, fenced
	ProgramTold  = "program_told"  // to the user: the same
	TaskCut      = "task_cut"      // how many characters of the task are left out
	WayChanged   = "way_changed"   // the new way
	NoAction     = "no_action"     // the reply was words only: the Form of an action
	Skipped      = "skipped"       // a call was not carried out
	BadReplyWas  = "bad_reply"     // what was wrong, [an example of the right form]
	Injection    = "injection"     // the words on the page
	Unknown      = "unknown"       // the step whose outcome is not known
	Stopped      = "stopped"       // to the user from here on
	Paused       = "paused"        //
	Resumed      = "resumed"       //
	BarClosed    = "bar_closed"    //
	BrowserLost  = "browser_lost"  //
	BrowserBack  = "browser_back"  // to the model again
	ModelRetry   = "model_retry"   // why
	UserUsesTab  = "person_uses"   // to the user
	UserUsedTab  = "person_used"   // to the model

	PlanSoFar    = "plan_so_far"    // the plan
	PlanOfUser   = "plan_persons"   // the plan, as the user edited it
	SaidSoFar    = "said_so_far"    // what the user said
	SummarySoFar = "summary_so_far" // of the steps before
	StepsSoFar   = "steps_so_far"   // as a list
	AskSummary   = "ask_summary"    // task, summary so far, list of steps
	BudgetOver   = "budget_over"    //
	SmallWindow  = "small_window"   // tokens: to the user

	PlanNow    = "plan_now"    // number of the step, how many there are, its words
	PlanLast   = "plan_last"   // the same of the last step
	PlanNoted  = "plan_noted"  // the answer to a call of plan
	PlanEdited = "plan_edited" // the plan, as the user just edited it
	PlanHeld   = "plan_held"   // the user's plan: the model's left something out

	NotAccepted      = "not_accepted"       // why: the task is not done
	NotAcceptedShort = "not_accepted_short" //
	SentBack         = "sent_back"          // why, as ToUser says it: to the user
	Unverified       = "unverified"         // why, as ToUser says it, and the answer: to the user
	UnverifiedHint   = "unverified_hint"    // to the user
	AnswerEmpty      = "answer_empty"       // from here on: why a result is not accepted
	ClaimsRefused    = "claims_refused"     // the step
	ClaimsFailed     = "claims_failed"      // the step, [the error]
	NothingDone      = "nothing_done"       //
	NothingActed     = "nothing_acted"      //
	UnseenFigures    = "unseen_figures"     // figures
	UnseenWords      = "unseen_words"       // quotations
	QuoteUnseen      = "quote_unseen"       // what a small model quoted
	CheckFound       = "check_found"        // [what is missing, fenced for a model]
	SayNotDone       = "say_not_done"       // how done says what was not done
	LeftOut          = "left_out"           // to the user: what was not done

	// To a model that points.
	PointerNoAction = "pointer_no_action" // an example
	PointerOne      = "pointer_one"       // the action that was done
	PointerNoted    = "pointer_noted"     //
	PointerFacts    = "pointer_facts"     // as a list
	PointerList     = "pointer_list"      // the options
	PointerDialog   = "pointer_dialog"    //
	PointerFailed   = "pointer_failed"    //
	PointerBlind    = "pointer_blind"     //

	// To the user.
	PointerUnseen     = "pointer_unseen"      //
	PointerUnseenHint = "pointer_unseen_hint" //

	InjectionSeen = "injection_seen" // the words on the page
	NoWords       = "no_words"       // the model said nothing, again and again
	OnlyWords     = "only_words"     // … only this
	NotRead       = "not_read"       // … what can't be read, [the last of it]
	WasCutOff     = "was_cut_off"    // … what was cut off at its length
	OtherModel    = "other_model"    // a hint
	ModelLoading  = "model_loading"  // the model, and its size
	ModelThinks   = "model_thinks"   //
	ModelWaits    = "model_waits"    // how long
)

// ToUser returns the kind that tells the user what a kind from AnswerEmpty to
// CheckFound tells the model.
func ToUser(kind string) string { return kind + "_user" }

// Form is how an action is written.
type Form string

// The forms: JSON in the text, a small decision, a call of the one function, a call of a
// function of the action's name.
const (
	FormText      Form = "text"
	FormDecision  Form = "decision"
	FormFunction  Form = "function"
	FormFunctions Form = "functions"
)

// Kinds are all kinds of notice.
var Kinds = []string{
	Repeat, NoEffect, NoProgress, Stuck, BudgetNear, Denied, StoppedAfter, Blocked, UserSaid, ProgramSaid, ProgramTold, TaskCut, WayChanged, NoAction, Skipped, BadReplyWas,
	Injection, Unknown, Stopped, Paused, Resumed, BarClosed, BrowserLost, BrowserBack, ModelRetry, UserUsesTab, UserUsedTab,
	PlanSoFar, SaidSoFar, SummarySoFar, StepsSoFar, AskSummary, BudgetOver, SmallWindow,
	PlanOfUser, PlanNow, PlanLast, PlanNoted, PlanEdited, PlanHeld,
	NotAccepted, NotAcceptedShort, SentBack, Unverified, UnverifiedHint,
	AnswerEmpty, ClaimsRefused, ClaimsFailed, NothingDone, NothingActed, UnseenFigures, UnseenWords, QuoteUnseen, CheckFound, SayNotDone, LeftOut,
	InjectionSeen, NoWords, OnlyWords, NotRead, WasCutOff, OtherModel, ModelLoading, ModelThinks, ModelWaits,
	PointerNoAction, PointerOne, PointerNoted, PointerFacts, PointerList, PointerDialog, PointerFailed, PointerBlind, PointerUnseen, PointerUnseenHint,
	ToUser(AnswerEmpty), ToUser(ClaimsRefused), ToUser(ClaimsFailed), ToUser(NothingDone), ToUser(NothingActed),
	ToUser(UnseenFigures), ToUser(UnseenWords), ToUser(CheckFound),
}

// Notice returns the text of a kind for a model, or for the user if the kind
// says so. For an unknown kind it returns the kind itself.
func Notice(kind, lang string, args ...any) string {
	if args == nil {
		args = []any{}
	}
	text, err := render(lang, kind, args)
	if err != nil {
		return kind
	}
	return text
}

// InEach returns the text of Notice in each language, by language.
func InEach(kind string, args ...any) map[string]string {
	return map[string]string{"en": Notice(kind, "en", args...), "zh": Notice(kind, "zh", args...)}
}

// BadReply returns the notice why the model's reply could not be used. example is an
// example of the right form, or "" if the model has seen one.
func BadReply(lang, why, example string) string { return Notice(BadReplyWas, lang, why, example) }

// Example is an action as a model writes it in its text.
const Example = `{"action": "click", "params": {"index": 12}}`
