package action

import (
	"context"
	"strings"

	"tabwright/safety"
)

// DoneParams are the parameters of done.
type DoneParams struct {
	Success bool   `json:"success" jsonschema:"whether the task is done as the person asked"`
	Answer  string `json:"answer" jsonschema:"the answer for the person, in their language"`
}

// AskUserParams are the parameters of askUser.
type AskUserParams struct {
	Question string `json:"question" jsonschema:"one question, in the person's language"`
}

func peopleActions() []Spec {
	s := Spec{Family: "people", Class: safety.Read, ModelVisible: true, WithDialog: true}
	end, ask := s, s
	end.Name, ask.Name = "done", "askUser"
	return []Spec{declare(end, done), declare(ask, askUser)}
}

// done ends the task with an answer; the loop decides whether to believe it.
func done(_ context.Context, r *run, p DoneParams) *Error {
	r.res.Done = &Done{Success: p.Success, Answer: strings.TrimSpace(p.Answer)}
	r.res.Text = "OK: done."
	return nil
}

// askUser pauses the task with a question; the loop brings back the answer.
func askUser(_ context.Context, r *run, p AskUserParams) *Error {
	q := strings.TrimSpace(p.Question)
	if q == "" {
		return &Error{Code: InvalidParams, Message: "question is empty"}
	}
	r.res.Ask, *r.object = q, q
	r.res.Text = "OK: the person is asked."
	return nil
}
