package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// Run does the task to its end and records that end: complete, failed or
// cancelled. It returns only errors of the record; the events tell how the
// task ended. It returns when nothing of the task runs any more. Cancel ctx
// with cause ErrStopped for the user's Stop.
func Run(ctx context.Context, o Options) error { return doTask(ctx, o, (*run).steps) }

// doTask does a task by its steps, and records its end.
func doTask(ctx context.Context, o Options, steps func(*run, context.Context) (string, error)) error {
	o.Budget = o.Budget.withDefaults()
	if o.Lang == "" {
		o.Lang = Language(o.Text)
	}
	if o.Began.IsZero() {
		o.Began = time.Now()
	}
	r := &run{Options: o, began: o.Began, hist: history{task: o.Text, lang: o.Lang}, wantPicture: true}
	if o.Past != nil {
		r.restore(o.Past)
	}
	limited, cancel := o.WithTimeLimit(ctx)
	defer cancel()
	end := r.task(limited, steps)
	r.endThumbs(limited)
	if end.Error != nil && end.Error.Code == CodeBudget {
		end = r.outOfBudget(ctx, end.Error)
	}
	u := r.usedTime()
	end.Usage = &u
	return r.Record.Emit(end)
}

// task runs the steps and says how they ended.
func (r *run) task(ctx context.Context, steps func(*run, context.Context) (string, error)) wire.Event {
	answer, err := steps(r, ctx)
	if err == nil {
		return wire.Event{Type: wire.EvComplete, Text: answer}
	}
	return r.EndOf(ctx, err)
}

// EndOf returns the last event of a task that failed with err; ctx is the task's context,
// whose cause goes before err.
func (o Options) EndOf(ctx context.Context, err error) wire.Event {
	switch {
	case errors.Is(context.Cause(ctx), ErrStopped):
		return Says(wire.Event{Type: wire.EvCancelled}, o.Lang, prompts.Stopped)
	case errors.Is(context.Cause(ctx), errTime):
		return failure(&wire.Error{
			Code: CodeBudget, Message: fmt.Sprintf("The task took longer than its %s.", o.Budget.withDefaults().Time),
			Hint: "Raise budgets.minutes in the settings, or ask for less at once.",
		})
	case errors.Is(context.Cause(ctx), ErrEnded):
		return Says(interruption(&wire.Error{Code: CodeInterrupted, Message: prompts.Notice(prompts.BrokerEnded, o.Lang)}), o.Lang, prompts.BrokerEnded)
	case cutShort(ctx):
		return Says(interruption(asError(context.Cause(ctx))), o.Lang, prompts.TabLost)
	case ctx.Err() != nil:
		return wire.Event{Type: wire.EvCancelled, Text: context.Cause(ctx).Error()}
	case errors.Is(err, &wire.Error{Code: CodeBrowserGone}):
		return interruption(asError(err))
	default:
		return failure(asError(err))
	}
}

// steps is the loop. Its result is the model's answer.
func (r *run) steps(ctx context.Context) (string, error) {
	if err := r.prepare(ctx); err != nil {
		return "", err
	}
	if err := r.takeUp(); err != nil {
		return "", err
	}
	if err := r.open(ctx); err != nil {
		return "", err
	}
	for {
		if err := r.yieldForTakeover(ctx); err != nil {
			return "", err
		}
		if err := r.User.waitUnpaused(ctx, r.pause(prompts.Paused)); err != nil {
			return "", err
		}
		turn, end := r.User.turn(ctx)
		done, err := r.turn(turn)
		end()
		if err != nil && ctx.Err() == nil && r.User.inTakeover() {
			continue // cut short by the user
		}
		if err != nil {
			return "", err
		}
		if done == nil {
			continue
		}
		if !done.Success {
			return "", &wire.Error{Code: CodeNotDone, Message: done.Answer}
		}
		if err := r.tellLeftOut(done); err != nil {
			return "", err
		}
		if r.plan.finish() {
			if err := r.showPlan(); err != nil {
				return "", err
			}
		}
		return done.Answer, nil
	}
}

// open opens the address of Options.Begin, unless the task was taken up again.
func (r *run) open(ctx context.Context) error {
	if r.Begin == "" || r.Past != nil {
		return nil
	}
	params, err := json.Marshal(action.NavigateParams{URL: r.Begin})
	if err != nil {
		return err
	}
	res, err := (&Script{r}).Do(ctx, action.Call{Name: "navigate", Params: params})
	if err == nil && res.Err != nil {
		err = res.Err
	}
	return err
}

// turn looks, decides and acts once. A non-nil Done ends the task.
func (r *run) turn(ctx context.Context) (*action.Done, error) {
	if err := r.drainMessages(); err != nil {
		return nil, err
	}
	if err := r.withinBudget(); err != nil {
		return nil, err
	}
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	obs, err := r.observe(ctx)
	if err != nil {
		return nil, err
	}
	if obs, err = r.picture(ctx, obs); err != nil {
		return nil, err
	}
	r.proof.look(obs)
	r.startThumb(ctx)
	reply, err := r.decide(ctx, obs)
	if err != nil || reply == nil {
		return nil, err // nil reply: it was unusable, and the model has been told
	}
	if used, err := r.waitForUserIdle(ctx); err != nil || used {
		return nil, err // the decision was for a page that has changed
	}
	return r.act(ctx, obs, reply)
}

// prepare builds what never changes in the task.
func (r *run) prepare(ctx context.Context) error {
	if m, ok := r.Model.(awaiter); ok {
		w := watcher{run: r}
		if err := m.Await(ctx, w.see); err != nil || w.err != nil {
			return cmp.Or(w.err, err)
		}
	}
	err := r.rules(ctx)
	if err != nil {
		return err
	}
	if r.hist.task, err = r.firstMessage(); err != nil {
		return err
	}
	return r.tooSmall()
}

// rules asks for the model's capabilities and builds the part of the prompt that is the
// same for all tasks. It is sent first, for the servers' prompt caches.
func (r *run) rules(ctx context.Context) error {
	var err error
	if r.caps, err = r.Model.Capabilities(ctx); err != nil {
		return err
	}
	if r.caps.Family != "" {
		if err := r.pointAt(); err != nil {
			return err
		}
		if r.hist.task, err = r.firstMessage(); err != nil {
			return err
		}
		return r.tooSmall()
	}
	// If the size is unknown, Strong stays as the provider says.
	if r.caps.Size != "" {
		r.Strong = r.caps.Size == llm.SizeLarge
	}
	r.tools = append(r.tools, toTools(action.Tools(r.Strong))...)
	data := prompts.Data{Mode: "dom", Lang: r.Lang, Way: string(llm.WayNative), MaxSteps: r.Budget.Steps, Size: r.caps.Size}
	if r.caps.Vision {
		data.Mode = "hybrid"
	}
	if r.system, err = prompts.System(data); err != nil {
		return err
	}
	r.notes = map[llm.Way]string{}
	for _, w := range []llm.Way{llm.WaySchema, llm.WayMarkdown} {
		note, err := prompts.Way(string(w), r.Lang, action.FallbackText(r.Lang))
		if err != nil {
			return err
		}
		r.notes[w] = note
	}
	r.formRules, err = prompts.DecisionRules(r.Lang)
	return err
}
