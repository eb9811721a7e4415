package prompts

// Critic returns the system prompt of the second look at an act.
func Critic(lang string) (string, error) { return render(lang, "critic", nil) }

// CriticQuestion returns the question of the second look. task is in the user's
// words; facts are the facts of the act as one JSON object.
func CriticQuestion(lang, task, facts string) (string, error) {
	return render(lang, "critic_question", struct{ Task, Facts string }{task, facts})
}
