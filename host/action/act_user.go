package action

import (
	"context"
	"fmt"
	"strings"

	"tabwright/safety"
)

// DoneParams are the parameters of done.
type DoneParams struct {
	Success bool   `json:"success" jsonschema:"whether the task is done as the user asked"`
	Answer  string `json:"answer" jsonschema:"the answer for the user, in their language"`
	// Evidence and NotDone are what the answer is checked by.
	Evidence []string `json:"evidence,omitempty" jsonschema:"what of the pages bears the answer out, word for word; of a total, the figures it comes from"`
	NotDone  string   `json:"not_done,omitempty" jsonschema:"what was refused, failed or is left out; empty if nothing"`
}

// PlanParams are the parameters of plan.
type PlanParams struct {
	Steps     []string `json:"steps,omitempty" jsonschema:"the steps from now on, a few words each; left out, the plan stays"`
	DoneSteps []int    `json:"done_steps,omitempty" jsonschema:"numbers of the steps that are done, from 1"`
}

// AskUserParams are the parameters of askUser.
type AskUserParams struct {
	Question string `json:"question" jsonschema:"one question, in the user's language"`
}

// RequestLoginParams are the parameters of requestLogin.
type RequestLoginParams struct {
	Reason string `json:"reason,omitempty" jsonschema:"what the user should do, in their language"`
}

func peopleActions() []declared {
	s := Spec{Family: "people", Class: safety.Read, ModelVisible: true, WithDialog: true}
	end, ask := s, s
	end.Name, ask.Name = "done", "askUser"
	end.Advanced = []string{"evidence", "not_done"}
	steps := Spec{Name: "plan", Family: "people", Class: safety.Read, Strong: true, WithDialog: true}
	login := Spec{Name: "requestLogin", Family: "people", Class: safety.Read, NeedsTab: true, ModelVisible: true, WithDialog: true, Advanced: []string{"reason"}}
	return []declared{declare(end, endTask), declare(ask, askUser), declare(login, requestLogin), declare(steps, notePlan)}
}

// endTask ends the task with an answer; the loop decides whether to believe it.
func endTask(_ context.Context, r *run, p DoneParams) *Error {
	r.res.Done = &Done{Success: p.Success, Answer: strings.TrimSpace(p.Answer), Evidence: p.Evidence, NotDone: strings.TrimSpace(p.NotDone)}
	r.res.Text = "OK: done."
	return nil
}

// notePlan accepts a plan. The loop keeps and shows it; nothing is done in the
// browser.
func notePlan(_ context.Context, r *run, _ PlanParams) *Error {
	r.res.Text = "OK: noted."
	return nil
}

// askUser pauses the task with a question; the loop brings back the answer.
func askUser(_ context.Context, r *run, p AskUserParams) *Error {
	q := strings.TrimSpace(p.Question)
	if q == "" {
		return &Error{Code: InvalidParams, Message: "question is empty"}
	}
	r.res.Ask, *r.object = q, q
	r.res.Text = "OK: the user is asked."
	return nil
}

// loginWords ask the user to sign in, where the call gives no reason.
var loginWords = map[string]string{
	English: "Please sign in on %s in the browser, then hand the tab back.",
	Chinese: "请在浏览器中登录 %s，完成后把标签页交还给我。",
}

// requestLogin hands the tab to the user, who signs in (or does what only
// they can: a code, a puzzle), and waits until they hand it back. Passwords
// then never pass the agent. The tab is brought to the front: it is the
// user's turn.
func requestLogin(ctx context.Context, r *run, p RequestLoginParams) *Error {
	if err := r.judgeRead(ctx); err != nil {
		return err
	}
	if err := r.s.b.Activate(ctx, r.tab.ID()); err != nil {
		r.s.o.Log.Debug().Err(err).Msg("could not bring the tab to the front")
	}
	text := strings.TrimSpace(p.Reason)
	if text == "" {
		text = fmt.Sprintf(loginWords[r.s.o.Lang], siteOf(r.tab.MainURL()))
	}
	*r.object, r.res.Handover = text, text
	r.res.Data = map[string]string{"request": text, "url": r.tab.MainURL()}
	r.res.Text = "OK: the user has the tab now. When they hand it back, look at the page again."
	return nil
}
