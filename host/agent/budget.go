package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

func (r *run) withinBudget() error {
	left := r.Budget.Steps - r.usage.Steps
	if left <= 0 {
		return &wire.Error{
			Code: CodeBudget, Message: fmt.Sprintf("The task used its %d steps without coming to an end.", r.Budget.Steps),
			Hint: "Raise budgets.steps in the settings, or ask for less at once.",
		}
	}
	if spent := r.usage.InputTokens + r.usage.OutputTokens; spent >= r.Budget.Tokens {
		return &wire.Error{
			Code: CodeBudget, Message: fmt.Sprintf("The task used its budget of %d tokens.", r.Budget.Tokens),
			Hint: "Raise budgets.tokens in the settings, or ask for less at once.",
		}
	}
	if cost, ok := r.cost(); ok && r.Budget.Money > 0 && cost >= r.Budget.Money {
		return &wire.Error{
			Code: CodeBudget, Message: fmt.Sprintf("The task cost %.2f, which is its budget.", cost),
			Hint: "Raise budgets.money in the settings, or ask for less at once.",
		}
	}
	if left == 3 {
		r.notices = append(r.notices, prompts.Notice("budget_near", r.Lang, left))
	}
	return nil
}

// cost returns the price of the task so far: the costs that the provider reports and,
// for requests without one, the tokens at their price. It is false if there is neither.
// A local model costs nothing.
func (r *run) cost() (float64, bool) {
	if r.caps.Local || r.caps.Price == nil && !r.reported {
		return 0, r.caps.Local
	}
	if r.caps.Price == nil {
		return r.paid, true
	}
	return r.paid + r.caps.Price.Cost(r.unpriced), true
}

func (r *run) usedTime() wire.UsageInfo {
	u := r.usage
	u.Millis = time.Since(r.began).Milliseconds()
	u.Way, u.Mode = string(r.way), r.caps.Mode()
	u.StepInputTokens, u.StepOutputTokens, u.Local = r.stepUsage.Input, r.stepUsage.Output, r.caps.Local
	if cost, ok := r.cost(); ok && !r.caps.Local {
		u.Cost = &cost
	}
	return u
}

// Bounds of the last request of a task whose budget is used up.
const (
	farewellTime   = time.Minute
	farewellOutput = 400
)

// outOfBudget returns the last event of a task that is out of budget. The model is
// asked once more for what is done and what is missing; else the steps are listed.
func (r *run) outOfBudget(ctx context.Context, e *wire.Error) wire.Event {
	report := r.farewell(ctx)
	if report == "" {
		report = prompts.Notice(prompts.StepsSoFar, r.Lang, "- "+strings.Join(r.allLines(), "\n- "))
	}
	ev := failure(e)
	ev.Text = e.Message + "\n\n" + report
	return ev
}

func (r *run) farewell(ctx context.Context) string {
	if len(r.hist.turns) == 0 && len(r.hist.dropped) == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, farewellTime)
	defer cancel()
	ask := llm.Text(llm.RoleUser, prompts.Notice(prompts.BudgetOver, r.Lang))
	// The request has no functions, so earlier calls become the lines of the steps.
	flat := history{lang: r.Lang, task: r.hist.task, pictures: r.hist.pictures, plan: r.hist.plan, usersPlan: r.hist.usersPlan, said: r.hist.said, summary: r.hist.summary, dropped: r.allLines(), summed: r.hist.summed}
	reply, err := r.Model.Chat(ctx, llm.Request{
		Messages: flat.messages(ask, r.window()-farewellOutput), MaxOutput: farewellOutput, NumCtx: r.window(), Brief: true,
	}, func(llm.Delta) {})
	r.count(reply)
	if err != nil || reply == nil {
		return ""
	}
	return strings.TrimSpace(reply.Text)
}

// allLines are all steps of the task in plain words.
func (r *run) allLines() []string {
	lines := append([]string(nil), r.hist.dropped...)
	for _, t := range r.hist.turns {
		lines = append(lines, t.lines...)
	}
	return lines
}
