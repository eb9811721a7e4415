package agent

import (
	"strings"

	"tabwright/prompts"
)

const (
	earlierMost  = 6    // newest exchanges
	earlierAsk   = 400  // characters of each request
	earlierReply = 1200 // … and of each answer
)

// firstMessage returns the task as the model gets it: the user's text, the attachments,
// and the conversation so far, shortened.
func (r *run) firstMessage() (string, error) {
	out := []string{r.Text}
	told, err := r.attach(r.Attach)
	if err != nil {
		return "", err
	}
	out = append(out, told...)
	share := 1.0
	if r.window() < comfortable {
		share = 0.25
	}
	before := r.Before
	if len(before) > earlierMost {
		before = before[len(before)-earlierMost:]
	}
	for i, e := range before {
		if i == 0 {
			out = append(out, prompts.Notice(prompts.Earlier, r.Lang))
		}
		out = append(out, prompts.Notice(prompts.EarlierAsked, r.Lang, cut(e.Asked, int(earlierAsk*share))))
		answer := prompts.Notice(prompts.EarlierNone, r.Lang)
		if e.Answered != "" {
			fenced := prompts.Fence("result", nonce(), cut(e.Answered, int(earlierReply*share)))
			answer = prompts.Notice(prompts.EarlierAnswered, r.Lang, fenced)
		}
		out = append(out, answer)
	}
	return strings.Join(out, "\n\n"), nil
}
