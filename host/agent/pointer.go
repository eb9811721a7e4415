package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tabwright/host/action"
	"tabwright/llm"
	"tabwright/llm/pointer"
	"tabwright/pagecontext"
	"tabwright/prompts"
)

const (
	factsMost    = 20     // newest facts that are kept
	pointerText  = 600    // characters of a result
	pointerTitle = 200    // … of a page's title
	pointerRead  = 6000   // … of extracted content
	pointerLook  = 16_000 // tokens of a page that are kept to check its answer
	maxIdle      = 6      // replies in a row without an action in the page
)

// pointAt prepares a run for a model that points at the screen.
func (r *run) pointAt() error {
	f, ok := pointer.Lookup(r.caps.Family)
	if !ok {
		return fmt.Errorf("no family of models is called %q", r.caps.Family)
	}
	r.point = &pointerState{family: f}
	r.hist.layout, r.hist.shots = r.converse, f.Shots
	return r.pointerRules()
}

// pointerRules writes the rules anew, because they may contain the screen's size.
func (r *run) pointerRules() error {
	if r.point.family.Prompt == "" {
		return nil
	}
	d := prompts.PointerData{Lang: r.Lang, Date: time.Now().Format(time.DateOnly)}
	d.Width, d.Height = r.point.family.Coordinates(r.point.screen)
	rules, err := prompts.Pointer(r.point.family.Prompt, d)
	if r.point.family.Inline {
		r.point.rules = rules
	} else {
		r.system = rules
	}
	return err
}

// pointNow returns the newest message for a model that points.
func (r *run) pointNow(obs action.Observation) (llm.Message, error) {
	p := r.point
	lines := []string{}
	if r.last != "" {
		lines = append(lines, prompts.Fence("result", nonce(), r.last))
	}
	lines = append(lines, r.notices...)
	r.notices, r.last = nil, ""
	where := "Current URL: " + cut(obs.URL, 200)
	lines = append(lines, where)
	switch {
	case obs.Dialog != nil:
		lines = append(lines, prompts.Fence("page", nonce(), cut(obs.Text, pointerText)), prompts.Notice(prompts.PointerDialog, r.Lang))
	case len(obs.Image) == 0:
		lines = append(lines, prompts.Fence("page", nonce(), cut(obs.Text, pointerText)), prompts.Notice(prompts.PointerBlind, r.Lang))
	}
	m := llm.Text(llm.RoleUser, strings.Join(lines, "\n\n"))
	if len(obs.Image) > 0 {
		s := obs.Shown
		p.screen.Width, p.screen.Height, p.screen.ViewWidth, p.screen.ViewHeight = s.Width, s.Height, s.ViewWidth, s.ViewHeight
		m.Parts = append(m.Parts, llm.Part{Image: obs.Image, MIME: obs.MIME})
	}
	r.hist.shown, r.hist.url, r.hist.title, r.hist.shot = where, obs.URL, obs.Title, llm.Part{Image: obs.Image, MIME: obs.MIME}
	return m, r.pointerRules()
}

// readPointerReply reads a reply of a model that points and turns its action into calls.
// answer is the answer to the model if there is nothing to do in the page.
func (r *run) readPointerReply(ctx context.Context, obs action.Observation, reply *llm.Reply) (answer string, err error) {
	p := r.point
	if caps, err := r.Model.Capabilities(ctx); err == nil && !caps.Vision {
		return "", &llm.Error{Code: llm.CodeUnfit, Message: prompts.Notice(prompts.PointerUnseen, r.Lang), Hint: prompts.Notice(prompts.PointerUnseenHint, r.Lang)}
	}
	reply.Way, p.raw = "", strings.TrimSpace(reply.Text)
	said, err := p.family.Parse(p.raw, p.screen)
	if errors.Is(err, pointer.ErrNoAction) {
		return "", nil // words only
	}
	if err != nil {
		return "", &llm.Error{Code: llm.CodeBadReply, Message: err.Error()}
	}
	a := said.Actions[0]
	if len(said.Actions) > 1 {
		r.notices = append(r.notices, prompts.Notice(prompts.PointerOne, r.Lang, a.Name))
	}
	if a.Fact != "" && !slices.Contains(p.facts, a.Fact) {
		p.facts = append(p.facts, cut(a.Fact, shrunkText*2))
		p.facts = p.facts[max(len(p.facts)-factsMost, 0):]
	}
	p.screen = p.screen.After(a)
	reply.Text = said.Thought
	for i, c := range p.instead(a.Calls, obs) {
		params, err := json.Marshal(c.Params)
		if err != nil {
			return "", err
		}
		reply.Calls = append(reply.Calls, llm.Call{ID: fmt.Sprintf("point_%d_%d", r.usage.Steps+1, i), Name: c.Name, Args: params})
	}
	if len(reply.Calls) > 0 {
		p.idle = 0
		return "", nil
	}
	if p.idle++; p.idle >= maxIdle {
		return "", &llm.Error{Code: llm.CodeBadReply, Message: "nothing was done in the page by the last replies"}
	}
	if a.Answer != "" {
		return a.Answer, nil
	}
	return prompts.Notice(prompts.PointerNoted, r.Lang), nil
}

// noOp stands for an action of a model that points without any effect in the page.
const noOp = "noop"

// readCalls returns the calls of such a model's reply, or noOp if it has only an answer.
func readCalls(calls []llm.Call, answer string) []llm.Call {
	if len(calls) == 0 && answer != "" {
		return []llm.Call{{Name: noOp}}
	}
	return slices.Clone(calls)
}

// instead replaces calls that aim at something outside of the page, which no screenshot
// shows: a dialog, or the open list of a choice that was just clicked.
func (p *pointerState) instead(calls []pointer.Call, obs action.Observation) []pointer.Call {
	list := p.list
	p.list = nil
	if len(calls) == 0 {
		return nil
	}
	last := calls[len(calls)-1]
	answer := func(accept bool, text any) []pointer.Call {
		c := pointer.Call{Name: "handleDialog", Params: map[string]any{"accept": accept}}
		if text != nil {
			c.Params["text"] = text
		}
		return []pointer.Call{c}
	}
	switch {
	case obs.Dialog != nil && last.Name == "pressKey" && last.Params["key"] == "Enter":
		return answer(true, nil)
	case obs.Dialog != nil && last.Name == "pressKey" && last.Params["key"] == "Escape":
		return answer(false, nil)
	case obs.Dialog != nil && obs.Dialog.Kind == "prompt" && last.Name == "type":
		return answer(true, last.Params["text"])
	case list != nil && len(calls) == 1 && last.Name == "type":
		return []pointer.Call{{Name: "select", Params: map[string]any{"index": list.Index, "value": last.Params["text"]}}}
	}
	return calls
}

// answerPointerReply adds a reply and its answer to the history.
func (r *run) answerPointerReply(answer string) {
	r.silent, r.unread = 0, 0
	r.hist.add(turn{reply: llm.Text(llm.RoleAssistant, cut(r.point.raw, 2000)), answers: []llm.Message{llm.Text(llm.RoleUser, answer)}})
}

// remember returns a reply as it is kept in the history.
func (r *run) remember(reply *llm.Reply) llm.Message {
	if r.point != nil {
		return llm.Text(llm.RoleAssistant, r.point.raw)
	}
	m := llm.Message{Role: llm.RoleAssistant, Calls: slices.Clone(reply.Calls)}
	if reply.Text != "" {
		m.Parts = []llm.Part{{Text: cut(reply.Text, 1000)}}
	}
	return m
}

// forget removes from a reply what its i-th call typed into a secret field, also from the
// words beside the call.
func (r *run) forget(m *llm.Message, i int, c llm.Call) {
	if r.point == nil {
		m.Calls[i] = withoutValues(c)
	}
	var p struct {
		Text, Value string
		Params      struct{ Text, Value string }
	}
	if len(m.Parts) == 0 || json.Unmarshal(c.Args, &p) != nil {
		return
	}
	for _, secret := range []string{p.Text, p.Value, p.Params.Text, p.Params.Value} {
		if secret == "" || action.IsSecretRef(secret) {
			continue
		}
		quoted, _ := json.Marshal(secret) //nolint:errchkjson // a string
		for _, form := range []string{secret, strings.Trim(string(quoted), `"`), strings.ReplaceAll(secret, `'`, `\'`)} {
			m.Parts[0].Text = strings.ReplaceAll(m.Parts[0].Text, form, "•••")
		}
	}
}

// resultText returns what the model is told about the result of a step.
func (r *run) resultText(res action.Result) string {
	p := r.point
	if p == nil {
		return prompts.Fence("result", nonce(), res.Text)
	}
	most := pointerText
	if res.Action == "extractContent" {
		most = pointerRead
	}
	text, more := pagecontext.WithoutIndices(res.Text), ""
	if res.Err != nil { // without the hint, which names actions that this model does not know
		text = fmt.Sprintf("ERROR %s: %s", res.Err.Code, pagecontext.WithoutIndices(res.Err.Message))
		more = prompts.Notice(prompts.PointerFailed, r.Lang)
		if res.Err.Code == notAccepted {
			more = ""
		}
		if list, ok := res.Err.Data.(action.ListData); ok {
			p.list, more = &list, prompts.Notice(prompts.PointerList, r.Lang, prompts.Fence("result", nonce(), strings.Join(list.Options, ", ")))
		}
	}
	return strings.TrimSpace(prompts.Fence("result", nonce(), cut(text, most)) + "\n" + more)
}

// noAction returns the request for an action after a reply without one.
func (r *run) noAction(reply *llm.Reply) string {
	if r.point != nil {
		return prompts.Notice(prompts.PointerNoAction, r.Lang, r.point.family.Example)
	}
	return prompts.Notice(prompts.NoAction, r.Lang, r.form(reply.Way))
}

// example returns an example of an action after a reply that could not be read; empty
// if the model calls functions.
func (r *run) example(reply *llm.Reply) string {
	switch {
	case r.point != nil:
		return r.point.family.Example
	case reply != nil && r.form(reply.Way) == prompts.FormText:
		return prompts.Example
	}
	return ""
}

// converse arranges the conversation as the model's family expects it.
func (r *run) converse(h *history, now llm.Message) []llm.Message {
	first := h.first()
	if rules := r.point.rules; rules != "" {
		first = rules + "\n\n## User Instruction\n" + first
	}
	if len(r.point.facts) > 0 {
		first += "\n\n" + prompts.Notice(prompts.PointerFacts, r.Lang, "- "+strings.Join(r.point.facts, "\n- "))
	}
	talk := pointer.Talk{Task: first}
	for _, t := range h.turns {
		var results []string
		for _, a := range t.answers {
			results = append(results, a.PlainText())
		}
		talk.Turns = append(talk.Turns, pointer.Turn{
			Shown: t.seen, Said: t.reply.PlainText(), Result: strings.Join(results, "\n"), Picture: t.shot.Image, MIME: t.shot.MIME,
		})
	}
	newest := pointer.Turn{Shown: now.PlainText(), URL: h.url}
	if h.title != "" { // fenced, because it is the page's text
		newest.Title = prompts.Fence("page", nonce(), cut(h.title, pointerTitle))
	}
	for _, part := range now.Parts {
		if len(part.Image) > 0 {
			newest.Picture, newest.MIME = part.Image, part.MIME
		}
	}
	talk.Turns = append(talk.Turns, newest)
	var out []llm.Message
	for i, m := range r.point.family.Converse(talk) {
		next := llm.Message{Role: llm.Role(m.Role)}
		for _, p := range m.Pictures {
			next.Parts = append(next.Parts, llm.Part{Image: p.Data, MIME: p.MIME})
		}
		if i == 0 {
			next.Parts = append(next.Parts, h.pictures...)
		}
		next.Parts = append(next.Parts, llm.Part{Text: m.Text})
		out = append(out, next)
	}
	return out
}
