package agent

import (
	"strings"

	"tabwright/prompts"
)

const (
	earlierMost  = 6    // exchanges, the newest
	earlierAsk   = 400  // characters of what was asked
	earlierReply = 1200 // … and answered
)

// firstMessage is the task as the model is given it: the user's words, what they
// attached, and the conversation so far, shortened.
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
