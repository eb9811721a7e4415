package agent

import (
	"context"
	"encoding/json"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

// What the user of a task wants. The model says it before the first decision.
const (
	wantsKnow    = "know"    // to be told something
	wantsOpen    = "open"    // to see something
	wantsChange  = "change"  // something done
	wantsUnknown = "unknown" // the model could not be asked
)

var wantsTool = llm.Tool{
	Name: "wants", Schema: json.RawMessage(`{"type":"object","properties":{"wants":{"type":"string","enum":["know","open","change"]}},"required":["wants"],"additionalProperties":false}`),
}

// askWants asks the model what the user wants, which small models tell well. The answer
// decides how they are asked whether the task is done, which they tell badly.
func (r *run) askWants(ctx context.Context) error {
	r.wants = wantsUnknown
	question, err := prompts.Wants(r.Lang, cut(r.Text, longestTask))
	if err != nil {
		return err
	}
	_, reply, err := r.askAside(ctx, wantsTool, wantsOutput, r.formRules, question)
	if err != nil || reply == nil {
		return err // the task is done without it
	}
	var said struct {
		Wants string `json:"wants"`
	}
	if json.Unmarshal(reply, &said) == nil && said.Wants != "" {
		r.wants = said.Wants
	}
	return nil
}

// judges tells whether judge asks if the task is done: when the user wants a change. A
// small model answers that well from the steps alone, and badly beside a whole page. For
// the other wants only the page shows it.
func (r *run) judges() bool { return r.wants == wantsChange }

// wantsOutput bounds the reply of askWants, in tokens.
const wantsOutput = 60

var judgeTool = llm.Tool{
	Name: action.DoneKey,
	Schema: json.RawMessage(`{"anyOf":[` +
		`{"type":"object","properties":{"task_done":{"type":"boolean","enum":[false]}},"required":["task_done"],"additionalProperties":false},` +
		`{"type":"object","properties":{"task_done":{"type":"boolean","enum":[true]},"answer":{"type":"string"}},"required":["task_done","answer"],"additionalProperties":false}]}`),
}

// mayBeDone tells whether the last step may have made the change that the user wants. A
// state that was set already counts; typing does not, as it sends nothing.
func (r *run) mayBeDone() bool {
	n := len(r.proof.steps)
	if n == 0 {
		return false
	}
	d := r.proof.steps[n-1]
	sets := d.action == "check" || d.action == "uncheck" || d.action == "select"
	return d.acts && d.outcome == outcomeOK && d.action != "type" && (sets || d.effect != action.NoEffect)
}

// judge asks whether the task is done, once after each step that may have done it.
// A nil reply: it is not, or the model could not say.
func (r *run) judge(ctx context.Context, obs action.Observation) (*llm.Reply, error) {
	if n := len(r.proof.steps); !r.mayBeDone() || n == r.judgedSteps {
		return nil, nil //nolint:nilnil // documented
	}
	if r.midway || r.leavesNamedButton(obs) {
		r.judgedSteps = len(r.proof.steps)
		return nil, nil //nolint:nilnil // documented
	}
	system, question, err := prompts.Judge(r.Lang, r.judgedTask(), pagecontext.WithoutIndices(r.hist.doneSoFar(resultLengths[0])))
	if err != nil {
		return nil, err
	}
	reply, said, err := r.askAside(ctx, judgeTool, checkOutput, system, question)
	if err != nil || said == nil {
		return nil, err
	}
	r.judgedSteps = len(r.proof.steps)
	call, err := readForm(action.Observation{}, action.FormOptions{}, said)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // not done: it names no action
	}
	r.judgedDone = true
	reply.Calls[0].Name, reply.Calls[0].Args = call.Name, call.Args
	return reply, nil
}

// askAside asks a question outside of the conversation; the reply has output tokens at most.
// said is nil if no reply could be read or the request failed: the next request reports
// the error.
func (r *run) askAside(ctx context.Context, tool llm.Tool, output int, system, question string) (reply *llm.Reply, said json.RawMessage, err error) {
	reply, err = r.chat(ctx, llm.Request{
		System: system, Messages: []llm.Message{llm.Text(llm.RoleUser, question)}, Tools: []llm.Tool{tool},
		MaxOutput: output, NumCtx: r.window(), Brief: true, Aside: true, Form: r.formOf(tool, system),
	})
	r.count(reply)
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if err != nil || len(reply.Calls) != 1 {
		return nil, nil, nil //nolint:nilerr // documented
	}
	return reply, reply.Calls[0].Args, nil
}
