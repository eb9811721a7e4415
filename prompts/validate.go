package prompts

// Claim is a task that a model says it has done, for the check of the result.
// Answer, Steps and Page must be fenced: they hold text of pages.
type Claim struct {
	Lang   string
	Task   string
	Said   []string // by the user, in the course of the task
	Answer string
	Steps  string
	Page   string
}

// Validate returns the system prompt of the check of a result.
func Validate(lang string) (string, error) { return render(lang, "validate", nil) }

// ValidateQuestion returns the question of the check of a result.
func ValidateQuestion(c Claim) (string, error) { return render(c.Lang, "validate_question", c) }
