package agent

import (
	"context"
	"errors"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

const (
	maxSilent = 3    // replies in a row without an action, or that can't be read
	maxOutput = 1024 // tokens of a reply that are reserved in the window
	// … and tokens of its thinking before the reply.
	mostThought = 4096
	maxTries    = 3 // attempts at one request
	firstDelay  = time.Second
	// longestRetry is the longest wait that a server may ask for before another attempt.
	longestRetry = 5 * time.Minute
)

// chat sends the request. If the stream breaks, it sends it again, since nothing of a
// broken reply is ever acted on.
func (r *run) chat(ctx context.Context, req llm.Request) (*llm.Reply, error) {
	delay := firstDelay
	for try := 1; ; try++ {
		r.retract()
		w := watcher{run: r}
		reply, err := r.Model.Chat(ctx, req, w.see)
		if ctx.Err() != nil {
			return reply, context.Cause(ctx)
		}
		if w.err != nil {
			return reply, w.err
		}
		if err == nil || try == maxTries || !r.worthAnother(err) {
			return reply, err
		}
		if err := r.Record.Emit(Says(wire.Event{Type: wire.EvProgress}, r.Lang, prompts.ModelRetry, asError(err).Message)); err != nil {
			return nil, err
		}
		select {
		case <-time.After(max(delay, retryAfter(err))):
			delay *= 2
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// watcher tells the user what a model does until its reply has come.
type watcher struct {
	*run
	thinks bool // the user was told that it thinks
	err    error
}

func (w *watcher) see(d llm.Delta) {
	switch d.Kind {
	case llm.DeltaCall:
	case llm.DeltaLoading:
		w.thinks = false
		w.say(prompts.ModelLoading, d.Text)
	case llm.DeltaWaiting:
		w.thinks = false
		w.say(prompts.ModelWaits, d.Text)
	case llm.DeltaLoaded:
		w.announceThinking()
	case llm.DeltaReasoning:
		w.announceThinking()
		w.Record.Delta(d.Kind, d.Text)
	case llm.DeltaAnswer:
		w.answering = true
		w.Record.Delta(d.Kind, d.Text)
	default:
		if w.point == nil { // a pointing model writes its actions as text
			w.Record.Delta(d.Kind, d.Text)
		}
	}
}

// doneAnswer names the parameter that holds the answer in what a model writes.
var doneAnswer = llm.AnswerParam{Action: "done", Param: "answer"}

// retract withdraws an answer that was shown while it was written and is not valid:
// its stream broke, it could not be read, or a check refused it.
func (r *run) retract() {
	if r.answering {
		r.answering = false
		r.Record.Delta(wire.DeltaRetract, "")
	}
}

// announceThinking tells the user once that the model thinks.
func (w *watcher) announceThinking() {
	if !w.thinks {
		w.thinks = true
		w.say(prompts.ModelThinks)
	}
}

func (w *watcher) say(kind string, args ...any) {
	if w.err == nil {
		w.err = w.Record.Emit(Says(wire.Event{Type: wire.EvProgress}, w.Lang, kind, args...))
	}
}

// worthAnother reports whether a failed request is worth sending again. After a
// timeout it is not, if the model runs on this machine: it would be waited for again.
func (r *run) worthAnother(err error) bool {
	switch llm.CodeOf(err) {
	case llm.CodeStreamCut, llm.CodeStreamError:
		return true
	case llm.CodeOverloaded, llm.CodeRateLimited, llm.CodeServerError:
		// If the reply had not begun, the client has already retried it.
		var e *llm.Error
		return errors.As(err, &e) && e.Begun && e.RetryAfter <= longestRetry
	case llm.CodeTimeout:
		return !r.caps.Local
	default:
		return false
	}
}

// retryAfter returns how long the server asks to wait.
func retryAfter(err error) time.Duration {
	var e *llm.Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// form returns the form in which a model that is called in this way writes an action.
func (r *run) form(way llm.Way) prompts.Form {
	switch {
	case r.decides():
		return prompts.FormDecision
	case way != llm.WayNative && way != "":
		return prompts.FormText
	case r.Strong:
		return prompts.FormFunctions
	default:
		return prompts.FormFunction
	}
}

// newPictures returns the pictures that are sent with the newest page.
func (r *run) newPictures(obs action.Observation) []llm.Part {
	var out []llm.Part
	if len(obs.Image) > 0 {
		out = append(out, llm.Part{Image: obs.Image, MIME: obs.MIME})
	}
	if len(r.picked.Image) > 0 {
		out = append(out, r.picked)
		r.picked = llm.Part{}
	}
	return out
}
