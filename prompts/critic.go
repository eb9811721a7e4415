package prompts

// Critic gives the system prompt of the second look at an act.
func Critic(lang string) (string, error) { return render(lang, "critic", nil) }

// CriticQuestion gives what the second look is asked: the task in the user's
// words, and the facts of the act as one object of JSON.
func CriticQuestion(lang, task, facts string) (string, error) {
	return render(lang, "critic_question", struct{ Task, Facts string }{task, facts})
}
