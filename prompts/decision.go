package prompts

// DecisionRules returns the system prompt for a model that makes one small decision at a
// time (action.PageForm).
func DecisionRules(lang string) (string, error) { return render(lang, "form", nil) }

// Wants returns the question whether the user of a task wants to know something,
// to see something opened, or to have something changed.
func Wants(lang, task string) (string, error) { return render(lang, "wants", task) }

// Judge asks whether a task is done, by the steps so far, a line each: the system text, and the question.
// The steps stand in no fence, whose random word made the answer of a small model waver.
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

// DecisionData fills the message of Decision.
type DecisionData struct {
	Lang    string
	Nonce   string // random, new for each request
	NoClaim bool   // done is no choice: it is asked elsewhere, or later
	Open    bool   // the task is to open something
	Task    string // with the plan and what the user said
	Ask     string // the task alone, repeated where small models heed it most
	Page    string // as pagecontext renders it
	Done    string // the steps so far, a line each
	Fresh   bool   // nothing was done yet
	Notices []string
	Image   bool // a screenshot is attached
}

// Decision returns the message that a model makes one small decision on. Text from a page
// stands in fences.
func Decision(d DecisionData) string {
	page, done := Fence("page", d.Nonce, d.Page), d.Done
	if done != "" {
		done = Fence("result", d.Nonce, done)
	}
	d.Page, d.Done = page, done
	text, err := render(d.Lang, "decision", d)
	if err != nil {
		// As in Observation: send the page without the template.
		return join(append([]string{d.Task, page, done}, d.Notices...)...)
	}
	return text
}
