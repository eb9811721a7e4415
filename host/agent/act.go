package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
	"tabwright/safety"
)

// act carries out the calls of a reply in their order, and stops when the page
// has changed in a way that the model has not seen. A non-nil Done ends the
// task.
func (r *run) act(ctx context.Context, obs action.Observation, reply *llm.Reply) (*action.Done, error) {
	t := turn{seen: seenLine(obs), reply: r.remember(reply)}
	defer func() { r.hist.add(t) }()
	fresh := true // nothing was done since the look
	for i, c := range reply.Calls {
		if c.Name == planCall { // notePlan has handled it
			t.answers = append(t.answers, llm.ToolResult(c, prompts.Notice(prompts.PlanNoted, r.Lang)))
			continue
		}
		res, err := r.one(ctx, c, obs, fresh)
		fresh = false
		if err != nil {
			return nil, err
		}
		if res.Secret {
			r.forget(&t.reply, i, c)
		}
		t.answers = append(t.answers, llm.ToolResult(c, r.resultText(res)))
		t.lines = append(t.lines, res.Line)
		t.did = append(t.did, strings.Join(strings.Fields(r.offeredOnly(res)), " "))
		t.failed = t.failed || res.Err != nil
		t.idle = res.Err != nil && errors.Is(res.Err, errNothingActed)
		if r.decides() {
			r.left = &obs
		}
		r.sees(res)
		if res.Done != nil {
			return res.Done, nil
		}
		if q := cmp.Or(res.Ask, res.Handover); q != "" {
			level := ""
			if res.Handover != "" {
				level = LevelHandover
			}
			answer, err := r.askAs(ctx, level, q)
			if err != nil {
				return nil, err
			}
			t.answers[len(t.answers)-1] = llm.ToolResult(c, prompts.Notice("user_said", r.Lang, answer))
			t.did[len(t.did)-1] = strings.Join(strings.Fields(q), " ")
			t.said = append(t.said, q+" "+answer)
		}
		if i < len(reply.Calls)-1 && (res.Err != nil || res.Ask != "" || res.Handover != "" || res.PageRev != obs.PageRev || r.unseen(c, reply.Calls[i+1], obs)) {
			for _, skipped := range reply.Calls[i+1:] {
				t.answers = append(t.answers, llm.ToolResult(skipped, prompts.Notice("skipped", r.Lang)))
			}
			break
		}
	}
	return nil, nil //nolint:nilnil // documented: not done yet
}

// unseen tells whether the next call of a batch is for a dialog that the model
// has not seen, or for the page under a dialog that call c has just handled: the
// model was shown only the dialog.
func (r *run) unseen(c, next llm.Call, obs action.Observation) bool {
	now, err := toCall(c)
	if err != nil {
		return true
	}
	then, err := toCall(next)
	return err != nil || then.Name == "handleDialog" && obs.Dialog == nil || now.Name == "handleDialog" && obs.Dialog != nil
}

// one does a single action and records it before and after.
func (r *run) one(ctx context.Context, c llm.Call, obs action.Observation, fresh bool) (action.Result, error) {
	call, err := toCall(c)
	if err != nil {
		return action.Result{}, err
	}
	return r.step(ctx, call, obs, fresh)
}

// step is one for a parsed call.
func (r *run) step(ctx context.Context, call action.Call, obs action.Observation, fresh bool) (action.Result, error) {
	r.finishThumb(ctx)
	r.usage.Steps++
	var before []uint32 // nil if something was done since the look
	if fresh {
		before = marksOf(obs)
	}
	r.User.begin(r.usage.Steps, obs.URL, before)
	// Typed text may be a secret; only the target tells.
	step := wire.StepInfo{N: r.usage.Steps, Action: call.Name, Params: paramsToKeep(call.Params, true)}
	step.Line, step.In = StepBefore(call, r.Lang)
	step.URL = safety.Redact(obs.URL)
	if err := r.Record.Emit(wire.Event{Type: wire.EvToolCall, Step: &step}); err != nil {
		return action.Result{}, err
	}
	began := time.Now()
	res := r.do(ctx, call, obs.URL)
	if res.Err == nil && res.Away && r.Leaving != nil && r.Leaving(ctx) { // it did not close its tab itself
		res.Err = &action.Error{Code: action.Detached, Message: action.ErrBrowserGone.Error(), Err: action.ErrBrowserGone}
	}
	r.spend(r.Critic.take())
	var unverified error
	if res.Done != nil && res.Done.Success {
		res, unverified = r.verify(ctx, obs, res)
	}
	step.Params = paramsToKeep(call.Params, res.Secret || res.Err != nil)
	finished := finish(step, res, time.Since(began))
	if res.Err != nil && res.Sent && TookOver(ctx) {
		finished.Outcome = outcomeUnknown
	}
	if finished.Outcome == outcomeUnknown {
		r.unsettled, r.unsettledTold = r.User.startedAct(), true
	}
	finished.Thumb = r.willThumb(finished)
	r.proof.did(call, res, finished.Outcome, obs)
	u := r.usedTime()
	r.stepUsage = llm.Usage{}
	if err := r.Record.Emit(wire.Event{Type: wire.EvToolResult, Step: &finished, Usage: &u}); err != nil {
		return res, err
	}
	if finished.Outcome != outcomeUnknown {
		if err := r.Record.FinishAct(); err != nil {
			return res, err
		}
	}
	if ctx.Err() != nil {
		return res, context.Cause(ctx)
	}
	if unverified != nil || res.Err != nil && res.Err.Code == notAccepted {
		return res, unverified
	}
	return res, r.after(ctx, call, res, obs)
}

// refusals are the notices to the model when an act, or what it sent, was refused.
var refusals = map[action.Code]string{action.Denied: prompts.Denied, action.StoppedAfter: prompts.StoppedAfter}

// after reacts to a step: it waits for a lost browser, passes on a refusal, and
// tells a model that goes in circles so or asks the user.
func (r *run) after(ctx context.Context, call action.Call, res action.Result, obs action.Observation) error {
	if res.Err != nil {
		if errors.Is(res.Err, action.ErrBrowserGone) || errors.Is(res.Err, action.ErrUserCancelled) {
			return r.recover(ctx, res.Err)
		}
		if notice := refusals[res.Err.Code]; notice != "" {
			r.notices = append(r.notices, prompts.Notice(notice, r.Lang))
			r.hist.said = append(r.hist.said, prompts.Notice(notice, r.Lang, res.Line))
			r.applyDenialNote()
		}
		if errors.Is(res.Err, action.ErrKeepsChanging) {
			r.User.Pause()
		}
	}
	if r.scripted {
		return nil
	}
	switch r.dog.step(call, res, obs) {
	case repeats:
		r.notices = append(r.notices, prompts.Notice("repeat", r.Lang, call.Name, r.untriedWays(call.Name)))
	case noEffect:
		r.notices = append(r.notices, prompts.Notice("no_effect", r.Lang, noEffectNotice, r.untriedWays(call.Name)))
	case noProgress:
		r.notices = append(r.notices, prompts.Notice(prompts.NoProgress, r.Lang, noProgressNotice, r.untriedWays(call.Name)))
	case stuck:
		answer, err := r.ask(ctx, prompts.Notice("stuck", r.Lang, res.Line))
		if err != nil {
			return err
		}
		r.notices = append(r.notices, prompts.Notice(prompts.UserSaid, r.Lang, answer))
		r.hist.said = append(r.hist.said, answer) // the notice goes with its observation
	case fine:
	}
	return nil
}

// applyDenialNote adds the reason that the user gave with a denial to the task.
func (r *run) applyDenialNote() {
	note := r.User.takeNote()
	if note == "" {
		return
	}
	if f, ok := r.Executor.(wordKeeper); ok {
		f.AddUserWords(note)
	}
	r.notices = append(r.notices, prompts.Notice(prompts.UserSaid, r.Lang, note))
	r.hist.said = append(r.hist.said, note)
}

// ask puts a question to the user and waits for the answer.
func (r *run) ask(ctx context.Context, question string) (string, error) {
	return r.askAs(ctx, "", question)
}

// LevelHandover marks a question that waits for the user to hand the tab back.
const LevelHandover = "handover"

func (r *run) askAs(ctx context.Context, level, question string) (string, error) {
	if r.User.NoUser {
		return "", &wire.Error{
			Code: CodeNeedsUser, Message: "The agent has a question, and nobody is here to answer it: " + question,
			Hint: "Say in the task what it asks for, or run it in the panel or a terminal.",
		}
	}
	// Words that were said before the question are no answer to it.
	if err := r.drainMessages(); err != nil {
		return "", err
	}
	if err := r.Record.Emit(wire.Event{Type: wire.EvAsk, Text: question, Level: level}); err != nil {
		return "", err
	}
	said, err := r.User.waitSaid(ctx)
	if err != nil {
		return "", err
	}
	var answer []string
	for _, x := range said {
		answer = append(answer, x.text)
		if err := r.addAttached(x.attach); err != nil {
			return "", err
		}
	}
	text := strings.Join(answer, "\n")
	r.proof.answered = append(r.proof.answered, text)
	return text, r.Record.Emit(wire.Event{Type: wire.EvSaid, Text: text})
}

// toCall turns a model's function call into an action: the one flat function
// carries action and params inside, the others are actions themselves.
func toCall(c llm.Call) (action.Call, error) {
	if c.Name != action.FunctionName {
		return action.Call{Name: c.Name, Params: c.Args}, nil
	}
	var call action.Call
	if err := json.Unmarshal(c.Args, &call); err != nil {
		return call, fmt.Errorf("arguments of %s: %w", c.Name, err)
	}
	return call, nil
}

// untriedWays names ways that the model is offered and has not tried here.
func (r *run) untriedWays(name string) string {
	if r.point != nil {
		return "" // it knows its own
	}
	return r.dog.firstUntried(name, func(other string) bool {
		spec, ok := action.Default().Spec(other)
		return ok && (spec.ModelVisible || r.Strong && spec.Strong)
	})
}
