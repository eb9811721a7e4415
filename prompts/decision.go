package prompts

// DecisionRules gives the system prompt of a model that is asked for one small decision at
// a time (action.PageForm).
func DecisionRules(lang string) (string, error) { return render(lang, "form", nil) }

// Wants asks what the user of a task wants: to know something, to see something
// opened, or to have something changed.
func Wants(lang, task string) (string, error) { return render(lang, "wants", task) }

// Judge asks whether a task is done, by the steps so far: the system text, and the question.
func Judge(lang, task, done string) (system, question string, err error) {
	if system, err = render(lang, "judge", nil); err != nil {
		return "", "", err
	}
	question, err = render(lang, "judged", DecisionData{Ask: task, Done: done})
	return system, question, err
}

// Answer asks whether a page tells what the user wants to know: the system text, and the question.
func Answer(lang, task, nonce, page string) (system, question string, err error) {
	if system, err = render(lang, "answer", nil); err != nil {
		return "", "", err
	}
	question, err = render(lang, "asked", DecisionData{Ask: task, Nonce: nonce, Page: Fence("page", nonce, page)})
	return system, question, err
}

// DecisionData fills the one message that such a model decides on.
type DecisionData struct {
	Lang    string
	Nonce   string // random, new for each request
	NoClaim bool   // whether the task is done is asked elsewhere, or later
	Open    bool   // the task is to open something
	Task    string // with what belongs to it: the plan, what the user said
	Ask     string // the task alone, which is repeated where small models heed it most
	Page    string // as pagecontext renders it
	Done    string // the steps so far, a line each
	Fresh   bool   // nothing was done yet
	Notices []string
	Image   bool // a screenshot is attached
}

// Decision gives that message. What comes from a page stands in fences.
func Decision(d DecisionData) string {
	page, done := Fence("page", d.Nonce, d.Page), d.Done
	if done != "" {
		done = Fence("result", d.Nonce, done)
	}
	d.Page, d.Done = page, done
	text, err := render(d.Lang, "decision", d)
	if err != nil {
		// As in Observation: the page itself still is what matters.
		return join(append([]string{d.Task, page, done}, d.Notices...)...)
	}
	return text
}
