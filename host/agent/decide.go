package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"tabwright/host/action"
	"tabwright/host/native/wire"
	"tabwright/llm"
	"tabwright/prompts"
)

// decide asks the model for the next action. A nil reply without an error
// means that the reply can't be used, and that the model has been told why.
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

// request sends the conversation, shorter each time the server finds it too
// long: tokens are estimated, and a server may have less room than it said.
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

// question returns a function that builds the request for the next action within room tokens.
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

// now returns the newest message: the page, the notices, the picture.
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

// unreadKind returns the kind of notice to the user for replies that could not be read.
func (r *run) unreadKind() string {
	if r.brief {
		return prompts.WasCutOff
	}
	return prompts.NotRead
}

// spoke handles a reply of words only: the model is shown the form of an action,
// and asked again. Words alone never end a task as done: they may come from a model
// that acts, that can't, or that only speaks of it. An answer comes with done, where
// it is checked.
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
