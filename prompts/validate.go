package prompts

// Claim is a task that a model says it has done, for whoever checks it. Answer,
// Steps and Page come fenced: they hold words of pages.
type Claim struct {
	Lang   string
	Task   string
	Said   []string // by the user, in the course of the task
	Answer string
	Steps  string
	Page   string
}

// Validate gives the system prompt of the check of a result.
func Validate(lang string) (string, error) { return render(lang, "validate", nil) }

// ValidateQuestion gives what the check of a result is asked.
func ValidateQuestion(c Claim) (string, error) { return render(c.Lang, "validate_question", c) }
