package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

const (
	maxSilent = 3    // replies in a row without an action, of words or unread
	maxOutput = 1024 // tokens of a reply that are reserved in the window
	// … and of what a model thinks before it.
	mostThought = 4096
	maxTries    = 3 // of one request whose stream broke
	firstDelay  = time.Second
	// longestRetry is how long a server that broke off may ask to wait.
	longestRetry = 5 * time.Minute
)

// decide asks the model for the next action. A nil reply without an error
// means: what came can't be used, and the model has been told why.
func (r *run) decide(ctx context.Context, obs action.Observation) (*llm.Reply, error) {
	r.summarise(ctx)
	if r.decides() {
		if reply, err := r.beforeDecision(ctx, obs); err != nil || reply != nil {
			return reply, err
		}
	}
	question, err := r.question(obs)
	if err != nil {
		return nil, err
	}
	reply, err := r.request(ctx, question)
	if err == nil && r.point != nil {
		var answer string
		answer, err = r.readPointerReply(ctx, obs, reply)
		if m, ok := r.Model.(reader); ok {
			m.ReportRead(readCalls(reply.Calls, answer), err)
		}
		if err == nil && answer != "" {
			r.answerPointerReply(answer)
			return nil, nil //nolint:nilnil // documented: it has been told
		}
	}
	var bad *llm.Error
	if errors.As(err, &bad) && bad.Code == llm.CodeBadReply {
		return nil, r.unreadable(obs, reply, bad)
	}
	if err != nil {
		return nil, err
	}
	if reply.Way != "" {
		r.way = reply.Way
	}
	if reply.Calls, err = r.notePlan(reply.Calls); err != nil {
		return nil, err
	}
	if len(reply.Calls) == 0 {
		return nil, r.spoke(obs, reply)
	}
	if text := strings.TrimSpace(reply.Text); text != "" {
		if err := r.Record.Emit(wire.Event{Type: wire.EvThinking, Text: text}); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(reply.Calls, func(c llm.Call) bool { return c.Name != planCall }) {
		return nil, r.onlyPlanned(obs, reply.Calls)
	}
	r.silent, r.unread, r.brief = 0, 0, false
	return reply, nil
}

// request sends the conversation, made shorter each time the server finds it
// too long: the estimate is one, and a server may have less room than it said.
func (r *run) request(ctx context.Context, question func(room int) llm.Request) (*llm.Reply, error) {
	r.refused = 0
	for {
		req := question(r.room())
		reply, err := r.chat(ctx, req)
		r.count(reply)
		r.correct(req, reply)
		if llm.CodeOf(err) != llm.CodeContextOverflow || r.refused == squeezeTries {
			return reply, err
		}
		r.refused++
	}
}

// question is the request for the next action, for a room in tokens.
func (r *run) question(obs action.Observation) (func(room int) llm.Request, error) {
	var form *llm.Form
	var messages func(room int) []llm.Message
	if r.decides() {
		form, messages = r.decision(obs)
	} else {
		now, err := r.now(obs)
		if err != nil {
			return nil, err
		}
		messages = func(room int) []llm.Message { return r.hist.messages(now, room) }
	}
	return func(room int) llm.Request {
		return llm.Request{
			System: r.system, Notes: r.notes, Tools: r.tools, MaxOutput: maxOutput, NumCtx: r.window(), Brief: r.brief,
			Messages: messages(room), Answer: doneAnswer, Form: form,
		}
	}, nil
}

// now is the newest message: the page, the notices, the picture.
func (r *run) now(obs action.Observation) (llm.Message, error) {
	if r.point != nil {
		return r.pointNow(obs)
	}
	for i := range r.tools { // a point on the picture may be named in its pixels
		r.tools[i].Pixel = 0
		if s := obs.Shown; s.Width > 0 && len(obs.Image) > 0 {
			r.tools[i].Pixel = s.ViewWidth / float64(s.Width)
		}
	}
	text := prompts.Observation(prompts.ObsData{
		Lang: r.Lang, Nonce: nonce(), Step: r.usage.Steps + 1, MaxSteps: r.Budget.Steps,
		Page: obs.Text, Notices: append(r.planNotice(), r.notices...), LastResult: r.last, Image: len(obs.Image) > 0,
	})
	r.notices, r.last = nil, ""
	m := llm.Text(llm.RoleUser, text)
	m.Parts = append(m.Parts, r.newPictures(obs)...)
	return m, nil
}

// newPictures are those that go with the newest page.
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

// chat sends the request; one whose stream broke is sent again, since nothing
// of a broken reply is ever acted on.
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

// watcher tells the user what a model does while its reply is not there yet.
type watcher struct {
	*run
	thinks bool // … that it thinks
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
		if w.point == nil { // its text is how it writes an action
			w.Record.Delta(d.Kind, d.Text)
		}
	}
}

// doneAnswer is where the answer stands in what a model writes.
var doneAnswer = llm.AnswerParam{Action: "done", Param: "answer"}

// retract takes an answer back that was shown as it was written, and does not stand:
// its stream broke, it could not be read, or a check refused it.
func (r *run) retract() {
	if r.answering {
		r.answering = false
		r.Record.Delta(wire.DeltaRetract, "")
	}
}

// announceThinking says once that the model thinks.
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

// worthAnother says that a request may do better if it is sent again. A model on
// this machine that was silent for too long would only be waited for once more.
func (r *run) worthAnother(err error) bool {
	switch llm.CodeOf(err) {
	case llm.CodeStreamCut, llm.CodeStreamError:
		return true
	case llm.CodeOverloaded, llm.CodeRateLimited, llm.CodeServerError:
		// Before the reply began it was sent again already.
		var e *llm.Error
		return errors.As(err, &e) && e.Begun && e.RetryAfter <= longestRetry
	case llm.CodeTimeout:
		return !r.caps.Local
	default:
		return false
	}
}

// retryAfter is how long the server asks to wait.
func retryAfter(err error) time.Duration {
	var e *llm.Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// unreadable tells the model what was wrong with its reply, a few times.
func (r *run) unreadable(obs action.Observation, reply *llm.Reply, bad *llm.Error) error {
	r.unread++
	r.brief = reply != nil && reply.Stop == llm.StopLength
	said := ""
	if reply != nil {
		said = strings.TrimSpace(reply.Text)
	}
	if r.unread >= maxSilent {
		return &wire.Error{
			Code: CodeNoReply, Message: prompts.Notice(r.unreadKind(), r.Lang, cut(said, shrunkText)), Hint: prompts.Notice(prompts.OtherModel, r.Lang),
		}
	}
	r.hist.add(turn{
		seen: seenLine(obs), reply: llm.Text(llm.RoleAssistant, cut(cmp.Or(said, "(nothing)"), 2000)),
		answers: []llm.Message{llm.Text(llm.RoleUser, prompts.BadReply(r.Lang, bad.Message, r.example(reply)))},
	})
	return nil
}

// unreadKind is what is said to the user of replies that could not be read.
func (r *run) unreadKind() string {
	if r.brief {
		return prompts.WasCutOff
	}
	return prompts.NotRead
}

// spoke handles a reply of words only: the model is shown the form of an action,
// and asked again. Words alone never end a task as done, whatever they say: the
// words of a model that acts, that can't and that only speaks of it look the same.
// An answer comes with done, where it is checked.
func (r *run) spoke(obs action.Observation, reply *llm.Reply) error {
	text := strings.TrimSpace(reply.Text)
	if m, ok := r.Model.(reporter); ok {
		m.ReportBad(reply)
	}
	r.silent++
	if r.silent >= maxSilent {
		if text == "" {
			return &wire.Error{Code: CodeNoReply, Message: prompts.Notice(prompts.NoWords, r.Lang), Hint: prompts.Notice(prompts.OtherModel, r.Lang)}
		}
		return &wire.Error{Code: CodeNotDone, Message: prompts.Notice(prompts.OnlyWords, r.Lang, cut(text, 2000)), Hint: prompts.Notice(prompts.OtherModel, r.Lang)}
	}
	r.hist.add(turn{
		seen: seenLine(obs), reply: llm.Text(llm.RoleAssistant, cut(text, 2000)),
		answers: []llm.Message{llm.Text(llm.RoleUser, r.noAction(reply))},
	})
	return nil
}

// form is how a model that is asked in a way writes an action.
func (r *run) form(way llm.Way) prompts.Form {
	switch {
	case way != llm.WayNative && way != "":
		return prompts.FormText
	case r.Strong:
		return prompts.FormFunctions
	default:
		return prompts.FormFunction
	}
}

func cut(s string, n int) string { return pagecontext.Cut(s, n+1) }
