package agent

import (
	"context"

	"tabwright/host/action"
	"tabwright/llm"
)

// Warm sends a model the beginning of every request, the rules and the actions, for the
// server's prompt cache. The server keeps what it has read even if ctx ends the request.
func Warm(ctx context.Context, m Model, strong bool, lang string, budget Budget) {
	r := &run{Options: Options{Model: m, Strong: strong, Lang: lang, Budget: budget.withDefaults()}}
	if r.rules(ctx) != nil {
		return // the task will report the error
	}
	req := llm.Request{
		System: r.system, Notes: r.notes, Tools: r.tools, NumCtx: r.window(), Warm: true,
		Messages: []llm.Message{llm.Text(llm.RoleUser, ".")},
	}
	if r.decides() {
		req.Form = pageForm(action.Observation{}, action.FormOptions{})
		req.Form.System = r.formRules
	}
	_, _ = m.Chat(ctx, req, nil) // the reply is of no use
}
