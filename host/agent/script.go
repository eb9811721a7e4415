package agent

import (
	"context"
	"errors"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// Script is a task with known steps, such as a replay. Its steps go through the gate, the
// user's channel and the journal like those of any task, but no model chooses them.
type Script struct{ r *run }

// RunScript does a task by calling script and records the task's end. script's result is
// the task's answer. The error is as Run's.
func RunScript(ctx context.Context, o Options, script func(ctx context.Context, s *Script) (string, error)) error {
	return doTask(ctx, o, func(r *run, ctx context.Context) (string, error) {
		r.scripted = true
		r.caps = llm.Capabilities{Local: true} // without cost
		if err := r.takeUp(); err != nil {
			return "", err
		}
		return script(ctx, &Script{r})
	})
}

// Do does a step. If the user or the browser interrupts it, Do checks its outcome and
// does it again only if nothing of it was sent.
func (s *Script) Do(ctx context.Context, c action.Call) (action.Result, error) {
	r := s.r
	for {
		if done, err := s.ready(ctx); err != nil {
			return action.Result{}, err
		} else if done {
			return action.Result{Action: c.Name, Line: beforehand(c, r.Lang), Sent: true}, nil
		}
		turn, end := r.User.turn(ctx)
		res, err := s.once(turn, c)
		end()
		switch {
		case err != nil && ctx.Err() == nil && r.User.inTakeover():
			continue
		case err != nil:
			return res, err
		case sessionLost(res):
			continue // the browser is back, or the user has resumed
		}
		return res, nil
	}
}

func (s *Script) once(ctx context.Context, c action.Call) (action.Result, error) {
	obs, err := s.r.observe(ctx)
	if err != nil {
		return action.Result{}, err
	}
	res, err := s.r.step(ctx, c, obs, true)
	if err == nil {
		s.r.finishThumb(ctx) // now, because the next step follows at once
	}
	return res, err
}

// Look does an action that changes nothing. It does not count as a step.
func (s *Script) Look(ctx context.Context, c action.Call) (action.Result, error) {
	for {
		if _, err := s.ready(ctx); err != nil {
			return action.Result{}, err
		}
		turn, end := s.r.User.turn(ctx)
		res := s.r.Executor.Do(turn, c)
		var err error
		if sessionLost(res) {
			err = s.r.recover(turn, res.Err)
		}
		end()
		switch {
		case ctx.Err() != nil:
			return res, context.Cause(ctx)
		case s.r.User.inTakeover() || err == nil && sessionLost(res):
			continue
		}
		return res, err
	}
}

// Observe observes the page as a model is shown it.
func (s *Script) Observe(ctx context.Context) (action.Observation, error) {
	if _, err := s.ready(ctx); err != nil {
		return action.Observation{}, err
	}
	return s.r.observe(ctx)
}

// Settle finds out whether the act that ran when the task was interrupted was done. ok is
// false if there was none. If it can't tell, done is false, and repeating the act needs
// the user's confirmation.
func (s *Script) Settle(ctx context.Context) (step int, ok, done bool, err error) {
	if s.r.unsettled == nil {
		return 0, false, false, nil
	}
	step = s.r.unsettled.Step
	done, err = s.settle(ctx)
	return step, true, done, err
}

func (s *Script) settle(ctx context.Context) (done bool, err error) {
	before := len(s.r.hist.dropped)
	if err := s.r.settle(ctx); err != nil {
		return false, err
	}
	return len(s.r.hist.dropped) > before, nil // a done step was added
}

// ready waits while the task is paused or the user has taken over, and handles their
// messages. It returns true if the interrupted step was done.
func (s *Script) ready(ctx context.Context) (done bool, err error) {
	r := s.r
	if err := r.yieldForTakeover(ctx); err != nil {
		return false, err
	}
	if err := r.User.waitUnpaused(ctx, r.pause(prompts.Paused)); err != nil {
		return false, err
	}
	if err := r.drainMessages(); err != nil {
		return false, err
	}
	if r.unsettled == nil {
		return false, nil
	}
	return s.settle(ctx)
}

func sessionLost(res action.Result) bool {
	return res.Err != nil && (errors.Is(res.Err, action.ErrBrowserGone) || errors.Is(res.Err, action.ErrUserCancelled))
}

// Model returns the task's model for questions outside of steps. They count towards the
// task's spending and budget.
func (s *Script) Model() Model { return scriptModel{s.r} }

type scriptModel struct{ r *run }

func (m scriptModel) Capabilities(ctx context.Context) (llm.Capabilities, error) {
	return m.r.Model.Capabilities(ctx)
}

func (m scriptModel) Chat(ctx context.Context, req llm.Request, sink func(llm.Delta)) (*llm.Reply, error) {
	if err := m.r.withinBudget(); err != nil {
		return nil, err
	}
	caps, err := m.r.Model.Capabilities(ctx)
	if err != nil {
		return nil, err
	}
	m.r.caps = caps
	if sink == nil {
		sink = func(llm.Delta) {}
	}
	reply, err := m.r.Model.Chat(ctx, req, sink)
	m.r.count(reply)
	return reply, err
}

// Tell shows the user a sentence.
func (s *Script) Tell(level, text string) error {
	return s.r.Record.Emit(wire.Event{Type: wire.EvNotify, Level: level, Text: text})
}

// Steps returns the number of steps that the task has begun.
func (s *Script) Steps() int { return s.r.usage.Steps }
